// Cells of a sheet and variables of the environment are texts: one that is a whole value takes the type of its field.
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Located, LocatedMap, ScalarValue } from "../yaml/located.ts";

export function takeTypes(kind: Kind, map: LocatedMap): LocatedMap {
  const changed = new Map(map.entries);
  for (const [field, { key, value }] of map.entries) {
    const typed = typedValue(kind.fields[field], value);
    if (typed !== value) changed.set(field, { key, value: typed });
  }
  return { ...map, entries: changed };
}

function typedValue(policy: FieldPolicy | undefined, node: Located): Located {
  if (policy?.role === "children" && node.type === "list") {
    const kind = kindOf(policy.kind);
    return { ...node, items: node.items.map((item) => (item.type === "map" ? takeTypes(kind, item) : item)) };
  }
  if (node.type !== "scalar" || node.cell !== true || node.reported) return node;
  if (policy?.role !== "value" && policy?.role !== "own") return node;
  return { ...node, value: typedText(policy.role === "own" ? "flag" : policy.form, String(node.value)) };
}

function typedText(form: string, text: string): ScalarValue {
  if (form === "whole" && /^-?\d{1,15}$/.test(text)) return Number(text);
  return form === "flag" && /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : text;
}
