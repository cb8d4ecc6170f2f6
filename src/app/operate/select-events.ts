// Which events `status` is asked about: those that were named, those that targets take, those that start soon.
import { type Address, dateOf, idKey, keyInAddress, sameId } from "../../model/address.ts";
import { type Diagnostic, type Fallible, failed, orHalt } from "../../model/diagnostic.ts";
import { hasEnded, type Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import { familyOf, type Wish } from "../../model/wish.ts";
import { eventFilter, type Former, unknownTargets } from "../../plan/compare.ts";
import { matchEvents, type Recall } from "../../plan/match.ts";
import { findEvents, makeEventPool, openStatuses, type WantedEvent } from "../../snapshot/find-events.ts";
import { makeReader, type Reader } from "../../snapshot/reader.ts";
import { wantedEvent, wantedFormer } from "../planning/plan-inputs.ts";
import { addressMeant, type EventSearch, findEvent } from "./find-event.ts";
import type { ProjectWishes } from "./project-wishes.ts";

// The live events that `status` is about: all, with the archived ones that the files name; or those that documents mean.

interface EventQuestion {
  /** Documents whose events are looked for where lists do not show them. */
  readonly wishes: readonly Wish[];
  readonly remember: Recall;
  /** How much of the archive: only what documents name, that and the number of events, or all. */
  readonly archive: "named" | "counted" | "all";
  /** Whether somebody may ask about the event, judged by what a list shows of it. Nothing more is read of other events. */
  readonly mayBeAsked: (live: Live) => boolean;
}

const shownFields = ["dateTime", "endDateTime", "timezone", "eventCapacity", "absorbFees"];

/** `archived`: all archived events, whether they are among the events or not; null: not read. */
async function readLiveEvents(reader: Reader, question: EventQuestion) {
  const wanted = question.wishes.map((wish) => wantedEvent(wish, question.remember));
  const pool = makeEventPool(reader, wanted.length > 10);
  for (const status of openStatuses) await pool.readList(status);
  await pool.askById(wanted);
  let archived: number | null = null;
  if (question.archive === "all") {
    await pool.readList("ARCHIVED");
    archived = (await pool.complete([])).filter(({ status }) => status === "ARCHIVED").length;
  } else if (question.archive === "counted" || pool.missing(wanted).length > 0) {
    const first = orHalt(await reader.page("/events", { status: "ARCHIVED", take: 1 }, false)).data;
    archived = first.total ?? first.records.length;
    if (archived > 0) await searchArchive(pool, wanted);
  }
  const listed = await pool.complete([]);
  const asked = listed.filter(question.mayBeAsked);
  return { events: await pool.complete(asked.map((live) => wholeOf(live, wanted))), archived };
}

/** Only the events that these documents mean, with as few calls as a plan needs. */
async function readNamedEvents(reader: Reader, wishes: readonly Wish[], remember: Recall): Promise<readonly Live[]> {
  const wanted = wishes.map((wish) => {
    const one = wantedEvent(wish, remember);
    return { ...one, fields: [...new Set([...shownFields, ...one.fields])] };
  });
  return (await findEvents(reader, wanted)).events;
}

async function searchArchive(pool: ReturnType<typeof makeEventPool>, wanted: readonly WantedEvent[]): Promise<void> {
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

/** Empty lists and null: every event. */
export interface EventChoice {
  /** Keys, addresses, keys of series, ids, slugs or names. */
  readonly words: readonly string[];
  readonly targets: readonly string[];
  /** Only events that start within this many seconds, or are running. */
  readonly nextSeconds: number | null;
}

export function isNamed({ words, targets }: EventChoice): boolean {
  return words.length + targets.length > 0;
}

interface AskedQuestion extends EventSearch {
  readonly reader: Reader;
  readonly choice: EventChoice;
  readonly archivedToo: boolean;
}

interface Asked {
  readonly lives: readonly Live[];
  readonly archived: number | null;
  /** Documents whose events may be asked about. */
  readonly asked: readonly Wish[];
  /** Whether the event is to be shown; null: the document's event is not live. */
  readonly isAsked: (live: Live | null, wish: Wish | null) => boolean;
  /** Whether it was named by its id, slug or name. */
  readonly isFound: (live: Live) => boolean;
}

/** Reads the events that may be asked about, and as little as possible of the others. */
export async function readAsked(question: AskedQuestion): Promise<Fallible<Asked>> {
  const { reader, project, choice, now, archivedToo } = question;
  const { nextSeconds } = choice;
  const isInTime = (live: Live | null, wish: Wish | null) =>
    nextSeconds === null || (isSoon(timesOf(live, wish), nextSeconds, now) ?? live !== null);
  if (isNamed(choice)) {
    const selected = await selectEvents(question, choice);
    if (!selected.ok) return failed(...selected.diagnostics);
    const { wishes } = selected;
    const named = new Set(wishes.map(({ address }) => address));
    const ids = new Set(selected.lives.map(({ id }) => idKey(id)));
    const open = wishes.filter((wish) => !selected.lives.some((live) => isFoundFor(project, wish, live)));
    const others = open.length === 0 ? [] : await readNamedEvents(reader, open, project.remember);
    const isFound = ({ id }: Live) => ids.has(idKey(id));
    return {
      ok: true,
      lives: [...selected.lives, ...others.filter((live) => !isFound(live))],
      archived: null,
      asked: wishes,
      isAsked: (live, wish) =>
        ((live !== null && isFound(live)) || (wish !== null && named.has(wish.address))) && isInTime(live, wish),
      isFound,
    };
  }
  const asked = nextSeconds === null ? project.events : project.events.filter((wish) => isInTime(null, wish));
  const { events, archived } = await readLiveEvents(reader, {
    wishes: asked,
    remember: project.remember,
    archive: archivedToo ? "all" : nextSeconds === null ? "counted" : "named",
    mayBeAsked: (live) => isInTime(live, null),
  });
  return {
    ok: true,
    lives: events,
    archived: nextSeconds === null ? archived : null,
    asked,
    isAsked: isInTime,
    isFound: () => false,
  };
}

/** Whether the event that was found by its id or name is the one of this document, as state and files know it. */
function isFoundFor({ remember }: ProjectWishes, wish: Wish, live: Live): boolean {
  if (sameId(wish.own.id, live.id) || sameId(remember(wish.address).id, live.id)) return true;
  return wish.fields.name === live.fields.name && wish.fields.dateTime === live.fields.dateTime;
}

/** The times that the service shows count; if it shows none, those of the document do. */
export function timesOf(live: Live | null, wish: Wish | null) {
  return live === null || live.fields.dateTime === undefined ? (wish?.fields ?? {}) : live.fields;
}

/** Finds everything that was named, or says which of it is unknown. `lives`: found by an id, a slug or a name. */
async function selectEvents(
  search: EventSearch,
  choice: EventChoice,
): Promise<Fallible<{ readonly wishes: readonly Wish[]; readonly lives: readonly Live[] }>> {
  const { events, former, ended } = search.project;
  const named = events.flatMap(familyOf);
  const addresses = [...named, ...former, ...ended].map(({ address }) => address);
  const diagnostics: Diagnostic[] = [...unknownTargets(choice.targets, addresses, events, [])];
  const lives: Live[] = [];
  const isTargeted = choice.targets.length === 0 ? () => false : eventFilter(choice.targets, addresses);
  const chosen = new Set(events.filter(({ address }) => isTargeted(address)));
  const isGone = (one: Former, word: string) => isMeantBy(word, one.address, dateOf(one.address)?.series);
  const gone = former.filter((one) => isTargeted(one.address) || choice.words.some((word) => isGone(one, word)));
  const still = await readFormer(search, gone);
  const isNamedBy = (word: string) => (wish: Wish) => isMeantBy(word, wish.address, wish.own.series?.of);
  const over = ended.filter((one) => isTargeted(one.address) || choice.words.some((word) => isNamedBy(word)(one)));
  const ofOver = await readOver(search, over);
  lives.push(...still, ...ofOver.values());
  for (const word of choice.words) {
    const named = events.filter(isNamedBy(word));
    for (const wish of named) chosen.add(wish);
    if (named.length > 0 || over.filter(isNamedBy(word)).some(({ address }) => ofOver.has(address))) continue;
    if (gone.some((one) => isGone(one, word) && still.some(({ id }) => sameId(id, one.id)))) continue;
    const found = await findEvent(search, word);
    if (!found.ok) diagnostics.push(...found.diagnostics);
    else if (!lives.some(({ id }) => sameId(id, found.event.id))) lives.push(found.event);
  }
  if (diagnostics.length > 0) return failed(...diagnostics);
  for (const wish of matchedDocuments(search, lives)) chosen.add(wish);
  return { ok: true, wishes: events.filter((wish) => chosen.has(wish)), lives };
}

/** Whether the word is the key or the address of the event, or of the series that it is a date of. */
function isMeantBy(word: string, address: Address, series: Address | undefined): boolean {
  const meant = addressMeant(word.normalize("NFC").trim());
  return address === meant || series === meant;
}

async function readFormer({ client, reader }: EventSearch, gone: readonly Former[]): Promise<readonly Live[]> {
  if (gone.length === 0) return [];
  const wanted = gone.map((one) => ({ ...wantedFormer(one), fields: shownFields }));
  const { events } = await findEvents(reader ?? makeReader(client), wanted);
  return events.filter(({ id }) => gone.some((one) => sameId(one.id, id)));
}

/** The events of dates that are over, by address: a season is asked about with all of its nights. */
async function readOver({ client, reader, project, now }: EventSearch, over: readonly Wish[]) {
  const { events, ended, remember } = project;
  const lives = over.length === 0 ? [] : await readNamedEvents(reader ?? makeReader(client), over, remember);
  const matches = matchEvents({ wishes: [...events, ...ended], lives, remember, now });
  return new Map(
    over.flatMap(({ address }) => {
      const live = matches.get(address)?.live;
      return live == null ? [] : [[address, live] as const];
    }),
  );
}

/** An event that was named by its id may be one that the files describe. */
function matchedDocuments({ project, now }: EventSearch, lives: readonly Live[]): readonly Wish[] {
  if (lives.length === 0) return [];
  const { events, remember } = project;
  const matches = matchEvents({ wishes: events, lives, remember, now });
  return events.filter(({ address }) => matches.get(address)?.live != null);
}

type Times = { readonly dateTime?: Value | undefined; readonly endDateTime?: Value | undefined };

/** Whether it starts within that time or is running; null if it does not show when it starts. */
function isSoon(fields: Times, nextSeconds: number, now: number): boolean | null {
  if (typeof fields.dateTime !== "string") return null;
  const start = Date.parse(fields.dateTime);
  if (start > now) return start <= now + nextSeconds * 1000;
  const { dateTime, endDateTime = null } = fields;
  return !hasEnded({ fields: { dateTime, endDateTime } }, now);
}

/** The key of the series that an event is a date of, by the address of the series. */
export function seriesKeyOf(of: Address | undefined): string | null {
  return of === undefined ? null : keyInAddress(of);
}
