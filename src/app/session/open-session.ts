// What plan and apply share before the first call to the service: settings, environment, files, state, base, key, target.
import { type Environment, namedTwice } from "../../config/environment.ts";
import { type LoadOptions, loadProject, type Reading, startReading } from "../../config/project.ts";
import { type LintContext, lint, lintEvent } from "../../lint/lint.ts";
import { dateOf } from "../../model/address.ts";
import { type Diagnostic, failed, hasErrors, sortDiagnostics } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { GuardChange, Leftover } from "../../model/plan.ts";
import type { Project, SecretSink } from "../../model/wish.ts";
import { targetLine } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import type { Lock, StateStore } from "../../state/store.ts";
import { isOnRunner, type World } from "../world.ts";
import { appliedSince, type Checkout } from "./checkout.ts";
import { type LockRequest, takeLock } from "./environment-store.ts";
import { atAddressesOfNow, guardsChanged, loosenedGuards } from "./guards.ts";
import { type LoadedBase, loadBase, timeOfLastRun } from "./load-base.ts";
import { endedSession, type Ground, type NoSession, prepareSession, type SessionOptions } from "./prepare-session.ts";
import { noProject, writeLines } from "./report-problems.ts";
import { hasRecord, loadSavedState, movedAway, withoutSealAdvice } from "./saved-state.ts";
import { type OpenTarget, reachTarget, sandboxMismatch } from "./target.ts";

/** Everything a command needs before its first call. */
export interface Session {
  readonly ok: true;
  readonly directory: string;
  readonly environment: Environment;
  readonly project: Project;
  /** What was read for it: of another revision, only what differs needs to be read. */
  readonly reading: Reading;
  /** Only what differs from it is planned; null: everything is. */
  readonly base: Project | null;
  /** Distinguishes the checkout's own changes from earlier ones: the project at the revision named, maybe newer than `base`. null: unknown. */
  readonly comparedWith: Project | null;
  /** Whose safeguards were reviewed, and what is looser now. */
  readonly guarded: Project | null;
  readonly guards: readonly GuardChange[];
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
  /** Also releases the lock. Returns what could not be written. */
  close(): Promise<Diagnostic | null>;
}

export interface LockedSession extends Session {
  readonly lock: Lock;
}

export async function openSession(
  world: World,
  options: SessionOptions,
  listener: Listener = {},
): Promise<Session | NoSession> {
  return open(world, options, listener, null);
}

/** With the lock, which is taken before anything is read that another run may change. */
export async function openLockedSession(
  world: World,
  options: SessionOptions & LockRequest,
  listener: Listener = {},
): Promise<LockedSession | NoSession> {
  return open(world, options, listener, options) as Promise<LockedSession | NoSession>;
}

/** How far the clocks of two machines may differ. */
const clockSkewMs = 10 * 60_000;

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

/** The project as its files describe it at one time. */
interface ProjectThen {
  readonly now: number;
  readonly reading: Reading;
  readonly project: Project;
}

/** `found`: problems of the files, of their settings and of the checkout. */
async function readAndCheck(
  { env }: World,
  { files, environment, loaded, remarks }: Ground,
  now: number,
  verbose: boolean,
): Promise<{ files: ProjectThen; found: readonly Diagnostic[] }> {
  const reading = startReading(files, now);
  const context = { now, environment: environment.name };
  const lintLater: LoadOptions["lintLater"] = (wish) => lintEvent(wish, context);
  const project = await loadProject(files, { environment, env, loaded, now, reading, lintLater });
  return { files: { now, reading, project }, found: [...remarksOnFiles(project, context, verbose), ...remarks] };
}

/** Notices would crowd a plan. Exceptions: an accepted risk that has expired, which may block it, and an event that is over. */
function remarksOnFiles(project: Project, context: LintContext, verbose: boolean): readonly Diagnostic[] {
  return sortDiagnostics([...project.diagnostics, ...lint(project, context)]).filter(
    ({ severity, code }) => severity !== "info" || verbose || code === "allow-expired" || code === "event-over",
  );
}

/** A run that could not apply everything has still applied what came due, and what came due by another machine's clock is not undone by a clock that is slightly slow. */
function timeLostByClock({ now, project }: ProjectThen, state: State | null): number {
  const behind = Math.max(timeOfLastRun(state) ?? now, Date.parse(state?.lastRun?.at ?? "") || now) - now;
  return project.changesWithTime && behind <= clockSkewMs ? behind : 0;
}

/** The same files at the time of the last run, with what phases did since; null: they do not change with time, or there was none. */
async function projectOfLastRun(world: World, ground: Ground, current: ProjectThen, state: State | null) {
  const { project, reading, now: through } = current;
  const now = timeOfLastRun(state);
  if (!project.changesWithTime || now === null) return null;
  const { files, environment, loaded } = ground;
  return loadProject(files, { environment, env: world.env, loaded, now, like: reading, through });
}

/** The lock of the environment, unless the sandbox was chosen where a live service is probably meant. */
async function lockTarget(world: World, { environment, store, checkout }: Ground, request: LockRequest) {
  const mismatch = sandboxMismatch(world, environment);
  return mismatch === null ? takeLock(world, store, request, checkout) : failed(mismatch);
}

function withRemarksOnBase(found: readonly Diagnostic[], state: State | null, project: Project, base: LoadedBase) {
  const onEnded = remarksOnEnded(found, state, base.project);
  const compared = base.comparedWith && atAddressesOfNow(base.comparedWith, project, state);
  return [...onEnded, ...base.diagnostics, ...guardsChanged(project, compared, base.guarded)];
}

function withProblemsOfTarget(remarks: readonly Diagnostic[], problems: readonly Diagnostic[]) {
  const isBadKey = problems.some(({ code }) => code === "bad-key");
  return [...(isBadKey ? withoutSealAdvice(remarks) : remarks), ...problems];
}

async function open(
  world: World,
  given: SessionOptions,
  listener: Listener,
  lockRequest: LockRequest | null,
): Promise<(Session & { readonly lock: Lock | null }) | NoSession> {
  const options = given.mergeInto === undefined ? given : { ...given, base: given.mergeInto };
  const ground = await prepareSession(world, given, options);
  if (!ground.ok) return ground;
  const { directory } = options;
  const { loaded, environment, baseUrl, store, checkout } = ground;
  let { files, found } = await readAndCheck(world, ground, ground.now, options.verbose);
  let lock: Lock | null = null;
  let state: State | null = null;

  async function refuse(...diagnostics: readonly Diagnostic[]): Promise<NoSession> {
    const left = await lock?.release();
    await store.close?.();
    const all = left == null ? diagnostics : [...diagnostics, left];
    return { ...endedSession({ environment, baseUrl }, all), checkout, state };
  }

  const unlessNoProject = (problems: readonly Diagnostic[]) =>
    noProject(directory, loaded, [files.project]) ?? [...found, ...problems];
  if (ground.isBroken) return refuse(...found);
  if (ground.unsafe !== null) return refuse(...unlessNoProject([ground.unsafe]));
  // Files with errors are not applied: then there is nothing to wait for.
  if (lockRequest !== null && !hasErrors(found)) {
    const locked = await lockTarget(world, ground, lockRequest);
    if (!locked.ok) return refuse(...locked.diagnostics, ...found);
    lock = locked.lock;
    // The run that was waited for may have applied what came due meanwhile.
    const waited = Math.max(world.now(), options.ahead ?? 0);
    const isDue = files.project.upcoming.some(({ at }) => Date.parse(at) <= waited);
    // They may have been edited since, and have errors now.
    if (isDue) ({ files, found } = await readAndCheck(world, ground, waited, options.verbose));
  }
  const memory = await loadSavedState(store);
  if (!memory.ok) return refuse(...unlessNoProject(memory.diagnostics));
  state = memory.state;
  const moved = [movedAway(store, memory, options.allow)].filter((each) => each !== null);
  if (hasErrors(moved)) return refuse(...unlessNoProject(moved));
  const mayFollow = isOnRunner(world) && (lock !== null || options.follows === true);
  const newer = mayFollow ? await appliedSince({ directory, state }, checkout, world.interrupted) : null;
  // What was announced is still sent on time, but from the files that were applied meanwhile.
  if (newer !== null && options.follows === true) {
    const closed = await refuse();
    if (hasErrors(closed.diagnostics)) return closed;
    writeLines(world.stderr, [`a newer commit was applied meanwhile: continuing with ${newer.slice(0, 12)}`]);
    return open(world, { ...given, revision: newer }, listener, lockRequest);
  }
  const behind = options.at === undefined ? timeLostByClock(files, state) : 0;
  if (behind > 0) ({ files, found } = await readAndCheck(world, ground, files.now + behind, options.verbose));
  const { project, now, reading } = files;
  const read = await loadBase(world, { ...options, now, like: reading }, environment, memory, hasErrors(found));
  const base = { ...read, guarded: read.guarded && atAddressesOfNow(read.guarded, project, state) };
  const recorded = hasRecord(memory.stored);
  // If something was applied from here, it is the right folder, even if all of its files were deleted since.
  const isEmpty = recorded ? null : noProject(directory, loaded, [project, base.project]);
  const remarks = isEmpty ?? withRemarksOnBase([...found, ...moved], state, project, base);
  if (hasErrors(remarks)) return refuse(...remarks);

  const { settings } = loaded;
  const projects = base.project === null ? [project] : [project, base.project];
  const reach = { directory, store, listener, memory, base, projects };
  const reached = await reachTarget(world, options, settings, environment, reach);
  if (!reached.ok) return refuse(...withProblemsOfTarget(remarks, reached.diagnostics));
  const { target, sink, concerns } = reached;
  return {
    ok: true,
    directory,
    environment,
    project,
    reading,
    base: base.project,
    comparedWith: base.comparedWith,
    guarded: base.guarded,
    guards: loosenedGuards(project, base.guarded),
    earlier: await projectOfLastRun(world, ground, files, state),
    now,
    sinceLast: base.sinceLast,
    baseRevision: base.revision,
    remarks: [...remarks, ...concerns, ...(lock === null ? [] : namedTwice(settings, environment))],
    target,
    baseUrl,
    store,
    state,
    recorded,
    sink,
    checkout,
    lock,
    async close() {
      const left = await lock?.release();
      return (await target.close()) ?? left ?? null;
    },
  };
}

/** The line that names the target, for people, when stdout is for programs. */
export function lineOfTarget(session: Session | NoSession): string {
  return session.ok ? session.target.line : targetLine(session.environment, session.baseUrl);
}

/** The service's clock once it has responded. */
export function serviceNow(world: World, session: Pick<Session, "target">): number {
  return session.target.client.serverDate?.getTime() ?? world.now();
}

/** What decides whether a key has expired: the service's clock, unless a clock was set. */
export function keyNow(world: World, session: Pick<Session, "target">): number {
  return world.env.TICKETING_NOW ? world.now() : serviceNow(world, session);
}
