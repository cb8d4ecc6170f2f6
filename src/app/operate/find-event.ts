// The live event that a key of the project, an id, a slug or a name refers to.
import { chooseEnvironment } from "../../config/environment.ts";
import { diskFiles } from "../../config/files.ts";
import { loadSettings } from "../../config/project.ts";
import { isInFamily, kindOf, readRecord } from "../../kinds/index.ts";
import { type Address, keyInAddress, makeAddress, nearestDate, uuidPattern } from "../../model/address.ts";
import { errorOf, type Fallible, failed, Halt, orHalt, suggest } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { standardZone } from "../../model/time.ts";
import { listSome, shellWord } from "../../model/value.ts";
import type { ComingPhase, EventStatus, Wish } from "../../model/wish.ts";
import { candidateLine, matchEvents } from "../../plan/match.ts";
import type { EventRow } from "../../sandbox/index.ts";
import type { TicketingClient } from "../../service/client.ts";
import { isGone } from "../../service/problem.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { makeReader, type Reader } from "../../snapshot/reader.ts";
import { keyOfSeries, whichOne } from "../documents/open-documents.ts";
import { wantedEvent } from "../planning/plan-inputs.ts";
import { openEnvironmentStore } from "../session/environment-store.ts";
import type { World } from "../world.ts";
import { loadProjectWishes, type ProjectWishes } from "./project-wishes.ts";

export type FoundEvent = Fallible<{ readonly event: Live }>;

export interface EventSearch {
  readonly client: TicketingClient;
  readonly project: ProjectWishes;
  readonly now: number;
  /** To search for several words, each list is read once. */
  readonly reader?: Reader;
}

const statuses: readonly EventStatus[] = ["PUBLISHED", "DRAFT", "ARCHIVED"];

export async function findEvent(search: EventSearch, word: string): Promise<FoundEvent> {
  const reader = search.reader ?? makeReader(search.client);
  const address = addressMeant(word);
  const { events, ended } = search.project;
  const wish = [...events, ...ended].find((each) => each.address === address);
  if (wish !== undefined) return byDocument(reader, search, wish);
  const dates = wishesOfSeries([...events, ...ended], address);
  if (dates.length > 0) return failed(whichOne(word, dates, true));
  const direct = await byIdOrSlug(search.client, word);
  if (direct !== null) return { ok: true, event: direct };
  const lives = await listLiveEvents(reader);
  return uuidPattern.test(word) ? eventNotFound(search, lives, word) : byName(search, lives, word);
}

/** For an event that is named by its key or by its address. */
export function addressMeant(word: string): Address {
  return isInFamily(word) ? word : makeAddress(null, kindOf("event").plural, word);
}

async function byDocument(reader: Reader, { project, now }: EventSearch, wish: Wish): Promise<FoundEvent> {
  const { remember } = project;
  const { events } = await findEvents(reader, [wantedEvent(wish, remember)]);
  const match = matchEvents({ wishes: [wish], lives: events, remember, now }).get(wish.address);
  if (match?.live != null) return { ok: true, event: match.live };
  const message = `"${wish.name}" is in the files but not live yet, so it has no orders.`;
  const hint = "Make it live with `ticketing apply`, or check that --env names the right environment.";
  const why = match?.block ?? { code: "event-not-live", message, hint };
  return failed({ ...why, severity: "error", address: wish.address, source: wish.source });
}

/** The path accepts an id or a slug; an unknown slug is a 404 like any other. */
async function byIdOrSlug(client: TicketingClient, word: string): Promise<Live | null> {
  // Spaces and capitals are in names, not in slugs.
  if (!/^[\p{Ll}\p{Lo}\p{N}._~-]+$/u.test(word) && !uuidPattern.test(word)) return null;
  const found = await client.events.get(word);
  if (!found.ok && (isGone(found.problem) || [400, 422].includes(found.problem.status ?? 0))) return null;
  return readRecord(kindOf("event"), orHalt(found).data, null);
}

async function listLiveEvents(reader: Reader): Promise<readonly Live[]> {
  const lists = await Promise.all(statuses.map((status) => reader.all("/events", { status })));
  return lists.flat().flatMap((record) => readRecord(kindOf("event"), record, null) ?? []);
}

function byName(search: EventSearch, lives: readonly Live[], word: string): FoundEvent {
  const exact = lives.filter(({ fields, slug }) => tidy(String(fields.name ?? "")) === tidy(word) || slug === word);
  const wanted = foldedText(word);
  const named =
    exact.length > 0 ? exact : lives.filter(({ fields }) => foldedText(String(fields.name ?? "")) === wanted);
  const open = named.filter(({ status }) => status !== "ARCHIVED");
  const [only, ...others] = open.length > 0 ? open : named;
  if (only === undefined) return eventNotFound(search, lives, word);
  if (others.length === 0) return { ok: true, event: only };
  const lines = [only, ...others].map((live) => `\n  ${candidateLine(live, standardZone)} · ${live.slug ?? "no slug"}`);
  return failed(
    errorOf(
      "ambiguous-event",
      `${others.length + 1} events are called "${word}":${lines.join("")}`,
      "Use the key (by default the name of its file), slug or id of the one that you mean.",
    ),
  );
}

function wishesOfSeries(events: readonly Wish[], series: Address): readonly Wish[] {
  return events.filter(({ own }) => own.series?.of === series);
}

function eventNotFound({ project }: EventSearch, lives: readonly Live[], word: string): FoundEvent {
  // For a series its own key: those of its dates are too many to choose from.
  const events = [...project.events, ...project.ended];
  const keys = new Set(events.map(keyOfSeries));
  // An event of the files goes by its key there.
  const written = new Set(events.map(({ name }) => name));
  const slugs = lives.flatMap(({ slug, fields }) => (written.has(String(fields.name)) ? [] : (slug ?? [])));
  const names = lives.flatMap(({ fields }) => (typeof fields.name === "string" ? fields.name : []));
  const date = nearestDate(
    addressMeant(word),
    project.events.map(({ address }) => address),
  );
  const near = date === null ? suggest(word, new Set([...keys, ...slugs, ...names])) : keyInAddress(date);
  const known = [...new Set([...keys, ...slugs])];
  const some = listSome(known, 10);
  const taken = date !== null ? " An event whose date was removed from the series is found by its id or slug." : "";
  const hint =
    near !== null
      ? `Did you mean "${near}"? \`ticketing status --archived\` lists all events, and with --format csv also their ids.${taken}`
      : known.length === 0
        ? "The organization has no events yet; check that --env names the right environment."
        : `Known events: ${some}. An id or a name works too.`;
  const isNumber = /^#?[a-z]*-?\d+$/i.test(word);
  const order = isNumber ? `If it is an order's number: \`ticketing orders show ${shellWord(word)}\`. ` : "";
  return failed(errorOf("unknown-event", `There is no event "${word}".`, order + hint));
}

function foldedText(text: string): string {
  return tidy(text).toLowerCase();
}

function tidy(text: string): string {
  return text.normalize("NFC").trim();
}

/** The sandbox's event for a key of the project, and its phases to come; null if no document has the key, or the event is not there. */
export async function eventOfKey(
  world: World,
  directory: string,
  word: string,
  rows: readonly EventRow[],
): Promise<{ readonly id: string; readonly coming: readonly ComingPhase[] } | null> {
  const loaded = await loadSettings(diskFiles(directory));
  const chosen = chooseEnvironment(loaded.settings, { flagEnv: "sandbox", env: {} });
  if (!chosen.ok) return null;
  const { environment } = chosen;
  const store = openEnvironmentStore(world, directory, loaded.settings.state, environment);
  const { events, upcoming, remember } = await loadProjectWishes(world, directory, { environment, store }, loaded);
  await store.close?.();
  const address = addressMeant(word);
  const dates = wishesOfSeries(events, address);
  if (dates.length > 0) throw new Halt(failed(whichOne(word, dates, true)));
  if (!events.some((wish) => wish.address === address)) return null;
  const lives = rows.flatMap((row) => readRecord(kindOf("event"), { ...row }, null) ?? []);
  const matches = matchEvents({ wishes: events, lives, remember, now: world.now() });
  const live = matches.get(address)?.live;
  return live == null ? null : { id: live.id, coming: upcoming.filter((phase) => phase.address === address) };
}
