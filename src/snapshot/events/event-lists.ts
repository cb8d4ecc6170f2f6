// The lists of events by status: read page by page, or searched. What they show goes into the pool.
import { kindOf } from "../../kinds/index.ts";
import { distinctIds, idKey, sameId } from "../../model/address.ts";
import { orHalt } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { Reader } from "../reader.ts";
import { type Details, liveOf, makeDetails } from "./listed-objects.ts";
import { fieldsToRead, type KnownEvents, missingIn, type WantedEvent } from "./wanted-events.ts";

/** In the order of their life: an event that is published between two reads is seen twice, never missed. */
export const openStatuses: readonly EventStatus[] = ["DRAFT", "PUBLISHED"];

const kind = kindOf("event");

/** `many`: enough events are wanted to make large pages worthwhile at once. */
export function makeEventLists(reader: Reader, many: boolean, details: Details, pool: Map<string, Live>) {
  const listed = new Set<EventStatus>();
  const totals = new Map<EventStatus, number>();
  const pagesLeft = new Map<EventStatus, number>();

  function note(record: unknown, status: EventStatus): void {
    const live = liveOf(kind, record, null);
    if (live === null) return;
    details.noteListed(live);
    const now = live.status === null && live.otherStatus === undefined ? { ...live, status } : live;
    // What was read last counts.
    if (pool.get(idKey(live.id))?.status !== now.status) pool.set(idKey(live.id), now);
  }

  /** Reads the first page of a list; returns how many pages are left. */
  async function readFirstPage(status: EventStatus): Promise<number> {
    const known = pagesLeft.get(status);
    if (known !== undefined) return known;
    // A small organization fits on a page of the default size, and a size that is too large costs a refusal.
    const { records, pages, total } = orHalt(await reader.page("/events", { status }, many)).data;
    for (const record of records) note(record, status);
    totals.set(status, total ?? records.length);
    if (pages <= 1) listed.add(status);
    pagesLeft.set(status, Math.max(0, pages - 1));
    return Math.max(0, pages - 1);
  }

  async function readList(status: EventStatus): Promise<void> {
    await readFirstPage(status);
    if (listed.has(status)) return;
    const records = await reader.all("/events", { status }, true);
    for (const record of records) note(record, status);
    totals.set(status, Math.max(totals.get(status) ?? 0, records.length));
    listed.add(status);
  }

  return {
    readFirstPage,
    readList,
    /** `starts`: once an event of that name and one of these starts is found, no further page is read. */
    async searchFor(name: string, starts: readonly string[], status: EventStatus): Promise<void> {
      if (listed.has(status)) return;
      // No page size: a search has few results, and a refused size would cost a call.
      const page = await reader.page("/events", { status, search: name }, false);
      if (!page.ok) return readList(status);
      const { records, pages } = page.data;
      for (const record of records) note(record, status);
      const named = records.map((record) => liveOf(kind, record, null)).filter((live) => live?.fields.name === name);
      const isExact = named.some((live) => starts.includes(String(live?.fields.dateTime)));
      if (named.length === 0 || isExact || pages <= 1) return;
      for (const record of await reader.all("/events", { status, search: name }, true)) note(record, status);
    },
    /** Whether a search shows an event that the first page of that list has shown, and not simply everything. */
    async searchFinds(status: EventStatus): Promise<boolean> {
      const known = [...pool.values()].find((live) => live.status === status && typeof live.fields.name === "string");
      if (known === undefined) return false;
      const page = await reader.page("/events", { status, search: String(known.fields.name) }, false);
      if (!page.ok) return false;
      const { records, total } = page.data;
      const isFiltered = (total ?? records.length) < (totals.get(status) ?? 0);
      return isFiltered && records.some((record) => sameId(liveOf(kind, record, null)?.id, known.id));
    },
    /** All PUBLISHED and DRAFT events; null if a list was not read. */
    total(): number | null {
      const counts = openStatuses.map((status) => totals.get(status)).filter((count) => count !== undefined);
      return counts.length < openStatuses.length ? null : counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

// The live events read so far, and the ways to read more.

/** `many`: enough events are wanted to make large pages worthwhile at once. */
export function makeEventPool(reader: Reader, many: boolean) {
  const details = makeDetails(reader, kindOf("event"), (live) => `/events/${live.id}`);
  const pool = new Map<string, Live>();
  const askedIds = new Set<string>();

  /** Events that no longer exist leave the pool. */
  async function fillIn(lives: readonly Live[], wanted: (live: Live) => readonly string[]): Promise<void> {
    await Promise.all(
      lives.map(async (live) => {
        const fields = wanted(live);
        const full = fields.length === 0 ? live : await details.complete(live, fields);
        // An archived event may be hidden from its id.
        if (full === null && live.status !== "ARCHIVED") pool.delete(idKey(live.id));
        else if (full !== null && full !== live) pool.set(idKey(live.id), full);
      }),
    );
  }

  return {
    found: pool as KnownEvents,
    missing: (wanted: readonly WantedEvent[]) => missingIn(pool, wanted),
    ...makeEventLists(reader, many, details, pool),
    async askById(wanted: readonly WantedEvent[]): Promise<void> {
      const pinned = new Set(wanted.flatMap((one) => one.pins ?? []));
      const ids = wanted.flatMap((one) => one.ids).filter((id) => !pool.has(idKey(id)) && !askedIds.has(idKey(id)));
      await Promise.all(
        distinctIds(ids).map(async (id) => {
          askedIds.add(idKey(id));
          // Typed by hand: the service may know it in capitals only, or in none.
          const spellings = pinned.has(id) ? [id, id === idKey(id) ? id.toUpperCase() : idKey(id)] : [id];
          for (const spelling of new Set(spellings)) {
            const live = await details.byId(`/events/${spelling}`, null);
            if (live !== null) return pool.set(idKey(live.id), live);
          }
        }),
      );
    },
    /** Everything found, with the fields that documents manage. */
    async complete(wanted: readonly WantedEvent[]): Promise<readonly Live[]> {
      await fillIn([...pool.values()], fieldsToRead(wanted));
      // Among several that could be meant, the public one comes first.
      return [...pool.values()].sort((one, other) => statusRank(one) - statusRank(other));
    },
    /** Reads the start and venue of open events, if lists do not show them. */
    async showStarts(wanted: readonly WantedEvent[]): Promise<void> {
      const isOpen = (live: Live) => live.status !== "ARCHIVED";
      const hidden = () => [...pool.values()].filter((live) => isOpen(live) && live.fields.dateTime === undefined);
      // Each costs a call, so the first of them decides whether the service shows a start at all.
      for (const first of hidden()) {
        await fillIn([first], () => ["dateTime"]);
        const now = pool.get(idKey(first.id));
        if (now === undefined) continue;
        if (now.fields.dateTime !== undefined) await fillIn(hidden(), () => ["dateTime"]);
        break;
      }
      const starts = new Set<unknown>(wanted.flatMap((one) => one.starts));
      const together = [...pool.values()].filter((live) => isOpen(live) && starts.has(live.fields.dateTime));
      await fillIn(together, () => ["venueId"]);
    },
  };
}

function statusRank({ status }: Live): number {
  return status === "PUBLISHED" ? 0 : status === "DRAFT" ? 1 : 2;
}
