// Each event of a plan as it is on the service, and as it will be: what is live, with the edits of the plan applied.
import type { Kind } from "../../kinds/define.ts";
import { childKinds, fieldEntries, kindOf, sentName } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import type { CardDate, CardPair, EventCard, Live, VenueNames } from "../../model/live.ts";
import type { Change } from "../../model/plan.ts";
import { groupBy, type Reference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { allComparisons, type Comparison, type EventComparison } from "../compare/comparison.ts";
import { soldOfTicket } from "../rules/context.ts";
import { type CardObject, cardOfWish, makeCard } from "./make-card.ts";

type Side = "before" | "after";
type Fields = Readonly<Record<string, Value | Reference | undefined>>;

/** The pair of each event in which something changes; `wishes` are all that the files want. */
export function pairCards(
  events: readonly EventComparison[],
  venues: VenueNames,
  wishes: readonly Wish[] = [],
): readonly CardPair[] {
  const changed = events.filter((event) => allComparisons(event).some(({ change }) => change !== null));
  const addresses = new Set(changed.map(({ self }) => self.address));
  const staying = groupBy(
    wishes.filter(({ address, own }) => own.series !== undefined && !addresses.has(address)),
    ({ own }) => own.series?.of ?? null,
  );
  const dates = new Map([...staying].map(([series, all]) => [series, all.flatMap(cardDates)]));
  return changed.map((event) => {
    const pair = cardPairOf(event, venues);
    const others = pair.series === null ? undefined : dates.get(pair.series);
    return others === undefined ? pair : { ...pair, staying: others };
  });
}

function cardDates({ fields, own }: Wish): readonly CardDate[] {
  const { dateTime } = fields;
  return typeof dateTime === "string" ? [{ start: dateTime, timezone: own.timezone ?? "UTC" }] : [];
}

const dated = /^(.+)@\d{4}-\d\d-\d\d$/;

function cardPairOf(event: EventComparison, venues: VenueNames): CardPair {
  const { address, wish, live, change } = event.self;
  const series = wish?.own.series?.of ?? dated.exec(address)?.[1] ?? null;
  const before = live === null ? null : cardOn("before", event, live, venues);
  const blocked = allComparisons(event).filter((one) => (one.change?.blockedBy.length ?? 0) > 0);
  const known = { address, series, before, blocked: blocked.map((one) => one.address) };
  if (isDeletion(change)) return { ...known, after: null };
  if (live !== null) return { ...known, after: cardOn("after", event, live, venues) };
  return { ...known, after: wish === null ? null : cardOfWish(plannedOf(wish, event), venues) };
}

/** A new event with what is created along with it; with a target, that need not be all of it. */
function plannedOf(wish: Wish, { children }: EventComparison): Wish {
  const planned = new Set(children.flatMap(({ address, change }) => (change === null ? [] : address)));
  const lists = Object.entries(wish.children).map(([kind, list]) => [
    kind,
    list.filter(({ address }) => planned.has(address)),
  ]);
  return { ...wish, children: Object.fromEntries(lists) };
}

function isDeletion(change: Change | null): boolean {
  return change?.action === "delete" || change?.transition?.to === "DELETED";
}

function cardOn(side: Side, event: EventComparison, live: Live, venues: VenueNames): EventCard {
  const { kind, name, wish, change } = event.self;
  const names = namesById(event);
  const fields = fieldsOn(side, event.self, live, names);
  const status = side === "after" ? change?.transition?.to : undefined;
  const asked = wish?.own.venue;
  // The venue was not found by its name, so only the file describes it.
  const isUnresolved = side === "after" && change?.edits.some(({ path }) => path === "/venue") === true;
  const isWished = isUnresolved || fields.venueId === wish?.fields.venueId;
  const lists = childKinds(kind.name).map((each) => [each.name, listOn(side, event, each, names)]);
  return makeCard(
    {
      key: name,
      fields: isUnresolved ? { ...fields, venueId: null } : fields,
      status: status === undefined || status === "DELETED" ? live.status : status,
      timezone: typeof fields.timezone === "string" ? fields.timezone : wish?.own.timezone,
      venue: isWished ? asked : undefined,
      children: Object.fromEntries(lists),
      isLive: true,
    },
    venues,
  );
}

/** A list that the file does not manage stays as it is; if it was not read either, it is unknown. */
function listOn(side: Side, event: EventComparison, kind: Kind, names: Names): readonly CardObject[] | undefined {
  const compared = event.children.filter((child) => child.kind.name === kind.name);
  if (compared.length > 0) return compared.flatMap((one) => objectsOn(side, one, names));
  return event.lists[kind.name]?.map((live) => ({
    key: live.id,
    fields: { ...live.fields, ...namedReferences(kind, live, names) },
    left: live.remaining,
    sold: soldOf(kind, live),
  }));
}

/** None if it is not there yet, or no longer. */
function objectsOn(side: Side, one: Comparison, names: Names): readonly CardObject[] {
  const { kind, address, wish, live, change } = one;
  if (live === null) return side === "before" || wish === null || change === null ? [] : [{ key: address, ...wish }];
  if (side === "after" && isDeletion(change)) return [];
  const fields = fieldsOn(side, one, live, names);
  const sold = change?.context?.sold ?? soldOf(kind, live);
  return [{ key: address, fields, left: leftOn(side, fields, live, sold), sold }];
}

function soldOf(kind: Kind, live: Live): number | "some" | null {
  if (kind.sold !== true) return null;
  const { count, any } = soldOfTicket(live, undefined);
  return count ?? (any === true ? "some" : null);
}

/** Whatever the quantity becomes, sold tickets stay sold. */
function leftOn(side: Side, { quantity, soldOut }: Fields, live: Live, sold: number | "some" | null): number | null {
  if (side === "before" || live.remaining === null) return live.remaining;
  if (soldOut === true) return 0;
  const isMoved = quantity !== live.fields.quantity && typeof quantity === "number" && typeof sold === "number";
  return isMoved ? Math.max(0, quantity - sold) : live.remaining;
}

/** What the service shows, or else what was applied last; after: with the edits of the plan. */
function fieldsOn(side: Side, one: Comparison, live: Live, names: Names): Fields {
  const { kind, wish, change, unknown } = one;
  const unread = Object.entries(wish?.fields ?? {}).filter(([field]) => !unknown.includes(field));
  const edits = (change?.edits ?? []).map((edit) => {
    const field = sentName(kind, edit.path.slice(1));
    return [field, side === "after" ? edit.after : edit.before] as const;
  });
  return {
    ...Object.fromEntries(unread),
    ...live.fields,
    ...namedReferences(kind, live, names),
    ...Object.fromEntries(edits),
  };
}

type Names = ReadonlyMap<string, string>;

function namedReferences(kind: Kind, { fields }: Live, names: Names): Fields {
  const found = fieldEntries(kind).flatMap(([, policy]) => {
    const id = policy.role === "reference" ? fields[policy.sentAs] : null;
    return policy.role === "reference" && typeof id === "string" ? [[policy.sentAs, names.get(idKey(id)) ?? id]] : [];
  });
  return Object.fromEntries(found);
}

function namesById({ lists }: EventComparison): Names {
  return new Map(
    Object.entries(lists).flatMap(([kind, lives]) => {
      const { label } = kindOf(kind).identity;
      return lives.flatMap((live) => {
        const name = live.fields[label];
        return typeof name === "string" ? [[idKey(live.id), name] as const] : [];
      });
    }),
  );
}
