// What plan and apply share before the first call to the service: settings, environment, files, state, base, key, target.
import { type Environment, namedTwice } from "../../config/environment.ts";
import { loadProject, startReading } from "../../config/project.ts";
import { lint, lintEvent } from "../../lint/lint.ts";
import { dateOf } from "../../model/address.ts";
import { type Diagnostic, failed, hasErrors, sortDiagnostics } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { Leftover } from "../../model/plan.ts";
import type { Project, SecretSink, Wish } from "../../model/wish.ts";
import { targetLine } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import type { Reader } from "../../snapshot/reader.ts";
import type { Lock, StateStore } from "../../state/store.ts";
import { isOnRunner, type World } from "../world.ts";
import { appliedSince, type Checkout } from "./checkout.ts";
import { type LockRequest, takeLock } from "./environment-store.ts";
import { guardsChanged, loadBase, timeOfLastRun } from "./load-base.ts";
import { type NoSession, prepareSession, type SessionOptions } from "./prepare-session.ts";
import { noProject, writeLines } from "./report-problems.ts";
import { hasRecord, loadSavedState, type SavedState, withoutSealAdvice } from "./saved-state.ts";
import { type OpenTarget, type ReachedTarget, reachTarget, sandboxMismatch } from "./target.ts";

/** Everything a command needs before its first call; only read-ahead may have called the service by then. */
export interface Session {
  readonly ok: true;
  readonly directory: string;
  readonly environment: Environment;
  readonly project: Project;
  /** Only what differs from it is planned; null: everything is. */
  readonly base: Project | null;
  /** Tells the checkout's own changes from earlier ones: the revision named, maybe newer than `base`. null: unknown. */
  readonly comparedWith: Project | null;
  /** The same files at the time of the last run, if they change with time. */
  readonly earlier?: Project | null;
  /** The time that is planned for, and that the files were read for. */
  readonly now: number;
  /** The base is exactly what state records as applied. */
  readonly sinceLast: boolean;
  readonly baseRevision?: string | null;
  readonly remarks: readonly Diagnostic[];
  readonly target: OpenTarget;
  /** The URL as plans show it: the embedded service uses a different port each time. */
  readonly baseUrl: string;
  readonly store: StateStore;
  readonly state: State | null;
  readonly sink: SecretSink | null;
  /** What recovery is to delete: a plan counts it as deleted, and lists it. */
  readonly leftovers?: readonly Leftover[];
  /** What was checked out before the files were read; null: outside git. */
  readonly checkout: Checkout | null;
  /** Whether the state says what was applied before. */
  readonly recorded: boolean;
  /** Started reading while the files were being loaded. */
  readonly reader?: Reader | null;
  /** Also releases the lock. Returns what could not be written. */
  close(): Promise<Diagnostic | null>;
}

export interface LockedSession extends Session {
  readonly lock: Lock;
}

/** What is known before the files are loaded, for reading the service meanwhile. */
export interface ReadAheadInput {
  readonly target: OpenTarget;
  readonly memory: SavedState;
  readonly environment: Environment;
  readonly now: number;
  /** How many files there are to load. */
  readonly files: number;
}

/** Starts reading without waiting for it; null: not worth it. */
export type ReadAhead = (input: ReadAheadInput) => Promise<Reader | null>;

/** With `readAhead`, the service is read while many files are loaded. */
export async function openSession(
  world: World,
  options: SessionOptions,
  listener: Listener = {},
  readAhead: ReadAhead | null = null,
): Promise<Session | NoSession> {
  return open(world, options, listener, null, readAhead);
}

/** With the lock, which is taken before anything is read that another run may change. */
export async function openLockedSession(
  world: World,
  options: SessionOptions & LockRequest,
  listener: Listener = {},
): Promise<LockedSession | NoSession> {
  return open(world, options, listener, options, null) as Promise<LockedSession | NoSession>;
}

/** How far the clocks of two machines may differ. */
const clockSkewMs = 10 * 60_000;

/** With this many files, loading takes longer than the service's first responses. With fewer, a typo should not cost a call. */
const manyForReadAhead = 500;

/** If dates of a series were applied, or the base has it, the series has simply ended. Otherwise the remark is about no event of this plan. */
function remarksOnEnded(found: readonly Diagnostic[], state: State | null, base: Project | null) {
  const known = [...Object.keys(state?.objects ?? {}), ...(base?.ended ?? []).map(({ address }) => address)];
  const series = new Set(known.map((address) => dateOf(address)?.series));
  return found.flatMap((one): readonly Diagnostic[] => {
    const { address, ...remark } = one;
    if (one.code !== "event-over") return [one];
    return series.has(address) ? [] : [remark];
  });
}

async function open(
  world: World,
  given: SessionOptions,
  listener: Listener,
  lockRequest: LockRequest | null,
  readAhead: ReadAhead | null,
): Promise<(Session & { readonly lock: Lock | null }) | NoSession> {
  const options = given.mergeInto === undefined ? given : { ...given, base: given.mergeInto };
  const ground = await prepareSession(world, given, options);
  if (!ground.ok) return ground;
  const { directory, ahead = 0 } = options;
  const { files, loaded, environment, baseUrl, store, checkout, isBroken, unsafe } = ground;
  const { settings } = loaded;
  let { now } = ground;
  const stopped = new AbortController();
  const reach = { directory, store, listener, signal: AbortSignal.any([world.interrupted, stopped.signal]) };

  /** Does early what normally follows loading. null: some of it failed; then all of it is done again in the normal order. */
  async function readWhileLoading(fileCount: number, read: ReadAhead): Promise<ReadAheadResult | null> {
    const memory = await loadSavedState(store);
    if (!memory.ok) return null;
    const reached = await reachTarget(world, options, settings, environment, { ...reach, memory, base: null });
    if (!reached.ok) return null;
    const { target } = reached;
    return { memory, reached, reader: await read({ target, memory, environment, now, files: fileCount }) };
  }

  let readingAhead: Promise<ReadAheadResult | null> = Promise.resolve(null);
  const context = { now, environment: environment.name };
  const reread = { environment, env: world.env, loaded };
  let reading = startReading(files, now);
  let project = await loadProject(files, {
    ...reread,
    now,
    reading,
    lintLater: (wish: Wish) => lintEvent(wish, context),
    onListed(count) {
      const isMeant = readAhead !== null && options.base === undefined && environment.baseUrl !== null;
      if (!isMeant || count < manyForReadAhead || unsafe !== null || isBroken) return;
      readingAhead = readWhileLoading(count, readAhead).catch(() => null);
    },
  });
  // Info is for the curious and would crowd a plan, except that an accepted risk has expired: that may block it.
  const linted = sortDiagnostics([...project.diagnostics, ...lint(project, context)]).filter(
    ({ severity, code }) => severity !== "info" || options.verbose || code === "allow-expired" || code === "event-over",
  );
  const found = [...linted, ...ground.remarks];
  let lock: Lock | null = null;
  let state: State | null = null;

  async function readAsOf(time: number): Promise<void> {
    now = time;
    reading = startReading(files, now);
    project = await loadProject(files, { ...reread, now, reading });
  }

  async function refuse(...diagnostics: readonly Diagnostic[]): Promise<NoSession> {
    stopped.abort();
    const left = await lock?.release();
    const early = await readingAhead;
    await (early === null ? store.close?.() : early.reached.target.close());
    const all = left == null ? diagnostics : [...diagnostics, left];
    return { ok: false, environment: environment.name, baseUrl, diagnostics: all, checkout, state };
  }

  if (isBroken) return refuse(...found);
  if (unsafe !== null) return refuse(...(noProject(directory, loaded, [project]) ?? [...found, unsafe]));
  // Files with errors are not applied: then there is nothing to wait for.
  if (lockRequest !== null && !hasErrors(found)) {
    const mismatch = sandboxMismatch(world, environment);
    const locked = mismatch === null ? await takeLock(world, store, lockRequest, checkout) : failed(mismatch);
    if (!locked.ok) return refuse(...locked.diagnostics, ...found);
    lock = locked.lock;
    // The run that was waited for may have applied what came due meanwhile.
    const waited = Math.max(world.now(), ahead);
    if (project.upcoming.some(({ at }) => Date.parse(at) <= waited)) await readAsOf(waited);
  }
  const early = await readingAhead;
  const memory = early?.memory ?? (await loadSavedState(store));
  if (!memory.ok) return refuse(...(noProject(directory, loaded, [project]) ?? [...found, ...memory.diagnostics]));
  state = memory.state;
  const isJob = lock !== null && isOnRunner(world);
  const newer = isJob ? await appliedSince({ directory, state }, checkout, reach.signal) : null;
  // What was announced is still sent on time, but from the files that were applied meanwhile.
  if (newer !== null && options.follows === true) {
    const closed = await refuse();
    if (hasErrors(closed.diagnostics)) return closed;
    writeLines(world.stderr, [`a newer commit was applied meanwhile: continuing with ${newer.slice(0, 12)}`]);
    return open(world, { ...given, revision: newer }, listener, lockRequest, readAhead);
  }
  const appliedAt = timeOfLastRun(state);
  // A run that could not apply everything has still applied what came due.
  const behind = Math.max(appliedAt ?? now, Date.parse(state?.lastRun?.at ?? "") || now) - now;
  // What came due by another machine's clock is not undone by a clock that is slightly slow.
  if (behind > 0 && behind <= clockSkewMs && project.changesWithTime && options.at === undefined)
    await readAsOf(now + behind);
  const base = await loadBase(world, { ...options, now, like: reading }, environment, memory, hasErrors(found));
  // If something was applied from here, it is the right folder, even if all of its files were deleted since.
  const isEmpty = hasRecord(memory.stored) ? null : noProject(directory, loaded, [project, base.project]);
  const remarks = isEmpty ?? [
    ...remarksOnEnded(found, state, base.project),
    ...base.diagnostics,
    ...guardsChanged(project, base.comparedWith),
  ];
  if (hasErrors(remarks)) return refuse(...remarks);

  const projects = base.project === null ? [project] : [project, base.project];
  const reached =
    early?.reached ?? (await reachTarget(world, options, settings, environment, { ...reach, memory, base, projects }));
  if (!reached.ok) {
    const isBad = reached.diagnostics.some(({ code }) => code === "bad-key");
    return refuse(...(isBad ? withoutSealAdvice(remarks) : remarks), ...reached.diagnostics);
  }
  const { target, sink, concerns } = reached;
  const changesSince = project.changesWithTime && appliedAt !== null;
  return {
    ok: true,
    directory,
    environment,
    project,
    base: base.project,
    comparedWith: base.comparedWith,
    earlier: changesSince ? await loadProject(files, { ...reread, now: appliedAt, like: reading }) : null,
    now,
    sinceLast: base.sinceLast,
    baseRevision: base.revision,
    remarks: [...remarks, ...concerns, ...(lock === null ? [] : namedTwice(settings, environment))],
    target,
    baseUrl,
    store,
    state: memory.state,
    recorded: hasRecord(memory.stored),
    sink,
    checkout,
    reader: early?.reader ?? null,
    lock,
    async close() {
      const left = await lock?.release();
      return (await target.close()) ?? left ?? null;
    },
  };
}

/** What was done while files were loaded. */
interface ReadAheadResult {
  readonly memory: SavedState & { readonly ok: true };
  readonly reached: ReachedTarget & { readonly ok: true };
  readonly reader: Reader | null;
}

/** The line that names the target, for people, when stdout is for programs. */
export function lineOfTarget(session: Session | NoSession): string {
  return session.ok ? session.target.line : targetLine(session.environment, session.baseUrl);
}

/** The service's clock once it has responded: it decides whether a key has expired. */
export function serviceNow(world: World, session: Pick<Session, "target">): number {
  return session.target.client.serverDate?.getTime() ?? world.now();
}
