import type { Kind } from "../../kinds/define.ts";
import { otherWayOf } from "../check/said-twice.ts";
import type { LocatedEntry, LocatedMap } from "../yaml/located.ts";

/**
 * The object with `defaults` below it: a field that it has itself wins, also with null, and also over the other way of
 * saying the same. For lists: defaults of each entry.
 */
export function mergeDefaults(kind: Kind, map: LocatedMap, defaults: LocatedMap | null): LocatedMap {
  if (defaults === null) return map;
  const entries = new Map<string, LocatedEntry>(map.entries);
  for (const [field, entry] of defaults.entries) {
    const own = entries.get(field);
    const { value } = entry;
    if (kind.fields[field]?.role !== "children") {
      if (own === undefined && !map.entries.has(otherWayOf(kind, field) ?? field)) entries.set(field, entry);
    } else if (own?.value.type === "list" && value.type === "map") {
      const items = own.value.items.map((item) => (item.type === "map" ? under(item, value) : item));
      entries.set(field, { key: own.key, value: { ...own.value, items } });
    }
  }
  return { ...map, entries };
}

function under(map: LocatedMap, defaults: LocatedMap): LocatedMap {
  const entries = new Map<string, LocatedEntry>(map.entries);
  for (const [field, entry] of defaults.entries) if (!entries.has(field)) entries.set(field, entry);
  return { ...map, entries };
}
