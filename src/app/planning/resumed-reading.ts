// A large organization is read in several runs, each as far as the rate limit allows. What earlier runs read is used however old it
// is, so that every reading ends; what a plan would change is read again first, and the plan says how old the rest is.
import { type Diagnostic, noticeOf, orHalt, type ResultOr, warningOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { formatDuration } from "../../model/time.ts";
import { pluralize } from "../../model/value.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Problem } from "../../service/problem.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { attemptRead, type KeptResponse, makeReader, questionPath, type Reader } from "../../snapshot/reader.ts";
import type { SnapshotCache } from "../../state/store.ts";
import type { World } from "../world.ts";

interface PlanReading {
  readonly reader: Reader;
  readonly began: number;
  /** When earlier runs read what this one continues, by question. */
  readonly earlier: Map<string, number>;
}

/** Older responses are read again if that takes no long wait. */
const oldAfterMs = 2 * 3_600_000;

/** Continues where an interrupted run stopped, for the same organization, whose key is checked again each time. */
async function resumeReading(
  client: Pick<TicketingClient, "request" | "pause">,
  cache: SnapshotCache,
  now: number,
): Promise<PlanReading> {
  const reader = makeReader(client);
  const anew: PlanReading = { reader, began: now, earlier: new Map() };
  if (!(await cache.isThere())) return anew;
  const me = await reader.ask("/me");
  if (!me.ok) return anew;
  const { organization } = await readAccount(reader);
  const responses = await cache.load<KeptResponse[1]>(organization.id, now);
  return {
    reader: makeReader(client, [...responses, ...reader.kept()]),
    began: now,
    earlier: new Map(responses.map(([question, { at = now }]) => [question, at])),
  };
}

/** What the smallest tier allows in a minute. Fewer are read again at no cost, and are then as new as possible. */
const manyResponses = 60;

/** Stores a reading that was cut short, but not refused: a large organization is read in several runs. False: not stored. */
async function keepIfCutShort(
  reading: PlanReading,
  cache: SnapshotCache,
  problem: Problem,
  { interrupted }: Pick<World, "interrupted">,
): Promise<boolean> {
  const isStopped = problem.code === "rate-limited-too-long" || interrupted.aborted;
  const isLong = () => Array.from(reading.reader.kept(), () => null).length >= manyResponses;
  if (!isStopped && (problem.class === "refused" || !isLong())) return false;
  await keepForNextRun(reading, cache);
  return true;
}

/** Whose key it was is never kept. */
async function keepForNextRun(
  { reader, began }: PlanReading,
  cache: SnapshotCache,
  isKept: (question: string) => boolean = () => true,
): Promise<void> {
  const me = await reader.ask("/me");
  if (!me.ok) return;
  const { organization } = await readAccount(reader);
  const responses = [...reader.kept()].filter(([question]) => !question.startsWith("/me?") && isKept(question));
  await cache.save(responses, organization.id, began);
}

/** What this run used is read again by the next one; a longer reading that it used part of can still be continued. */
async function endReading(reading: PlanReading, cache: SnapshotCache): Promise<void> {
  const { unasked } = reading.reader;
  return unasked.size === 0 ? cache.clear() : keepForNextRun(reading, cache, (question) => unasked.has(question));
}

/** What was read before this is old: long ago, or before a run changed something. */
function oldBefore(now: number, state: State | null): number {
  const applied = Date.parse(state?.lastRun?.at ?? "");
  return Number.isNaN(applied) ? now - oldAfterMs : Math.max(now - oldAfterMs, applied);
}

export interface ResumableReading<Made> {
  readonly client: Pick<TicketingClient, "request" | "pause" | "estimateSeconds">;
  readonly cache: SnapshotCache;
  readonly state: State | null;
  /** Reading again may take as long as a single wait. */
  readonly maxWait?: number | undefined;
  /** What the result depends on most: that is read again if all of it would take too long. */
  readonly matters: (made: Made) => (path: string) => boolean;
}

/** `resumable`: what was read so far is kept for the next run. */
type ReadOnce<Made> = ResultOr<
  { readonly value: Made },
  { readonly ok: false; readonly problem: Problem; readonly resumable: boolean }
>;

/** Makes something of what this run reads, and of what earlier ones that were interrupted have read. */
export async function readResumably<Made>(
  world: World,
  how: ResumableReading<Made>,
  make: (reader: Reader, older: () => readonly Diagnostic[]) => Promise<Made>,
): Promise<ReadOnce<Made>> {
  const { cache } = how;
  const reading = await resumeReading(how.client, cache, world.now());
  const old = oldBefore(reading.began, how.state);
  const read = await attemptRead(() =>
    makeOfReading(reading, how, old, world, () => make(reading.reader, () => olderReading(reading, old))),
  );
  if (!read.ok) return { ...read, resumable: await keepIfCutShort(reading, cache, read.problem, world) };
  await endReading(reading, cache);
  return read;
}

/**
 * If some of what was read is old, reads as much of it again as takes no long wait, and makes it again.
 * Only then, and once: a reading that always began with what is old would never end.
 */
async function makeOfReading<Made>(
  { reader, earlier }: PlanReading,
  { client, maxWait = 300, matters }: ResumableReading<Made>,
  oldBefore: number,
  { interrupted }: Pick<World, "interrupted">,
  make: () => Promise<Made>,
): Promise<Made> {
  const made = await make();
  const isSoon = (questions: readonly string[]) => client.estimateSeconds(questions.length) <= maxWait;
  const old = Array.from(earlier).flatMap(([question, at]) =>
    at < oldBefore && !reader.unasked.has(question) ? [question] : [],
  );
  const isMeant = matters(made);
  const again = [old, old.filter((question) => isMeant(questionPath(question)))].find(isSoon) ?? [];
  if (again.length === 0) return made;
  for (const question of again) {
    reader.forget(questionPath(question));
    earlier.delete(question);
  }
  const remade = await attemptRead(make);
  return remade.ok || interrupted.aborted ? orHalt(remade).value : made;
}

function olderReading({ reader, earlier, began }: PlanReading, before: number): readonly Diagnostic[] {
  const used = Array.from(earlier).filter(([question]) => !reader.unasked.has(question));
  if (used.length === 0) return [];
  const oldest = used.reduce((first, [, at]) => Math.min(first, at), began);
  const age = formatDuration((began - oldest) / 1000);
  const message = `This plan reuses ${pluralize(used.length, "response")} that earlier runs received, the oldest ${age} ago, so it may miss newer changes.`;
  const hint =
    "Run the command again to read everything again, or narrow it with --base or --target. An apply always rereads what it changes.";
  const remarkOf = oldest < before ? warningOf : noticeOf;
  return [remarkOf("older-reading", message, hint)];
}
