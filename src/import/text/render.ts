// Whole documents as text.
import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { kindOf } from "../../kinds/index.ts";
import { commentLines } from "../comment-text.ts";
import type { DescribedEvent, DescribedList, Description } from "../written.ts";
import { fitsOnOneLine, mapNode, pairNode, widest } from "./nodes.ts";
import { escapeUnseen } from "./unseen-characters.ts";

export interface RenderOptions {
  /** Where editors find the schema, as the file sees it; null: they are not told. */
  readonly schema: string | null;
}

export function renderEvent(event: DescribedEvent, options: RenderOptions): string {
  const map = new YAMLMap();
  for (const entry of event.entries) map.add(pairNode(entry, "block"));
  const tail: string[] = [];
  for (const list of event.lists) {
    // A list that is left out leaves a remark, which stands where the list would.
    if (list.items === null) tail.push(...list.remarks);
    else map.add(listPair(list, tail.splice(0)));
  }
  return renderDocument(map, event.remarks, tail, options);
}

export function renderWebhooks(
  items: readonly Description[],
  remarks: readonly string[],
  options: RenderOptions,
): string {
  return renderDocument(listNode(items), remarks, [], options);
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

function modeline({ schema }: RenderOptions): readonly string[] {
  return schema === null ? [] : [`yaml-language-server: $schema=${schema}`];
}

function renderDocument(
  contents: Node,
  head: readonly string[],
  tail: readonly string[],
  options: RenderOptions,
): string {
  const after = tail.flatMap(commentLines);
  const lines = [...modeline(options), ...head.flatMap(commentLines)];
  return `${asText(lines)}${print(contents)}${after.length === 0 ? "" : `\n${asText(after)}`}`;
}

function print(contents: Node): string {
  const document = new Document(null, { compat: "yaml-1.1" });
  document.contents = contents as never;
  // Only texts in double quotes hold unseen characters; keys are words of ours and comments are cleared of them.
  return escapeUnseen(
    document.toString({ lineWidth: widest, minContentWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000 }),
  );
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `# ${line}\n`).join("");
}
