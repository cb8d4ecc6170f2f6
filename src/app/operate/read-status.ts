// The walk of `status`: events, their ticket types and sales, compared with the files.
import { dateOf, keyInAddress } from "../../model/address.ts";
import { type Diagnostic, type Fallible, Halt, warningOf } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { pluralize } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { findRemoved } from "../../plan/compare.ts";
import { type EventMatch, matchEvents } from "../../plan/match.ts";
import {
  type EventFigures,
  type StatusReport,
  type StatusSort,
  seriesFigures,
  sortEvents,
  totalsOf,
} from "../../report/status.ts";
import type { Limits } from "../../service/pace.ts";
import { attemptRead, makeReader } from "../../snapshot/reader.ts";
import { explainProblem, reportProblems } from "../session/report-problems.ts";
import type { TargetOptions } from "../session/target.ts";
import { advise, interruptedCode, type World } from "../world.ts";
import { figuresOfEvent, figuresOfWish, openSalesReader } from "./event-figures.ts";
import {
  loadProjectWishes,
  type OperateService,
  type ProjectWishes,
  withService,
  withVenues,
} from "./project-wishes.ts";
import { type EventChoice, isNamed, readAsked, seriesKeyOf, timesOf } from "./select-events.ts";

export interface StatusQuestion {
  readonly service: OperateService;
  readonly project: ProjectWishes;
  readonly choice: EventChoice;
  readonly sort: StatusSort;
  readonly archivedToo: boolean;
  readonly history: boolean;
  readonly now: number;
  /** Hides secrets that the service shows: part of one in a shortened name could no longer be found. */
  readonly mask: (text: string) => string;
  readonly onProgress: (done: number, total: number) => void;
}

export type StatusRead = Fallible<{ readonly report: StatusReport; readonly ordersRead: number }>;

export async function readStatus(question: StatusQuestion): Promise<StatusRead> {
  const { service, project, now } = question;
  const { remember } = project;
  const { client, environment } = service.target;
  const reader = makeReader(client);
  const found = await readAsked({ ...question, client, reader });
  if (!found.ok) return found;
  const { lives, asked } = found;
  const { wishes, unclear: unclearVenues, remarks } = await withVenues(reader, asked);
  const resolved = new Map(wishes.map((wish) => [wish.address, wish]));
  const matches = matchEvents({
    // A document that is not asked about still has its live event: no other document may mean that one.
    wishes: [...project.events.map((wish) => resolved.get(wish.address) ?? wish), ...project.ended],
    lives,
    remember,
    renamesToo: true,
    now,
  });
  const { documents, notLive, unclearIds, blocks } = sortDocuments(question, resolved, matches, found.isAsked);
  const diagnostics: Diagnostic[] = [...project.remarks, ...remarks, ...blocks];
  const over = datesThatAreOver(project.ended, matches);
  const removed = removedBy(project, {
    lives: lives.filter(({ id }) => !unclearIds.has(id)),
    matchedIds: new Set(documents.keys()),
    now,
  });
  const zone = service.loaded.settings.timezone;
  const sales = openSalesReader(client, reader, question.history ? zone : null);
  const documentOf = ({ id }: Live) => documents.get(id) ?? null;
  const isHidden = (live: Live) => live.status === "ARCHIVED" && !question.archivedToo && !found.isFound(live);
  const shown = lives.filter(
    (live) => found.isAsked(live, documentOf(live)) && (documents.has(live.id) || !isHidden(live)),
  );
  const startless = shown.filter((live) => timesOf(live, documentOf(live)).dateTime == null);
  const { nextSeconds } = question.choice;
  if (nextSeconds !== null && startless.length > 0) diagnostics.push(startsUnknown(startless.length));
  let done = 0;
  const counted = nextSeconds === null ? shown : shown.filter((live) => !startless.includes(live));
  const figures = await Promise.all(
    counted.map(async (live) => {
      const wish = documentOf(live);
      // It may be the event that a document means.
      const isUnclear = project.events.length === 0 || unclearIds.has(live.id);
      const managed = wish !== null ? true : isUnclear ? null : false;
      const found = { ...(await figuresOfEvent(live, wish, sales, remember, now)), managed };
      const figure = { ...found, ...over.get(live.id), ...removed.get(live.id) };
      question.onProgress(++done, counted.length);
      if (wish === null || !unclearVenues.has(wish.address)) return figure;
      const venue = { address: wish.address, field: "venue", how: "differs" } as const;
      return { ...figure, divergences: [...(figure.divergences ?? []), venue] };
    }),
  );
  const events = sortEvents([...figures.map((one) => maskNames(one, question.mask)), ...notLive], question.sort);
  const archivedShown = counted.filter(({ status }) => status === "ARCHIVED").length;
  return {
    ok: true,
    ordersRead: sales.ordersRead(),
    report: {
      formatVersion: 1,
      target: {
        environment: environment.name,
        baseUrl: environment.baseUrl ?? "embedded",
        organization: service.account?.organization ?? null,
      },
      createdAt: new Date(now).toISOString(),
      events,
      archived: found.archived === null ? null : Math.max(0, found.archived - archivedShown),
      totals: totalsOf(events),
      diagnostics: [...diagnostics, ...sales.remarks()],
      series: seriesFigures(events),
      timezone: zone,
      ...(nextSeconds === null ? {} : { nextSeconds }),
    },
  };
}

/** Which live event each document means, and which of those that are asked about mean none, or none for certain. */
function sortDocuments(
  { project, choice, now }: StatusQuestion,
  resolved: ReadonlyMap<string, Wish>,
  matches: ReadonlyMap<string, EventMatch>,
  isAsked: (live: null, wish: Wish) => boolean,
) {
  const documents = new Map<string, Wish>();
  const notLive: EventFigures[] = [];
  const unclearIds = new Set<string>();
  const blocks: Diagnostic[] = [];
  for (const each of project.events) {
    const wish = resolved.get(each.address) ?? each;
    const match = matches.get(wish.address);
    if (match?.live != null) {
      documents.set(match.live.id, wish);
    } else if (match?.block != null) {
      // A document that was applied and is not asked about has a live event that was not read.
      const isSearched = resolved.has(wish.address) || project.remember(wish.address).id === null;
      for (const { id } of isSearched ? (match.candidates ?? []) : []) unclearIds.add(id);
      if (!isAsked(null, wish)) continue;
      blocks.push({ ...match.block, severity: "warning", address: wish.address, source: wish.source });
    } else if (isAsked(null, wish) && (isNamed(choice) || !isToBeGone(wish))) {
      notLive.push(figuresOfWish(wish, now));
    }
  }
  return { documents, notLive, unclearIds, blocks };
}

/** Dates of series that are over, by id: the files still name them, and nothing in them is compared. */
function datesThatAreOver(ended: readonly Wish[], matches: ReadonlyMap<string, EventMatch>) {
  return new Map(
    ended.flatMap(({ address, own }) => {
      const live = matches.get(address)?.live;
      const known = { key: keyInAddress(address), series: seriesKeyOf(own.series?.of), managed: true };
      return live == null ? [] : [[live.id, known] as const];
    }),
  );
}

/** Events that the next apply would delete because the files no longer name them, by id; a date stays with its series. */
function removedBy(
  { former, events }: ProjectWishes,
  found: { readonly lives: readonly Live[]; readonly matchedIds: ReadonlySet<string>; readonly now: number },
): ReadonlyMap<string, Pick<EventFigures, "series" | "removed">> {
  const names = new Set(events.map((wish) => wish.fields.name));
  const gone = findRemoved({ former, ...found, contested: new Map(), names });
  return new Map(
    gone.events.flatMap(({ self }) => {
      const series = seriesKeyOf(dateOf(self.address)?.series);
      return self.live === null ? [] : [[self.live.id, { series, removed: true as const }] as const];
    }),
  );
}

function maskNames(figures: EventFigures, mask: (text: string) => string): EventFigures {
  const tickets = figures.tickets?.map((ticket) => ({ ...ticket, name: mask(ticket.name) })) ?? null;
  return { ...figures, name: mask(figures.name), tickets };
}

function isToBeGone({ own }: Wish): boolean {
  return own.status === "DELETED" || own.status === "ARCHIVED" || own.series?.isPast === true;
}

function startsUnknown(count: number): Diagnostic {
  const message = `The service does not show when ${pluralize(count, "event")} ${count === 1 ? "starts, so --next leaves it out" : "start, so --next leaves them out"}.`;
  const hint = "`ticketing status` without --next shows all events.";
  return warningOf("unreadable-fields", message, hint);
}

const shortestSeconds = 10;
const spanSeconds = { minute: 60, hour: 3600 } as const;

/** How long to wait between rounds of this many calls: half of the rate limit is left to others. */
export function watchSeconds(limits: Limits, calls: number): number {
  const paces = limits.windows.map(({ span, limit }) => (calls * 2 * spanSeconds[span]) / Math.max(1, limit));
  return Math.ceil(Math.max(shortestSeconds, ...paces));
}

export interface StatusRequest extends TargetOptions {
  readonly format: "text" | "json" | "markdown" | "csv" | "html";
  /** Keys, addresses, ids, slugs or names. */
  readonly event?: readonly string[];
  readonly target?: readonly string[];
  /** In seconds. */
  readonly next?: number;
  readonly sort: StatusSort;
  readonly archived: boolean;
  /** Reads it again and again, until Ctrl-C. */
  readonly watch: boolean;
}

export interface StatusRound {
  readonly report: StatusReport;
  /** Names the service. */
  readonly line: string;
  /** Somebody has named events. */
  readonly isNamed: boolean;
  readonly ordersRead: number;
  readonly calls: number;
  /** Until the next round; null: there is none. */
  readonly seconds: number | null;
}

interface StatusWatcher {
  /** Hears how far a round is. */
  progress(): { onProgress(done: number, total: number): void; end(): void };
  show(round: StatusRound): Promise<void>;
}

export async function followStatus(world: World, request: StatusRequest, watcher: StatusWatcher): Promise<number> {
  return withService(world, request, { scope: "events:read", account: true }, async (service) => {
    const { format, event: words = [], target: targets = [], next = null, sort, archived, watch } = request;
    const { client, line } = service.target;
    const project = await loadProjectWishes(world, request.directory, service.target, service.loaded);
    const choice = { words, targets, nextSeconds: next };
    const asked = { choice, sort, archivedToo: archived, history: format === "html" };
    const mask = (text: string) => world.secrets?.mask(text) ?? text;
    let last: { readonly report: StatusReport; readonly ordersRead: number } | null = null;
    do {
      const before = client.counts.reads;
      const { onProgress, end } = watcher.progress();
      const read = await attemptRead(() =>
        readStatus({ service, project, ...asked, now: world.now(), mask, onProgress }).finally(end),
      );
      if (read.ok) {
        if (world.interrupted.aborted) break;
        if (!read.value.ok) return reportProblems(world, format, read.value.diagnostics);
        const { report } = read.value;
        last = { ...read.value, report: { ...report, diagnostics: advise(world, report.diagnostics) } };
      } else {
        // Once it has worked, a broken connection is something to wait out.
        if (last === null) throw new Halt(read);
        if (world.interrupted.aborted) break;
        reportProblems(world, "text", [explainProblem(read.problem, "events:read")]);
      }
      const calls = client.counts.reads - before;
      const seconds = watch ? watchSeconds(client.limits, calls) : null;
      const { report, ordersRead } = last;
      await watcher.show({ report, line, isNamed: isNamed(choice), ordersRead, calls, seconds });
      if (seconds === null) return 0;
      await client.pause(seconds * 1000);
    } while (!world.interrupted.aborted);
    return interruptedCode;
  });
}
