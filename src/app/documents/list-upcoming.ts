// What happens by itself: phases of documents, and the starts and ends of events.
import { howToWriteDay, readDay } from "../../config/time.ts";
import { type Diagnostic, errorOf, type Fallible, failed, sortDiagnostics } from "../../model/diagnostic.ts";
import { formatLocalTime, standardZone } from "../../model/time.ts";
import { compareText } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { withChanges } from "../../plan/judge.ts";
import type { OfflineTarget } from "../../report/diagnostics.ts";
import type { ComingView } from "../../report/lists.ts";
import { emptyIsWrong } from "../session/validate-project.ts";
import type { World } from "../world.ts";
import { type DocumentOptions, openDocuments } from "./open-documents.ts";

export interface UpcomingOptions extends Omit<DocumentOptions, "event" | "at"> {
  /** The last day, where each event happens. */
  readonly until?: string;
}

interface UpcomingList {
  readonly target: OfflineTarget;
  readonly coming: readonly ComingView[];
  /** Problems that may keep entries off the list. */
  readonly problems: readonly Diagnostic[];
}

/** In order of time. */
export async function listUpcoming(world: World, options: UpcomingOptions): Promise<Fallible<UpcomingList>> {
  const until = options.until === undefined ? null : readDay(options.until);
  if (options.until !== undefined && until === null) {
    return failed(errorOf("usage", `--until "${options.until}" is not a date.`, howToWriteDay(options.until)));
  }
  const opened = await openDocuments(world, options);
  if (!opened.ok) return opened;
  const { events, upcoming, target } = opened;
  const problems = sortDiagnostics(
    emptyIsWrong(opened, opened.loaded.found).filter(({ severity }) => severity === "error"),
  );
  // Outside a project, "nothing" says little.
  if (problems.some(({ code }) => code === "no-files-matched")) return failed(...problems);
  const byAddress = new Map(events.map((wish) => [wish.address, wish]));
  const phases = upcoming.map((one): ComingView => {
    return { ...withChanges(one), ...nameAndZone(byAddress.get(one.address), one.address) };
  });
  const all = [...phases, ...events.flatMap((wish) => upcomingMoments(wish, world.now()))];
  const coming = all
    .filter(({ at, zone }) => until === null || formatLocalTime(at, zone).slice(0, 10) <= until)
    .sort((one, other) => compareText(one.at, other.at) || compareText(one.address, other.address));
  return { ok: true, target, coming, problems };
}

function upcomingMoments(wish: Wish, now: number): readonly ComingView[] {
  const { address, fields, own } = wish;
  if (own.status === "ARCHIVED" || own.status === "DELETED") return [];
  const [start, end] = [fields.dateTime, fields.endDateTime].map((at) => (typeof at === "string" ? at : undefined));
  const rest = { address, phase: null, fields: [], ...nameAndZone(wish, address) };
  const isAhead = (at: string | undefined): at is string => at !== undefined && Date.parse(at) > now;
  return [
    ...(isAhead(start) ? [{ ...rest, type: "start" as const, at: start, end }] : []),
    ...(isAhead(end) ? [{ ...rest, type: "end" as const, at: end }] : []),
  ];
}

function nameAndZone(wish: Wish | undefined, address: string): { readonly name: string; readonly zone: string } {
  return { name: wish?.name ?? address, zone: wish?.own.timezone ?? standardZone };
}
