// The live events read so far, and the ways to read more.
import { kindOf } from "../../kinds/index.ts";
import { distinctIds, idKey, sameId } from "../../model/address.ts";
import { orHalt } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { Reader } from "../reader.ts";
import { liveOf, makeDetails } from "./listed-objects.ts";

/** In the order of their life: an event that is published between two reads is seen twice, never missed. */
export const openStatuses: readonly EventStatus[] = ["DRAFT", "PUBLISHED"];

const kind = kindOf("event");

/** `many`: enough events are wanted to make large pages worthwhile at once. */
export function makeEventPool(reader: Reader, many: boolean) {
  const details = makeDetails(reader, kind, (live) => `/events/${live.id}`);
  /** By the key of their id. */
  const pool = new Map<string, Live>();
  const listed = new Set<EventStatus>();
  const totals = new Map<EventStatus, number>();
  const pagesLeft = new Map<EventStatus, number>();
  const askedIds = new Set<string>();
  const isKnown = (id: string) => pool.has(idKey(id));

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

  /** What is gone leaves the pool. */
  async function fillIn(lives: readonly Live[], wanted: (live: Live) => readonly string[]): Promise<void> {
    await Promise.all(
      lives.map(async (live) => {
        const fields = wanted(live);
        const full = fields.length === 0 ? live : await details.complete(live, fields);
        if (full === null) pool.delete(idKey(live.id));
        else if (full !== live) pool.set(idKey(live.id), full);
      }),
    );
  }

  /** Documents whose event was not found yet. */
  function missing(wanted: readonly WantedEvent[]): readonly WantedEvent[] {
    const starts = new Set<string>();
    const startless = new Set<unknown>();
    for (const { fields } of pool.values()) {
      if (fields.dateTime === undefined) startless.add(fields.name);
      else starts.add(`${fields.dateTime} ${fields.name}`);
    }
    return wanted.filter((one) => {
      if (one.names.length === 0 || one.ids.some(isKnown)) return false;
      return !one.names.some(
        (name) => startless.has(name) || one.starts.some((start) => starts.has(`${start} ${name}`)),
      );
    });
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
    async askById(wanted: readonly WantedEvent[]): Promise<void> {
      const pinned = new Set(wanted.flatMap((one) => one.pins ?? []));
      const ids = wanted.flatMap((one) => one.ids).filter((id) => !isKnown(id) && !askedIds.has(idKey(id)));
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
    missing,
    /** Those, and documents that are known by their id alone, if no list has shown it so far. */
    unseen(wanted: readonly WantedEvent[]): readonly WantedEvent[] {
      const byId = ({ ids, names, elsewhere }: WantedEvent) =>
        names.length === 0 && ids.length > 0 && elsewhere === undefined && !ids.some(isKnown);
      return [...missing(wanted), ...wanted.filter(byId)];
    },
    /** Without what other shards plan, except for documents that may mean an event that one of ours may mean, too. */
    contenders(wanted: readonly WantedEvent[]): readonly WantedEvent[] {
      const own = wanted.filter(({ elsewhere }) => elsewhere === undefined);
      if (own.length === wanted.length) return wanted;
      const gone = own.filter(({ isGone }) => isGone === true);
      const goneIds = new Set(gone.flatMap(({ ids }) => ids.map(idKey)));
      const marks = new Set<unknown>([...missing(own), ...gone].flatMap(({ names, starts }) => [...names, ...starts]));
      // Through an event of one name and another start, one shard may mean what another shard means by its start.
      const near = new Set(marks);
      for (const { id, fields } of pool.values()) {
        if (!goneIds.has(idKey(id)) && !marks.has(fields.name) && !marks.has(fields.dateTime)) continue;
        near.add(fields.name).add(fields.dateTime);
      }
      return wanted.filter(({ elsewhere }) => elsewhere === undefined || elsewhere.some((mark) => near.has(mark)));
    },
    /** Found by its id, with the wished name and start: no other event can be meant. */
    isFoundAsWished(one: WantedEvent): boolean {
      const live = one.ids.map((id) => pool.get(idKey(id))).find((found) => found !== undefined);
      if (one.names.length === 0) return true;
      if (live === undefined || live.fields.name !== one.names[0]) return false;
      return live.fields.dateTime === undefined || live.fields.dateTime === one.starts[0];
    },
    /** Everything found, with the fields that documents manage. */
    async complete(wanted: readonly WantedEvent[]): Promise<readonly Live[]> {
      const byId = new Map<string, readonly string[]>();
      const byName = new Map<unknown, readonly string[]>();
      const elsewhere = new Set<string>();
      for (const one of wanted) {
        for (const id of one.ids) byId.set(idKey(id), one.fields);
        for (const name of one.names) {
          if (one.elsewhere === undefined) byName.set(name, one.fields);
          else if (!byName.has(name)) byName.set(name, []);
          if (one.elsewhere !== undefined) for (const start of one.starts) elsewhere.add(`${start} ${name}`);
        }
      }
      await fillIn([...pool.values()], (live) => {
        const { name, dateTime } = live.fields;
        const isElsewhere = elsewhere.has(`${dateTime} ${name}`);
        const fields = byId.get(idKey(live.id)) ?? (isElsewhere ? [] : byName.get(name));
        return fields === undefined ? [] : ["dateTime", ...fields];
      });
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
    /** All PUBLISHED and DRAFT events; null if a list was not read. */
    total(): number | null {
      const counts = openStatuses.map((status) => totals.get(status)).filter((count) => count !== undefined);
      return counts.length < openStatuses.length ? null : counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

function statusRank({ status }: Live): number {
  return status === "PUBLISHED" ? 0 : status === "DRAFT" ? 1 : 2;
}

/** What is needed to find the live event that a document may mean. */
export interface WantedEvent {
  /** Ids from the document, state or a base. */
  readonly ids: readonly string[];
  /** Those of them that were written by hand. */
  readonly pins?: readonly string[];
  /** Names it may have: now, at the base, before a rename. */
  readonly names: readonly string[];
  /** Starts it may have: now, at the base. The first is the wished one. */
  readonly starts: readonly string[];
  /** Managed fields, to be read if the service shows them. */
  readonly fields: readonly string[];
  readonly expected: "live" | "new" | "unknown";
  /** Whether an archived event might be the one. */
  readonly archivedToo: boolean;
  /** Whether an open event of another name may be it, renamed: one that starts with it. */
  readonly renamesToo?: boolean;
  readonly isGone?: true;
  /**
   * Planned by another shard, and searched for so that none of ours is matched with its event: its names and starts. No details
   * are read of it, and an id that no list shows only where it may matter to one of ours.
   */
  readonly elsewhere?: readonly string[];
}
