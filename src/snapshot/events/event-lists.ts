// The lists of events by status: read page by page, or searched. What they show goes into the pool.
import { kindOf } from "../../kinds/index.ts";
import { idKey, sameId } from "../../model/address.ts";
import { orHalt } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { Reader } from "../reader.ts";
import { type Details, liveOf } from "./listed-objects.ts";

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
