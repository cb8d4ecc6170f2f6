// What `${var.…}` and `${env.…}` stand for in one environment.
import { type Diagnostic, type Source, suggest } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import { maximumLength } from "../yaml/locate.ts";
import type { Located, LocatedEntry, LocatedScalar, ScalarValue } from "../yaml/located.ts";

/** Only these can be read: a pull request must not be able to print other secrets of the CI. */
const readablePrefix = "TICKETING_VAR_";

export interface Lookup {
  /** undefined: there is none of this name. */
  readonly lookUp: (name: string) => ScalarValue | undefined | Reported;
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How much the variables of one file, and of the whole project, may still add to it. */
export interface Allowance {
  /** Characters. */
  left: number;
  /** Problems that are reported: a thousand more would help nobody. */
  problems: number;
}

/** Variables must not make a file larger than any file may be. */
export function allowanceOfFile(): Allowance {
  return { left: 1024 * 1024, problems: 100 };
}

export function allowanceOfProject(): Allowance {
  return { left: 64 * 1024 * 1024, problems: 1_000 };
}

/** Stands for a value that is missing for a reason already told. */
export const reported = Symbol("reported");
export type Reported = typeof reported;

// `$${` stands for `${` and ends there: what follows is read as ever. Each match holds one `${`, as each mark is of one.
const placeholder = /(\$?)\$\{(?:(?<=\$\$\{)|((?:(?!\$\{)[^}])*)(\}?))/g;

/**
 * The value of a text with its `${…}` filled in; undefined where one cannot be. A text that is exactly one `${var.…}` takes the
 * var's own type, so that a price can be a var.
 */
export function fillIn(
  node: LocatedScalar,
  lookup: Lookup,
  problems: Diagnostic[],
  allowances: readonly Allowance[],
): ScalarValue | undefined {
  const text = String(node.value);
  const trimmed = text.trim();
  let failed = false;
  let length = text.length;
  let count = 0;
  let whole: ScalarValue | undefined;
  const filled = text.replace(placeholder, (match, dollar: string, inner = "", close = "") => {
    const source = node.marks?.[count] ?? node.source;
    count += 1;
    if (dollar !== "") return match.slice(1);
    const found: Diagnostic[] = [];
    const isOver = length > maximumLength || isSpent(allowances);
    const value = isOver ? undefined : fill(inner.trim(), close, source, found);
    if (value === undefined) {
      failed = true;
      report(found);
      return "";
    }
    if (match === trimmed) whole = node.plain && inner.trim().startsWith("env.") ? typed(value) : value;
    return String(value);
  });

  function fill(name: string, close: string, source: Source, found: Diagnostic[]): ScalarValue | undefined {
    const value = close === "" ? unclosed(source, found) : lookUpValue(name, lookup, source, found);
    const added = value === undefined ? 0 : String(value).length;
    length += added;
    for (const allowance of allowances) allowance.left -= added;
    if (length <= maximumLength && !isSpent(allowances)) return value;
    if (added > 0) found.push(grown(source, length > maximumLength));
    return undefined;
  }

  function report(found: readonly Diagnostic[]): void {
    for (const allowance of allowances) allowance.problems -= found.length;
    problems.push(...found);
  }

  if (failed) return undefined;
  return whole ?? filled;
}

/** A variable of the environment is a text; without quotes around it, it means what it would mean if it stood there itself. */
function typed(value: ScalarValue): ScalarValue {
  const text = String(value);
  if (/^-?[1-9]\d{0,14}$|^0$/.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : value;
}

function isSpent(allowances: readonly Allowance[]): boolean {
  return allowances.some(({ left, problems }) => left < 0 || problems <= 0);
}

function grown(source: Source, byItself: boolean): Diagnostic {
  const limits = byItself
    ? `a text may have no more than ${formatCount(maximumLength)} characters`
    : "they may add no more than 1 MiB to a file, and 64 MiB to all files";
  return {
    code: "too-long",
    severity: "error",
    message: `The variables up to here fill in too much: ${limits}.`,
    hint: "Use a shorter text, or fewer variables.",
    source,
  };
}

function lookUpValue(
  inner: string,
  lookup: Lookup,
  source: Source,
  problems: Diagnostic[],
): string | number | boolean | undefined {
  const [, scope, name = ""] = /^(var|env)\.(.+)$/.exec(inner) ?? [];
  if (scope === "var") {
    const value = lookup.lookUp(name);
    if (value === reported || value === null) return undefined;
    if (value === undefined) problems.push(unknownVar(name, lookup.names, source));
    return value;
  }
  if (scope === "env") {
    if (!name.startsWith(readablePrefix)) {
      problems.push(unreadable(name, source));
      return undefined;
    }
    const value = lookup.env[name];
    if (value === undefined) problems.push(unset(name, source));
    return value;
  }
  problems.push({
    code: "unknown-variable",
    severity: "error",
    message: `\`\${${inner}}\` is neither \`\${var.NAME}\` nor \`\${env.NAME}\`.`,
    hint: `Write $\${${inner}} if the text itself is meant.`,
    source,
  });
  return undefined;
}

function unclosed(source: Source, problems: Diagnostic[]): undefined {
  problems.push({
    code: "unknown-variable",
    severity: "error",
    message: "`${` is not closed.",
    hint: "Add the closing }, or write $${ if the text itself is meant.",
    source,
  });
}

function unknownVar(name: string, known: readonly string[], source: Source): Diagnostic {
  const near = suggest(name, known);
  return {
    code: "unknown-variable",
    severity: "error",
    message: `There is no var \`${name}\`.`,
    hint:
      near !== null
        ? `Did you mean \`${near}\`?`
        : known.length === 0
          ? `Add it to ticketing.yaml: vars: { ${name}: … }.`
          : `Add it to \`vars\` in ticketing.yaml, or use one of: ${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}.`,
    source,
  };
}

function unreadable(name: string, source: Source): Diagnostic {
  return {
    code: "unknown-variable",
    severity: "error",
    message: `The environment variable ${name} cannot be read: only those that begin with ${readablePrefix} can.`,
    hint: `Set ${readablePrefix}${name.toUpperCase()} and write \${env.${readablePrefix}${name.toUpperCase()}}.`,
    source,
  };
}

function unset(name: string, source: Source): Diagnostic {
  return {
    code: "unknown-variable",
    severity: "error",
    message: `The environment variable ${name} is not set.`,
    hint: "Set it where this command runs.",
    source,
  };
}

export interface Variables {
  /** Without those that have no value; why they have none is told where they stand. */
  readonly vars: ReadonlyMap<string, ScalarValue>;
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly allowance: Allowance;
}

/** Vars may be made of other vars; those that go in a circle, or are made of an unknown one, are problems and left out. */
export function resolveVariables(
  written: ReadonlyMap<string, LocatedScalar>,
  env: Variables["env"],
  problems: Diagnostic[],
): Variables {
  const vars = new Map<string, ScalarValue>();
  const open: string[] = [];
  const names = [...written.keys()];
  const allowances = [allowanceOfFile()];
  const failed = new Set<string>();

  function resolve(name: string): ScalarValue | undefined {
    const known = vars.get(name);
    if (known !== undefined || failed.has(name)) return known;
    const node = written.get(name);
    if (node === undefined) return undefined;
    if (open.includes(name)) {
      reportCircle(name);
      return undefined;
    }
    open.push(name);
    const value = node.marks === undefined ? node.value : fillIn(node, { lookUp, names, env }, problems, allowances);
    open.pop();
    if (value === undefined || failed.has(name)) failed.add(name);
    else vars.set(name, value);
    return vars.get(name);
  }

  function lookUp(name: string): ScalarValue | undefined | Reported {
    if (!written.has(name)) return undefined;
    return resolve(name) ?? reported;
  }

  function reportCircle(name: string): void {
    const circle = [...open.slice(open.indexOf(name)), name];
    for (const member of circle) failed.add(member);
    problems.push({
      code: "variable-circle",
      severity: "error",
      message: `The vars ${circle.join(" → ")} go in a circle.`,
      hint: "Give one of them a value of its own.",
      source: (written.get(name) as LocatedScalar).source,
    });
  }

  for (const name of written.keys()) resolve(name);
  return { vars, names, env, allowance: allowanceOfProject() };
}

/** The same values with every `${…}` in a text filled in. `allowance` is that of the file. */
export function interpolate(
  node: Located,
  variables: Variables,
  problems: Diagnostic[],
  allowance: Allowance,
): Located {
  const { vars, names, env } = variables;
  const lookup: Lookup = {
    lookUp: (name) => vars.get(name) ?? (names.includes(name) ? reported : undefined),
    names,
    env,
  };
  const allowances = [allowance, variables.allowance];
  return fill(node);

  function fill(here: Located): Located {
    switch (here.type) {
      case "scalar":
        return here.marks === undefined ? here : fillScalar(here);
      case "list":
        return { ...here, items: here.items.map(fill) };
      case "map": {
        const entries = new Map<string, LocatedEntry>();
        for (const [key, entry] of here.entries) entries.set(key, { key: entry.key, value: fill(entry.value) });
        return { ...here, entries };
      }
    }
  }

  function fillScalar(scalar: LocatedScalar): LocatedScalar {
    const value = fillIn(scalar, lookup, problems, allowances);
    const filled = { ...scalar, plain: false, filledFrom: String(scalar.value) };
    return value === undefined ? { ...filled, reported: true } : { ...filled, value };
  }
}
