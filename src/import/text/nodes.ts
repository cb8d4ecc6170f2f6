// From descriptions to YAML nodes: block or flow, quoted or plain, as a person would choose.
import { Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { commentText } from "../comment-text.ts";
import { escapeVariables } from "../escape-variables.ts";
import type { Description, Entry, Written } from "../written.ts";
import { hasUnseen } from "./unseen-characters.ts";

export type Style = "block" | "flow";

/** As wide as a line may become before it is broken. */
export const widest = 100;
const widestEntry = 140;
const widestWords = 60;

export function pairNode(entry: Entry, style: Style): Pair<Scalar, Scalar | YAMLSeq | YAMLMap> {
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

export function valueNode(value: Written, style: Style): Scalar | YAMLSeq | YAMLMap {
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
  if (hasUnseen(text) || (style === "flow" && text.includes("\n"))) scalar.type = Scalar.QUOTE_DOUBLE;
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
