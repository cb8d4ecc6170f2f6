// Changes within one map: a value replaced, a line added, a line removed, times moved to another zone.
import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import {
  daysBetween,
  loadedCalendar,
  parseRelative,
  parseTime,
  resolveRelative,
  steadyInstant,
} from "../../config/time.ts";
import { formatLocalTime } from "../../model/time.ts";
import { type Description, type FieldEntry, writeLocalTime } from "../describe/describe-object.ts";
import {
  colonEnd,
  endOffset,
  indentOf,
  isBlock,
  lineEnd,
  lineStart,
  nextLine,
  removeRuns,
  type Splice,
  shift,
  startOffset,
  type Text,
} from "./extent.ts";
import { commentText, flowField, renderFields } from "./render.ts";

type Style = "block" | "flow";

/** What is to become of an object that a file describes. */
export interface ObjectEdit {
  readonly set: readonly FieldEntry[];
  readonly remove: readonly string[];
  /** Everything that is live of it, in case it has to be written again. */
  readonly whole?: Description;
}

/** A line to be put into a map: rendered, and the field whose place in the order it has. */
export interface NewLine {
  readonly field: string;
  readonly text: string;
}

export function editMap(
  map: YAMLMap,
  edit: ObjectEdit,
  order: readonly string[],
  source: Text,
  furtherLines: readonly NewLine[] = [],
): readonly Splice[] {
  const style: Style = map.flow === true ? "flow" : "block";
  const pairs = map.items as Pair[];
  const splices: Splice[] = [];
  const lines: NewLine[] = [];
  for (const entry of edit.set) {
    const pair = pairs.find((candidate) => pairKey(candidate) === entry.field);
    if (pair === undefined) lines.push({ field: entry.field, text: renderLine(entry, style) });
    else splices.push(replaceValue(pair, entry, style, source));
  }
  const removed = pairs.filter((pair) => edit.remove.includes(pairKey(pair) ?? ""));
  const isRemoved = (node: unknown): boolean => removed.includes(node as Pair);
  splices.push(...(style === "flow" ? removeRuns(pairs, isRemoved, source) : removeLines(pairs, isRemoved, source)));
  const staying = pairs.filter((pair) => !removed.includes(pair));
  const added = [...lines, ...furtherLines].sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
  for (const line of added) splices.push(addLine(line, staying, map, order, style, source));
  return splices;
}

export function pairKey(pair: Pair): string | null {
  return isScalar(pair.key) ? String(pair.key.value) : null;
}

function renderLine(entry: FieldEntry, style: Style): string {
  return style === "block" ? renderFields([entry]) : flowField(entry.field, entry.value);
}

function replaceValue(pair: Pair, entry: FieldEntry, style: Style, source: Text): Splice {
  const after = renderLine({ field: entry.field, value: entry.value }, style).slice(entry.field.length + 1);
  const end = endOffset(pair, source);
  const value = pair.value;
  const inline = isScalar(value) && !isBlock(value) && startOffset(value) < end && !after.includes("\n");
  const comment = style === "flow" ? null : lineComment(end, pair, source);
  const remark = commentFor(entry, comment?.text ?? null);
  // The gap before a value on the same line is kept: people align values.
  if (inline && remark === comment?.text) return { start: startOffset(value), end, text: after.slice(1) };
  const start = inline ? startOffset(value) : colonEnd(pair, source.text);
  const text = withComment(inline ? after.slice(1) : after, remark);
  return { start, end: comment?.end ?? end, text: shift(text, indentOf(startOffset(pair), source), source) };
}

/** The comment on the line of a value, or on the first line of a text of several lines. */
function lineComment(end: number, pair: Pair, source: Text): { readonly text: string; readonly end: number } | null {
  const from = isBlock(pair.value) ? startOffset(pair.value) : end;
  const found = /^[^\S\n]+#[^\S\n]?([^\r\n]*)|^[|>][^\s#]*[^\S\n]+#[^\S\n]?([^\r\n]*)/.exec(source.text.slice(from));
  if (found === null) return null;
  return { text: found[1] ?? found[2] ?? "", end: isBlock(pair.value) ? end : from + found[0].length };
}

/** A new remark marks the former comment as such; what a person wrote stays. */
function commentFor({ remark }: FieldEntry, former: string | null): string | null {
  const current = remark === undefined ? null : commentText(remark);
  if (current === null || former === null || former.startsWith(current)) return former ?? current;
  return `${current} (before: ${former})`;
}

function withComment(text: string, comment: string | null): string {
  if (comment === null) return text;
  // After the last line of a block it would belong to the text.
  const [first = "", ...rest] = text.split("\n");
  return [`${first} # ${comment}`, ...rest].join("\n");
}

function removeLines(pairs: readonly Pair[], isRemoved: (node: unknown) => boolean, source: Text): readonly Splice[] {
  const splices: Splice[] = [];
  const firstStaying = pairs.find((pair) => !isRemoved(pair));
  for (const pair of pairs) {
    const start = startOffset(pair);
    if (!isRemoved(pair)) continue;
    if (!isAlone(start, source)) {
      // It shares its line with the dash of an entry, which the next field takes over.
      if (firstStaying !== undefined) {
        splices.push({ start, end: startOffset(firstStaying), text: "" });
        const stop = startOffset(firstStaying);
        return [
          ...splices,
          ...removeLines(
            pairs.filter((later) => startOffset(later) >= stop),
            isRemoved,
            source,
          ),
        ];
      }
      return [{ start, end: endOffset(pairs[pairs.length - 1], source), text: "{}" }];
    }
    splices.push(removeLine(start, endOffset(pair, source), source));
  }
  return splices;
}

function isAlone(start: number, source: Text): boolean {
  return source.text.slice(lineStart(start, source), start).trim() === "";
}

/** A comment that a person wrote on the line stays. */
function removeLine(start: number, end: number, source: Text): Splice {
  const comment = /^[^\S\n]+(?=#)/.exec(source.text.slice(end));
  if (comment !== null) return { start, end: end + comment[0].length, text: "" };
  return { start: lineStart(start, source), end: nextLine(end, source), text: "" };
}

function addLine(
  line: NewLine,
  staying: readonly Pair[],
  map: YAMLMap,
  order: readonly string[],
  style: Style,
  source: Text,
): Splice {
  const former = nearestBefore(line.field, staying, order);
  const [first] = staying;
  if (first === undefined) {
    const end = endOffset(map, source);
    return { start: startOffset(map), end, text: `{ ${line.text} }` };
  }
  if (style === "flow") {
    if (former === undefined) return { start: startOffset(first), end: startOffset(first), text: `${line.text}, ` };
    const at = endOffset(former, source);
    return { start: at, end: at, text: `, ${line.text}` };
  }
  const indent = indentOf(startOffset(first), source);
  const text = shift(line.text, indent, source);
  if (former === undefined) {
    return { start: startOffset(first), end: startOffset(first), text: `${text}${source.lineBreak}${indent}` };
  }
  const at = lineEnd(endOffset(former, source), source);
  return { start: at, end: at, text: `${source.lineBreak}${indent}${text}` };
}

function nearestBefore(field: string, pairs: readonly Pair[], order: readonly string[]): Pair | undefined {
  let nearest: Pair | undefined;
  for (const pair of pairs) {
    const rank = fieldRank(pairKey(pair), order);
    const isNearer = nearest === undefined || rank > fieldRank(pairKey(nearest), order);
    if (rank < fieldRank(field, order) && isNearer) nearest = pair;
  }
  return nearest;
}

/** Fields that have no place in the order, such as `<<`, come first. */
function fieldRank(field: string | null, order: readonly string[]): number {
  return field === null ? -1 : order.indexOf(field);
}

export interface Zones {
  readonly from: string;
  readonly to: string;
  /** The instants that relative times count from. */
  readonly start: number;
  readonly end: number;
  /** When the schedule entry of that title begins: its end counts from there. */
  readonly startOf: (title: string) => number;
}

/** Times anywhere in a node that are local in one zone, rewritten as local in the other, at the same instants. */
export function moveToZone(node: unknown, fields: ReadonlySet<string>, zones: Zones, source: Text): readonly Splice[] {
  if (isSeq(node)) return node.items.flatMap((item) => moveToZone(item, fields, zones, source));
  if (!isMap(node)) return [];
  return (node.items as Pair[]).flatMap((pair) => {
    const { value } = pair;
    if (!isScalar(value)) return moveToZone(value, fields, zones, source);
    const field = pairKey(pair) ?? "";
    const written = fields.has(field) ? String(value.value) : "";
    const moved = timeInZone(written, field === "endTime" ? ownStart(node, zones) : null, zones);
    if (moved === null) return [];
    const [start, end] = value.range ?? [0, 0];
    return [{ start, end, text: source.text.slice(start, end).replace(written.trimEnd(), () => moved) }];
  });
}

/** What the `endTime` of an entry counts from; a phase need not repeat the `startTime`. */
function ownStart(entry: YAMLMap, zones: Zones): number {
  const written = entry.get("startTime");
  if (written === undefined) return zones.startOf(String(entry.get("title")));
  return instantIn(zones.from, readTime(String(written)), null, zones);
}

const readTime = (text: string) => parseRelative(text) ?? parseTime(text);

/** Local in the other zone, such as `-2w at 11:00`. null: the same there, or no time. `since`: what an `endTime` counts from. */
function timeInZone(text: string, since: number | null, zones: Zones): string | null {
  const written = readTime(text);
  const instant = instantIn(zones.from, written, since, zones);
  if (Number.isNaN(instant) || instant === instantIn(zones.to, written, since, zones)) return null;
  if (written.type === "wall" || instant % 60_000 !== 0)
    return writeLocalTime(new Date(instant).toISOString(), zones.to);
  const anchor = namedAnchor(written) ?? "start";
  const [day = "", clock] = formatLocalTime(instant, zones.to).split("T");
  const days = daysBetween(formatLocalTime(zones[anchor], zones.to).slice(0, day.length), day);
  const size = Math.abs(days);
  const count = size > 0 && size % 7 === 0 ? `${size / 7}w` : `${size}d`;
  const named = anchor === "end" || since !== null ? `${anchor} ` : "";
  return `${named}${days < 0 ? "-" : "+"}${count} at ${clock}`;
}

/** NaN: it is no time, counts from one that is not known, or no clock of the zone shows it once. */
function instantIn(zone: string, written: ReturnType<typeof readTime>, since: number | null, zones: Zones): number {
  if (written.type === "instant") return written.milliseconds;
  if (written.type === "unreadable") return Number.NaN;
  const shown = (time: Parameters<typeof steadyInstant>[0]) =>
    steadyInstant(time, zone) ?? loadedCalendar()?.instantOf(time, zone) ?? null;
  const anchor = namedAnchor(written);
  const strict = anchor === null && since !== null;
  const instant = strict ? since : zones[anchor ?? "start"];
  if (written.type !== "wall" && Number.isNaN(instant)) return Number.NaN;
  const result =
    written.type === "wall" ? shown(written.time) : resolveRelative(written, { instant, strict }, zone, shown);
  return typeof result === "number" ? result : Number.NaN;
}

/** The anchor that the text itself names, which also holds in an `endTime`; null: it names none. */
function namedAnchor(written: ReturnType<typeof readTime>): "start" | "end" | null {
  if (written.type === "day") return "start";
  return written.type === "offset" ? written.from : null;
}
