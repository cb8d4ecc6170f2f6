// From the parser's tree to located values, with the limits and refusals that keep a file harmless.
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import { endOfLine } from "./find-slip.ts";
import type { Located, LocatedEntry, LocatedMap, LocatedScalar, Places, ScalarValue, YamlDocument } from "./located.ts";

const maximumAliases = 100;
/** How many values all aliases may expand to: aliases of aliases multiply. */
const maximumAliasedValues = 10_000;
const maximumKeys = 2_000;
/** The limit of one text. A description of fifty printed pages is shorter. */
export const maximumLength = 100_000;

const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

interface LocateWalk {
  readonly text: string;
  readonly places: Places;
  readonly problems: Diagnostic[];
  readonly anchors: Map<string, { readonly node: Located; readonly weight: number; isUsed: boolean }>;
  /** Values so far, those behind aliases counted each time. */
  values: number;
  /** Why the whole document is refused. Problems found before it count; nothing after it is read. */
  refused: { readonly why: Diagnostic; readonly before: number } | null;
  hasSlips: boolean;
  aliases: number;
  aliasedValues: number;
}

/** Its content is null if the document as a whole is refused. */
export function locate(
  root: ParsedNode | null,
  text: string,
  places: Places,
  problems: Diagnostic[],
): Pick<YamlDocument, "content" | "hasSlips"> {
  const limits = { values: 0, aliases: 0, aliasedValues: 0 };
  const walk: LocateWalk = { text, places, problems, anchors: new Map(), refused: null, hasSlips: false, ...limits };
  if (root === null) return { content: { type: "scalar", value: null, source: places(0), plain: true } };
  const content = locateNode(root, walk);
  for (const [name, { node, isUsed }] of walk.anchors) if (!isUsed) problems.push(...ampersand(name, node));
  if (walk.refused === null) return walk.hasSlips ? { content, hasSlips: true } : { content };
  problems.length = walk.refused.before;
  problems.push(walk.refused.why);
  return { content: null };
}

/** A placeholder for values that are skipped. */
function refuse(walk: LocateWalk, why: Diagnostic, source: Source): LocatedMap {
  walk.refused ??= { why, before: walk.problems.length };
  return { type: "map", source, entries: new Map() };
}

function locateNode(node: ParsedNode, walk: LocateWalk): Located {
  if (isAlias(node)) return locateAlias(node, walk);
  const before = walk.values;
  walk.values += 1;
  const located = isMap(node)
    ? locateMap(node, walk)
    : isSeq(node)
      ? locateList(node, walk)
      : locateScalar(node as Scalar, walk);
  if (node.anchor !== undefined)
    walk.anchors.set(node.anchor, { node: located, weight: walk.values - before, isUsed: false });
  return located;
}

function locateScalar(node: Scalar, walk: LocateWalk): Located {
  const located = readScalar(node, walk);
  if (!located.plain || located.reported) return located;
  return withCut(located, node.range?.[1] ?? 0, walk);
}

/** A comment may have cut the text short; a run of only signs (`#----`) is decoration. */
function withCut(scalar: LocatedScalar, end: number, walk: LocateWalk): LocatedScalar {
  const { text } = walk;
  let at = end;
  while (text.charAt(at) === " " || text.charAt(at) === "\t") at += 1;
  if (text.charAt(at) !== "#") return scalar;
  const comment = text.slice(at, endOfLine(text, at)).trimEnd();
  if (!/^#\S/.test(comment) || /^#[-#=*~_]+(?:\s|$)/.test(comment)) return scalar;
  walk.hasSlips = true;
  return { ...scalar, cut: { comment, source: walk.places(at) } };
}

function readScalar(node: Scalar, walk: LocateWalk): LocatedScalar {
  const offset = node.range?.[0] ?? 0;
  const source = walk.places(offset);
  const plain = node.type === "PLAIN";
  const value = node.value as ScalarValue;
  if (typeof value === "string" && value.length > maximumLength) {
    walk.problems.push(tooLong(source, value.length));
    // Only its beginning, so that nothing later has to cope with the whole.
    return { type: "scalar", value: value.slice(0, 100), source, plain, reported: true };
  }
  if (typeof value === "string" && value.includes("${")) {
    return { type: "scalar", value, source, plain, marks: marksOf(walk, offset, node.range?.[1] ?? offset) };
  }
  if (!plain) return { type: "scalar", value, source, plain };
  const raw = node.source ?? "";
  if (typeof value === "string" && value.length > 3) return { type: "scalar", value, source, plain };
  const trap = scalarTrap(value, raw, () => walk.text.slice(offset, endOfLine(walk.text, offset)), source);
  if (trap !== null) {
    walk.problems.push(trap);
    walk.hasSlips = true;
    return { type: "scalar", value, source, plain, raw, reported: true };
  }
  return typeof value === "string"
    ? { type: "scalar", value, source, plain }
    : { type: "scalar", value, source, plain, raw };
}

const switchWord = /^(?:yes|no|on|off)$/i;
const leadingZero = /^[-+]?0\d/;
const otherBase = /^0[xo]/;
/** `2.000` for two thousand, as much of the world writes it. */
const pointOfThousands = /^[-+]?[1-9]\d{0,2}\.000$/;
const colorComment = /^\s*(#[0-9a-f]{3,8})\b/i;

/** Words that look harmless without quotes and mean something else to YAML, or to other parsers of it. */
function scalarTrap(value: ScalarValue, raw: string, restOfLine: () => string, source: Source): Diagnostic | null {
  if (typeof value === "string") {
    if (value.length > 3 || !switchWord.test(value)) return null;
    const meaning = /^(?:yes|on)$/i.test(value);
    const message = `Some YAML parsers read \`${value}\` without quotes as text, others as ${meaning}.`;
    return trap(source, message, `Write ${meaning} if the field is true or false, or "${value}" if it is text.`);
  }
  if (typeof value === "number") {
    if (leadingZero.test(raw)) {
      const hint = `Write ${value} if it is a number, or "${raw}" in quotes if the zeros are part of it.`;
      return trap(source, `\`${raw}\` starts with a zero, and YAML parsers do not agree on how to read that.`, hint);
    }
    if (otherBase.test(raw)) {
      return trap(source, `YAML reads \`${raw}\` as ${value}.`, `Write ${value}, or "${raw}" in quotes if it is text.`);
    }
    if (pointOfThousands.test(raw)) {
      const hint = `Write ${value * 1000}, without the period; if you mean ${value}, write ${value}.`;
      return trap(source, `YAML reads \`${raw}\` as ${value}: the period is a decimal point.`, hint);
    }
    if (!isExact(value, raw)) {
      return trap(
        source,
        value === 0
          ? `\`${raw}\` is too small and would be read as 0.`
          : `\`${raw}\` has too many digits and would be read as ${value}.`,
        `Write ${Math.abs(value)} if that is the number, or a shorter one.`,
      );
    }
    return null;
  }
  if (value !== null || raw !== "") return null;
  const color = colorComment.exec(restOfLine())?.[1];
  if (color === undefined) return null;
  return trap(source, `\`${color}\` is not read: without quotes, # starts a comment.`, `Put it in quotes: "${color}".`);
}

/** Whether a whole number is the one that is written: `1e-400` is read as 0. Others are reported where a whole one is expected. */
function isExact(value: number, raw: string): boolean {
  if (!Number.isSafeInteger(value)) return true;
  const [, whole = "", fraction = "", exponent = "0"] = /^[-+]?(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(raw) ?? [];
  const written = `${whole}${fraction}`.replace(/^0+/, "");
  let end = written.length;
  while (written.charAt(end - 1) === "0") end -= 1;
  const zeros = Number(exponent) - fraction.length + written.length - end;
  if (end === 0) return true;
  return zeros >= 0 && zeros < 17 && written.slice(0, end) + "0".repeat(zeros) === String(Math.abs(value));
}

function trap(source: Source, message: string, hint: string): Diagnostic {
  return errorAt("yaml-trap", source, message, hint);
}

function marksOf(walk: LocateWalk, start: number, end: number): Source[] {
  const marks: Source[] = [];
  const written = walk.text.slice(start, end);
  for (let at = written.indexOf("${"); at !== -1; at = written.indexOf("${", at + 2))
    marks.push(walk.places(start + at));
  return marks;
}

function locateList(node: YAMLSeq, walk: LocateWalk): Located {
  const source = walk.places(node.range?.[0] ?? 0);
  return { type: "list", source, items: node.items.map((item) => locateNode(item as ParsedNode, walk)) };
}

function locateMap(node: YAMLMap, walk: LocateWalk): LocatedMap {
  const source = walk.places(node.range?.[0] ?? 0);
  if (node.items.length > maximumKeys) return refuse(walk, tooManyKeys(source, node.items.length), source);
  const entries = new Map<string, LocatedEntry>();
  const merged: Located[] = [];
  for (const pair of node.items as Pair<ParsedNode, ParsedNode | null>[]) {
    const key = mapKey(pair.key, walk);
    if (key === null) continue;
    const at = walk.places(pair.key.range[0]);
    const value = pair.value === null ? emptyAt(walk, pair.key.range[1]) : locateNode(pair.value, walk);
    if (key === "<<") merged.push(value);
    else if (forbiddenKeys.has(key)) walk.problems.push(forbiddenKey(key, at));
    else if (entries.has(key)) walk.problems.push(...writtenTwice(key, (entries.get(key) as LocatedEntry).key, at));
    else entries.set(key, { key: at, value });
  }
  for (const value of merged) mergeInto(entries, value, walk);
  return { type: "map", source, entries, ...(node.flow === true ? { inBraces: true } : {}) };
}

function mapKey(node: ParsedNode, walk: LocateWalk): string | null {
  if (isScalar(node) && node.value !== null) return node.source ?? String(node.value);
  const isText = isMap(node) && node.flow === true;
  const hint = isText
    ? "Text that starts with {{ must be in quotes."
    : "Write `name: value`, with a field name before the colon.";
  walk.problems.push(errorAt("yaml-syntax", walk.places(node.range[0]), "A field must be a single word.", hint));
  return null;
}

/** `<<: *base` takes over the entries of another map that this one does not have itself. */
function mergeInto(entries: Map<string, LocatedEntry>, value: Located, walk: LocateWalk): void {
  if (value.type === "list") {
    for (const item of value.items) mergeInto(entries, item, walk);
  } else if (value.type === "map") {
    for (const [key, entry] of value.entries) if (!entries.has(key)) entries.set(key, entry);
  } else {
    const hint = "Write `<<: *name`, with `&name` in front of that map.";
    walk.problems.push(errorAt("yaml-syntax", value.source, "`<<` merges another map, and this is not a map.", hint));
  }
}

function locateAlias(node: Alias, walk: LocateWalk): Located {
  const source = walk.places(node.range?.[0] ?? 0);
  walk.aliases += 1;
  const target = walk.anchors.get(node.source);
  if (target === undefined) return refuse(walk, unknownAnchor(node.source, source), source);
  target.isUsed = true;
  walk.values += target.weight;
  walk.aliasedValues += target.weight;
  if (walk.aliases > maximumAliases || walk.aliasedValues > maximumAliasedValues)
    return refuse(walk, aliasBomb(source), source);
  return target.node;
}

function emptyAt(walk: LocateWalk, offset: number): Located {
  return { type: "scalar", value: null, source: walk.places(offset), plain: true, raw: "" };
}

function tooManyKeys(source: Source, count: number): Diagnostic {
  const message = `This map has ${formatCount(count)} fields; the limit is ${formatCount(maximumKeys)}.`;
  const hint = "Write one event per YAML document, with the fields that `ticketing schema event` lists.";
  return errorAt("too-many-keys", source, message, hint);
}

function tooLong(source: Source, length: number): Diagnostic {
  const message = `This text has ${formatCount(length)} characters; the limit is ${formatCount(maximumLength)}.`;
  return errorAt("too-long", source, message, "Shorten it.");
}

function forbiddenKey(key: string, source: Source): Diagnostic {
  const message = `\`${key}\` cannot be a field: it is reserved in JavaScript.`;
  return errorAt("forbidden-key", source, message, "Remove this field.");
}

/** Reported at both places: either line may be the right one. */
function writtenTwice(key: string, first: Source, second: Source): Diagnostic[] {
  const at = (source: Source, other: Source): Diagnostic => ({
    ...errorAt("yaml-trap", source, `\`${key}\` is written twice.`, "Combine them into one, or delete one of them."),
    related: [{ message: "the other one", source: other }],
  });
  return [at(first, second), at(second, first)];
}

function unknownAnchor(name: string, source: Source): Diagnostic {
  const message = `\`*${name}\` refers to \`&${name}\`, which is not defined above it in this YAML document.`;
  return errorAt("yaml-syntax", source, message, `Quote the text ("*${name}") if the asterisk is part of it.`);
}

/** `name: &Friends Night` is "Night" to YAML. An anchor before quotes was meant as one. */
function ampersand(name: string, node: Located): readonly Diagnostic[] {
  if (node.type !== "scalar" || !node.plain || (node.value !== null && typeof node.value !== "string")) return [];
  const message = `\`&${name}\` is not part of the text: it is an anchor, and nothing refers to it.`;
  const problem = trap(node.source, message, `Put the text in quotes, or remove \`&${name}\`.`);
  return [node.value === null ? problem : { ...problem, severity: "warning" }];
}

function aliasBomb(source: Source): Diagnostic {
  const message = `This YAML document has more than ${maximumAliases} aliases (\`*name\`), or they expand to too much.`;
  const hint = "Write the values out, or move what all events share to `defaults` in ticketing.yaml.";
  return errorAt("yaml-trap", source, message, hint);
}
