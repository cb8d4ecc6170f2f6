// Checks of values that come from outside, put together from small ones. Each says in one sentence what is wrong, by the
// name of the field; null: nothing.

export type Check = (value: unknown, name: string) => string | null;

export function text(value: unknown, name: string): string | null {
  return typeof value === "string" ? null : `${name} must be a text.`;
}

export function word(value: unknown, name: string): string | null {
  return typeof value === "string" && value.trim() !== "" ? null : `${name} must be a text that is not empty.`;
}

export function flag(value: unknown, name: string): string | null {
  return typeof value === "boolean" ? null : `${name} must be true or false.`;
}

export function number(value: unknown, name: string): string | null {
  return typeof value === "number" ? null : `${name} must be a number.`;
}

export function time(value: unknown, name: string): string | null {
  const readable = typeof value === "string" && !Number.isNaN(Date.parse(value));
  return readable ? null : `${name} must be an ISO 8601 date-time.`;
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return (value, name) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most
      ? null
      : `${name} must be a whole number ${range}.`;
}

export function oneOf(values: readonly string[]): Check {
  return (value, name) =>
    typeof value === "string" && values.includes(value) ? null : `${name} must be one of ${values.join(", ")}.`;
}

/** The sentence for people where none of the checks holds. */
export function either(checks: readonly Check[], must: string): Check {
  return (value, name) => (checks.some((check) => check(value, name) === null) ? null : `${name} must be ${must}.`);
}

export function orNull(check: Check): Check {
  return (value, name) => {
    const problem = value === null ? null : check(value, name);
    return problem === null ? null : problem.replace(/\.$/, ", or null.");
  };
}

export function listOf(check: Check): Check {
  return (value, name) => {
    if (!Array.isArray(value)) return `${name} must be a list.`;
    return firstOf(value.map((each: unknown, at) => check(each, `${name}[${at}]`)));
  };
}

/** Fields that the table does not know are let through. */
export function fields(table: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check {
  return (value, name) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `${name} must be an object.`;
    const given = value as Readonly<Record<string, unknown>>;
    const prefix = name === body ? "" : `${name}.`;
    const missing = needed.find((field) => given[field] === undefined);
    if (missing !== undefined) return `${prefix}${missing} is missing: ${table[missing]?.(undefined, "it") ?? ""}`;
    return firstOf(
      Object.entries(table).map(([field, check]) =>
        given[field] === undefined ? null : check(given[field], prefix + field),
      ),
    );
  };
}

/** The name of what is sent as a whole. */
export const body = "The body";

function firstOf(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}
