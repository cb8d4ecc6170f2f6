// From checked values to wishes, by the policies of the kinds. What does not fit is left out; its problem is already told.
import { canonical } from "../kinds/canonical.ts";
import type { ChildrenPolicy, FieldPolicy, Kind, ValuePolicy } from "../kinds/define.ts";
import { kindOf } from "../kinds/index.ts";
import { type Address, makeAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Source } from "../model/source.ts";
import type { Reference, Value, VenueQuery } from "../model/value.ts";
import type { OwnWish, Wish } from "../model/wish.ts";
import type { Calendar } from "./calendar.ts";
import { checkIgnored } from "./check-ignored.ts";
import { unknownEnvironment } from "./check-settings.ts";
import { decodeReference } from "./decode-reference.ts";
import { decodeTime, needsCalendar } from "./decode-time.ts";
import { type Located, type LocatedMap, plain } from "./located.ts";
import { rememberPlaces } from "./remember-places.ts";

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

type Children = Partial<Record<KindName, readonly Wish[]>>;

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
    rememberPlaces(field, value, places, written);
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
