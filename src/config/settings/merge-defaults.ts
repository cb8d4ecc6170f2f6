import type { Kind } from "../../kinds/define.ts";
import { otherWayOf } from "../check/said-twice.ts";
import type { Located, LocatedEntry, LocatedMap } from "../yaml/located.ts";

/**
 * The object with `defaults` below it: a field that it has itself wins, also with null, and also over the other way of
 * saying the same. For lists: defaults of each entry.
 */
export function mergeDefaults(kind: Kind, map: LocatedMap, defaults: LocatedMap | null): LocatedMap {
  if (defaults === null) return map;
  const entries = new Map<string, LocatedEntry>(map.entries);
  for (const [field, entry] of defaults.entries) {
    const own = entries.get(field);
    if (kind.fields[field]?.role !== "children") {
      if (own === undefined && !map.entries.has(otherWayOf(kind, field) ?? field)) entries.set(field, entry);
    } else if (own?.value.type === "list" && entry.value.type === "map") {
      entries.set(field, { key: own.key, value: mergeIntoEach(own.value.items, entry.value, own.value) });
    }
  }
  return { ...map, entries };
}

function mergeIntoEach(items: readonly Located[], defaults: LocatedMap, list: Located): Located {
  return {
    type: "list",
    source: list.source,
    items: items.map((item) => (item.type === "map" ? under(item, defaults) : item)),
  };
}

function under(map: LocatedMap, defaults: LocatedMap): LocatedMap {
  const entries = new Map<string, LocatedEntry>(map.entries);
  for (const [field, entry] of defaults.entries) if (!entries.has(field)) entries.set(field, entry);
  return { ...map, entries };
}

/** The same values without those that do not fit, so that each is told once and not at every event. */
export function withoutBad(
  map: LocatedMap,
  bad: ReadonlySet<Located>,
  known: (path: readonly string[]) => boolean,
): LocatedMap {
  return prune(map, []);

  function prune(here: LocatedMap, path: readonly string[]): LocatedMap {
    const entries = new Map<string, LocatedEntry>();
    for (const [field, { key, value }] of here.entries) {
      const at = [...path, field];
      if (bad.has(value) || !known(at)) continue;
      entries.set(field, { key, value: value.type === "map" ? prune(value, at) : value });
    }
    return { ...here, entries };
  }
}
