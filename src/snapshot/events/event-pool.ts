// The live events read so far, and the ways to read more.
import { kindOf } from "../../kinds/index.ts";
import { distinctIds, idKey } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Reader } from "../reader.ts";
import { makeEventLists } from "./event-lists.ts";
import { makeDetails } from "./listed-objects.ts";
import { fieldsToRead, type KnownEvents, missingIn, type WantedEvent } from "./wanted-events.ts";

/** `many`: enough events are wanted to make large pages worthwhile at once. */
export function makeEventPool(reader: Reader, many: boolean) {
  const details = makeDetails(reader, kindOf("event"), (live) => `/events/${live.id}`);
  const pool = new Map<string, Live>();
  const askedIds = new Set<string>();

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

  return {
    /** Everything found so far. */
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
