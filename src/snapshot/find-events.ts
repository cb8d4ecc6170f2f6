// Finds the live events that documents may mean, with the fewest calls: by paging the list, or by asking for each.
import type { Live } from "../model/live.ts";
import { makeEventPool, openStatuses } from "./events/event-lists.ts";
import { contendersFor, isFoundAsWished, unseenIn, type WantedEvent } from "./events/wanted-events.ts";
import type { Reader } from "./reader.ts";

export interface FoundEvents {
  readonly events: readonly Live[];
  /** All PUBLISHED and DRAFT events; null if the lists were not read. */
  readonly total: number | null;
}

/** So many that large pages are worth asking for. */
const manyWanted = 10;

export async function findEvents(reader: Reader, wanted: readonly WantedEvent[]): Promise<FoundEvents> {
  if (wanted.length === 0) return { events: [], total: null };
  const pool = makeEventPool(reader, wanted.length > manyWanted);

  async function askForEach(open: readonly WantedEvent[]): Promise<void> {
    await pool.askById(open);
    const starts = startsByName(open.filter((one) => !isFoundAsWished(pool.found, one)).map(withoutFormerNames));
    await Promise.all(
      [...starts].flatMap(([name, at]) => openStatuses.map((status) => pool.searchFor(name, at, status))),
    );
  }

  /** If its id is live, only an event that matches exactly could be meant instead, so former names do not matter. */
  function withoutFormerNames(one: WantedEvent): WantedEvent {
    const isLive = one.ids.length > 0 && pool.missing([one]).length === 0;
    return isLive ? { ...one, names: one.names.slice(0, 1), starts: one.starts.slice(0, 1) } : one;
  }

  async function listOrAsk(): Promise<void> {
    for (const status of openStatuses) {
      const pagesLeft = await pool.readFirstPage(status);
      const open = unseenIn(pool.found, wanted);
      const askable = open.every((one) => one.expected !== "new");
      if (pagesLeft > 0 && askable && directCost(open) < pagesLeft) return askForEach(open);
      await pool.readList(status);
    }
  }

  async function searchArchive(open: readonly WantedEvent[]): Promise<void> {
    const starts = startsByName(open);
    if (starts.size === 0) return;
    const pagesLeft = await pool.readFirstPage("ARCHIVED");
    // An archive grows forever, so it is searched, but only if the search has proved to find existing events.
    const searched = pagesLeft > starts.size + 1 && (await pool.searchFinds("ARCHIVED"));
    if (searched) await Promise.all([...starts].map(([name, at]) => pool.searchFor(name, at, "ARCHIVED")));
    else await pool.readList("ARCHIVED");
  }

  const few = directCost(wanted) <= openStatuses.length && wanted.every((one) => one.expected === "live");
  await (few ? askForEach(wanted) : listOrAsk());
  // A search that shows nothing proves nothing: before anything is created, the list itself is read.
  if (pool.missing(wanted).length > 0) for (const status of openStatuses) await pool.readList(status);
  // A list may lag; an id does not.
  await pool.askById(wanted.filter(({ elsewhere }) => elsewhere === undefined));
  const contending = contendersFor(pool.found, wanted);
  await pool.askById(contending);
  await pool.complete(wanted);
  // An event of the same name with another start is not the one; the right one may be further down the list.
  if (pool.missing(contending).length > 0) for (const status of openStatuses) await pool.readList(status);
  await searchArchive(pool.missing(contending).filter((one) => one.archivedToo));
  // Some services hide an archived event from its id, and only its list shows that it exists.
  const pinned = contending.filter((one) => one.archivedToo && one.names.length === 0);
  if (unseenIn(pool.found, pinned).length > 0) await pool.readList("ARCHIVED");
  const isContending = new Set(contending);
  const sought = wanted.filter((one) => one.ids.length === 0 || isContending.has(one));
  const renamed = pool.missing(sought).filter((one) => one.renamesToo === true);
  if (renamed.length > 0) await pool.showStarts(renamed);
  return { events: await pool.complete(wanted), total: pool.total() };
}

/** The calls to search for each event: one by id, else one search per status and name. */
function directCost(wanted: readonly WantedEvent[]): number {
  return wanted.reduce(
    (sum, one) => sum + (one.ids.length > 0 ? 1 : openStatuses.length * Math.max(1, one.names.length)),
    0,
  );
}

function startsByName(wanted: readonly WantedEvent[]): ReadonlyMap<string, readonly string[]> {
  const starts = new Map<string, string[]>();
  for (const one of wanted) {
    for (const name of one.names) starts.set(name, [...(starts.get(name) ?? []), ...one.starts]);
  }
  return starts;
}

export { makeEventPool, openStatuses } from "./events/event-lists.ts";
export { type Details, makeDetails, makeListReader, type ReadList } from "./events/listed-objects.ts";
export type { WantedEvent } from "./events/wanted-events.ts";
