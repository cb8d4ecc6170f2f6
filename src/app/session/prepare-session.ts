// Settings, environment, time, state and checkout: what a session needs, and what may be wrong with it.
import type { Environment } from "../../config/environment.ts";
import { diskFiles, gitFiles } from "../../config/files.ts";
import { loadSettings } from "../../config/project.ts";
import { readMoment } from "../../config/time.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { formatMoment } from "../../model/time.ts";
import type { Settings } from "../../model/wish.ts";
import type { World } from "../world.ts";
import { type Checkout, notCommitted, readCheckout, readMerged } from "./checkout.ts";
import { localDataProblem, openEnvironmentStore } from "./environment-store.ts";
import { noSuchFolder } from "./report-problems.ts";
import { chooseTarget, type TargetOptions } from "./target.ts";

export interface SessionFlags extends TargetOptions {
  /** A git revision, or `last`: the one that was last applied in full. */
  readonly base?: string;
  /** A git revision, in place of a base: the files are those that merging the checkout into it would make. */
  readonly mergeInto?: string;
  /** The time that is planned for. */
  readonly at?: string;
  readonly allow?: readonly string[];
}

/** The same, with what a run that waits for phases adds. */
export interface SessionOptions extends SessionFlags {
  /** A commit whose files are read in place of those in the work tree. */
  readonly revision?: string;
  /** An instant to come that is planned ahead, and waited for before the first write. */
  readonly ahead?: number;
  /** A job that waits for phases, or looks for drift, uses the newer commit if one was applied since it started. */
  readonly follows?: boolean;
}

export interface NoSession {
  readonly ok: false;
  readonly environment: string;
  readonly baseUrl: string;
  readonly diagnostics: readonly Diagnostic[];
  /** As in a session, as far as it was read. */
  readonly checkout?: Checkout | null;
  readonly state?: State | null;
}

/** No session, and no environment chosen. */
export function unopened(world: World, { env }: TargetOptions, diagnostics: readonly Diagnostic[]): NoSession {
  return { ok: false, environment: env ?? (world.env.TICKETING_ENV || "none"), baseUrl: "", diagnostics };
}

/** No session with the environment that was chosen. */
export function endedSession(
  { environment, baseUrl }: { readonly environment: Environment; readonly baseUrl: string },
  diagnostics: readonly Diagnostic[],
): NoSession {
  return { ok: false, environment: environment.name, baseUrl, diagnostics };
}

export type Ground = Extract<Awaited<ReturnType<typeof prepareSession>>, { readonly ok: true }>;

/** `options` are those that were given, with what is merged into as the base. */
export async function prepareSession(world: World, given: SessionOptions, options: SessionOptions) {
  const { directory, mergeInto } = given;
  const refuse = (diagnostics: readonly Diagnostic[]) => unopened(world, options, diagnostics);
  const missing = noSuchFolder(world, directory);
  if (missing !== null) return refuse([missing]);
  const merged = mergeInto === undefined ? null : await readMerged(directory, given.base, mergeInto);
  if (merged?.ok === false) return refuse(merged.diagnostics);
  const pinned = given.revision === undefined ? null : await gitFiles(directory, given.revision);
  if (pinned?.ok === false) return refuse(pinned.diagnostics);
  const files = (merged ?? pinned)?.files ?? diskFiles(directory, { compared: options.base !== undefined });
  const loaded = await loadSettings(files);
  const { settings } = loaded;
  const chosen = chooseTarget(world, options, settings);
  if (!chosen.ok) return refuse(withoutTwice([...loaded.diagnostics, ...chosen.diagnostics]));
  const { environment } = chosen;
  const baseUrl = environment.baseUrl ?? "embedded";
  const moment = options.at === undefined ? null : await readMoment(options.at, settings);
  if (moment?.ok === false) return endedSession({ environment, baseUrl }, moment.diagnostics);
  const now = moment?.instant ?? Math.max(world.now(), options.ahead ?? 0);
  const store = openEnvironmentStore(world, directory, settings.state, environment);
  const isBroken = hasErrors(loaded.diagnostics);
  if (!isBroken) store.prepare?.();
  const committed: Checkout | null = pinned && { revision: pinned.commit, dirty: false, pinned: true };
  const checkout = isBroken ? null : (committed ?? (await readCheckout(directory, settings)));
  return {
    ok: true as const,
    files,
    loaded,
    environment,
    baseUrl,
    now,
    store,
    checkout,
    /** Whether the project file has errors. Then neither git nor state is read, and only problems of the files are reported. */
    isBroken,
    /** Why local data cannot be kept in the folder. */
    unsafe: isBroken ? null : await localDataProblem(directory),
    remarks: [
      ...(merged !== null && checkout?.dirty === true ? [notCommitted(merged.commit)] : []),
      ...(moment === null ? [] : [plannedAsOf(now, settings)]),
    ],
  };
}

function plannedAsOf(instant: number, { timezone }: Pick<Settings, "timezone">): Diagnostic {
  const message = `This is the plan for ${formatMoment(instant, timezone)}, not for now: it cannot be applied.`;
  return { code: "not-as-of-now", severity: "info", message };
}

/** A default environment that does not exist is an error of the file and of the choice. */
export function withoutTwice(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const nameOf = ({ code, message }: Diagnostic) => `${code} ${message}`;
  const names = diagnostics.map(nameOf);
  return diagnostics.filter((one, index) => names.indexOf(nameOf(one)) === index);
}
