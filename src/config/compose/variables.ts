// The values of `${var.…}` and `${env.…}` in one environment.
import { type Diagnostic, errorAt, type ResultOr, type Source, suggest } from "../../model/diagnostic.ts";
import { either, formatCount } from "../../model/value.ts";
import { projectFile } from "../../model/wish.ts";
import { maximumLength } from "../yaml/locate.ts";
import { type Located, type LocatedScalar, mapScalars, type ScalarValue } from "../yaml/located.ts";
import { type EmptyCell, emptyCell } from "./series/sheet.ts";

/** Only these can be read: a pull request must not be able to print other secrets of the CI. */
const readablePrefix = "TICKETING_VAR_";

/** How much the variables of one file may still add to it. */
export interface Allowance {
  characters: number;
  /** Further diagnostics: a thousand more would not help. */
  problems: number;
}

const charactersOfFile = 1024 * 1024;

/** Variables must not make a file larger than any file may be. */
export function allowanceOfFile(): Allowance {
  return { characters: charactersOfFile, problems: 100 };
}

/** How many characters variables have added under this allowance. */
export function filledWithin({ characters }: Allowance): number {
  return charactersOfFile - characters;
}

/** What a name stands for. `problem` null: there is no value, for a reason already reported. */
type VarResult = ResultOr<{ readonly value: ScalarValue }, { readonly ok: false; readonly problem: Diagnostic | null }>;

const reported: VarResult = { ok: false, problem: null };

/** The values of one environment, as plain data. */
export interface Variables {
  /** As written: a higher level may change what they are made of. */
  readonly written: ReadonlyMap<string, LocatedScalar>;
  /** undefined: it has none, for a reason already reported. */
  readonly values: ReadonlyMap<string, ScalarValue | undefined>;
  /** The part of the process's environment that files can read. */
  readonly env: Readonly<Record<string, string>>;
  /** Which environments set a variable, and for which ones the files are checked. */
  readonly elsewhere: { readonly setBy: ReadonlyMap<string, readonly string[]>; readonly checked: readonly string[] };
  /** Where the document extends a template, whose text may need a variable that the document does not set. */
  readonly extending?: Source | undefined;
  /** Of the document's sheet: each is a variable on the dates whose cell is not empty. */
  readonly columns?: readonly EmptyCell[] | undefined;
}

/** How a name becomes a value, even while the values are still being computed. */
interface Lookup extends Pick<Variables, "env" | "elsewhere" | "extending" | "columns"> {
  /** null: there is no such variable. */
  readonly varOf: (name: string) => VarResult | null;
  readonly names: readonly string[];
  /** Reported once for the document. */
  readonly missing: Set<string>;
}

function lookupIn({ values, ...others }: Variables): Lookup {
  return {
    ...others,
    varOf: (name) => (values.has(name) ? valueOr(values.get(name)) : null),
    names: [...values.keys()],
    missing: new Set(),
  };
}

function valueOr(value: ScalarValue | undefined): VarResult {
  return value === undefined ? reported : { ok: true, value };
}

/** Vars may use other vars; circular ones, and those that use an unknown one, are reported and have no value. */
export function resolveVariables(
  written: ReadonlyMap<string, LocatedScalar>,
  processEnv: Readonly<Record<string, string | undefined>>,
  elsewhere: Variables["elsewhere"],
  problems: Diagnostic[],
): Variables {
  const values = new Map<string, ScalarValue>();
  const failed = new Set<string>();
  const open: string[] = [];
  const ofFile = allowanceOfFile();
  const env = readableOf(processEnv);
  const lookup: Lookup = {
    varOf: (name) => (written.has(name) ? valueOr(resolve(name)) : null),
    names: [...written.keys()],
    env,
    elsewhere,
    missing: new Set(),
  };

  function resolve(name: string): ScalarValue | undefined {
    const node = written.get(name);
    if (node === undefined || values.has(name) || failed.has(name)) return values.get(name);
    if (open.includes(name)) {
      const circle = [...open.slice(open.indexOf(name)), name];
      for (const member of circle) failed.add(member);
      const message = `Circular variables: ${circle.join(" → ")}.`;
      problems.push(errorAt("variable-circle", node.source, message, "Give one of them a value without variables."));
      return undefined;
    }
    open.push(name);
    // Empty values, lists and maps were reported already.
    const value = node.marks === undefined ? (node.value ?? undefined) : fillIn(node, lookup, ofFile, problems);
    open.pop();
    if (value === undefined || failed.has(name)) failed.add(name);
    else values.set(name, value);
    return values.get(name);
  }

  return { written, values: new Map(lookup.names.map((name) => [name, resolve(name)])), env, elsewhere };
}

function readableOf(env: Readonly<Record<string, string | undefined>>): Variables["env"] {
  const readable = Object.entries(env).filter(([name]) => name.startsWith(readablePrefix));
  return Object.fromEntries(readable.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The same with the vars of a level above over them. */
export function withVars(
  variables: Variables,
  above: ReadonlyMap<string, LocatedScalar>,
  problems: Diagnostic[],
): Variables {
  if (above.size === 0) return variables;
  return resolveVariables(new Map([...variables.written, ...above]), variables.env, variables.elsewhere, problems);
}

/** The same values with every `${…}` in a text filled in. `allowance` is that of the file. */
export function interpolate(
  node: Located,
  variables: Variables,
  problems: Diagnostic[],
  allowance: Allowance,
): Located {
  const lookup = lookupIn(variables);
  return mapScalars(node, (scalar) => {
    if (scalar.marks === undefined) return scalar;
    const value = fillIn(scalar, lookup, allowance, problems);
    const filled = { ...scalar, ...cellOf(scalar, variables), plain: false, filledFrom: String(scalar.value) };
    return value === undefined ? { ...filled, reported: true } : { ...filled, value };
  });
}

/** Whether a cell of a sheet or an environment variable is the whole value, directly or through a var. Its place is the cell's. */
function cellOf({ value }: LocatedScalar, { written }: Variables): Pick<LocatedScalar, "source" | "cell"> | object {
  const passed = new Set<string>();
  let text = String(value);
  for (;;) {
    const [, scope, name = ""] = /^\s*\$\{\s*(var|env)\.([^{}]+?)\s*\}\s*$/.exec(text) ?? [];
    if (scope === "env") return { cell: true };
    const node = scope === undefined || passed.has(name) ? undefined : written.get(name);
    if (node === undefined) return {};
    if (node.cell === true) return { cell: true, source: node.source };
    passed.add(name);
    text = String(node.value);
  }
}

export function varsUsedIn(node: Located, names: Set<string>): void {
  mapScalars(node, (scalar) => {
    if (scalar.marks === undefined) return scalar;
    for (const [, dollar, inner = ""] of String(scalar.value).matchAll(placeholder)) {
      const [, name] = /^\s*var\.(.+?)\s*$/.exec(inner) ?? [];
      if (dollar === "" && name !== undefined) names.add(name);
    }
    return scalar;
  });
}

// `$${` is an escaped `${`: the match ends there, and the text after it is read as usual. Each match holds exactly one `${`.
const placeholder = /(\$?)\$\{(?:(?<=\$\$\{)|((?:(?!\$\{)[^}])*)(\}?))/g;

/** A text with its `${…}` filled in; undefined if one fails. A text that is exactly one `${var.…}` keeps the variable's type, so a price can be a variable. */
function fillIn(node: LocatedScalar, lookup: Lookup, left: Allowance, problems: Diagnostic[]): ScalarValue | undefined {
  const text = String(node.value);
  const trimmed = text.trim();
  const isSpent = () => length > maximumLength || left.characters < 0 || left.problems <= 0;
  let length = text.length;
  let count = 0;
  let failed = false;
  let whole: ScalarValue | undefined;
  const filled = text.replace(placeholder, (match, dollar: string, inner = "", close = "") => {
    const source = node.marks?.[count] ?? node.source;
    count += 1;
    if (dollar !== "") return match.slice(1);
    const name = inner.trim();
    let found = isSpent() ? reported : close === "" ? unclosed(source) : lookUpVariable(name, lookup, source);
    if (found.ok) {
      const added = String(found.value).length;
      length += added;
      left.characters -= added;
      if (isSpent()) found = added > 0 ? tooMuch(source, length > maximumLength) : reported;
    }
    if (!found.ok) {
      failed = true;
      if (found.problem === null) return "";
      left.problems -= 1;
      problems.push(found.problem);
      return "";
    }
    if (match === trimmed) whole = found.value;
    return String(found.value);
  });
  return failed ? undefined : (whole ?? filled);
}

function lookUpVariable(inner: string, lookup: Lookup, source: Source): VarResult {
  const [, scope, name = ""] = /^(var|env)\.(.+)$/.exec(inner) ?? [];
  const { varOf, env } = lookup;
  if (scope === "var") return varOf(name) ?? unknownVar(name, lookup, source);
  if (scope === "env" && !name.startsWith(readablePrefix)) return hidden(name, source);
  if (scope === "env") return env[name] === undefined ? unset(name, source) : { ok: true, value: env[name] };
  const message = `\`\${${inner}}\` is neither \`\${var.NAME}\` nor \`\${env.NAME}\`.`;
  const meant = placeholderMeantBy(inner, lookup.names);
  const literal = `$\${${inner}} for the literal text.`;
  const isName = meant === null && /^[\w-]+$/.test(inner);
  const write = isName ? `Write \${var.${inner}} for the variable \`${inner}\`, or` : "Write";
  const hint = meant === null ? `${write} ${literal}` : `Did you mean \`\${${meant}}\`? If not, write ${literal}`;
  return unknownVariable(source, message, hint);
}

/** `vars.act`, `act` and `TICKETING_VAR_ACT` in place of `var.act` and `env.TICKETING_VAR_ACT`. */
function placeholderMeantBy(inner: string, known: readonly string[]): string | null {
  const [, scope, name = inner] = /^(vars?|variables?|env|environment)\.(.+)$/i.exec(inner) ?? [];
  if (name.startsWith(readablePrefix)) return `env.${name}`;
  const near = known.includes(name) ? name : suggest(name, known);
  if (near !== null) return `var.${near}`;
  return scope !== undefined && !/^env/i.test(scope) ? `var.${name}` : null;
}

function unknownVariable(source: Source, message: string, hint: string): VarResult {
  return { ok: false, problem: errorAt("unknown-variable", source, message, hint) };
}

function unclosed(source: Source): VarResult {
  return unknownVariable(source, "`${` is not closed.", "Add the closing }, or write $${ for the literal text.");
}

function unknownVar(name: string, lookup: Lookup, source: Source): VarResult {
  const { names: known, extending, missing } = lookup;
  const { setBy, checked } = lookup.elsewhere;
  const [, plain] = /^([\w-]+)\s*(?:\?\?|\|\|?|:)/.exec(name) ?? [];
  if (plain !== undefined) {
    const message = `A variable cannot have a default here: \`\${var.${name}}\`.`;
    const where = "`vars` in ticketing.yaml or in a template";
    return unknownVariable(source, message, `Write \`\${var.${plain}}\`, and its default under ${where}.`);
  }
  const by = setBy.get(name);
  if (by !== undefined) {
    const without = checked.filter((environment) => !by.includes(environment));
    const message = `The variable \`${name}\` is set for ${by.join(" and ")}, but not for ${either(without)}.`;
    const hint =
      "Set it for every environment that needs it, or once, for all environments, in `vars` at the top level of ticketing.yaml.";
    return unknownVariable(source, message, hint);
  }
  const column = lookup.columns?.find(({ text }) => text === name);
  if (column !== undefined) return { ok: false, problem: emptyCell(column) };
  const near = suggest(name, known);
  // The template is fine: other events that extend it set the variable. Defaults are for all events.
  if (near === null && extending !== undefined && ![extending.file, projectFile].includes(source.file)) {
    if (missing.has(name)) return reported;
    missing.add(name);
    return notSet(name, extending, source);
  }
  const others = `${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}`;
  const add =
    known.length === 0
      ? `ticketing.yaml: vars: { ${name}: … }`
      : `\`vars\` in ticketing.yaml, or use one of: ${others}`;
  const hint = near === null ? `Add it to ${add}.` : `Did you mean \`${near}\`?`;
  return unknownVariable(source, `Unknown variable \`${name}\`.`, hint);
}

function notSet(name: string, extending: Source, { file, line }: Source): VarResult {
  const message = `${file}:${line} uses the variable \`${name}\`, and this event does not set it.`;
  const hint = `Add \`vars: { ${name}: … }\` to ${extending.file}; or to ${file}, for all events that extend it.`;
  return unknownVariable(extending, message, hint);
}

function hidden(name: string, source: Source): VarResult {
  const upper = name.toUpperCase().replaceAll(/\W/g, "_");
  const readable = upper.startsWith(readablePrefix) ? upper : `${readablePrefix}${upper}`;
  const message = `The environment variable ${name} cannot be used: only names that start with ${readablePrefix} can.`;
  return unknownVariable(source, message, `Set ${readable} and write \${env.${readable}}.`);
}

function unset(name: string, source: Source): VarResult {
  return unknownVariable(source, `The environment variable ${name} is not set.`, "Set it where this command runs.");
}

function tooMuch(source: Source, inOneText: boolean): VarResult {
  const limits = inOneText
    ? `one value can have at most ${formatCount(maximumLength)} characters`
    : "variables can add at most 1 MiB to a file";
  const message = `The variables up to here add too much text: ${limits}.`;
  return { ok: false, problem: errorAt("too-long", source, message, "Use shorter text, or fewer variables.") };
}
