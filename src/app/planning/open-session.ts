// What plan and apply have in common before the first look at the service: files, target, state.
import type { Environment } from "../../config/environment.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { Project, SecretSink } from "../../model/wish.ts";
import { targetLine } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import { openStore } from "../../state/open-store.ts";
import type { StateStore } from "../../state/store.ts";
import { currentRevision, runGit } from "../../system/git.ts";
import { readAgreement, sinkChanged } from "../session/guarded-settings.ts";
import { localDataProblem, storeSetup } from "../session/local-data.ts";
import { loadSavedState } from "../session/saved-state.ts";
import { exposedSink, sinkSettings } from "../session/secret-settings.ts";
import { noSuchFolder } from "../session/service-problem.ts";
import { type OpenTarget, openTarget, type TargetOptions } from "../session/target.ts";
import type { World } from "../world.ts";
import { loadWishes, type ResolvedBase } from "./load-wishes.ts";

/** The commit that the project's files are, to the byte; null outside git or with edits that are not committed. */
export async function committedRevision(directory: string): Promise<string | null> {
  const status = await runGit(directory, [
    "status",
    "--porcelain",
    "--untracked-files=normal",
    // A submodule has a configuration of its own, and git would run inside it.
    "--ignore-submodules=dirty",
    "--",
    ".",
  ]);
  if (!status.ok || status.output.length > 0) return null;
  return currentRevision(directory);
}

export interface SessionOptions extends TargetOptions {
  readonly base?: string;
  /** Whether it will be recorded which revision was applied. */
  readonly noteRevision?: boolean;
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
  /** Ids of live objects that recovery is to delete: to a plan they are not there. */
  readonly hidden?: ReadonlySet<string>;
  /** The commit that the files were when they were read; null where they were none, or where nobody asked. */
  readonly revision: string | null;
  close(): Promise<void>;
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
  const missing = noSuchFolder(world, options.directory);
  const asked = options.env ?? (world.env.TICKETING_ENV || "none");
  if (missing !== null) return { ok: false, environment: asked, baseUrl: "", diagnostics: [missing] };
  const revision = options.noteRevision === true ? await committedRevision(options.directory) : null;
  let store: StateStore | null = null;
  let state: State | null = null;
  let agreedRevision: string | null = null;
  const wishes = await loadWishes(world, options, async (environment, settings) => {
    const unsafe = await localDataProblem(options.directory);
    if (unsafe !== null) return { base: null, diagnostics: [unsafe] };
    store = openStore(settings.state, storeSetup(world, options.directory, environment));
    const loaded = await loadSavedState(store);
    if (!loaded.ok) return { base: null, diagnostics: [loaded.diagnostic] };
    state = loaded.state;
    const resolved = resolveBase(options.base, state);
    if (loaded.unverified === null) {
      agreedRevision = options.base === "last" ? null : (state?.appliedRevision ?? null);
      return resolved;
    }
    // What cannot be verified is good for showing a plan: no write rests on it, and it is no record of ours.
    const remark: Diagnostic = { ...loaded.unverified, severity: "warning" };
    return { base: resolved.base, diagnostics: [...resolved.diagnostics, remark] };
  });
  const { environment, project } = wishes;
  const name = environment?.name ?? asked;
  const baseUrl = environment === null ? "" : (environment.baseUrl ?? embedded);
  if (environment === null || project === null || store === null || hasErrors(wishes.diagnostics)) {
    return { ok: false, environment: name, baseUrl, diagnostics: wishes.diagnostics };
  }
  const { settings } = project;
  const isOwnRecord = options.base === "last";
  const agreement = await readAgreement(world, settings, environment, {
    directory: options.directory,
    baseGiven: options.base !== undefined,
    read: wishes.agreed === null ? [] : [wishes.agreed],
    namedBase: wishes.agreed?.found === true && !isOwnRecord ? (options.base ?? null) : null,
    appliedRevision: agreedRevision,
  });
  const sink = sinkSettings(settings, environment);
  const concerns = [
    sinkChanged(world, settings, environment, agreement),
    await exposedSink(options.directory, sink),
  ].filter((concern) => concern !== null);
  const remarks = [...wishes.diagnostics, ...concerns];
  const target = hasErrors(concerns) ? [] : await openTarget(world, options, settings, listener, agreement);
  if (Array.isArray(target)) return { ok: false, environment: name, baseUrl, diagnostics: [...remarks, ...target] };
  const opened = target as OpenTarget;
  return {
    ok: true,
    directory: options.directory,
    environment,
    project,
    base: wishes.base,
    baseRevision: wishes.baseRevision,
    remarks,
    target: opened,
    baseUrl,
    store,
    state,
    sink,
    revision,
    close: () => opened.close(),
  };
}

const embedded = "embedded";

/** The target for people, where what is printed is for programs. */
export function lineOfTarget(session: Session | NoSession): string {
  return session.ok ? session.target.line : targetLine(session.environment, session.baseUrl);
}

/** `last`: the revision that was last applied in full; without such a record everything is planned. */
function resolveBase(base: string | undefined, state: State | null): ResolvedBase {
  if (base !== "last") return { base: base ?? null, diagnostics: [] };
  const revision = state?.appliedRevision ?? null;
  if (revision !== null) return { base: revision, isOwnRecord: true, diagnostics: [] };
  return {
    base: null,
    diagnostics: [
      {
        code: "no-last-revision",
        severity: "info",
        message: "State holds no revision that was applied in full, so everything is planned.",
      },
    ],
  };
}

/** The service's own clock, once it has answered: whether a key has expired is for it to say. */
export function clockOf(world: World, session: Pick<Session, "target">): number {
  return session.target.client.serverDate?.getTime() ?? world.now();
}
