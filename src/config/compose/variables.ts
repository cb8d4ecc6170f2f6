// The values of `${var.…}` and `${env.…}` in one environment.
import { type Diagnostic, errorAt, type Source, suggest } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import { maximumLength } from "../yaml/locate.ts";
import { type Located, type LocatedScalar, mapScalars, type ScalarValue } from "../yaml/located.ts";

/** Only these can be read: a pull request must not be able to print other secrets of the CI. */
const readablePrefix = "TICKETING_VAR_";

/** How much the variables of one file, and of the whole project, may still add to it. */
export interface Allowance {
  characters: number;
  /** Diagnostics: a thousand more would not help. */
  problems: number;
}

/** Variables must not make a file larger than any file may be. */
export function allowanceOfFile(): Allowance {
  return { characters: 1024 * 1024, problems: 100 };
}

/** Stands for a value that is missing for a reason already reported. */
const reported = Symbol("reported");

export interface Variables {
  /** As the files write them: a level above may change what they are made of. */
  readonly written: ReadonlyMap<string, LocatedScalar>;
  /** undefined: there is no var of this name. */
  readonly varOf: (name: string) => ScalarValue | undefined | typeof reported;
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of all files together. */
  readonly allowance: Allowance;
}

/** Vars may be made of other vars; circular ones, and those made of an unknown one, are reported and have no value. */
export function resolveVariables(
  written: ReadonlyMap<string, LocatedScalar>,
  env: Variables["env"],
  problems: Diagnostic[],
): Variables {
  const values = new Map<string, ScalarValue>();
  const failed = new Set<string>();
  const open: string[] = [];
  const ofFile = allowanceOfFile();
  const variables: Variables = {
    written,
    varOf: (name) => (written.has(name) ? (resolve(name) ?? reported) : undefined),
    names: [...written.keys()],
    env,
    allowance: { characters: 64 * 1024 * 1024, problems: 1_000 },
  };

  function resolve(name: string): ScalarValue | undefined {
    const node = written.get(name);
    if (node === undefined || values.has(name) || failed.has(name)) return values.get(name);
    if (open.includes(name)) {
      const circle = [...open.slice(open.indexOf(name)), name];
      for (const member of circle) failed.add(member);
      const message = `Circular variables: ${circle.join(" → ")}.`;
      problems.push(errorAt("variable-circle", node.source, message, "Give one of them a value of its own."));
      return undefined;
    }
    open.push(name);
    const value = node.marks === undefined ? node.value : fillIn(node, variables, ofFile, problems);
    open.pop();
    if (value === undefined || failed.has(name)) failed.add(name);
    else values.set(name, value);
    return values.get(name);
  }

  for (const name of written.keys()) resolve(name);
  return variables;
}

/** The same with the vars of a level above over them. */
export function withVars(
  variables: Variables,
  above: ReadonlyMap<string, LocatedScalar>,
  problems: Diagnostic[],
): Variables {
  if (above.size === 0) return variables;
  return resolveVariables(new Map([...variables.written, ...above]), variables.env, problems);
}

/** The same values with every `${…}` in a text filled in. `allowance` is that of the file. */
export function interpolate(
  node: Located,
  variables: Variables,
  problems: Diagnostic[],
  allowance: Allowance,
): Located {
  return mapScalars(node, (scalar) => {
    if (scalar.marks === undefined) return scalar;
    const value = fillIn(scalar, variables, allowance, problems);
    const filled = { ...scalar, plain: false, filledFrom: String(scalar.value) };
    return value === undefined ? { ...filled, reported: true } : { ...filled, value };
  });
}

// `$${` is an escaped `${`: the match ends there, and the text after it is read as usual. Each match holds exactly one `${`.
const placeholder = /(\$?)\$\{(?:(?<=\$\$\{)|((?:(?!\$\{)[^}])*)(\}?))/g;

/**
 * The value of a text with its `${…}` filled in; undefined if one cannot be. A text that is exactly one `${var.…}` takes the
 * var's own type, so that a price can be a var.
 */
function fillIn(
  node: LocatedScalar,
  variables: Variables,
  ofFile: Allowance,
  problems: Diagnostic[],
): ScalarValue | undefined {
  const text = String(node.value);
  const trimmed = text.trim();
  const allowances = [ofFile, variables.allowance];
  const isSpent = () => length > maximumLength || allowances.some((left) => left.characters < 0 || left.problems <= 0);
  let length = text.length;
  let count = 0;
  let failed = false;
  let whole: ScalarValue | undefined;
  const filled = text.replace(placeholder, (match, dollar: string, inner = "", close = "") => {
    const source = node.marks?.[count] ?? node.source;
    count += 1;
    if (dollar !== "") return match.slice(1);
    const name = inner.trim();
    let value = isSpent() ? reported : close === "" ? unclosed(source) : lookUp(name, variables, source);
    if (typeof value !== "symbol" && typeof value !== "object") {
      const added = String(value).length;
      length += added;
      for (const left of allowances) left.characters -= added;
      if (isSpent()) value = added > 0 ? tooMuch(source, length > maximumLength) : reported;
    }
    if (typeof value === "object") {
      for (const left of allowances) left.problems -= 1;
      problems.push(value);
    }
    if (typeof value === "symbol" || typeof value === "object") {
      failed = true;
      return "";
    }
    if (match === trimmed) whole = node.plain && name.startsWith("env.") ? typed(value) : value;
    return String(value);
  });
  return failed ? undefined : (whole ?? filled);
}

/** A variable of the environment is a text; without quotes around it, it means what it would mean if written there itself. */
function typed(value: string | number | boolean): ScalarValue {
  const text = String(value);
  if (/^-?[1-9]\d{0,14}$|^0$/.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : value;
}

function lookUp(
  inner: string,
  { varOf, names, env }: Variables,
  source: Source,
): string | number | boolean | Diagnostic | typeof reported {
  const [, scope, name = ""] = /^(var|env)\.(.+)$/.exec(inner) ?? [];
  if (scope === "var") return (varOf(name) ?? unknownVar(name, names, source)) as ReturnType<typeof lookUp>;
  if (scope === "env")
    return name.startsWith(readablePrefix) ? (env[name] ?? unset(name, source)) : hidden(name, source);
  const message = `\`\${${inner}}\` is neither \`\${var.NAME}\` nor \`\${env.NAME}\`.`;
  return unknownVariable(source, message, `Write $\${${inner}} if the text itself is meant.`);
}

function unknownVariable(source: Source, message: string, hint: string): Diagnostic {
  return errorAt("unknown-variable", source, message, hint);
}

function unclosed(source: Source): Diagnostic {
  return unknownVariable(source, "`${` is not closed.", "Add the closing }, or write $${ if the text itself is meant.");
}

function unknownVar(name: string, known: readonly string[], source: Source): Diagnostic {
  const near = suggest(name, known);
  const others = `${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}`;
  const hint =
    near !== null
      ? `Did you mean \`${near}\`?`
      : known.length === 0
        ? `Add it to ticketing.yaml: vars: { ${name}: … }.`
        : `Add it to \`vars\` in ticketing.yaml, or use one of: ${others}.`;
  return unknownVariable(source, `Unknown variable \`${name}\`.`, hint);
}

function hidden(name: string, source: Source): Diagnostic {
  const readable = `${readablePrefix}${name.toUpperCase()}`;
  return unknownVariable(
    source,
    `The environment variable ${name} cannot be used: only names that start with ${readablePrefix} can.`,
    `Set ${readable} and write \${env.${readable}}.`,
  );
}

function unset(name: string, source: Source): Diagnostic {
  return unknownVariable(source, `The environment variable ${name} is not set.`, "Set it where this command runs.");
}

function tooMuch(source: Source, inOneText: boolean): Diagnostic {
  const limits = inOneText
    ? `a text can have at most ${formatCount(maximumLength)} characters`
    : "they can add at most 1 MiB to a file, and 64 MiB to all files";
  const hint = "Use a shorter text, or fewer variables.";
  return errorAt("too-long", source, `The variables up to here fill in too much: ${limits}.`, hint);
}
