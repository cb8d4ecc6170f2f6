// One event as everything together makes it: templates, variables, series, times.

import { chooseEnvironment, sandboxName } from "../../config/environment.ts";
import { diskFiles, type FileSource, readText } from "../../config/files.ts";
import { findFiles, keysByLines, type LoadedSettings, loadProject, loadSettings } from "../../config/project.ts";
import { parseRelative, readDay, readMoment } from "../../config/time.ts";
import { fieldOrder, kindOf, kinds } from "../../kinds/index.ts";
import { sortDiagnostics } from "../../lint/lint.ts";
import { dateOf, decodeSegment } from "../../model/address.ts";
import {
  codes,
  type Diagnostic,
  errorOf,
  type Fallible,
  failed,
  type Source,
  suggest,
} from "../../model/diagnostic.ts";
import { formatLocalTime, formatOffset, offsetAt, standardZone } from "../../model/time.ts";
import { compareText, listSome, maskUrls } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { eventOver } from "../../plan/compare.ts";
import type { ComingView } from "../../report/lists.ts";
import type { World } from "../world.ts";

export type ShowDocumentOptions = DocumentOptions;

interface ShownDocument {
  readonly address: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** By the JSON pointer of the value. */
  readonly origins: Readonly<Record<string, ValueOrigin>>;
  /** What keeps it from being planned as it is shown. */
  readonly problems: readonly Diagnostic[];
}

interface ValueOrigin extends Source {
  /** A time as it is written, where that is relative. */
  readonly written?: string;
}

export async function showDocument(world: World, options: ShowDocumentOptions): Promise<Fallible<ShownDocument>> {
  const opened = await openDocuments(world, options);
  if (!opened.ok) return opened;
  const { events, ended, diagnostics } = opened;
  const found = findDocument(events, options.event);
  if (!found.ok) {
    const isOver = ended.some(({ address }) => [options.event, `events/${options.event}`].includes(address));
    return isOver ? failed(eventOver(options.event, "`--at` with a time before its end shows it; ")) : found;
  }
  const { wish } = found;
  const origins: Record<string, ValueOrigin> = {};
  const document = describe(wish, "", wish.own.timezone ?? "UTC", origins);
  const problems = diagnostics.filter(({ severity, address, source }) => {
    return severity === "error" && (address === wish.address || source?.file === wish.source.file);
  });
  return { ok: true, address: wish.address, document, origins, problems };
}

function describe(wish: Wish, path: string, zone: string, origins: Record<string, ValueOrigin>) {
  const document: Record<string, unknown> = {};
  const lists = new Map(kinds.filter(({ parent }) => parent === wish.kind).map(({ plural, name }) => [plural, name]));
  const order = fieldOrder(kindOf(wish.kind));
  const rankOf = (place: string) => {
    const rank = order.indexOf(place.split("/")[0] ?? "");
    return rank === -1 ? order.length : rank;
  };
  const places = Object.entries(wish.places).sort(([one], [other]) => rankOf(one) - rankOf(other));
  for (const [place, source] of places) {
    origins[`${path}/${place}`] = source;
    if (place.includes("/")) continue;
    const items = wish.children[lists.get(place) ?? ""];
    if (items === undefined)
      document[place] = shownValue(wish, place, zone, (written) => {
        origins[`${path}/${place}`] = { ...source, written };
      });
    else document[place] = items.map((item, index) => describe(item, `${path}/${place}/${index}`, zone, origins));
  }
  return document;
}

/** The value as a file would write it that has nothing to count from. */
function shownValue(wish: Wish, field: string, zone: string, onRelative: (written: string) => void): unknown {
  const policy = kindOf(wish.kind).fields[field];
  const written = wish.written[field];
  const instant = Date.parse(String(wish.fields[field] ?? ""));
  if (policy?.role !== "value" || policy.form !== "instant" || typeof written !== "string") return written ?? null;
  if (parseRelative(written) === null || Number.isNaN(instant)) return written;
  onRelative(written);
  return formatLocalTime(instant, zone) + offsetWhereMoved(instant, zone);
}

const nearby = 3 * 3_600_000;

/** Near a change of the clocks, a time without an offset might mean another. */
function offsetWhereMoved(instant: number, zone: string): string {
  const offsets = [instant - nearby, instant, instant + nearby].map((time) => offsetAt(time, zone) ?? 0);
  return new Set(offsets).size === 1 ? "" : formatOffset(offsets[1] ?? 0);
}

// The documents of a project, read without its service.

export interface DocumentOptions {
  readonly directory: string;
  readonly env?: string;
  /** The time as of which they are read, as it is typed; now, if left out. */
  readonly at?: string;
  /** Its key, its address or its file. */
  readonly event: string;
}

interface Documents extends Omit<Project, "files"> {
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
}

/** `only`: these event files alone, whether or not the project's globs match them. */
export async function openDocuments(
  world: World,
  options: Omit<DocumentOptions, "event">,
  only?: readonly string[],
): Promise<Fallible<Documents>> {
  const files = diskFiles(options.directory);
  const all = await loadSettings(files);
  const loaded = only === undefined ? all : { ...all, settings: { ...all.settings, events: only.map(literally) } };
  const chosen = chooseEnvironment(loaded.settings, { flagEnv: options.env, env: world.env });
  const environment = chosen.ok ? chosen.environment : { name: options.env ?? sandboxName };
  const moment = options.at === undefined ? null : await readMoment(options.at, loaded.settings);
  if (moment?.ok === false) return moment;
  const now = moment?.instant ?? world.now();
  const project = await loadProject(files, { environment, env: world.env, now, loaded });
  return { ok: true, ...project, diagnostics: sortDiagnostics(project.diagnostics), files, loaded };
}

/** A glob that matches this file and no other. */
function literally(file: string): string {
  return file.replace(/[\\*?[\]{}()!]/g, "\\$&");
}

/** `takesAny`: of the dates of a series, any will do. */
export function findDocument(
  events: readonly Wish[],
  word: string,
  takesAny = false,
): Fallible<{ readonly wish: Wish }> {
  const wanted = word
    .normalize("NFC")
    .trim()
    .replace(/^events\//, "");
  const byKey = events.filter((wish) => keyOf(wish) === wanted || keyOf(wish).startsWith(`${wanted}@`));
  const found = byKey.length > 0 ? byKey : events.filter(({ source }) => source.file === word.replace(/^\.\//, ""));
  const [wish] = found;
  const series = new Set(found.map(({ address }) => dateOf(address)?.series ?? address));
  if (wish !== undefined && (found.length === 1 || (takesAny && series.size === 1))) return { ok: true, wish };
  if (wish !== undefined) return failed(whichOne(word, found, series.size === 1));
  // A series by its name: its dates are like each other, and one of them says little.
  const keys = [...new Set(events.map((one) => dateOf(one.address)?.series.replace("events/", "") ?? keyOf(one)))];
  const near = suggest(wanted.replace(/@.*$/, ""), keys);
  const some = listSome(keys, 10);
  const hint =
    near === null
      ? keys.length === 0
        ? "The project has no events; check -C."
        : `Known events: ${some}.`
      : `Did you mean '${near}'?`;
  return failed(errorOf("unknown-event", `There is no event '${word}' in the files.`, hint));
}

function whichOne(word: string, found: readonly Wish[], isSeries: boolean): Diagnostic {
  const what = isSeries ? `is a series of ${found.length} dates` : `holds ${found.length} events`;
  const hint = `Name one of them: ${listSome(found.map(keyOf), 3)}.`;
  return errorOf("ambiguous-event", `${word} ${what}.`, hint);
}

export function keyOf(wish: Wish): string {
  return wish.own.key ?? wish.name;
}

// What comes by itself: phases of documents, and the starts and ends of events.

export interface UpcomingOptions extends Omit<DocumentOptions, "event" | "at"> {
  /** The last day, where each event happens. */
  readonly until?: string;
}

/** In order of time; `problems`: what may be missing from it. */
export async function listUpcoming(
  world: World,
  options: UpcomingOptions,
): Promise<Fallible<{ readonly coming: readonly ComingView[]; readonly problems: readonly Diagnostic[] }>> {
  const until = options.until === undefined ? null : readDay(options.until);
  if (options.until !== undefined && until === null) {
    return failed(errorOf("usage", `--until "${options.until}" is not a day.`, "Write it like 2027-12-31."));
  }
  const opened = await openDocuments(world, options);
  if (!opened.ok) return opened;
  const { events, upcoming, diagnostics } = opened;
  const byAddress = new Map(events.map((wish) => [wish.address, wish]));
  const phases = upcoming.map(({ at, address, type, phase, fields, context }): ComingView => {
    const { name, zone } = nameOf(byAddress.get(address), address);
    return { at, address, type, phase, fields, name, zone, status: context?.status };
  });
  const all = [...phases, ...events.flatMap((wish) => momentsOf(wish, world.now()))];
  const coming = all
    .filter(({ at, zone }) => until === null || formatLocalTime(at, zone).slice(0, 10) <= until)
    .sort((one, other) => compareText(one.at, other.at) || compareText(one.address, other.address));
  return { ok: true, coming, problems: diagnostics.filter(({ severity }) => severity === "error") };
}

function momentsOf(wish: Wish, now: number): readonly ComingView[] {
  const { address, fields, own } = wish;
  if (own.status === "ARCHIVED" || own.status === "DELETED") return [];
  const [start, end] = [fields.dateTime, fields.endDateTime].map((at) => (typeof at === "string" ? at : undefined));
  const rest = { address, phase: null, fields: [], ...nameOf(wish, address) };
  const isAhead = (at: string | undefined): at is string => at !== undefined && Date.parse(at) > now;
  return [
    ...(isAhead(start) ? [{ ...rest, type: "start" as const, at: start, end }] : []),
    ...(isAhead(end) ? [{ ...rest, type: "end" as const, at: end }] : []),
  ];
}

function nameOf(wish: Wish | undefined, address: string): { readonly name: string; readonly zone: string } {
  return { name: wish?.name ?? address, zone: wish?.own.timezone ?? standardZone };
}

// The names that can be typed on a command line, for completion: those of a project from its files alone, and codes.

export const nameKinds = ["environment", "event", "address", "webhook", "venue", "code"] as const;
export type NameKind = (typeof nameKinds)[number];

/** Sorted, each once. Names that no line can hold are left out. `typed`: how far into a series or an event the names go. */
export async function listNames(world: World, directory: string, kind: NameKind, typed: string) {
  if (kind === "environment") {
    const { settings } = await loadSettings(diskFiles(directory));
    return [...Object.keys(settings.environments), sandboxName].sort();
  }
  if (kind === "code") return [...codes].sort();
  const { byLines, others } = kind === "event" || kind === "address" ? await keysOf(directory, typed) : noKeys[kind];
  const opened = await openDocuments(world, { directory }, others);
  if (!opened.ok) return [];
  const { events, webhooks } = opened;
  const keys = () => [...byLines, ...events.map((wish) => (typed.includes("@") ? keyOf(wish) : seriesOf(wish)))];
  const names = {
    event: keys,
    address: () => [
      ...keys().map((key) => `events/${key}`),
      ...within(events, typed),
      ...webhooks
        .map(({ address }) => address)
        .filter((address) => maskUrls(decodeSegment(address)) === decodeSegment(address)),
    ],
    // An address that holds a token is not shown on a screen.
    webhook: () => webhooks.map(({ name }) => name).filter((name) => maskUrls(name) === name),
    venue: () => events.flatMap(({ own: { venue } }) => (venue === undefined ? [] : [venue.name])),
  }[kind]();
  return [...new Set(names)].filter((name) => !/^$|\p{Cc}|\p{Zl}|\p{Zp}/u.test(name)).sort();
}

const noKeys = { venue: { byLines: [], others: undefined }, webhook: { byLines: [], others: [] } };

/** The keys that the lines of files tell, and the other files: those that must be read, and those of what is typed further than its key. */
async function keysOf(directory: string, typed: string) {
  const files = diskFiles(directory);
  const { eventFiles } = await findFiles(files, (await loadSettings(files)).settings);
  const begun = decodeSegment(typed).replace(/^events\//, "");
  const byLines: string[] = [];
  const others: string[] = [];
  for (const file of eventFiles) {
    const text = await readText(files, file, []);
    const keys = text === null ? [] : keysByLines(file, text);
    if (keys === null || keys.some((key) => begun.startsWith(`${key}@`) || begun.startsWith(`${key}/`)))
      others.push(file);
    else byLines.push(...keys);
  }
  return { byLines, others: others.length === eventFiles.length ? undefined : others };
}

/** The key of the series that an event is a date of, else its own. */
function seriesOf(wish: Wish): string {
  return keyOf(wish).replace(/@\d{4}-\d\d-\d\d$/, "");
}

/** What an event holds, once its address is typed. */
function within(events: readonly Wish[], typed: string): readonly string[] {
  const owner = events.find(({ address }) => typed.startsWith(`${address}/`));
  return owner === undefined
    ? []
    : Object.values(owner.children).flatMap((list) => (list ?? []).map(({ address }) => address));
}
