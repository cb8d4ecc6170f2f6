// Levels of one document, laid over each other: project defaults, templates, the document itself. What each field does to the
// one below it is in the policies of the kinds. Every value keeps its own place.
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { canonical, kindOf } from "../../kinds/index.ts";
import { type Diagnostic, didYouMean, errorAt } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/value.ts";
import { otherWayOf } from "../check/check.ts";
import {
  entryOf,
  type Located,
  type LocatedEntry,
  type LocatedList,
  type LocatedMap,
  levelsOf,
  plainValue,
} from "../yaml/located.ts";

/** `above` over `below`: a field that `above` has wins, even with null, and even over the other way of saying the same. */
export function mergeOver(kind: Kind, below: LocatedMap, above: LocatedMap, problems: Diagnostic[]): LocatedMap {
  const entries = new Map<string, LocatedEntry>();
  const dropped = new Set(textsOf(entryOf(above, "without")));
  const inherited = (field: string) => (dropped.has(field) ? undefined : below.entries.get(field));
  for (const [field, { key, value }] of above.entries) {
    entries.set(field, { key, value: mergeField(kind.fields[field], inherited(field)?.value, value, problems) });
  }
  for (const [field, entry] of below.entries) {
    if (entries.has(field) || inherited(field) === undefined || isOwnLevel(kind.fields[field])) continue;
    if (!above.entries.has(otherWayOf(kind, field) ?? field)) entries.set(field, entry);
  }
  return { ...above, entries, levels: [...levelsOf(below), ...levelsOf(above)] };
}

/** The texts of a list, or of a single text. */
export function textsOf(node: Located | undefined): readonly string[] {
  if (node === undefined) return [];
  return [plainValue(node)].flat().filter((value) => typeof value === "string");
}

function isOwnLevel(policy: FieldPolicy | undefined): boolean {
  return policy?.role === "compose" && policy.merge === "none";
}

function mergeField(
  policy: FieldPolicy | undefined,
  below: Located | undefined,
  above: Located,
  problems: Diagnostic[],
): Located {
  if (policy?.role === "children" && above.type === "list") {
    return mergeEntries(kindOf(policy.kind), below?.type === "list" ? below : undefined, above, problems);
  }
  if (policy !== undefined && "merge" in policy && policy.merge === "append") return append(below, above);
  return deepen(below, above);
}

/** Maps deeply; anything else is replaced. */
function deepen(below: Located | undefined, above: Located): Located {
  if (below?.type !== "map" || above.type !== "map") return above;
  const entries = new Map(above.entries);
  for (const [key, entry] of below.entries) {
    const own = above.entries.get(key);
    entries.set(key, own === undefined ? entry : { key: own.key, value: deepen(entry.value, own.value) });
  }
  return { ...above, entries, levels: [...levelsOf(below), ...levelsOf(above)] };
}

function append(below: Located | undefined, above: Located): Located {
  if (below?.type !== "list" || above.type !== "list") return above;
  // An entry that is there itself comes from a template that is reached twice.
  const isNew = (item: Located) =>
    !below.items.some(
      (other) => other === item || (item.type === "scalar" && other.type === "scalar" && other.value === item.value),
    );
  return { ...above, items: [...below.items, ...above.items.filter(isNew)] };
}

/** Entry by entry: one of the same name is merged, the n-th of a name with the n-th; others are appended. `[]` means none. */
function mergeEntries(
  kind: Kind,
  below: LocatedList | undefined,
  above: LocatedList,
  problems: Diagnostic[],
): LocatedList {
  if (above.items.length === 0) return above;
  // As most lists are written.
  if (below === undefined && !above.items.some((item) => entryOf(item, "remove") !== undefined)) return above;
  const items: (Located | null)[] = [...(below?.items ?? [])];
  const inherited = groupBy([...items.keys()], (index) => entryName(kind, items[index] as Located));
  const counts = new Map<string, number>();
  for (const item of above.items) {
    const name = entryName(kind, item);
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    const at = name === "" ? undefined : inherited.get(name)?.[nth];
    const removes = entryOf(item, "remove");
    const isRemoved = removes?.type === "scalar" && removes.value === true;
    if (isRemoved && at === undefined) problems.push(nothingToRemove(kind, name, item, [...inherited.keys()]));
    if (isRemoved && at !== undefined) items[at] = null;
    if (isRemoved) continue;
    const own = item.type === "map" ? withoutRemove(item) : item;
    if (at === undefined) items.push(own);
    else items[at] = mergeOver(kind, items[at] as LocatedMap, own as LocatedMap, problems);
  }
  return { ...above, items: items.filter((item) => item !== null) };
}

/** What identifies an entry of a list: as the file writes it, so that a name with a variable stays the same name. */
export function entryName(kind: Kind, item: Located): string {
  const label = entryOf(item, kind.identity.label);
  return label?.type === "scalar" ? String(canonical("text", label.filledFrom ?? label.value) ?? "") : "";
}

function withoutRemove(map: LocatedMap): LocatedMap {
  if (!map.entries.has("remove")) return map;
  return { ...map, entries: new Map([...map.entries].filter(([field]) => field !== "remove")) };
}

function nothingToRemove(kind: Kind, name: string, item: Located, known: readonly string[]): Diagnostic {
  const others = known.filter((one) => one !== "").join(", ");
  return errorAt(
    "nothing-to-remove",
    item.source,
    name === ""
      ? `An entry to remove needs the \`${kind.identity.label}\` of the inherited ${kind.words.one}.`
      : `There is no inherited ${kind.words.one} ${name} to remove.`,
    didYouMean(
      name,
      known,
      others === "" ? "Delete this entry." : `Inherited: ${others}. Name one of them, or delete this entry.`,
    ),
  );
}

/** A level without what it cannot have: what distinguishes one event from others belongs to the event itself. */
export function refuseFields(
  map: LocatedMap,
  fields: readonly string[],
  level: string,
  problems: Diagnostic[],
): LocatedMap {
  const refused = fields.filter((field) => map.entries.has(field));
  if (refused.length === 0) return map;
  for (const field of refused) {
    const source = map.entries.get(field)?.key ?? map.source;
    const message = `\`${field}\` belongs to the event itself, so a ${level} cannot have it.`;
    problems.push(
      errorAt("unknown-key", source, message, `Move the line out of the ${level}, to the fields of the event.`),
    );
  }
  return { ...map, entries: new Map([...map.entries].filter(([field]) => !refused.includes(field))) };
}

export function withEntryDefaults(kind: Kind, map: LocatedMap, defaults: LocatedMap | null): LocatedMap {
  if (defaults === null) return map;
  const entries = new Map(map.entries);
  for (const [field, { value: below }] of defaults.entries) {
    const own = entries.get(field);
    const policy = kind.fields[field];
    if (policy?.role !== "children" || own?.value.type !== "list" || below.type !== "map") continue;
    const child = kindOf(policy.kind);
    const items = own.value.items.map((item) => (item.type === "map" ? mergeOver(child, below, item, []) : item));
    entries.set(field, { key: own.key, value: { ...own.value, items } });
  }
  return { ...map, entries };
}

/** The defaults of the object itself: without those of the entries of its lists. */
export function ownDefaults(kind: Kind, { source, entries }: LocatedMap): LocatedMap {
  return {
    type: "map",
    source,
    entries: new Map([...entries].filter(([field]) => kind.fields[field]?.role !== "children")),
  };
}
