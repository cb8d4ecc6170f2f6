// The live events that `status` is about: all, with those of the archive that the files name; or those that documents mean.
import { sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Wish } from "../../model/wish.ts";
import type { Recall } from "../../plan/match.ts";
import { findEvents, makeEventPool, openStatuses, type WantedEvent } from "../../snapshot/find-events.ts";
import { type Reader, ReadFailure } from "../../snapshot/reader.ts";
import { wantedEvent } from "../planning/wanted-events.ts";

export interface LiveEvents {
  readonly events: readonly Live[];
  /** All that are archived, whether they are among them or not; null: not looked at. */
  readonly archived: number | null;
}

export interface EventQuestion {
  /** Documents whose events are looked for where lists do not show them. */
  readonly wishes: readonly Wish[];
  readonly remember: Recall;
  /** Of the archive: nothing but what documents name, that and how many there are, or all. */
  readonly archive: "named" | "counted" | "all";
  /** Whether it may be asked about, by what a list shows of it: nothing more is read of the others. */
  readonly mayBeAsked: (live: Live) => boolean;
}

/** What every format shows of an event. */
export const shownFields = ["dateTime", "endDateTime", "timezone", "eventCapacity", "absorbFees"];

export async function readLiveEvents(reader: Reader, question: EventQuestion): Promise<LiveEvents> {
  const wanted = question.wishes.map((wish) => wantedEvent(wish, question.remember));
  const pool = makeEventPool(reader, wanted.length > 10);
  for (const status of openStatuses) await pool.readList(status);
  await pool.askById(wanted);
  let archived: number | null = null;
  if (question.archive === "all") {
    await pool.readList("ARCHIVED");
    archived = (await pool.complete([])).filter(({ status }) => status === "ARCHIVED").length;
  } else if (question.archive === "counted" || pool.missing(wanted).length > 0) {
    const first = await reader.page("/events", { status: "ARCHIVED", take: 1 }, false);
    if (!first.ok) throw new ReadFailure(first.problem);
    archived = first.data.total ?? first.data.records.length;
    if (archived > 0) await lookInArchive(pool, wanted);
  }
  const seen = await pool.complete([]);
  const asked = seen.filter(question.mayBeAsked);
  return { events: await pool.complete(asked.map((live) => wholeOf(live, wanted))), archived };
}

/** Only the events that these documents mean, with as few calls as a plan needs. */
export async function readNamedEvents(
  reader: Reader,
  wishes: readonly Wish[],
  remember: Recall,
): Promise<readonly Live[]> {
  const wanted = wishes.map((wish) => {
    const one = wantedEvent(wish, remember);
    return { ...one, fields: [...new Set([...shownFields, ...one.fields])] };
  });
  return (await findEvents(reader, wanted)).events;
}

async function lookInArchive(pool: ReturnType<typeof makeEventPool>, wanted: readonly WantedEvent[]): Promise<void> {
  const missing = pool.missing(wanted).filter((one) => one.archivedToo);
  await Promise.all(missing.flatMap((one) => one.names.map((name) => pool.searchFor(name, one.starts, "ARCHIVED"))));
}

/** The event itself with what a table shows of it and what its document manages. */
function wholeOf(live: Live, wanted: readonly WantedEvent[]): WantedEvent {
  const name = live.fields.name;
  const documents = wanted.filter(
    (one) => one.ids.some((id) => sameId(id, live.id)) || one.names.some((each) => each === name),
  );
  const fields = new Set([...shownFields, ...documents.flatMap((one) => one.fields)]);
  return { ids: [live.id], names: [], starts: [], fields: [...fields], expected: "live", archivedToo: true };
}
