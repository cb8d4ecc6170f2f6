import { type Address, dateOf, type KindName, makeAddress, rootOf } from "./address.ts";
import type { Diagnostic, Source } from "./diagnostic.ts";
import { formatLocalTime } from "./time.ts";
import type { Reference, Value, VenueQuery } from "./value.ts";

/** Where a project keeps its settings, in its own folder. */
export const projectFile = "ticketing.yaml";

export type EventStatus = "DRAFT" | "PUBLISHED" | "ARCHIVED";
export type StatusWish = EventStatus | "DELETED";

/** What the files say about one object. */
export interface Wish {
  readonly kind: KindName;
  readonly address: Address;
  readonly parent: Address | null;
  /** The name a person would call it by: name, title or url; for an event without a name its key. */
  readonly name: string;
  /** Managed fields by the service's name, in canonical form. A field that is not here is not managed; null clears it. */
  readonly fields: Readonly<Record<string, Value | Reference>>;
  /** Settings for this tool, which are not sent to the service. */
  readonly own: OwnWish;
  /** The lists that the document manages, by kind; a list that is here is complete. */
  readonly children: Readonly<Record<KindName, readonly Wish[]>>;
  /** Where the object begins. */
  readonly source: Source;
  /** The place of each field's value, by its name in YAML. */
  readonly places: Readonly<Record<string, Source>>;
  /** Each scalar as the file writes it (after variables), for remarks about the writing itself. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** Whether a document says that the object is live, in this environment or another. */
export function isPinned({ own }: Pick<Wish, "own">): boolean {
  return own.id !== undefined || own.ids !== undefined;
}

export interface OwnWish {
  /** The id that pins the live object in the environment that was chosen. */
  readonly id?: string;
  /** The ids by environment, if the document lists them so; `id` is the one for this environment, if any is. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly key?: string;
  /** Parts of it are written elsewhere: in templates, in phases, or in what the dates of a series share. */
  readonly composed?: true;
  /** Fields that phases have set, and that are therefore intended for now. */
  readonly phased?: readonly string[];
  /** For a document with phases: everything it says about the object at any time (without phases, when they apply, and what they set). */
  readonly timeless?: string;
  /** What phases reverted when they ended: reviewed together with them, like the risks they accept. */
  readonly ended?: readonly PhaseEnd[];
  readonly series?: SeriesPlace;
  readonly new?: boolean;
  readonly status?: StatusWish;
  readonly venue?: VenueQuery;
  readonly renamedFrom?: string;
  /** The day of the week that the start must fall on. */
  readonly weekday?: string;
  readonly protected?: boolean;
  readonly allow?: readonly AllowEntry[];
  readonly ignore?: readonly string[];
  readonly secretName?: string;
  /** The zone that local times of this event are written in and shown in. */
  readonly timezone?: string;
}

/** What a date of a series is within it. */
export interface SeriesPlace {
  /** The address of the series. */
  readonly of: Address;
  /** The local day of its start. */
  readonly day?: string;
  /** Its start by the rule, if it was moved. */
  readonly ruleStart?: string;
  /** The series' name, if it was moved: it may have been renamed, too. */
  readonly ruleName?: string;
  /** Everything that names the date: all of it must be edited to remove the date. `sheet` is the file. */
  readonly namedBy: {
    readonly rule: boolean;
    readonly also: boolean;
    readonly entry: boolean;
    readonly sheet: string | null;
  };
  readonly bounds: SeriesBounds;
  /** It is over by its file, so it is no longer created, although phases may keep it managed. */
  readonly isPast?: true;
}

/** What explains why a day is not one of the dates of a series. */
export interface SeriesBounds {
  /** The first and the last day of its rule; null: it has no rule. */
  readonly rule: readonly [first: string, last: string] | null;
  readonly skip: readonly string[];
}

/** Why a series has no date on a day: it is in `skip`, the rule starts after it or ends before it, or nothing names it. */
export type DateLoss = "skip" | "start" | "end" | "unnamed";

/** For dates that are not in the files; undefined where the files do not have the series. */
export function whyDatesLeft({
  events,
  ended,
}: Pick<Project, "events" | "ended">): (event: Address) => DateLoss | undefined {
  const places = [...events, ...ended].flatMap(({ own }) => own.series ?? []);
  const boundsOf = new Map(places.map(({ of, bounds }) => [of, bounds]));
  return (event) => {
    const date = dateOf(event);
    const bounds = date === null ? undefined : boundsOf.get(date.series);
    if (date === null || bounds === undefined) return undefined;
    if (bounds.skip.includes(date.day)) return "skip";
    const [first, last] = bounds.rule ?? [date.day, date.day];
    return date.day < first ? "start" : date.day > last ? "end" : "unnamed";
  };
}

/** The lists below a wish, with each entry mapped. */
export function mapChildren<Mapped>({ children }: Wish, map: (child: Wish, kind: KindName) => Mapped) {
  const lists = Object.entries(children).map(([kind, list]) => [kind, list.map((child) => map(child, kind))]);
  return Object.fromEntries(lists) as Readonly<Record<KindName, readonly Mapped[]>>;
}

/** An event, a webhook, or what is below an event. */
export function wishesByAddress({
  events,
  webhooks,
}: Pick<Project, "events" | "webhooks">): (address: Address) => Wish | undefined {
  const roots = new Map([...events, ...webhooks].map((wish) => [wish.address, wish]));
  return (address) => {
    const root = roots.get(rootOf(address));
    return root === undefined ? undefined : familyOf(root).find((wish) => wish.address === address);
  };
}

/** The wish and the entries of its lists. */
export function familyOf(wish: Wish): readonly Wish[] {
  return [wish, ...Object.values(wish.children).flat()];
}

/** Adds what the document says about it, and about each entry of its lists, at any time. `plain`: without phases. */
export function withTimeless(wish: Wish, plain: Wish | undefined, phases: readonly string[]): Wish {
  const timeless = JSON.stringify([plain === undefined ? null : statementOf(plain), phases]);
  const children = mapChildren(wish, (child) => withTimeless(child, childOf(plain, child), phases));
  return { ...wish, own: { ...wish.own, timeless }, children };
}

export function childOf(wish: Wish | undefined, { kind, address }: Wish): Wish | undefined {
  return wish?.children[kind]?.find((child) => child.address === address);
}

/** What a document says, wherever it is written: its fields, its status and its lists. */
export function statementOf(wish: Wish): unknown {
  return [wish.address, wish.fields, wish.own.status ?? null, Object.entries(mapChildren(wish, statementOf))];
}

/** `field` is as sent, or `status`. */
export interface PhaseEnd {
  readonly field: string;
  readonly before: Value | Reference | undefined;
  readonly after: Value | Reference | undefined;
  /** The risks that the phase accepts. */
  readonly allow: readonly string[];
}

/** A risk that files accept. */
export interface AllowEntry {
  readonly risk: string;
  /** The key of the only event that it counts for, or of a series. */
  readonly event?: string;
  /** The last day on which it counts, such as 2026-12-01. */
  readonly until?: string;
  readonly why?: string;
  /** Where the project file says so. */
  readonly source?: Source;
}

/** `2026-12-01`: the day that it is in the zone. */
export function dayIn(zone: string, now: number): string {
  return Number.isFinite(now) ? formatLocalTime(now, zone).slice(0, 10) : "";
}

/** Whether its last day is over. */
export function isExpired({ until }: AllowEntry, today: string): boolean {
  return until !== undefined && until < today;
}

/** The risks accepted for an event; null: for everything, events or not. */
export function risksAccepted(allow: readonly AllowEntry[], event: Address | null, today: string): readonly string[] {
  return allow
    .filter((each) => !isExpired(each, today) && (each.event === undefined ? event === null : isFor(each.event, event)))
    .map(({ risk }) => risk);
}

/** The risks that the document of an event accepts for it. An entry that names an event, as in a template, is for that one only. */
export function ownRisks(
  { address, own: { allow = [] } }: Pick<Wish, "address" | "own">,
  today: string,
): readonly string[] {
  return [...risksAccepted(allow, null, today), ...risksAccepted(allow, address, today)];
}

/** The last day on which a risk of an event was accepted, if that day is over; of several, the latest. */
export function lapsedOn(
  allow: readonly AllowEntry[],
  event: Address,
  code: string,
  today: string,
): string | undefined {
  const isMeant = ({ risk, event: key }: AllowEntry) => risk === code && (key === undefined || isFor(key, event));
  return allow
    .flatMap((each) => (isMeant(each) && isExpired(each, today) ? (each.until ?? []) : []))
    .sort()
    .at(-1);
}

/** The key of a series is for all its dates. */
export function isFor(key: string, event: Address | null): boolean {
  const meant = makeAddress(null, "events", key);
  return event !== null && (event === meant || dateOf(event)?.series === meant);
}

/** A project as its files describe it, with every problem that reading them brought up. */
export interface Project {
  readonly settings: Settings;
  /** In the order of files and of documents within them. */
  readonly events: readonly Wish[];
  readonly webhooks: readonly Wish[];
  /** Dates of series that are over and no longer managed. */
  readonly ended: readonly Wish[];
  /** Event files that no event came from, with the templates and sheets that they use: the mistake is in one of these files. */
  readonly unread: readonly { readonly file: string; readonly uses: readonly string[] }[];
  /** What phases will change, in order of time. */
  readonly upcoming: readonly ComingPhase[];
  /** Lint findings in the documents as future phases will make them. */
  readonly later: readonly Diagnostic[];
  /** Whether any document changes with time: read at another time, it may differ. */
  readonly changesWithTime: boolean;
  /** Whether there is a webhooks file at all: without one, webhooks are not read. */
  readonly webhooksManaged: boolean;
  /** How many files were read, the project file included. */
  readonly files: number;
  /** The tables that series name, also missing ones. */
  readonly sheets?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A phase of a document that is still to come, or its end. */
export interface Upcoming {
  readonly at: string;
  readonly address: Address;
  readonly type: "phase" | "phase-end";
  readonly phase: string | null;
  /** JSON pointers of the values that it changes, or changes back; none: it has no effect. */
  readonly fields: readonly string[];
  /** What else a reader needs. */
  readonly context?: { readonly name?: string; readonly timezone?: string; readonly status?: string };
}

export interface ComingPhase extends Upcoming {
  /** The event just before, and then. */
  readonly around: readonly [Wish, Wish];
}

// The project file, with its defaults filled in.

export interface EnvironmentSettings {
  /** null: the embedded sandbox. */
  readonly baseUrl: string | null;
  /** The name of the variable that holds the key. */
  readonly apiKeyEnv: string;
  /** The slug that the key must belong to; null: any. */
  readonly organization: string | null;
  /** Whether it has its own variables. */
  readonly hasVars?: true;
}

export type SecretSink =
  | { readonly sink: "file"; readonly path: string }
  | { readonly sink: "command"; readonly command: readonly string[] };

/** A server of Terraform's HTTP state protocol; `{environment}` in an address is replaced by the environment's name. */
export interface HttpState {
  readonly backend: "http";
  readonly address: string;
  /** By default those that GitLab has for its addresses, and elsewhere LOCK and UNLOCK at the address itself. */
  readonly lockAddress?: string;
  readonly lockMethod?: "LOCK" | "POST" | "PUT";
  readonly unlockAddress?: string;
  readonly unlockMethod?: "UNLOCK" | "DELETE" | "POST" | "PUT";
}

/** A bucket in a store that speaks S3. */
export interface S3State {
  readonly backend: "s3";
  readonly bucket: string;
  /** The prefix of the names of all objects; by default the URL of the repository. */
  readonly prefix?: string;
  /** By default AWS_REGION or AWS_DEFAULT_REGION. */
  readonly region?: string;
  /** By default that of AWS for the region. */
  readonly endpoint?: string;
  /** Whether the bucket is a part of the path, not of the host's name; by default if an endpoint is given. */
  readonly pathStyle?: boolean;
}

export interface Settings {
  readonly organization: string | null;
  readonly events: readonly string[];
  readonly templates: readonly string[];
  readonly webhooks: readonly string[];
  readonly defaultEnvironment: string | null;
  readonly environments: Readonly<Record<string, EnvironmentSettings>>;
  readonly allow: readonly AllowEntry[];
  /** The zone whose days an allowance counts. */
  readonly timezone: string;
  readonly maxDeletes: number;
  /** What becomes of changes that were not reviewed. */
  readonly unreviewed: "hold" | "apply" | "stop";
  /** null: none configured; the sandbox then uses the file sink. */
  readonly secrets: SecretSink | null;
  readonly state:
    | { readonly backend: "file" | "none" }
    | { readonly backend: "git"; readonly remote: string; readonly ref?: string }
    | HttpState
    | { readonly backend: "postgres"; readonly schema: string; readonly project?: string }
    | S3State;
}
