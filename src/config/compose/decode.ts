// From checked values to wishes, by the policies of the kinds. Invalid values are left out; they are already reported.
import type { FieldPolicy, Kind, ReferencePolicy, ValuePolicy } from "../../kinds/define.ts";
import { canonical, childKinds, fieldEntries, kindOf, kindOfAddress, perKind } from "../../kinds/index.ts";
import { type Address, dateOf, type KindName, makeAddress, makeAddresses } from "../../model/address.ts";
import { codeOfKind, type Diagnostic, didYouMean, errorAt, type Source } from "../../model/diagnostic.ts";
import type { Reference, Value, VenueQuery } from "../../model/value.ts";
import type { OwnWish, Wish } from "../../model/wish.ts";
import type { CheckResult } from "../check/check.ts";
import { checkIgnored } from "../check/check-ignored.ts";
import { secretAt } from "../check/find-secrets.ts";
import { unknownEnvironment } from "../settings/check-settings.ts";
import { allowEntriesOf } from "../settings/decode-settings.ts";
import { type Located, type LocatedList, type LocatedMap, plainValue, someNode } from "../yaml/located.ts";
import { decodeTime, type TimeContext } from "./decode-time.ts";

const mostCompared = 200;
const mostListed = 50;

export interface DecodeContext extends TimeContext, CheckResult {
  /** Left out if nothing is pinned. */
  readonly environments?: Environments;
}

/** The chosen environment, and everything that a document may name. */
export interface Environments {
  readonly chosen: string;
  /** null: the project names none of its own, so that any name may be one. */
  readonly known: readonly string[] | null;
}

type Children = Record<KindName, readonly Wish[]>;

/** Where an object belongs. */
interface ObjectPlace {
  readonly address: Address;
  readonly parent: Address | null;
  readonly name: string;
  /** The lists of the same event that are decoded already: what this object may refer to. */
  readonly siblings?: Children;
  /** Those of them that have entries which cannot be read. */
  readonly unread?: ReadonlySet<KindName>;
  /** Names of entries of those lists, as they are written, that the event inherits and removes. */
  readonly removed?: ReadonlySet<string>;
  /** The event is pinned to a live one, which may have what the document does not list. */
  readonly belongsToPinned?: boolean;
}

interface Draft {
  readonly place: ObjectPlace;
  readonly fields: Record<string, Value | Reference>;
  readonly own: Record<string, unknown>;
  readonly children: Children;
  readonly unread: Set<KindName>;
  readonly removed: Set<string>;
  /** Its times; null: written, and its problem is already reported. */
  readonly times: ReadonlyMap<string, number | null>;
}

export function decode(kind: Kind, map: LocatedMap, place: ObjectPlace, context: DecodeContext): Wish {
  const { address, parent, name } = place;
  const times = decodeTimes(kind, map, context);
  const draft: Draft = { place, fields: {}, own: {}, children: {}, unread: new Set(), removed: new Set(), times };
  const places: Record<string, Source> = {};
  const written: Record<string, unknown> = {};
  for (const [field, { value }] of map.entries) {
    const policy = kind.fields[field];
    if (policy === undefined) continue;
    recordPlaces(field, value, places, written);
    decodeField(field, policy, value, draft, context);
  }
  // A misspelled field counts as given.
  for (const field of context.meant.get(map) ?? []) places[field] ??= map.source;
  // In the order of the kinds: objects come before those that refer to them.
  for (const child of childKinds(kind.name)) {
    const list = map.entries.get(child.plural)?.value;
    if (list !== undefined && hasUnread(list, context)) draft.unread.add(child.name);
    if (list?.type !== "list" || context.bad.has(list)) continue;
    draft.children[child.name] = decodeList(child, list, draft, context);
    for (const removed of list.removed ?? []) draft.removed.add(`${child.name} ${removed}`);
  }
  const { fields, own, children } = draft;
  const { source } = map;
  return { kind: kind.name, address, parent, name, fields, own: own as OwnWish, children, source, places, written };
}

const instantsOf = perKind((kind) =>
  fieldEntries(kind).flatMap(([field, policy]) =>
    policy.role === "value" && policy.form === "instant" ? [[field, policy] as const] : [],
  ),
);

/** In the order of the kind's fields: a time comes before those that count from it. */
function decodeTimes(kind: Kind, map: LocatedMap, context: DecodeContext): Draft["times"] {
  const times = new Map<string, number | null>();
  for (const [field, policy] of instantsOf(kind)) {
    const node = map.entries.get(field)?.value;
    if (node === undefined) continue;
    const { anchor, countsFrom } = policy;
    const isText = node.type === "scalar" && typeof node.value === "string";
    // A cleared time cannot be counted from.
    if (!isText && node.type === "scalar" && node.value === null) continue;
    const since = countsFrom === undefined ? {} : { since: { field: countsFrom, instant: times.get(countsFrom) } };
    const isGood = isText && !node.reported && !context.bad.has(node);
    const instant = isGood ? (decodeTime(field, node, { anchor, ...since }, context) ?? null) : null;
    times.set(field, instant);
    if (anchor !== undefined) context.anchors[anchor] = instant;
  }
  return times;
}

/** Records the place of a field's value and how it is written; entries of a list of texts as `galleryUrls/0`, parts of a map as `venue/name`. */
function recordPlaces(
  field: string,
  value: Located,
  places: Record<string, Source>,
  written: Record<string, unknown>,
): void {
  places[field] = value.source;
  switch (value.type) {
    case "scalar":
      written[field] = value.value;
      return;
    case "list":
      if (!value.items.every((item) => item.type === "scalar")) return;
      written[field] = plainValue(value);
      for (const [index, item] of value.items.entries()) places[`${field}/${index}`] = item.source;
      return;
    case "map":
      written[field] = plainValue(value);
      for (const [key, entry] of value.entries) places[`${field}/${key}`] = entry.value.source;
      return;
  }
}

function decodeField(field: string, policy: FieldPolicy, node: Located, draft: Draft, context: DecodeContext): void {
  if (context.bad.has(node)) return;
  switch (policy.role) {
    case "value": {
      const value = decodeValue(field, policy, node, draft.times, context);
      if (value !== undefined) draft.fields[field] = value;
      return;
    }
    case "own":
      if (field === "ignore") checkIgnored(node, context.problems);
      if (field === "id" && node.type === "map") {
        Object.assign(draft.own, decodePins(node, context));
        return;
      }
      // The place of an allow entry does not matter to comparisons.
      if (field === "allow")
        draft.own.allow = allowEntriesOf(node, context.bad).map(({ source: _, ...allowance }) => allowance);
      else draft.own[field] = canonicalOwn(field, plainValue(node));
      return;
    case "lookup":
      if (hasBad(node, context)) return;
      if (plainValue(node) !== null) draft.own[field] = queryOf(plainValue(node));
      else if (!(policy.sentAs in draft.fields)) draft.fields[policy.sentAs] = null;
      return;
    case "reference": {
      const reference = decodeReference(field, policy, node, draft.place, context.problems);
      if (reference !== undefined) draft.fields[policy.sentAs] = reference;
      return;
    }
    case "children":
    case "compose":
      return;
  }
}

/** `id: { production: … }` pins in the environments that it names, and in no other. */
function decodePins(map: LocatedMap, context: DecodeContext): Pick<OwnWish, "id" | "ids"> {
  const { bad, environments = { chosen: "", known: null }, problems } = context;
  const ids: Record<string, string> = {};
  for (const [name, { key, value }] of map.entries) {
    if (environments.known !== null && !environments.known.includes(name)) {
      problems.push({ ...unknownEnvironment(name, environments.known), source: key });
    } else if (value.type === "scalar" && !bad.has(value)) ids[name] = String(canonical("id", value.value));
  }
  const id = Object.hasOwn(ids, environments.chosen) ? ids[environments.chosen] : undefined;
  return { ids, ...(id === undefined ? {} : { id }) };
}

/** A value that is compared with those of the service gets their canonical form. */
function canonicalOwn(field: string, value: unknown): unknown {
  if (field === "id") return canonical("id", value);
  return field === "renamedFrom" ? (canonical("text", value) ?? undefined) : value;
}

function decodeValue(
  field: string,
  policy: ValuePolicy,
  node: Located,
  times: Draft["times"],
  context: DecodeContext,
): Value | undefined {
  const instant = times.get(field);
  if (instant !== undefined) return instant === null ? undefined : canonical("instant", instant);
  if (hasBad(node, context)) return undefined;
  const value = canonical(policy.form, plainValue(node));
  // An empty value is what the service makes of it: null might be refused, or never come back as null.
  return value === null ? (policy.serviceDefault ?? policy.plainest ?? null) : value;
}

/** A name to the address of the object of that name; null clears; undefined if there is none. */
function decodeReference(
  field: string,
  policy: ReferencePolicy,
  node: Located,
  { address, parent, name: owner, siblings, unread, removed, belongsToPinned }: ObjectPlace,
  problems: Diagnostic[],
): Reference | null | undefined {
  if (node.type !== "scalar" || node.reported) return undefined;
  const name = canonical("text", node.value);
  if (name === null) return null;
  const list = kindOf(policy.to).plural;
  const candidates = siblings?.[policy.to] ?? (belongsToPinned ? null : []);
  // If a pinned event's document leaves the list out, the plan will see whether the service has the name.
  if (candidates === null) return { $id: makeAddress(parent, list, String(name)) };
  const found = candidates.find((candidate) => candidate.name === name);
  if (found !== undefined) return { $id: found.address };
  if (unread?.has(policy.to)) return undefined;
  const names = candidates.map((candidate) => candidate.name).filter((candidate) => candidate !== "");
  const listed = `${names.slice(0, mostListed).join(", ")}${names.length > mostListed ? ", …" : ""}`;
  const others = `List the event's other ${list} there too: live ones that the list leaves out are removed.`;
  const add =
    names.length === 0
      ? `Add the ${kindOf(policy.to).words.one}: \`${list}: [{ name: ${JSON.stringify(name)} }]\`.${siblings?.[policy.to] === undefined ? ` ${others}` : ""}`
      : `Use one of: ${listed}; or add this ${kindOf(policy.to).words.one} to \`${list}\`.`;
  // Searching very many names for a near one, at each mistake, would take minutes.
  const hint = didYouMean(String(name), names.slice(0, mostCompared), add);
  const message = `"${String(name)}" is not among the ${list} of this event.`;
  const { plural, identity, words } = kindOfAddress(address);
  const clearing = `{ ${identity.label}: ${JSON.stringify(owner)}, ${field}: null }`;
  const advice = removed?.has(`${policy.to} ${canonical("text", node.filledFrom ?? node.value)}`)
    ? {
        message: `The ${words.one} "${owner}" names "${String(name)}", but \`remove: true\` removes that ${kindOf(policy.to).words.one} from the \`${list}\` of ${dateOf(address)?.day ?? "this event"}.`,
        hint: `Next to that \`${list}\`, also write \`${plural}: [${clearing}]\`.`,
      }
    : { message, hint };
  problems.push(
    secretAt(field, node) ?? errorAt(codeOfKind(`unknown-${field}`), node.source, advice.message, advice.hint),
  );
  return undefined;
}

/** `performers: [Ana]`: who is in it is not known. */
function hasUnread(list: Located, { bad }: DecodeContext): boolean {
  return bad.has(list) || (list.type === "list" && list.items.some((item) => bad.has(item)));
}

function hasBad(root: Located, { bad }: DecodeContext): boolean {
  return someNode(root, (node) => bad.has(node) || (node.type === "scalar" && node.reported === true));
}

function queryOf(value: unknown): VenueQuery {
  return typeof value === "string" ? { name: value.trim() } : (value as VenueQuery);
}

function decodeList(
  kind: Kind,
  list: LocatedList,
  { place, own, children, unread, removed }: Draft,
  context: DecodeContext,
): Wish[] {
  const parent = place.address;
  const belongsToPinned = own.id !== undefined || own.ids !== undefined;
  const items = list.items.filter((item) => item.type === "map");
  const names = items.map((item) => objectName(kind, item, context) || pinOf(item, context));
  const addresses = makeAddresses(parent, kind.plural, names);
  return items.map((item, index) => {
    const [name = "", address = ""] = [names[index], addresses[index]];
    return decode(kind, item, { address, parent, name, siblings: children, unread, removed, belongsToPinned }, context);
  });
}

/** An entry that only pins an object is named by its id. */
function pinOf(map: LocatedMap, context: DecodeContext): string {
  const written = map.entries.get("id")?.value;
  const node = written?.type === "map" ? [...written.entries.values()][0]?.value : written;
  return node?.type === "scalar" && typeof node.value === "string" && !context.bad.has(node) ? node.value.trim() : "";
}

/** The object's name in one form; empty if it has none that can be read. */
export function objectName(kind: Kind, map: LocatedMap, context: Pick<DecodeContext, "bad">): string {
  const node = map.entries.get(kind.identity.label)?.value;
  if (node?.type !== "scalar" || context.bad.has(node)) return "";
  return String(canonical("text", node.value) ?? "");
}
