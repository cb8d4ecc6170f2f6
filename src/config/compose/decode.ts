// From checked values to wishes, by the policies of the kinds. What does not fit is left out; its problem is already told.
import type { ChildrenPolicy, FieldPolicy, Kind, ReferencePolicy, ValuePolicy } from "../../kinds/define.ts";
import { canonical, kindOf } from "../../kinds/index.ts";
import { type Address, type KindName, makeAddress } from "../../model/address.ts";
import { type Diagnostic, type Source, suggest } from "../../model/diagnostic.ts";
import { formatLocalTime, formatOffset, offsetAt } from "../../model/time.ts";
import type { Reference, Value, VenueQuery } from "../../model/value.ts";
import type { OwnWish, Wish } from "../../model/wish.ts";
import { checkIgnored } from "../check/check-ignored.ts";
import { secretAt } from "../check/find-secrets.ts";
import { withSlip } from "../check/value-slip.ts";
import { unknownEnvironment } from "../settings/check-settings.ts";
import { type Calendar, type LocalResult, steadyInstant } from "../time/calendar.ts";
import { readTime } from "../time/read-time.ts";
import { type Located, type LocatedMap, type LocatedScalar, plain } from "../yaml/located.ts";

const mostCompared = 200;
const mostListed = 50;

/** A name to the address of the object of that name; null clears; undefined where there is none. */
export function decodeReference(
  field: string,
  policy: ReferencePolicy,
  node: Located,
  place: { readonly parent: Address | null; readonly candidates: readonly Wish[] | null },
  problems: Diagnostic[],
): Reference | null | undefined {
  if (node.type !== "scalar" || node.reported) return undefined;
  const name = canonical("text", node.value);
  if (name === null) return null;
  const list = kindOf(policy.to).plural;
  const { candidates } = place;
  // A list that the document of a live event leaves out is the service's: whether the name is there, the plan will see.
  if (candidates === null) return { $id: makeAddress(place.parent, list, String(name)) };
  const found = candidates.find((candidate) => candidate.name === name);
  if (found !== undefined) return { $id: found.address };
  const names = candidates.map((candidate) => candidate.name).filter((candidate) => candidate !== "");
  // Of very many names, to look for a near one for each mistake would take minutes.
  const near = suggest(String(name), names.slice(0, mostCompared));
  const secret = secretAt(field, node);
  problems.push(
    secret ?? {
      code: `unknown-${field}`,
      severity: "error",
      message: `${String(name)} is not among the ${list} of this event.`,
      hint:
        near !== null
          ? `Did you mean ${near}?`
          : names.length === 0
            ? `Add it: ${list}: [{ name: ${JSON.stringify(name)} }].`
            : `Write one of: ${names.slice(0, mostListed).join(", ")}${names.length > mostListed ? ", …" : ""}; or add it to \`${list}\`.`,
      source: node.source,
    },
  );
  return undefined;
}

/** Says that a local time was met before the calendar was loaded: load it and decode again. */
export const needsCalendar = Symbol("needs the calendar");

/** Milliseconds since the epoch; undefined where there is a problem. */
export function decodeTime(
  field: string,
  node: LocatedScalar,
  zone: string | null,
  calendar: Calendar | null,
  problems: Diagnostic[],
): number | undefined | typeof needsCalendar {
  const text = String(node.value);
  const written = readTime(text);
  if (written.type === "instant") return written.milliseconds;
  if (written.type === "unreadable") {
    const plainly = withSlip(problem(node, `"${text}" ${written.reason}.`, written.hint), node);
    problems.push(secretAt(field, node) ?? plainly);
    return undefined;
  }
  // Without a zone there is a problem at the zone already.
  if (zone === null) return undefined;
  const steady = steadyInstant(written.time, zone);
  if (steady !== null) return steady;
  if (calendar === null) return needsCalendar;
  const result = calendar.instantOf(written.time, zone);
  if (result === null || typeof result === "number") return result ?? undefined;
  problems.push(explainJump(node, text, zone, result));
  return undefined;
}

function explainJump(
  node: LocatedScalar,
  text: string,
  zone: string,
  result: Exclude<LocalResult, number>,
): Diagnostic {
  if (result.type === "gap") {
    return problem(
      node,
      `${text} does not exist in ${zone}: clocks are put forward over it.`,
      `Write ${formatLocalTime(result.moved, zone)}, which is what clocks show then.`,
    );
  }
  const [first, second] = [result.first, result.second].map(
    (instant) => text + formatOffset(offsetAt(instant, zone) ?? 0),
  );
  return problem(
    node,
    `${text} happens twice in ${zone}: clocks are put back over it.`,
    `Say which is meant: ${first} is the first, ${second} the second.`,
  );
}

function problem(node: LocatedScalar, message: string, hint: string): Diagnostic {
  return { code: "unreadable-time", severity: "error", message, hint, source: node.source };
}

/** Notes where a field's value stands and how it is written; entries of a list of texts as `galleryUrls/0`, parts of a map as `venue/name`. */
export function recordPlaces(
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
      written[field] = plain(value);
      for (const [index, item] of value.items.entries()) places[`${field}/${index}`] = item.source;
      return;
    case "map":
      written[field] = plain(value);
      for (const [key, entry] of value.entries) places[`${field}/${key}`] = entry.value.source;
      return;
  }
}

export interface DecodeContext {
  readonly bad: ReadonlySet<Located>;
  /** The zone of local times; null where the one that is written does not exist. */
  readonly zone: string | null;
  readonly calendar: Calendar | null;
  readonly problems: Diagnostic[];
  /** Left out where nothing is pinned. */
  readonly environments?: Environments;
  /** Set when a local time was met without a calendar. */
  calendarMissing: boolean;
}

/** Which environment was chosen, and all that a document may name. */
export interface Environments {
  readonly chosen: string;
  readonly known: readonly string[];
}

type Children = Record<KindName, readonly Wish[]>;

interface Draft {
  readonly address: Address;
  readonly parent: Address | null;
  readonly fields: Record<string, Value | Reference>;
  readonly own: Record<string, unknown>;
  readonly children: Children;
  readonly siblings: Children;
  /** The event is pinned to a live one, which may have what the document does not list. */
  readonly belongsToPinned: boolean;
}

/** `siblings` are the lists of the same event that are decoded already: what this object may refer to. */
export function decode(
  kind: Kind,
  map: LocatedMap,
  place: {
    readonly address: Address;
    readonly parent: Address | null;
    readonly name: string;
    readonly siblings?: Children;
    readonly belongsToPinned?: boolean;
  },
  context: DecodeContext,
): Wish {
  const { address, parent, name } = place;
  const draft: Draft = {
    address,
    parent,
    fields: {},
    own: {},
    children: {},
    siblings: place.siblings ?? {},
    belongsToPinned: place.belongsToPinned === true,
  };
  const places: Record<string, Source> = {};
  const written: Record<string, unknown> = {};
  for (const [field, { value }] of map.entries) {
    const policy = kind.fields[field];
    if (policy === undefined) continue;
    recordPlaces(field, value, places, written);
    if (policy.role !== "children") decodeField(field, policy, value, draft, context);
  }
  // Lists in the order of the policies: what is referred to comes before what refers to it.
  for (const { field, policy } of listsOf(kind)) {
    const list = map.entries.get(field)?.value;
    if (list !== undefined) decodeField(field, policy, list, draft, context);
  }
  return {
    kind: kind.name,
    address,
    parent,
    name,
    fields: draft.fields,
    own: draft.own as OwnWish,
    children: draft.children,
    source: map.source,
    places,
    written,
  };
}

function decodeField(field: string, policy: FieldPolicy, node: Located, draft: Draft, context: DecodeContext): void {
  if (context.bad.has(node)) return;
  switch (policy.role) {
    case "value": {
      const value = decodeValue(field, policy, node, context);
      if (value !== undefined) draft.fields[field] = value;
      return;
    }
    case "own":
      if (field === "ignore") checkIgnored(node, context.problems);
      if (field === "id" && node.type === "map") {
        Object.assign(draft.own, decodePins(node, context));
        return;
      }
      draft.own[field] = canonicalOwn(field, plain(node));
      return;
    case "lookup":
      if (hasBad(node, context)) return;
      if (plain(node) !== null) draft.own[field] = queryOf(plain(node));
      else if (!(policy.sentAs in draft.fields)) draft.fields[policy.sentAs] = null;
      return;
    case "reference": {
      const reference = decodeReference(
        field,
        policy,
        node,
        { parent: draft.parent, candidates: draft.siblings[policy.to] ?? (draft.belongsToPinned ? null : []) },
        context.problems,
      );
      if (reference !== undefined) draft.fields[policy.sentAs] = reference;
      return;
    }
    case "children":
      draft.children[policy.kind] = decodeList(kindOf(policy.kind), node, draft, context);
      return;
  }
}

/** `id: { production: … }` pins in the environments that it names, and in no other. */
function decodePins(map: LocatedMap, context: DecodeContext): Pick<OwnWish, "id" | "ids"> {
  const { bad, environments = { chosen: "", known: [] }, problems } = context;
  const ids: Record<string, string> = {};
  for (const [name, { key, value }] of map.entries) {
    if (!environments.known.includes(name)) {
      problems.push({ ...unknownEnvironment(name, environments.known), source: key });
    } else if (value.type === "scalar" && !bad.has(value)) ids[name] = String(canonical("id", value.value));
  }
  const id = Object.hasOwn(ids, environments.chosen) ? ids[environments.chosen] : undefined;
  return { ids, ...(id === undefined ? {} : { id }) };
}

/** What is compared with the service's words is brought into the form that they are. */
function canonicalOwn(field: string, value: unknown): unknown {
  if (field === "id") return canonical("id", value);
  return field === "renamedFrom" ? (canonical("text", value) ?? undefined) : value;
}

const listsOfKind = new Map<KindName, readonly { readonly field: string; readonly policy: ChildrenPolicy }[]>();

function listsOf(kind: Kind) {
  let lists = listsOfKind.get(kind.name);
  if (lists === undefined) {
    lists = Object.entries(kind.fields).flatMap(([field, policy]) =>
      policy.role === "children" ? [{ field, policy }] : [],
    );
    listsOfKind.set(kind.name, lists);
  }
  return lists;
}

function decodeValue(field: string, policy: ValuePolicy, node: Located, context: DecodeContext): Value | undefined {
  if (policy.form === "instant" && node.type === "scalar" && typeof node.value === "string") {
    if (node.reported) return undefined;
    const instant = decodeTime(field, node, context.zone, context.calendar, context.problems);
    if (instant === needsCalendar) context.calendarMissing = true;
    return typeof instant === "number" ? canonical("instant", instant) : undefined;
  }
  if (hasBad(node, context)) return undefined;
  const value = canonical(policy.form, plain(node));
  // An empty field is what the service makes of one: sent as null it might be refused, or never come back as null.
  return value === null ? (policy.standard ?? policy.plainest ?? null) : value;
}

function hasBad(node: Located, context: DecodeContext): boolean {
  if (context.bad.has(node) || (node.type === "scalar" && node.reported)) return true;
  if (node.type === "list") return node.items.some((item) => hasBad(item, context));
  if (node.type === "map") return [...node.entries.values()].some((entry) => hasBad(entry.value, context));
  return false;
}

function queryOf(value: unknown): VenueQuery {
  return typeof value === "string" ? { name: value.trim() } : (value as VenueQuery);
}

function decodeList(kind: Kind, list: Located, draft: Draft, context: DecodeContext): readonly Wish[] {
  if (list.type !== "list") return [];
  const seen = new Map<string, number>();
  const wishes: Wish[] = [];
  for (const item of list.items) {
    if (item.type !== "map") continue;
    const name = labelOf(kind, item, context) || pinOf(item, context);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    const address = makeAddress(draft.address, kind.plural, name, nth);
    wishes.push(
      decode(
        kind,
        item,
        {
          address,
          parent: draft.address,
          name,
          siblings: draft.children,
          belongsToPinned: draft.own.id !== undefined || draft.own.ids !== undefined,
        },
        context,
      ),
    );
  }
  return wishes;
}

/** An entry that only pins an object goes by its id. */
function pinOf(map: LocatedMap, context: DecodeContext): string {
  const written = map.entries.get("id")?.value;
  const node = written?.type === "map" ? [...written.entries.values()][0]?.value : written;
  return node?.type === "scalar" && typeof node.value === "string" && !context.bad.has(node) ? node.value.trim() : "";
}

/** The object's name in one form; empty where it has none that can be read. */
export function labelOf(kind: Kind, map: LocatedMap, context: Pick<DecodeContext, "bad">): string {
  const node = map.entries.get(kind.identity.label)?.value;
  if (node?.type !== "scalar" || context.bad.has(node)) return "";
  return String(canonical("text", node.value) ?? "");
}
