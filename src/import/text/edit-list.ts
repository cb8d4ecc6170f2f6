// Changes within a list of objects: an entry changed, added or taken out.
import { isAlias, isMap, type YAMLMap, type YAMLSeq } from "yaml";
import type { Description } from "../describe/description.ts";
import { changesNothing, type ListEdit } from "./edit.ts";
import { editMap } from "./edit-map.ts";
import {
  endOf,
  indentOf,
  lineEnd,
  lineStart,
  nextLine,
  removeRuns,
  type Source,
  type Splice,
  shift,
  startOf,
} from "./extent.ts";
import { fitsOnOneLine, mapNode, renderNode } from "./render.ts";

/** Changes within the entries; null where an entry is written in a way that cannot be changed. */
export function editEntries(
  list: YAMLSeq,
  edit: ListEdit,
  order: readonly string[],
  source: Source,
): readonly Splice[] | null {
  const entries = entriesOf(list);
  const splices: Splice[] = [];
  for (const [index, change] of edit.items) {
    const item = entries[index];
    if (changesNothing(change)) continue;
    if (!isMap(item)) return null;
    splices.push(...editMap(item, change, order, source));
  }
  return splices;
}

/** Entries that come and go; null where none would stay that tells how entries are written. */
export function editMembers(list: YAMLSeq, edit: ListEdit, source: Source): readonly Splice[] | null {
  if (edit.removed.size === 0 && edit.added.length === 0) return [];
  const removed = entriesOf(list).filter((_, index) => edit.removed.has(index));
  const isRemoved = (node: unknown): boolean => removed.includes(node as YAMLMap);
  const last = list.items.findLast((item) => !isRemoved(item));
  if (last === undefined) return null;
  const going =
    list.flow === true ? removeRuns(list.items, isRemoved, source) : removed.map((item) => removeItem(item, source));
  return [...going, ...edit.added.map((added) => addItem(added, last, list, source))];
}

function entriesOf(list: YAMLSeq): readonly unknown[] {
  return list.items.filter((item) => isMap(item) || isAlias(item));
}

/** With the comments that belong to it: directly above it, and further in below it. */
function removeItem(item: unknown, source: Source): Splice {
  const dash = source.text.lastIndexOf("-", startOf(item) - 1);
  const indent = indentOf(dash, source);
  let start = lineStart(dash, source);
  while (start > 0) {
    const above = lineStart(start - 1, source);
    if (!source.text.slice(above, start).startsWith(`${indent}#`)) break;
    start = above;
  }
  let end = nextLine(endOf(item, source), source);
  while (end < source.text.length) {
    const below = nextLine(end, source);
    const line = source.text.slice(end, below);
    if (!line.startsWith(indent) || !/^[ \t]+#/.test(line.slice(indent.length))) break;
    end = below;
  }
  return { start, end, text: "" };
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
