// Whole documents as text, and the parts that are put into files of others.
import { Scalar } from "yaml";
import { kindOf } from "../../kinds/index.ts";
import type { DescribedEvent, DescribedList, Description, FieldEntry, Written } from "../describe/describe-object.ts";
import type { SeriesDraft } from "../series/draft-series.ts";
import { laidOut } from "./format-text.ts";
import { printDocument } from "./print-layout.ts";
import { type Comment, entryWidth, type Layout, type LayoutEntry, shortWidth, textWidth } from "./read-layout.ts";
import { folded, invisible, quoted, quotedCommand, textInLine } from "./scalar-text.ts";

// Within brackets: on one line whatever its width.

export function flowMap(entries: readonly FieldEntry[], lists: readonly DescribedList[] = []): string {
  const parts = [
    ...entries.map(({ field, value }) => flowField(field, value)),
    ...lists.map(({ kind, items }) => {
      const maps = (items ?? []).map((item) => flowMap(item.entries));
      return `${kindOf(kind).plural}: [${maps.join(", ")}]`;
    }),
  ];
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

export function flowField(field: string, value: Written): string {
  return `${field}: ${flowValue(value)}`;
}

function flowValue(value: Written): string {
  if (typeof value === "string") {
    const text = escapeVariables(value);
    return text.includes("\n") ? quoted(text) : textInLine(text, "flow");
  }
  if (typeof value !== "object" || value === null) return String(value);
  if ("pins" in value) return flowMap(pinned(value.pins));
  return `[${value.map(flowValue).join(", ")}]`;
}

function pinned(pins: Readonly<Record<string, string>>): readonly FieldEntry[] {
  return Object.entries(pins).map(([field, value]) => ({ field, value }));
}

export function fitsOnOneLine({ entries }: Description): boolean {
  if (entries.some(({ remark, value }) => remark !== undefined || hasLineBreak(value))) return false;
  return "  - ".length + flowMap(entries).length <= entryWidth;
}

function hasLineBreak(value: Written): boolean {
  return typeof value === "string" && value.includes("\n");
}

// On separate lines.

export function scalarLayout(value: string | number | boolean | null): Layout {
  const node = new Scalar(typeof value === "string" ? escapeVariables(value) : value);
  if (typeof value !== "string") node.source = String(value);
  return { type: "scalar", anchor: "", node, source: "" };
}

/** `width`: the most columns it may use next to its key. */
export function collectionLayout(type: "map" | "list", entries: LayoutEntry[], width = 0): Layout {
  return { type, anchor: "", isFlow: false, entries, after: [], width };
}

/** `behind`: a comment on the line of the value. */
export function entryLayout(key: string | null, value: Layout, behind: string | undefined): LayoutEntry {
  return {
    key: key === null ? null : new Scalar(key),
    value,
    before: [],
    behind: behind === undefined ? [] : [`# ${commentText(behind)}`],
    isApart: false,
    start: 0,
  };
}

function valueLayout(value: Written): Layout {
  if (typeof value !== "object" || value === null) return scalarLayout(value);
  if ("pins" in value) return collectionLayout("map", pinned(value.pins).map(fieldLayout), Number.POSITIVE_INFINITY);
  const items = value.map((item) => entryLayout(null, scalarLayout(item), undefined));
  return collectionLayout("list", items, shortWidth);
}

function fieldLayout({ field, value, remark }: FieldEntry): LayoutEntry {
  return entryLayout(field, valueLayout(value), remark);
}

function mapLayout({ entries }: Pick<Description, "entries">): Layout {
  return collectionLayout("map", entries.map(fieldLayout));
}

function itemsLayout(items: readonly Description[]): Layout {
  return collectionLayout(
    "list",
    items.map((item) => entryLayout(null, mapLayout(item), undefined)),
  );
}

function listLayout(list: DescribedList, remarks: readonly string[]): LayoutEntry {
  const entry = entryLayout(kindOf(list.kind).plural, itemsLayout(list.items ?? []), undefined);
  return { ...entry, before: remarks.flatMap(commentsOf) };
}

/** Without the line break at its end. */
export function renderFields(entries: readonly FieldEntry[]): string {
  return renderLayout(mapLayout({ entries })).trimEnd();
}

export function renderItems(items: readonly Description[]): string {
  return renderLayout(itemsLayout(items)).trimEnd();
}

export function renderList(list: DescribedList): string {
  return renderLayout(collectionLayout("map", [listLayout(list, list.remarks)])).trimEnd();
}

export function renderLayout(root: Layout): string {
  return printDocument({ head: [], isHeadApart: false, root });
}

// Comments contain what the service says, which is data: it must stay on its line and mean nothing to editors.
const longestRemark = 80;

/** Data of the service as a comment next to a value. */
export function commentText(text: string): string {
  const line = flattenText(text);
  return [...line].length > longestRemark ? `${[...line].slice(0, longestRemark - 1).join("")}…` : line;
}

/** A sentence as lines of comments above what it is about. */
function commentsOf(text: string): readonly Comment[] {
  return folded(flattenText(text), textWidth - 2).map((line) => ({ text: `# ${line}`, isApart: false }));
}

function flattenText(text: string): string {
  return text
    .replace(invisible, " ")
    .replace(/\p{Cc}+/gu, " ")
    .replace(/yaml-language-server/gi, "…")
    .trim();
}

/** A text as a file must write it so that `${…}` in it is not read as a variable: each `${` for itself. */
export function escapeVariables(text: string): string {
  return text.replaceAll("${", () => "$${");
}

export interface FileOptions {
  /** Where editors find the schema, as the file sees it; null: nothing names it. */
  readonly schema: string | null;
}

export function renderEvent(event: DescribedEvent, { schema }: FileOptions): string {
  const entries = event.entries.map(fieldLayout);
  const waiting: string[] = [];
  for (const list of event.lists) {
    // A list that is left out leaves a remark, where the list would be.
    waiting.push(...list.remarks);
    if (list.items !== null) entries.push(listLayout(list, waiting.splice(0)));
  }
  const after = waiting.flatMap(commentsOf).map((comment, index) => ({ ...comment, isApart: index === 0 }));
  const root = { ...collectionLayout("map", entries), after };
  return laidOut(printDocument({ head: headOf(schema, event.remarks), isHeadApart: false, root }), "event");
}

export function renderWebhooks(
  items: readonly Description[],
  remarks: readonly string[],
  { schema }: FileOptions,
): string {
  const head = headOf(schema, remarks);
  return laidOut(printDocument({ head, isHeadApart: false, root: itemsLayout(items) }), "webhooks");
}

function headOf(schema: string | null, remarks: readonly string[]): readonly Comment[] {
  const modeline = schema === null ? [] : [{ text: `# yaml-language-server: $schema=${schema}`, isApart: false }];
  return [...modeline, ...remarks.flatMap(commentsOf)];
}

// A series as text: what its dates share as a template, and the document with the rule.

export interface SeriesOptions extends FileOptions {
  /** What the document extends; null: the document itself contains what the dates share. */
  readonly template: { readonly name: string; readonly schema: string | null } | null;
  /** Dates that are over are managed as well. */
  readonly keepEnded: boolean;
}

export function renderSeries(draft: SeriesDraft, { template, keepEnded, schema }: SeriesOptions) {
  // Days and times of day need no quotes in files of this kind, whatever older readers of YAML take them for.
  const series = [`dateTime: ${draft.clock}`, "series:", ...seriesLines(draft, keepEnded)].join("\n");
  if (template === null)
    return { document: laidOut(`${renderEvent(draft.shared, { schema })}${series}\n`, "event"), template: null };
  const head = schema === null ? "" : `# yaml-language-server: $schema=${schema}\n`;
  return {
    document: laidOut(`${head}extends: ${textInLine(template.name, "block")}\n${series}\n`, "event"),
    template: renderEvent(draft.shared, { schema: template.schema }),
  };
}

function seriesLines({ dates, members }: SeriesDraft, keepEnded: boolean): readonly string[] {
  const { rule, skip, also } = dates;
  const [only, ...more] = rule?.every ?? [];
  return [
    ...(rule === null
      ? []
      : [
          `every: ${more.length === 0 ? only : `[${rule.every.join(", ")}]`}`,
          `from: ${rule.from}`,
          `until: ${rule.until}`,
        ]),
    ...daysLines("skip", skip),
    ...daysLines("also", also),
    ...(keepEnded ? ["keepEnded: true"] : []),
    "dates:",
    ...members.map(({ member, entries, lists }) => `  ${member.day}: ${flowMap(entries, lists)}`),
  ].map((line) => `  ${line}`);
}

const daysPerLine = 7;

function daysLines(field: string, days: readonly string[]): readonly string[] {
  if (days.length === 0) return [];
  if (days.length <= daysPerLine) return [`${field}: [${days.join(", ")}]`];
  return [`${field}:`, ...days.map((day) => `  - ${day}`)];
}

// A document with the origin of each value next to it.

interface SeriesOrigin {
  readonly file: string;
  readonly line: number;
  readonly written?: string;
}

/** `origins` are by JSON pointer. Comments hold paths and times that people wrote: they stay on their line. */
export function renderOrigins(
  document: Readonly<Record<string, unknown>>,
  origins: Readonly<Record<string, SeriesOrigin>>,
): string {
  function layoutOf(value: unknown, path: string): Layout {
    if (isValue(value)) return printedLayout(value);
    const isList = Array.isArray(value);
    const entries = Object.entries(value as object).map(([name, each]) => {
      const origin = isValue(each) ? origins[`${path}/${name}`] : undefined;
      const written = origin?.written === undefined ? "" : ` (${origin.written})`;
      const from = origin === undefined ? undefined : `${origin.file}:${origin.line}${written}`;
      return entryLayout(isList ? null : name, layoutOf(each, `${path}/${name}`), from);
    });
    return collectionLayout(isList ? "list" : "map", entries);
  }

  return renderLayout(layoutOf(document, ""));
}

/** It is printed, and never a file: in a job's log, no line of it may be a command. */
function printedLayout(value: string | number | boolean | null): Layout {
  const quoted = typeof value === "string" ? quotedCommand(escapeVariables(value)) : null;
  if (quoted === null) return scalarLayout(value);
  const node = new Scalar(null);
  node.source = quoted;
  return { type: "scalar", anchor: "", node, source: "" };
}

function isValue(value: unknown): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}
