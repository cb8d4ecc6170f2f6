// What plan and apply have in common before the first look at the service: files, target, state.
import { join } from "node:path";
import type { Environment } from "../../config/choose-environment.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Project } from "../../model/project.ts";
import type { SecretSink } from "../../model/settings.ts";
import type { State } from "../../model/state.ts";
import type { Listener } from "../../service/listener.ts";
import { openStore } from "../../state/open-store.ts";
import type { StateStore } from "../../state/state-store.ts";
import { committedRevision } from "../applying/applied-revision.ts";
import { loadMemory } from "../applying/memory.ts";
import { noSuchFolder } from "../no-such-folder.ts";
import { type OpenTarget, openTarget, type TargetOptions } from "../target.ts";
import type { World } from "../world.ts";
import { loadWishes, type ResolvedBase } from "./load-wishes.ts";

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
  readonly remarks: readonly Diagnostic[];
  readonly target: OpenTarget;
  /** The address as plans name it: the embedded service has another port each time. */
  readonly baseUrl: string;
  readonly store: StateStore;
  readonly state: State | null;
  readonly sink: SecretSink | null;
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
  if (missing !== null) {
    return { ok: false, environment: options.env ?? "default", baseUrl: "", diagnostics: [missing] };
  }
  const revision = options.noteRevision === true ? await committedRevision(options.directory) : null;
  let store: StateStore | null = null;
  let state: State | null = null;
  const wishes = await loadWishes(world, options, async (environment, settings) => {
    const opened = openStore(settings.state, { directory: options.directory, environment: environment.name });
    if (!opened.ok) return { base: null, diagnostics: [opened.diagnostic] };
    store = opened.store;
    const loaded = await loadMemory(store);
    if (!loaded.ok) return { base: null, diagnostics: [loaded.diagnostic] };
    state = loaded.state;
    return resolveBase(options.base, state);
  });
  const { environment, project } = wishes;
  const name = environment?.name ?? options.env ?? "default";
  const baseUrl = environment === null ? "" : (environment.baseUrl ?? embedded);
  if (environment === null || project === null || store === null || hasErrors(wishes.diagnostics)) {
    return { ok: false, environment: name, baseUrl, diagnostics: wishes.diagnostics };
  }
  const target = await openTarget(world, options, project.settings, listener);
  if (Array.isArray(target))
    return { ok: false, environment: name, baseUrl, diagnostics: [...wishes.diagnostics, ...target] };
  const opened = target as OpenTarget;
  return {
    ok: true,
    directory: options.directory,
    environment,
    project,
    base: wishes.base,
    remarks: wishes.diagnostics,
    target: opened,
    baseUrl,
    store,
    state,
    sink:
      project.settings.secrets ??
      (environment.baseUrl === null ? { sink: "file", path: join(".ticketing", "secrets.json") } : null),
    revision,
    close: () => opened.close(),
  };
}

const embedded = "embedded";

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
