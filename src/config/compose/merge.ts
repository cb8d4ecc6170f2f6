// Levels of one document, merged: project defaults, templates, the document itself. The policies of the kinds say what each
// field does to the one below it. Every value keeps its own place.
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { canonical, kindOf, serviceDefaultOf } from "../../kinds/index.ts";
import { type Diagnostic, didYouMean, errorAt } from "../../model/diagnostic.ts";
import { formatCount, groupBy } from "../../model/value.ts";
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

/** `above` over `below`: a field in `above` wins, even as null, and even over the alternative field (`venueId` over `venue`). */
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
  // The same entry twice comes from a template that is reached twice.
  const isNew = (item: Located) =>
    !below.items.some(
      (other) => other === item || (item.type === "scalar" && other.type === "scalar" && other.value === item.value),
    );
  return { ...above, items: [...below.items, ...above.items.filter(isNew)] };
}

/** Entry by entry: one that means an inherited entry is merged with it; others are appended. `[]` means none. */
function mergeEntries(
  kind: Kind,
  below: LocatedList | undefined,
  above: LocatedList,
  problems: Diagnostic[],
): LocatedList {
  if (above.items.length === 0) return above;
  if (below === undefined && !above.items.some((item) => entryOf(item, "remove") !== undefined)) return above;
  const items: (Located | null)[] = [...(below?.items ?? [])];
  const meant = matchEntries(kind, below, above.items);
  for (const [index, item] of above.items.entries()) {
    const [at, ...others] = meant[index] ?? [];
    if (others.length > 0) problems.push(ambiguousEntry(kind, item, meant[index] ?? [], below?.items ?? []));
    else if (removesEntry(item) && at === undefined) problems.push(nothingToRemove(kind, item, below));
    else if (removesEntry(item)) items[at as number] = null;
    else {
      const own = item.type === "map" ? withoutRemove(item) : item;
      if (at === undefined) items.push(own);
      else items[at] = mergeOver(kind, items[at] as LocatedMap, own as LocatedMap, problems);
    }
  }
  const removed = above.items.filter(removesEntry).map((item) => entryName(kind, item));
  return {
    ...above,
    items: items.filter((item) => item !== null),
    removed: [...(below?.removed ?? []), ...removed],
  };
}

/**
 * For each entry, the indexes of the entries below that it means: one; none, if it is new; several, if it is ambiguous.
 * A unique namesake is meant whatever else the entry says, unless the entry removes it.
 */
export function matchEntries(
  kind: Kind,
  below: Located | undefined,
  above: readonly Located[],
): readonly (readonly number[])[] {
  const lower = below?.type === "list" ? below.items : [];
  const found: (readonly number[])[] = above.map(() => []);
  const named = groupBy([...lower.keys()], (index) => entryName(kind, lower[index]));
  for (const [name, own] of groupBy([...above.keys()], (index) => entryName(kind, above[index]))) {
    const sharing = name === "" ? undefined : named.get(name);
    if (sharing !== undefined) matchNamesakes(kind, { lower, sharing, above, own }, found);
  }
  return found;
}

interface Namesakes {
  readonly lower: readonly Located[];
  readonly sharing: readonly number[];
  readonly above: readonly Located[];
  readonly own: readonly number[];
}

function matchNamesakes(kind: Kind, { lower, sharing, above, own }: Namesakes, found: (readonly number[])[]): void {
  const { keys, twins } = kind.identity;
  const [fullKey = []] = keys;
  const free = new Set(sharing);
  const indexes = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const alike = (item: Located | undefined, fields: readonly string[]) => {
    const keyOf = (one: Located | undefined) => JSON.stringify(fields.map((field) => entryText(kind, one, field)));
    const index = indexes.get(fields.join()) ?? groupBy(sharing, (at) => keyOf(lower[at]));
    indexes.set(fields.join(), index);
    return index.get(keyOf(item)) ?? [];
  };
  const take = (at: number, index: number | undefined) => {
    if (index !== undefined && free.delete(index)) found[at] = [index];
  };
  // If twins are interchangeable and the list names them all, they are matched in order.
  if (twins === "ask" || own.length < sharing.length) {
    for (const at of own) {
      const pinned = entryOf(above[at], "id") === undefined ? [] : alike(above[at], ["id"]);
      const equal = pinned.length === 1 ? pinned : alike(above[at], fullKey);
      if (equal.length === 1) take(at, equal[0]);
    }
  }
  for (const at of own) {
    if (found[at]?.length !== 0) continue;
    const named = fullKey.filter((field) => entryOf(above[at], field) !== undefined);
    const fits = twins === "any" ? [] : alike(above[at], named);
    if (twins === "any") take(at, free.values().next().value);
    else if (fits.length > 1) found[at] = fits;
    else if (fits.length === 1 || (sharing.length === 1 && !removesEntry(above[at]))) take(at, fits[0] ?? sharing[0]);
  }
}

/** The name of an entry of a list: as the file writes it, so that a name with a variable stays the same name. */
export function entryName(kind: Kind, item: Located | undefined): string {
  return entryText(kind, item, kind.identity.label);
}

function entryText(kind: Kind, item: Located | undefined, field: string): string {
  const node = entryOf(item, field);
  if (node !== undefined && node.type !== "scalar") return JSON.stringify(plainValue(node));
  const text = node === undefined ? null : canonical("text", node.filledFrom ?? node.value);
  return String(text ?? serviceDefaultOf(kind, field) ?? "");
}

/** The same with what else identifies it: "GA (section B, row 1)". */
export function entryCall(kind: Kind, item: Located | undefined): string {
  const { label, keys } = kind.identity;
  const rest = (keys[0] ?? []).filter((field) => field !== label && entryOf(item, field) !== undefined);
  const words = rest.map((field) => `${field} ${entryText(kind, item, field)}`).join(", ");
  return entryName(kind, item) + (words === "" ? "" : ` (${words})`);
}

function removesEntry(item: Located | undefined): boolean {
  const removes = entryOf(item, "remove");
  return removes?.type === "scalar" && removes.value === true;
}

function withoutRemove(map: LocatedMap): LocatedMap {
  if (!map.entries.has("remove")) return map;
  return { ...map, entries: new Map([...map.entries].filter(([field]) => field !== "remove")) };
}

const mostListed = 8;

function ambiguousEntry(kind: Kind, item: Located, meant: readonly number[], below: readonly Located[]): Diagnostic {
  const those = meant.slice(0, mostListed).map((at) => below[at]);
  const isDistinctive = (field: string) => new Set(those.map((one) => entryText(kind, one, field))).size > 1;
  const fields = (kind.identity.keys[0] ?? []).filter(isDistinctive).map((field) => `\`${field}\``);
  const names = those.map((one) => entryCall(kind, one)).join(", ");
  const more = meant.length > those.length ? ` and ${formatCount(meant.length - those.length)} more` : "";
  return errorAt(
    "ambiguous-entry",
    item.source,
    `It is not clear which ${kind.words.one} this entry means: ${names}${more}.`,
    `Add the ${fields.join(" or ") || "`id`"} of the one that you mean.`,
  );
}

/** The names of entries below, for a message about an entry that means none of them: those of its name, or else all. */
export function namesBelow(kind: Kind, item: Located, below: Located | undefined): readonly string[] {
  const lower = below?.type === "list" ? below.items : [];
  const namesakes = lower.filter((one) => entryName(kind, one) === entryName(kind, item));
  const names =
    namesakes.length > 0 ? namesakes.map((one) => entryCall(kind, one)) : lower.map((one) => entryName(kind, one));
  return [...new Set(names)].filter((name) => name !== "");
}

/** Whether a text with variables can produce this text, judged by what precedes the first and follows the last of them. */
function mayRead(written: string, text: string): boolean {
  const [first, last] = [written.indexOf("${"), written.lastIndexOf("}")];
  return (
    first >= 0 && last > first && text.startsWith(written.slice(0, first)) && text.endsWith(written.slice(last + 1))
  );
}

/** The entry below whose name, with its variables filled in, may be this one. */
export function namedByVariable(kind: Kind, name: string, below: Located | undefined): Located | undefined {
  return (below?.type === "list" ? below.items : []).find((each) => mayRead(entryName(kind, each), name));
}

function nothingToRemove(kind: Kind, item: Located, below: Located | undefined): Diagnostic {
  const name = entryName(kind, item);
  const known = namesBelow(kind, item, below);
  const others = known.join(", ");
  const meant = name === "" ? undefined : namedByVariable(kind, name, below);
  const written = JSON.stringify(entryName(kind, meant));
  const asWritten = `Names are matched before variables are filled in: to remove ${written}, write \`{ ${kind.identity.label}: ${written}, remove: true }\`; if you mean another, delete this entry.`;
  return errorAt(
    "nothing-to-remove",
    item.source,
    name === ""
      ? `An entry with \`remove: true\` needs the \`${kind.identity.label}\` of the inherited ${kind.words.one}.`
      : `There is no inherited ${kind.words.one} ${entryCall(kind, item)} to remove.`,
    didYouMean(
      name,
      known,
      meant !== undefined
        ? asWritten
        : others === ""
          ? "Delete this entry."
          : `Inherited: ${others}. Name one of them, or delete this entry.`,
    ),
  );
}

/** A level without what it cannot have: fields that distinguish one event from others belong to the event itself. */
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
    problems.push(errorAt("unknown-key", source, message, `Remove \`${field}\` here, and set it in the event itself.`));
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
