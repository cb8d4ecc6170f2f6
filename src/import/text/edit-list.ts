// Changes within a list of objects: an entry changed, added or taken out.
import { isAlias, isMap, type YAMLMap, type YAMLSeq } from "yaml";
import type { Description } from "../written.ts";
import { changesNothing, type ListEdit } from "./edit.ts";
import { editMap } from "./edit-map.ts";
import { endOf, indentOf, lineEnd, lineStart, nextLine, type Source, shift, startOf } from "./extent.ts";
import { fitsOnOneLine, mapNode } from "./nodes.ts";
import { renderNode } from "./render.ts";
import type { Splice } from "./splice.ts";

/** null where the list is written in a way that cannot be changed entry by entry. */
export function editList(
  list: YAMLSeq,
  edit: ListEdit,
  order: readonly string[],
  source: Source,
): readonly Splice[] | null {
  const entries = list.items.filter((item) => isMap(item) || isAlias(item));
  const splices: Splice[] = [];
  for (const [index, change] of edit.items) {
    const item = entries[index];
    if (changesNothing(change)) continue;
    if (!isMap(item)) return null;
    splices.push(...editMap(item, change, order, source));
  }
  const removed = entries.filter((_, index) => edit.removed.has(index));
  const staying = list.items.filter((item) => !removed.includes(item as YAMLMap));
  const last = staying[staying.length - 1];
  if (last === undefined) return null;
  for (const item of removed) splices.push(removeItem(item, list, staying, source));
  for (const added of edit.added) splices.push(addItem(added, last, list, source));
  return splices;
}

function removeItem(item: unknown, list: YAMLSeq, staying: readonly unknown[], source: Source): Splice {
  const index = list.items.indexOf(item);
  const end = endOf(item, source);
  if (list.flow === true) {
    const next = list.items[index + 1];
    if (next !== undefined) return { start: startOf(item), end: startOf(next), text: "" };
    const former = list.items.slice(0, index).findLast((candidate) => staying.includes(candidate));
    return { start: former === undefined ? startOf(item) : endOf(former, source), end, text: "" };
  }
  const dash = source.text.lastIndexOf("-", startOf(item) - 1);
  return { start: lineStart(dash, source), end: nextLine(end, source), text: "" };
}

function addItem(added: Description, last: unknown, list: YAMLSeq, source: Source): Splice {
  const short = fitsOnOneLine(added, (map) => `  - ${renderNode(map)}`);
  if (list.flow === true) {
    const at = endOf(last, source);
    return { start: at, end: at, text: `, ${renderNode(mapNode(added, "flow"))}` };
  }
  const dash = source.text.lastIndexOf("-", startOf(last) - 1);
  const indent = indentOf(dash, source);
  const style = isMap(last) && last.flow === true && short ? "flow" : "block";
  const text = shift(
    `- ${shift(renderNode(mapNode(added, style)), "  ", { ...source, lineBreak: "\n" })}`,
    indent,
    source,
  );
  const at = lineEnd(endOf(last, source), source);
  return { start: at, end: at, text: `${source.lineBreak}${indent}${text}` };
}
