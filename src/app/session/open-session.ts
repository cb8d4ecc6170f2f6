// What plan and apply share before the first call to the service: settings, environment, files, state, base, key, target.
import { chooseEnvironment, type Environment } from "../../config/environment.ts";
import { diskFiles, type GitFiles, mergedFiles } from "../../config/files.ts";
import { type LoadedSettings, loadProject, loadSettings, startReading } from "../../config/project.ts";
import { lint, sortDiagnostics } from "../../lint/lint.ts";
import { type Diagnostic, errorOf, failed, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { Project, SecretSink, Wish } from "../../model/wish.ts";
import { targetLine } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import type { Lock, LockResult, StateStore } from "../../state/store.ts";
import type { World } from "../world.ts";
import { type Checkout, readCheckout } from "./checkout.ts";
import { type LockRequest, localDataProblem, openEnvironmentStore, takeLock } from "./environment-store.ts";
import { readAgreement, sinkChanged } from "./guarded-settings.ts";
import { loadBase, timeOfLastRun } from "./load-base.ts";
import { plannedAsOf, readMoment } from "./read-moment.ts";
import { noSuchFolder } from "./report-problems.ts";
import { loadSavedState } from "./saved-state.ts";
import { exposedSink, sinkSettings } from "./secrets.ts";
import { type OpenTarget, openTarget, sandboxMismatch, type TargetOptions } from "./target.ts";

export interface SessionOptions extends TargetOptions {
  /** A git revision, or `last`: the one that was last applied in full. */
  readonly base?: string;
  /** A git revision, in place of a base: the files are those that merging the checkout into it would make. */
  readonly mergeInto?: string;
  /** The time that is planned for. */
  readonly at?: string;
  /** An instant to come that is planned ahead, and waited for before the first write. */
  readonly ahead?: number;
}

/** Everything is at hand; no call was made yet. */
export interface Session {
  readonly ok: true;
  readonly directory: string;
  readonly environment: Environment;
  readonly project: Project;
  /** What differs from it is planned; null: everything is. */
  readonly base: Project | null;
  /** What the checkout itself has changed is told by it: the revision that was named, while `base` is older. null: nothing tells. */
  readonly comparedWith: Project | null;
  /** The same files at the time of the last run, if they change with time. */
  readonly earlier?: Project | null;
  /** The time that is planned for, and that the files were read for. */
  readonly now: number;
  /** The base holds all that state records as applied, and not more. */
  readonly sinceLast: boolean;
  /** The commit that the base is. */
  readonly baseRevision?: string | null;
  readonly remarks: readonly Diagnostic[];
  readonly target: OpenTarget;
  /** The address as plans name it: the embedded service has another port each time. */
  readonly baseUrl: string;
  readonly store: StateStore;
  readonly state: State | null;
  readonly sink: SecretSink | null;
  /** Ids of live objects that recovery is to delete: a plan does not see them. */
  readonly hidden?: ReadonlySet<string>;
  /** What was checked out before the files were read; null: outside git. */
  readonly checkout: Checkout | null;
  /** Releases the lock too. */
  /** Documents that git shows as deleted, where nothing records what was applied. */
  readonly deleted?: readonly Wish[];
  close(): Promise<void>;
}

export interface LockedSession extends Session {
  readonly lock: Lock;
}

export interface NoSession {
  readonly ok: false;
  readonly environment: string;
  readonly baseUrl: string;
  readonly diagnostics: readonly Diagnostic[];
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
  let lock: Lock | null = null;
  const session = await open(world, options, listener, async (store, environment, checkout) => {
    const mismatch = sandboxMismatch(world, environment);
    const locked = mismatch === null ? await takeLock(world, store, options, checkout) : failed(mismatch);
    if (locked.ok) lock = locked.lock;
    return locked;
  });
  if (!session.ok || lock === null) return session as NoSession;
  return { ...session, lock };
}

type TakeLock = (store: StateStore, environment: Environment, checkout: Checkout | null) => Promise<LockResult>;

async function open(
  world: World,
  given: SessionOptions,
  listener: Listener,
  lockStore: TakeLock | null,
): Promise<Session | NoSession> {
  const { directory, mergeInto } = given;
  const options = mergeInto === undefined ? given : { ...given, base: mergeInto };
  const asked = options.env ?? (world.env.TICKETING_ENV || "none");
  const missing = noSuchFolder(world, directory);
  if (missing !== null) return { ok: false, environment: asked, baseUrl: "", diagnostics: [missing] };
  const merged = mergeInto === undefined ? null : await readMerged(given, mergeInto);
  if (merged?.ok === false) return { ok: false, environment: asked, baseUrl: "", diagnostics: merged.diagnostics };
  const files = merged?.files ?? diskFiles(directory, { compared: options.base !== undefined });
  const loaded = await loadSettings(files);
  const { settings } = loaded;
  const chosen = chooseEnvironment(settings, { flagEnv: options.env, flagBaseUrl: options.baseUrl, env: world.env });
  if (!chosen.ok) {
    const diagnostics = withoutTwice([...loaded.diagnostics, ...chosen.diagnostics]);
    return { ok: false, environment: asked, baseUrl: "", diagnostics };
  }
  const { environment } = chosen;
  const baseUrl = environment.baseUrl ?? "embedded";
  const refused = { ok: false, environment: environment.name, baseUrl } as const;

  const moment = options.at === undefined ? null : await readMoment(options.at, settings);
  if (moment?.ok === false) return { ...refused, diagnostics: moment.diagnostics };
  const { ahead = 0 } = options;
  let now = moment?.instant ?? Math.max(world.now(), ahead);
  const store = openEnvironmentStore(world, directory, settings.state, environment);
  store.prepare?.();
  const checkout = await readCheckout(directory, settings);
  const reread = { environment, env: world.env, loaded };
  let reading = startReading(files, now);
  let project = await loadProject(files, { ...reread, now, reading });
  const linted = lint(project, { now, environment: environment.name });
  // Info is only for the curious and would crowd a plan; but what was accepted and is not any more may block it.
  const found = sortDiagnostics([...project.diagnostics, ...linted]).filter(
    ({ severity, code }) => severity !== "info" || options.verbose || code === "allow-expired",
  );
  if (merged !== null && checkout?.dirty === true) found.push(notCommitted(merged.commit));
  if (moment !== null) found.push(plannedAsOf(now, settings));
  const unsafe = await localDataProblem(directory);
  let lock: Lock | null = null;

  async function refuse(...diagnostics: readonly Diagnostic[]): Promise<NoSession> {
    await lock?.release();
    await store.close?.();
    return { ...refused, diagnostics };
  }

  if (unsafe !== null) return refuse(...(noProject(directory, loaded, [project]) ?? [...found, unsafe]));
  // Files with errors are not applied: then there is nothing to wait for.
  if (lockStore !== null && !hasErrors(found)) {
    const locked = await lockStore(store, environment, checkout);
    if (!locked.ok) return refuse(...locked.diagnostics, ...found);
    lock = locked.lock;
    // The run that was waited for may have applied what came due meanwhile.
    const waited = Math.max(world.now(), ahead);
    if (project.upcoming.some(({ at }) => Date.parse(at) <= waited)) {
      now = waited;
      reading = startReading(files, now);
      project = await loadProject(files, { ...reread, now, reading });
    }
  }
  const memory = await loadSavedState(store);
  if (!memory.ok) return refuse(...(noProject(directory, loaded, [project]) ?? [...found, ...memory.diagnostics]));
  const base = await loadBase(world, { ...options, now, like: reading }, environment, memory, hasErrors(found));
  const remarks = noProject(directory, loaded, [project, base.project]) ?? [...found, ...base.diagnostics];
  if (hasErrors(remarks)) return refuse(...remarks);

  const isLast = options.base === "last";
  const agreement = await readAgreement(world, settings, environment, {
    directory,
    baseGiven: options.base !== undefined,
    read: base.agreed === null ? [] : [base.agreed],
    namedBase: base.agreed?.found === true && !isLast ? (options.base ?? null) : null,
    appliedRevision:
      (isLast && base.agreed !== null) || memory.unverified !== null ? null : (memory.state?.appliedRevision ?? null),
  });
  const sink = sinkSettings(settings, environment);
  const concerns = [sinkChanged(world, settings, environment, agreement), await exposedSink(directory, sink)].filter(
    (concern) => concern !== null,
  );
  const all = [...remarks, ...concerns];
  if (hasErrors(concerns)) return refuse(...all);
  const target = await openTarget(world, options, settings, {
    listener,
    agreement,
    store,
    projects: base.project === null ? [project] : [project, base.project],
  });
  if (!target.ok) return refuse(...all, ...target.diagnostics);
  const appliedAt = timeOfLastRun(memory.state);
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
    remarks: all,
    target,
    baseUrl,
    store,
    state: memory.state,
    sink,
    checkout,
    async close() {
      await lock?.release();
      await target.close();
    },
  };
}

async function readMerged({ directory, base }: SessionOptions, mergeInto: string): Promise<GitFiles> {
  if (base === undefined) return mergedFiles(directory, mergeInto);
  const hint = "Leave out --base: a plan of the merge is compared with the revision that is merged into.";
  return failed(errorOf("bad-option", "--merge-into and --base exclude each other.", hint));
}

function notCommitted(commit: string): Diagnostic {
  return {
    code: "not-committed",
    severity: "warning",
    message: `The plan is of the commit that is checked out, merged into ${commit.slice(0, 12)}: edits that are not committed are not in it.`,
    hint: "Commit them, or plan without --merge-into.",
  };
}

/** A default environment that does not exist is an error of the file and of the choice. */
function withoutTwice(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const nameOf = ({ code, message }: Diagnostic) => `${code} ${message}`;
  const names = diagnostics.map(nameOf);
  return diagnostics.filter((one, index) => names.indexOf(nameOf(one)) === index);
}

/**
 * A folder without a project file and without a document is most likely the wrong folder: nothing to do there is no success.
 * If the base had documents, it is the right one, and all of them were removed.
 */
function noProject(
  directory: string,
  loaded: LoadedSettings,
  projects: readonly (Project | null)[],
): readonly Diagnostic[] | null {
  const isEmpty = projects.every((each) => each === null || each.events.length + each.webhooks.length === 0);
  if (loaded.found || !isEmpty || hasErrors(projects[0]?.diagnostics ?? [])) return null;
  return [
    errorOf(
      "no-project",
      `There is no project in ${directory}: no ticketing.yaml and no event files.`,
      "Go to the project's folder or name it with -C; `ticketing init` creates a new one.",
    ),
  ];
}

/** The target for people, where what is printed is for programs. */
export function lineOfTarget(session: Session | NoSession): string {
  return session.ok ? session.target.line : targetLine(session.environment, session.baseUrl);
}

/** The service's own clock, once it has answered: whether a key has expired is for it to say. */
export function serviceNow(world: World, session: Pick<Session, "target">): number {
  return session.target.client.serverDate?.getTime() ?? world.now();
}
