// Finds the live events that documents may mean, by the cheaper of paging the list and asking for each.
import { kindOf } from "../kinds/index.ts";
import { readRecord } from "../kinds/read-record.ts";
import type { Live } from "../model/live.ts";
import type { EventStatus } from "../model/wish.ts";
import { type Details, makeDetails } from "./details.ts";
import type { Reader } from "./reader.ts";
import type { WantedEvent } from "./wanted-event.ts";

export interface FoundEvents {
  readonly events: readonly Live[];
  /** PUBLISHED and DRAFT events in all; null where the lists were not looked at. */
  readonly total: number | null;
}

const kind = kindOf("event");
const openStatuses: readonly EventStatus[] = ["PUBLISHED", "DRAFT"];

export async function findEvents(reader: Reader, wanted: readonly WantedEvent[]): Promise<FoundEvents> {
  if (wanted.length === 0) return { events: [], total: null };
  const search = new EventSearch(reader);
  const few = directCost(wanted) <= openStatuses.length && !wanted.some((one) => one.expectedNew);
  if (few) await search.askForEach(wanted);
  else await search.listOrAsk(wanted);
  // A search that shows nothing proves nothing: before anything is created, the list itself is looked at.
  if (search.missing(wanted).length > 0) for (const status of openStatuses) await search.listAll(status);
  await search.askById(wanted);
  await search.lookInArchive(search.missing(wanted).filter((one) => one.archivedToo));
  return { events: await search.complete(wanted), total: search.total() };
}

/** What it costs to ask for each event: one call by id, else one search per status and name. */
function directCost(wanted: readonly WantedEvent[]): number {
  return wanted.reduce(
    (sum, one) => sum + (one.ids.length > 0 ? 1 : openStatuses.length * Math.max(1, one.names.length)),
    0,
  );
}

class EventSearch {
  readonly #reader: Reader;
  readonly #details: Details;
  readonly #pool = new Map<string, Live>();
  readonly #listed = new Set<EventStatus>();
  readonly #totals = new Map<EventStatus, number>();
  readonly #askedIds = new Set<string>();

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#details = makeDetails(reader, kind, (live) => `/events/${live.id}`);
  }

  /** Documents for which nothing found so far can be the event. */
  missing(wanted: readonly WantedEvent[]): readonly WantedEvent[] {
    const keys = new Set<string>();
    const names = new Set<string>();
    for (const { fields } of this.#pool.values()) {
      keys.add(`${fields.name}\n${fields.dateTime}`);
      if (fields.dateTime === undefined) names.add(String(fields.name));
    }
    return wanted.filter((one) => {
      if (one.ids.some((id) => this.#pool.has(id))) return false;
      return !one.names.some((name) => keys.has(`${name}\n${one.start}`) || names.has(name));
    });
  }

  total(): number | null {
    const totals = openStatuses.map((status) => this.#totals.get(status));
    return totals.some((total) => total === undefined)
      ? null
      : totals.reduce<number>((sum, total) => sum + (total ?? 0), 0);
  }

  async listOrAsk(wanted: readonly WantedEvent[]): Promise<void> {
    for (const status of openStatuses) {
      const pagesLeft = await this.#firstPage(status);
      const open = this.missing(wanted);
      const askable = open.every((one) => !one.expectedNew);
      if (pagesLeft > 0 && askable && directCost(open) < pagesLeft) {
        await this.askForEach(open);
        return;
      }
      await this.listAll(status);
    }
  }

  async listAll(status: EventStatus): Promise<void> {
    if (this.#listed.has(status)) return;
    await this.#firstPage(status);
    for (const record of await this.#reader.all("/events", { status }, true)) this.#note(record, status);
    this.#listed.add(status);
  }

  async askForEach(wanted: readonly WantedEvent[]): Promise<void> {
    await this.askById(wanted);
    const open = wanted.filter(
      (one) => one.ids.length === 0 || this.missing([one]).length > 0 || !this.#isAsWished(one),
    );
    const names = new Set(open.flatMap((one) => one.names));
    await Promise.all([...names].flatMap((name) => openStatuses.map((status) => this.#searchFor(name, status))));
  }

  async askById(wanted: readonly WantedEvent[]): Promise<void> {
    const ids = wanted.flatMap((one) => one.ids).filter((id) => !this.#pool.has(id) && !this.#askedIds.has(id));
    await Promise.all(
      [...new Set(ids)].map(async (id) => {
        this.#askedIds.add(id);
        const live = await this.#details.byId(`/events/${id}`, null);
        if (live !== null) this.#pool.set(live.id, live);
      }),
    );
  }

  async lookInArchive(wanted: readonly WantedEvent[]): Promise<void> {
    const names = [...new Set(wanted.flatMap((one) => one.names))];
    if (names.length === 0) return;
    const pagesLeft = names.length === 1 ? Number.POSITIVE_INFINITY : await this.#firstPage("ARCHIVED");
    if (pagesLeft <= names.length) await this.listAll("ARCHIVED");
    else await Promise.all(names.map((name) => this.#searchFor(name, "ARCHIVED")));
  }

  /** Everything found, with the fields that documents manage. */
  async complete(wanted: readonly WantedEvent[]): Promise<readonly Live[]> {
    const fieldsById = new Map<string, readonly string[]>();
    const fieldsByName = new Map<string, readonly string[]>();
    for (const one of wanted) {
      for (const id of one.ids) fieldsById.set(id, one.fields);
      for (const name of one.names) fieldsByName.set(name, one.fields);
    }
    const lives = await Promise.all(
      [...this.#pool.values()].map((live) => {
        const fields = fieldsById.get(live.id) ?? fieldsByName.get(String(live.fields.name));
        return fields === undefined ? live : this.#details.complete(live, ["dateTime", ...fields]);
      }),
    );
    return lives.filter((live) => live !== null);
  }

  /** Pages that are left after the first. */
  async #firstPage(status: EventStatus): Promise<number> {
    const page = await this.#reader.page("/events", { status });
    for (const record of page.data) this.#note(record, status);
    const pages = page.meta?.totalPages ?? 1;
    this.#totals.set(status, page.meta?.total ?? page.data.length);
    if (pages <= 1) this.#listed.add(status);
    return Math.max(0, pages - 1);
  }

  async #searchFor(name: string, status: EventStatus): Promise<void> {
    if (this.#listed.has(status)) return;
    // No page size: a search has few answers, and a refused size would cost a call.
    const page = await this.#reader.ask("/events", { status, search: name });
    if (!page.ok || !Array.isArray(page.data)) return this.listAll(status);
    for (const record of page.data) this.#note(record, status);
    const found = page.data.some((record) => readRecord(kind, record, null)?.fields.name === name);
    // Twins may stand on the next page; an answer without the name may be no search at all: then it is the list.
    if ((page.meta?.totalPages ?? 1) > 1) {
      if (found)
        for (const record of await this.#reader.all("/events", { status, search: name })) this.#note(record, status);
    }
  }

  #isAsWished(one: WantedEvent): boolean {
    const live = one.ids.map((id) => this.#pool.get(id)).find((found) => found !== undefined);
    return live !== undefined && one.names[0] === live.fields.name && (live.fields.dateTime ?? one.start) === one.start;
  }

  #note(record: unknown, status: EventStatus): void {
    const live = readRecord(kind, record, null);
    if (live === null) return;
    this.#details.noteListed(live);
    if (!this.#pool.has(live.id)) this.#pool.set(live.id, live.status === null ? { ...live, status } : live);
  }
}
