// Whole documents as text.
import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { kindOf } from "../../kinds/index.ts";
import type { DescribedEvent, DescribedList, Description, FieldEntry, Written } from "../describe/describe-object.ts";
import { laidOut } from "./format-text.ts";
import { escapeInvisible, hasInvisible, invisible } from "./scalar-text.ts";

// From descriptions to YAML nodes: block or flow, quoted or plain, as a person would choose.

export type Style = "block" | "flow";

/** As wide as a line may become before it is broken. */
export const widest = 100;
const widestEntry = 140;
const widestWords = 60;

export function pairNode(entry: FieldEntry, style: Style): Pair<Scalar, Scalar | YAMLSeq | YAMLMap> {
  const value = valueNode(entry.value, style);
  if (entry.remark !== undefined && style === "block") value.comment = ` ${commentText(entry.remark)}`;
  return new Pair(new Scalar(entry.field), value);
}

export function mapNode(description: Description, style: Style): YAMLMap {
  const map = new YAMLMap();
  map.flow = style === "flow";
  for (const entry of description.entries) map.add(pairNode(entry, style));
  return map.flow ? onOneLine(map) : map;
}

function valueNode(value: Written, style: Style): Scalar | YAMLSeq | YAMLMap {
  if (typeof value !== "object" || value === null) return scalarNode(value, style);
  if ("pins" in value) {
    const map = new YAMLMap();
    map.flow = true;
    for (const [environment, id] of Object.entries(value.pins))
      map.add(new Pair(new Scalar(environment), new Scalar(id)));
    return onOneLine(map);
  }
  const list = new YAMLSeq();
  list.flow = style === "flow" || value.join(", ").length <= widestWords;
  for (const item of value) list.add(scalarNode(item, list.flow ? "flow" : style));
  return list.flow ? onOneLine(list) : list;
}

/** On one line whatever its width; `[a, b]` beside `{ a: b }`, as most people write them. */
function onOneLine<Collection extends YAMLMap | YAMLSeq>(collection: Collection): Collection {
  const print = collection.toString.bind(collection);
  const padding = collection instanceof YAMLSeq ? { flowCollectionPadding: "" } : {};
  collection.toString = (context, ...rest) =>
    print(
      context === undefined ? context : { ...context, ...padding, options: { ...context.options, lineWidth: 0 } },
      ...rest,
    );
  return collection;
}

function scalarNode(value: string | number | boolean | null, style: Style): Scalar {
  if (typeof value !== "string") return new Scalar(value);
  const text = escapeVariables(value);
  const scalar = new Scalar(text);
  if (hasInvisible(text) || (style === "flow" && text.includes("\n"))) scalar.type = Scalar.QUOTE_DOUBLE;
  else if (style === "block" && text.includes("\n")) scalar.type = Scalar.BLOCK_LITERAL;
  else if (style === "block" && text.length > widest && /\S \S/.test(text)) scalar.type = Scalar.BLOCK_FOLDED;
  return scalar;
}

/** Whether an entry reads well on one line. */
export function fitsOnOneLine(description: Description, render: (map: YAMLMap) => string): boolean {
  if (description.entries.some(({ remark, value }) => remark !== undefined || hasLineBreak(value))) return false;
  return render(mapNode(description, "flow")).length <= widestEntry;
}

function hasLineBreak(value: Written): boolean {
  return typeof value === "string" && value.includes("\n");
}

// Comments hold what the service says, which is data: it must stay on its line and say nothing to editors.
const longestRemark = 80;

/** Data of the service as a comment beside a value. */
export function commentText(text: string): string {
  const line = oneLine(text);
  return [...line].length > longestRemark ? `${[...line].slice(0, longestRemark - 1).join("")}…` : line;
}

/** A sentence as lines of comments above what it is about. */
function commentLines(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of oneLine(text).split(" ")) {
    if (line !== "" && line.length + word.length + 3 > widest) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function oneLine(text: string): string {
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

export function renderEvent(event: DescribedEvent, options: FileOptions): string {
  const map = new YAMLMap();
  for (const entry of event.entries) map.add(pairNode(entry, "block"));
  const tail: string[] = [];
  for (const list of event.lists) {
    // A list that is left out leaves a remark, where the list would be.
    if (list.items === null) tail.push(...list.remarks);
    else map.add(listPair(list, tail.splice(0)));
  }
  return laidOut(renderDocument(map, event.remarks, tail, options), "event");
}

export function renderWebhooks(
  items: readonly Description[],
  remarks: readonly string[],
  options: FileOptions,
): string {
  return laidOut(renderDocument(listNode(items), remarks, [], options), "webhooks");
}

/** A node as text, without the line break at its end. */
export function renderNode(node: Node | Pair): string {
  const contents = node instanceof Pair ? new YAMLMap() : node;
  if (node instanceof Pair) (contents as YAMLMap).add(node);
  return print(contents as Node).replace(/\n$/, "");
}

/** Entries in one manner: on a line each where all of them fit, else field by field. */
export function listNode(items: readonly Description[]): YAMLSeq {
  const style = items.every((item) => fitsOnOneLine(item, (map) => `  - ${renderNode(map)}`)) ? "flow" : "block";
  const list = new YAMLSeq();
  for (const item of items) list.add(mapNode(item, style));
  return list;
}

export function listPair(list: DescribedList, before: readonly string[] = []): Pair<Scalar, YAMLSeq> {
  const key = new Scalar(kindOf(list.kind).plural);
  key.spaceBefore = true;
  const remarks = [...before, ...list.remarks];
  if (remarks.length > 0)
    key.commentBefore = remarks
      .flatMap(commentLines)
      .map((line) => ` ${line}`)
      .join("\n");
  return new Pair(key, listNode(list.items ?? []));
}

function modeline({ schema }: FileOptions): readonly string[] {
  return schema === null ? [] : [`yaml-language-server: $schema=${schema}`];
}

function renderDocument(
  contents: Node,
  head: readonly string[],
  tail: readonly string[],
  options: FileOptions,
): string {
  const after = tail.flatMap(commentLines);
  const lines = [...modeline(options), ...head.flatMap(commentLines)];
  return `${asText(lines)}${print(contents)}${after.length === 0 ? "" : `\n${asText(after)}`}`;
}

function print(contents: Node): string {
  const document = new Document(null, { compat: "yaml-1.1" });
  document.contents = contents as never;
  // Only texts in double quotes hold invisible characters; keys are words of ours and comments are cleared of them.
  return escapeInvisible(
    document.toString({ lineWidth: widest, minContentWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000 }),
  );
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `# ${line}\n`).join("");
}
