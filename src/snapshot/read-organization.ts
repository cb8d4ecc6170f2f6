// What belongs to the organization: its account, its webhooks, the orders of its events, and venues.
import { canonical, kindOf, orderStatus, ticketsInOrders } from "../kinds/index.ts";
import { idKey } from "../model/address.ts";
import { closest, Halt, orHalt } from "../model/diagnostic.ts";
import { type Account, type Live, type OrderFigures, sameInAnyCase, type Venue } from "../model/live.ts";
import { asObject, asText, isObject, type VenueQuery, venueKey } from "../model/value.ts";
import type { Problem } from "../service/problem.ts";
import { type Me, ordersPath } from "../service/records.ts";
import { liveOf } from "./events/listed-objects.ts";
import type { Reader } from "./reader.ts";

/** Whose key it is. null for what the service does not show. */
export async function readAccount(reader: Reader): Promise<Account> {
  const { data } = orHalt(await reader.ask("/me"));
  const { apiKey, organization } = (data ?? {}) as Partial<Me>;
  const scopes = apiKey?.scopes;
  return {
    keyName: asText(apiKey?.name),
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : null,
    expiresAt: asText(apiKey?.expiresAt),
    organization: { id: asText(organization?.id) ?? "", slug: asText(organization?.slug) ?? "" },
  };
}

export async function readWebhooks(reader: Reader): Promise<readonly Live[]> {
  return (await reader.all("/webhooks")).flatMap((record) => liveOf(kindOf("webhook"), record, null) ?? []);
}

/** Orders of events, as far as the key may see them. */
export type OrderReader = ReturnType<typeof makeOrderReader>;

export function makeOrderReader(reader: Reader) {
  /** Once refused, a key is refused for every event. */
  let refused = false;

  function unread(problem: Problem): OrderFigures {
    // The next run continues here: nothing is concluded from what could not be read.
    if (problem.class === "throttled" || problem.code === "interrupted") throw new Halt({ ok: false, problem });
    refused ||= problem.status === 403;
    const unknown = { total: null, tickets: null };
    return problem.status === 403 ? unknown : { ...unknown, unread: problem.message.replace(/\.$/, "") };
  }

  /** null: the service does not say, or ignored the filter. */
  async function count(eventId: string, status?: "CANCELLED"): Promise<number | OrderFigures | null> {
    const path = ordersPath(eventId);
    const query = status === undefined ? {} : { status };
    let page = await reader.page(path, { take: 1, ...query }, false);
    // A page of one is enough; a service that refuses it is asked for its default size.
    if (!page.ok && (page.problem.status === 400 || page.problem.status === 422))
      page = await reader.page(path, query, false);
    if (!page.ok) return unread(page.problem);
    const { records, total } = page.data;
    const isFiltered = status === undefined || records.every((record) => orderStatus(record) === status);
    if (!isFiltered) return null;
    return records.length === 0 ? 0 : total;
  }

  /** Tickets by type, one call per page; `isEnough` ends it before the last page. */
  async function byTicket(eventId: string, isEnough?: (figures: OrderFigures) => boolean): Promise<OrderFigures> {
    if (refused) return { total: null, tickets: null };
    const open: unknown[] = [];
    for await (const page of reader.each(ordersPath(eventId), {}, true)) {
      if (!page.ok) return unread(page.problem);
      for (const record of page.data) if (orderStatus(record) !== "CANCELLED") open.push(record);
      if (isEnough === undefined || open.length === 0) continue;
      const part: OrderFigures = { total: open.length, tickets: ticketsInOrders(open), isPart: true };
      if (part.tickets === null || isEnough(part)) return part;
    }
    return { total: open.length, tickets: ticketsInOrders(open) };
  }

  return {
    /** How many are not CANCELLED: one call, two if there are any. */
    async total(eventId: string): Promise<OrderFigures> {
      if (refused) return { total: null };
      const all = await count(eventId);
      if (all === 0) return { total: 0 };
      if (typeof all === "object" && all !== null) return all;
      const canceled = all === null ? null : await count(eventId, "CANCELLED");
      // If every order is canceled, the event may be deleted; a total that ignores the filter would look just like that.
      if (all !== null && typeof canceled === "number" && canceled < all) return { total: all - canceled };
      return byTicket(eventId);
    },
    byTicket,
  };
}

/** The results of the search for each name; each name is searched once. */
export async function findVenues(
  reader: Reader,
  queries: readonly VenueQuery[],
): Promise<ReadonlyMap<string, readonly Venue[]>> {
  const names = new Map(queries.map((query) => [venueKey(query), query.name]));
  const found = await Promise.all(
    [...names].map(async ([key, name]): Promise<[string, readonly Venue[]]> => {
      const venues = toVenues(await reader.all("/venues/search", { query: name }));
      return [
        key,
        venues.some((venue) => sameInAnyCase(venue.name, name)) ? venues : await withNear(reader, name, venues),
      ];
    }),
  );
  return new Map(found);
}

/** Every venue that responses have shown so far, by the key of its id: searches list venues, and events show theirs. */
export function venuesShown(reader: Pick<Reader, "kept">): ReadonlyMap<string, Venue> {
  const venues = new Map<string, Venue>();
  for (const [question, { data }] of reader.kept()) {
    const isSearch = question.startsWith("/venues");
    for (const record of Array.isArray(data) ? data : [data]) {
      const { venueId, venue: own } = asObject(record);
      const venue = toVenue(isSearch ? record : isObject(own) && { ...own, id: own.id ?? venueId });
      if (venue !== null) venues.set(idKey(venue.id), venue);
    }
  }
  return venues;
}

/** A misspelled name finds nothing: parts of it may find the right one. A failure here does not matter. */
async function withNear(reader: Reader, name: string, found: readonly Venue[]): Promise<readonly Venue[]> {
  const venues = new Map(found.map((venue) => [venue.id, venue]));
  for (const part of searchParts(name)) {
    // One that is near enough ends the search.
    const names = Array.from(venues.values(), (venue) => venue.name);
    if (closest(name, names) !== null) break;
    const result = await reader.ask("/venues/search", { query: part });
    if (!result.ok || !Array.isArray(result.data)) break;
    for (const venue of toVenues(result.data)) if (!venues.has(venue.id)) venues.set(venue.id, venue);
  }
  return [...venues.values()];
}

/** What is before a comma, then the two longest words, and the beginning and end of the first: a typo leaves some intact. */
function searchParts(name: string): readonly string[] {
  const words = (name.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2);
  const [longest = "", second = ""] = words.sort((one, other) => other.length - one.length);
  const letters = [...longest];
  const count = letters.length > 5 ? 3 : 2;
  const [beforeComma = ""] = name.includes(",") ? name.split(",") : [];
  const parts = [beforeComma.trim(), longest, second, letters.slice(0, count).join(""), letters.slice(-count).join("")];
  return [...new Set(parts)].filter((part) => part.length > 1 && part !== name);
}

function toVenues(records: readonly unknown[]): readonly Venue[] {
  return records.flatMap((record) => toVenue(record) ?? []);
}

function toVenue(record: unknown): Venue | null {
  if (typeof record !== "object" || record === null) return null;
  const shown = record as Record<string, unknown>;
  const id = canonical("id", shown.id);
  const name = asText(shown.name);
  if (typeof id !== "string" || name === null) return null;
  return {
    id,
    name,
    city: asText(shown.city),
    state: asText(shown.state),
    country: asText(shown.country),
    latitude: number(shown.latitude),
    longitude: number(shown.longitude),
    ...(shown.madeUp === true ? { madeUp: true } : {}),
  };
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
