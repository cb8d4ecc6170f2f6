// Which events `status` is asked about: those that were named, those that targets take, those that start soon.
import { type Address, dateOf, decodeSegment, encodeSegment, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type Fallible, failed } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { eventFilter, type Former, unknownTargets } from "../../plan/compare.ts";
import { hasEnded, matchEvents } from "../../plan/match.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { makeReader } from "../../snapshot/reader.ts";
import { wantedFormer } from "../planning/wanted-events.ts";
import { type EventSearch, findEvent } from "./find-event.ts";
import { shownFields } from "./live-events.ts";

/** Empty lists and null: every event. */
export interface EventChoice {
  /** Keys, addresses, keys of series, ids, slugs or names. */
  readonly words: readonly string[];
  readonly targets: readonly string[];
  /** Only events that start within so many seconds, or are under way. */
  readonly nextSeconds: number | null;
}

export function isNamed({ words, targets }: EventChoice): boolean {
  return words.length + targets.length > 0;
}

export interface SelectedEvents {
  readonly wishes: readonly Wish[];
  /** Found by an id, a slug or a name. */
  readonly lives: readonly Live[];
}

/** Finds everything that was named, or says what is unknown of it. */
export async function selectEvents(search: EventSearch, choice: EventChoice): Promise<Fallible<SelectedEvents>> {
  const { events, former } = search.project;
  const addresses = [...events.flatMap(addressesOf), ...former.map(({ address }) => address)];
  const diagnostics: Diagnostic[] = [...unknownTargets(choice.targets, addresses)];
  const lives: Live[] = [];
  const isTargeted = choice.targets.length === 0 ? () => false : eventFilter(choice.targets);
  const chosen = new Set(events.filter(({ address }) => isTargeted(address)));
  const isGone = (one: Former, word: string) => isMeantBy(word, one.address, dateOf(one.address)?.series);
  const gone = former.filter((one) => isTargeted(one.address) || choice.words.some((word) => isGone(one, word)));
  const still = await readFormer(search, gone);
  lives.push(...still);
  for (const word of choice.words) {
    const named = events.filter(({ address, own }) => isMeantBy(word, address, own.series?.of));
    for (const wish of named) chosen.add(wish);
    if (named.length > 0) continue;
    if (gone.some((one) => isGone(one, word) && still.some(({ id }) => sameId(id, one.id)))) continue;
    const found = await findEvent(search, word);
    if (!found.ok) diagnostics.push(...found.diagnostics);
    else if (!lives.some(({ id }) => sameId(id, found.event.id))) lives.push(found.event);
  }
  if (diagnostics.length > 0) return failed(...diagnostics);
  for (const wish of documentsOf(search, lives)) chosen.add(wish);
  return { ok: true, wishes: events.filter((wish) => chosen.has(wish)), lives };
}

/** Whether the word is the key or the address of the event, or of the series that it is a date of. */
function isMeantBy(word: string, address: Address, series: Address | undefined): boolean {
  const tidy = word.normalize("NFC").trim();
  const meant = tidy.startsWith("events/") ? tidy : `events/${encodeSegment(tidy)}`;
  return address === meant || series === meant;
}

/** The live events of documents that are gone. */
async function readFormer({ client, reader }: EventSearch, gone: readonly Former[]): Promise<readonly Live[]> {
  if (gone.length === 0) return [];
  const wanted = gone.map((one) => ({ ...wantedFormer(one), fields: shownFields }));
  const { events } = await findEvents(reader ?? makeReader(client), wanted);
  return events.filter(({ id }) => gone.some((one) => sameId(one.id, id)));
}

/** An event that was named by its id may be one that the files describe. */
function documentsOf({ project, now }: EventSearch, lives: readonly Live[]): readonly Wish[] {
  if (lives.length === 0) return [];
  const { events, remember } = project;
  const matches = matchEvents({ wishes: events, lives, remember, baseOf: () => undefined, now });
  return events.filter(({ address }) => matches.get(address)?.live != null);
}

function addressesOf(wish: Wish): readonly string[] {
  return [wish, ...Object.values(wish.children).flat()].map(({ address }) => address);
}

type Times = { readonly dateTime?: Value | undefined; readonly endDateTime?: Value | undefined };

/** Whether it starts within that time or is under way; null if it does not show when it starts. */
export function isSoon(fields: Times, nextSeconds: number, now: number): boolean | null {
  if (typeof fields.dateTime !== "string") return null;
  const start = Date.parse(fields.dateTime);
  if (start > now) return start <= now + nextSeconds * 1000;
  const { dateTime, endDateTime = null } = fields;
  return !hasEnded({ fields: { dateTime, endDateTime } }, now);
}

/** The key of the series that an event is a date of, by the address of the series. */
export function seriesKeyOf(of: Address | undefined): string | null {
  return of === undefined ? null : decodeSegment(of.slice("events/".length));
}
