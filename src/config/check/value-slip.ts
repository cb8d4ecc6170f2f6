// Slips in a value: signs of a word processor, numbers as people write them, and texts that a # cuts.
import { uuidPattern } from "../../model/address.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { inQuotes } from "../yaml/find-slip.ts";
import { type Located, type LocatedScalar, nodeAt, type YamlDocument } from "../yaml/located.ts";
import { type Schema, stepInto, typeOf, unwrap } from "./schema-walk.ts";

interface ValueSlip {
  /** Where in the text it is. */
  readonly at: number;
  readonly because: string;
  readonly hint: string;
}

const curly = /^[“”„«‘’‚]/u;
const closingCurly = /[“”»‘’]$/u;
const hardSpace = /[\u00a0\u2007\u202f\u3000\u200b\ufeff]/u;
const longDash = /[‐‑‒–—−]/u;
const bullet = /^[–—−•·‣▪◦*](?=\s)/u;

/** null: nothing of the kind. */
function findValueSlip(text: string): ValueSlip | null {
  if (curly.test(text)) {
    const inner = text.slice(1).replace(closingCurly, "").trim();
    return {
      at: 0,
      because: `${text.charAt(0)} is a curly quote, which YAML reads as a letter`,
      hint: `Write ${inner} without quotes, or in straight quotes: "${inner}".`,
    };
  }
  const space = text.search(hardSpace);
  if (space !== -1) {
    const name = text.charAt(space) === "\u00a0" ? "a no-break space" : "an unusual space";
    const because = `the text contains ${name}, which looks like a regular space`;
    return { at: space, because, hint: "Delete it, or type a regular space." };
  }
  if (bullet.test(text)) {
    const because = `a list entry starts with a hyphen, not with ${text.charAt(0)}`;
    return { at: 0, because, hint: "Write `- ` before each entry instead." };
  }
  const dash = text.search(longDash);
  if (dash === -1 || !/\d/.test(text)) return null;
  return {
    at: dash,
    because: `${text.charAt(dash)} is a dash, not a hyphen`,
    hint: `Write ${text.replaceAll(/[‐‑‒–—−]/gu, "-")}, with a hyphen.`,
  };
}

/** The diagnostic of a value, with the typing mistake as its cause, its place and its fix. */
export function withSlip(problem: Diagnostic, node: Located): Diagnostic {
  if (node.type !== "scalar" || typeof node.value !== "string") return problem;
  const slip = findValueSlip(node.value);
  if (slip === null) return problem;
  const { file, line, column } = node.source;
  return {
    ...problem,
    message: `${problem.message.replace(/\.$/, "")}: ${slip.because}.`,
    hint: slip.hint,
    source: { file, line, column: column + slip.at + (node.plain ? 0 : 1) },
  };
}

// Numbers as people write them: "₱1,500.00", "1.500,00", "200,50".

/** The whole numbers that a text may mean, the likeliest first; none if it is no number. A separator of thousands has three digits after it. */
export function numbersIn(text: string): readonly number[] {
  const digits = text.replace(/^(?:₱|php|p)|(?:php|pesos?)$|[\s_]/gi, "");
  if (/^\d{1,15}$/.test(digits)) return [Number(digits)];
  const [, thousands, , decimals = ""] =
    /^(\d{1,3}(?:([,.])\d{3})(?:\2\d{3})*)(?:(?!\2)[,.](\d+))?$/.exec(digits) ?? [];
  if (thousands !== undefined) return around(thousands.replace(/[,.]/g, ""), decimals);
  const [, whole, sign, part = ""] = /^(\d{1,15})([,.])(\d+)$/.exec(digits) ?? [];
  if (whole === undefined) return [];
  // `9,00`: the comma may mean decimals, or be one of thousands in the wrong place.
  const isShort = sign === "," && whole.length < 3 && Number(whole) > 0 && Number(part) === 0;
  return [...around(whole, part), ...(isShort ? [Number(whole + part)] : [])];
}

/** The number itself, or those below and above it. */
function around(whole: string, decimals: string): readonly number[] {
  const below = Number(whole);
  if (!Number.isSafeInteger(below)) return [];
  return /^0*$/.test(decimals) ? [below] : [below, below + 1];
}

// `name: Jazz Night #3` is "Jazz Night" to YAML, and nothing on the screen says so.

/** Reports texts of a document that a comment cut off, and says what `yes` means. Where anything but free text is expected, it is a real comment. */
export function reportSlips({ content, hasSlips }: YamlDocument, root: Schema, problems: Diagnostic[]): void {
  if (!hasSlips || content === null) return;
  // An alias shows one value at several places.
  const visited = new Set<Located>();
  function visit(node: Located, schemas: readonly Schema[]): void {
    if (visited.has(node)) return;
    visited.add(node);
    if (node.type === "scalar") {
      if (node.reported && schemas.some((schema) => typeOf(schema) === "boolean")) sayWhichSwitch(node, problems);
      if (node.cut !== undefined && schemas.some((schema) => isCutText(node, schema)))
        problems.push(cutShort(node, node.cut));
    } else if (node.type === "list") {
      for (const item of node.items) visit(item, below(schemas, 0));
    } else {
      for (const [key, { value }] of node.entries) visit(value, below(schemas, key));
    }
  }
  // A list of objects has no schema.
  for (const object of content.type === "list" ? content.items : [content]) visit(object, [root]);
}

/** `published: yes` is reported already; only the schema shows that it is a switch, not text. */
function sayWhichSwitch({ source, raw = "" }: LocatedScalar, problems: Diagnostic[]): void {
  const [, isOn] = /^(?:(y|yes|on)|n|no|off)$/i.exec(raw) ?? [null];
  const at = problems.findIndex((one) => one.code === "yaml-trap" && one.source === source);
  const problem = problems[at];
  if (problem !== undefined && isOn !== null) problems[at] = { ...problem, hint: `Write ${isOn !== undefined}.` };
}

export function isCutText(node: LocatedScalar, schema: Schema | undefined): boolean {
  return node.cut !== undefined && schema !== undefined && takesText(schema) && mayGoOn(node);
}

function below(schemas: readonly Schema[], step: PropertyKey): readonly Schema[] {
  return schemas.flatMap((schema) => stepInto(schema, step));
}

function takesText(schema: Schema): boolean {
  const bare = unwrap(schema) as Schema & { readonly options?: readonly Schema[] };
  return typeOf(bare) === "string" || (typeOf(bare) === "union" && (bare.options ?? []).some(takesText));
}

/** A date-time, a URL and an id are not followed by more words. */
function mayGoOn({ value }: LocatedScalar): boolean {
  if (value === null) return true;
  if (typeof value !== "string") return false;
  return !/^(?:\d{4}-\d\d-\d\d[T ][\d:.+Z-]*|https?:\S*)$/i.test(value) && !uuidPattern.test(value);
}

function cutShort({ value }: LocatedScalar, { comment, source }: NonNullable<LocatedScalar["cut"]>): Diagnostic {
  const whole = value === null ? comment : `${String(value)} ${comment}`;
  const read = value === null ? "nothing" : `"${String(value)}"`;
  const hint = `Write ${inQuotes(whole)} in quotes; if it is a comment, put a space after the #.`;
  return errorAt("yaml-trap", source, `\`#\` starts a comment, so the text is read as ${read}.`, hint);
}

/** Of a list of names where fields are expected, all but the first: that is one mistake. */
export function isNextName(root: Located, path: readonly PropertyKey[]): boolean {
  const index = path.at(-1);
  if (typeof index !== "number") return false;
  return [index - 1, index].every((place) => {
    const node = nodeAt(root, [...path.slice(0, -1), place]);
    return node?.type === "scalar" && typeof node.value === "string";
  });
}
