// What plan and apply share before the first call to the service: settings, environment, files, state, base, key, target.
import { chooseEnvironment, type Environment } from "../../config/environment.ts";
import { diskFiles, gitFiles } from "../../config/files.ts";
import { type LoadedSettings, loadProject, loadSettings } from "../../config/project.ts";
import { lint, sortDiagnostics } from "../../lint/lint.ts";
import { type Diagnostic, errorOf, failed, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { Project, SecretSink, Wish } from "../../model/wish.ts";
import { targetLine } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import type { Lock, LockResult, StateStore } from "../../state/store.ts";
import { type Checkout, readCheckout } from "../order/checkout.ts";
import type { World } from "../world.ts";
import { type Agreed, readAgreement, sinkChanged } from "./guarded-settings.ts";
import { localDataProblem, openEnvironmentStore } from "./local-data.ts";
import { loadSavedState, type SavedState } from "./saved-state.ts";
import { exposedSink, sinkSettings } from "./secrets.ts";
import { noSuchFolder } from "./service-problem.ts";
import { type LockRequest, takeLock } from "./take-lock.ts";
import { type OpenTarget, openTarget, sandboxMismatch, type TargetOptions } from "./target.ts";

export interface SessionOptions extends TargetOptions {
  /** A git revision, or `last`: the one that was last applied in full. */
  readonly base?: string;
}

/** Everything is at hand; no call was made yet. */
export interface Session {
  readonly ok: true;
  readonly directory: string;
  readonly environment: Environment;
  readonly project: Project;
  readonly base: Project | null;
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
  const session = await open(world, options, listener, async (store, environment) => {
    const mismatch = sandboxMismatch(world, environment);
    const locked = mismatch === null ? await takeLock(world, store, options) : failed(mismatch);
    if (locked.ok) lock = locked.lock;
    return locked;
  });
  if (!session.ok || lock === null) return session as NoSession;
  return { ...session, lock };
}

type TakeLock = (store: StateStore, environment: Environment) => Promise<LockResult>;

async function open(
  world: World,
  options: SessionOptions,
  listener: Listener,
  lockStore: TakeLock | null,
): Promise<Session | NoSession> {
  const { directory } = options;
  const asked = options.env ?? (world.env.TICKETING_ENV || "none");
  const missing = noSuchFolder(world, directory);
  if (missing !== null) return { ok: false, environment: asked, baseUrl: "", diagnostics: [missing] };
  const files = diskFiles(directory);
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

  const checkout = await readCheckout(directory, settings);
  const project = await loadProject(files, { environment, env: world.env, loaded });
  const linted = lint(project, { now: world.now(), environment: environment.name });
  // Info is only for the curious and would crowd a plan.
  const found = sortDiagnostics([...project.diagnostics, ...linted]).filter(
    ({ severity }) => severity !== "info" || options.verbose,
  );
  const unsafe = await localDataProblem(directory);
  if (unsafe !== null) {
    return { ...refused, diagnostics: noProject(directory, loaded, [project]) ?? [...found, unsafe] };
  }
  const store = openEnvironmentStore(world, directory, settings.state, environment);
  let lock: Lock | null = null;

  async function refuse(...diagnostics: readonly Diagnostic[]): Promise<NoSession> {
    await lock?.release();
    await store.close?.();
    return { ...refused, diagnostics };
  }

  // Files with errors are not applied: then nobody has to wait for that.
  if (lockStore !== null && !hasErrors(found)) {
    const locked = await lockStore(store, environment);
    if (!locked.ok) return refuse(...locked.diagnostics, ...found);
    lock = locked.lock;
  }
  const memory = await loadSavedState(store);
  if (!memory.ok) return refuse(...(noProject(directory, loaded, [project]) ?? [...found, ...memory.diagnostics]));
  const base = await loadBase(world, options, environment, memory, hasErrors(found));
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
  const target = await openTarget(world, options, settings, listener, agreement, store);
  if (!target.ok) return refuse(...all, ...target.diagnostics);
  return {
    ok: true,
    directory,
    environment,
    project,
    base: base.project,
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

interface LoadedBase {
  /** null: no base was asked for, or it cannot be read. */
  readonly project: Project | null;
  readonly revision: string | null;
  /** The project file at the base. */
  readonly agreed: Agreed | null;
  readonly diagnostics: readonly Diagnostic[];
}

async function loadBase(
  world: World,
  { base, directory }: SessionOptions,
  environment: Environment,
  { state, unverified }: SavedState,
  filesAreBroken: boolean,
): Promise<LoadedBase> {
  const isLast = base === "last";
  const wasDirty = state?.lastRun?.dirty === true;
  const last = wasDirty ? null : (state?.appliedRevision ?? null);
  const revision = isLast ? last : (base ?? null);
  const why = wasDirty
    ? "The last run applied files that were not committed"
    : "State records no fully applied revision";
  const diagnostics: readonly Diagnostic[] = [
    ...(isLast && revision === null ? [fromStart(why)] : []),
    // Unverified data is good enough to show a plan: no write depends on it.
    ...(unverified === null ? [] : [{ ...unverified, severity: "warning" as const }]),
  ];
  const none: LoadedBase = { project: null, revision: null, agreed: null, diagnostics };
  if (revision === null || filesAreBroken) return none;
  const found = await gitFiles(directory, revision);
  if (!found.ok) {
    const isLost = isLast && found.diagnostics.some(({ code }) => code === "unknown-revision");
    const lost = fromStart(`Git does not have ${revision.slice(0, 12)}, which was applied last`);
    return { ...none, diagnostics: [...diagnostics, ...(isLost ? [lost] : found.diagnostics)] };
  }
  const loaded = await loadSettings(found.files);
  const project = await loadProject(found.files, { environment, env: world.env, loaded });
  const isOwnRecord = isLast && unverified === null;
  const where = isOwnRecord ? "at the revision that was applied last" : "at the base revision";
  return {
    project,
    revision: found.commit,
    agreed: { where, settings: loaded.settings, found: loaded.found },
    diagnostics: [...diagnostics, ...brokenBase(project, revision)],
  };
}

/** Why `--base last` has nothing to start from. */
function fromStart(why: string): Diagnostic {
  return { code: "no-last-revision", severity: "info", message: `${why}, so everything is planned.` };
}

/** A base with errors may hide what was there; its documents are still good for what they say. */
function brokenBase(base: Project, revision: string): readonly Diagnostic[] {
  const errors = base.diagnostics.filter((one) => one.severity === "error").length;
  if (errors === 0) return [];
  return [
    {
      code: "base-has-errors",
      severity: "warning",
      message: `The files at ${revision} have ${errors} ${errors === 1 ? "error" : "errors"}, so what they describe is only partly known.`,
      hint: "Choose a revision that validates, or plan without --base.",
    },
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
