// From flags, variables and the project file to a service that is ready for calls.
import { join } from "node:path";
import { type ChosenEnvironment, chooseEnvironment, type Environment, sandboxName } from "../../config/environment.ts";
import { diskFiles } from "../../config/files.ts";
import { type LoadedSettings, loadProject, loadSettings } from "../../config/project.ts";
import { attempt, type Diagnostic, errorOf, type Fallible, failed, hasErrors } from "../../model/diagnostic.ts";
import type { Project, SecretSink, Settings } from "../../model/wish.ts";
import { targetLine } from "../../report/text.ts";
import type { NamedVenue, ServiceOptions } from "../../sandbox/index.ts";
import type { Listener } from "../../service/calls.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { StateStore } from "../../state/store.ts";
import type { CommonOptions, World } from "../world.ts";
import { localDataProblem, openEnvironmentStore } from "./environment-store.ts";
import {
  type Agreement,
  addressChanged,
  readAgreement,
  sendsKeyByFile,
  sinkChanged,
  withoutBase,
} from "./guarded-settings.ts";
import type { LoadedBase } from "./load-base.ts";
import { reportCalls, reportProblems } from "./report-problems.ts";
import type { SavedState } from "./saved-state.ts";
import { exposedSink, keepStored, sinkSettings } from "./secret-sink.ts";

/** The sandbox of a project: the one that already serves its data, or one inside this command. */
async function openSandbox(
  world: World,
  directory: string,
  organization: string | null,
  projects: readonly Project[] | undefined,
): Promise<Fallible<ServicePlace>> {
  const { joinSandbox } = await import("../../sandbox/index.ts");
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  const joined = await attempt(async () =>
    joinSandbox({
      dataFile,
      organization: { slug: organization ?? "sandbox" },
      venues: venuesNamedIn(projects ?? [await loadForSandbox(world, directory)]),
      // In the sandbox, receivers on this machine may use http, and ids of venues imported from another service are accepted.
      profile: "httpLoopback=accepted,venueIds=any",
      now: () => world.now(),
    }),
  );
  return joined.ok ? { ok: true, ...joined.value } : joined;
}

export interface TargetOptions extends CommonOptions {
  readonly parallelism?: number;
  /** In seconds. */
  readonly maxWait?: number;
  readonly tier?: "free" | "pro" | "enterprise";
  /** A command of `ticketing ci`, which refuses the sandbox. */
  readonly inJob?: boolean;
}

export interface OpenTarget {
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly client: TicketingClient;
  readonly store: StateStore;
  /** Names the target to people: the first line of every text. */
  readonly line: string;
  /** Closes the connections, the sandbox if this command started it, and the store; returns what could not be written */
  close(): Promise<Diagnostic | null>;
}

/** The environment a command is for. As a side effect, advice names that environment from now on. */
export function chooseTarget(
  world: World,
  { env: flagEnv, baseUrl: flagBaseUrl }: { readonly env?: string | undefined; readonly baseUrl?: string | undefined },
  settings: Settings,
): ChosenEnvironment {
  const chosen = chooseEnvironment(settings, { flagEnv, flagBaseUrl, env: world.env });
  if (chosen.ok && world.advice !== undefined) {
    const { name } = chosen.environment;
    const flags = flagsTo(world, chosen.environment, settings, flagBaseUrl);
    // A job that has the URL from a variable knows no environment of that name.
    const inJob = flags.length > 0 || chosen.environment.chosenBy === "base-url" ? flags : ["--env", name];
    // Only in the sandbox, an id that it does not have pins nothing.
    const hasOthers = Object.keys(settings.environments).some((each) => each !== name && each !== sandboxName);
    world.advice.target = { flags, inJob, pin: hasOthers ? name : null };
  }
  return chosen;
}

function flagsTo(
  world: World,
  { name, baseUrl, chosenBy }: Environment,
  settings: Settings,
  flagBaseUrl: string | undefined,
): readonly string[] {
  const isReached = (env: World["env"]) => {
    const bare = chooseEnvironment(settings, { env });
    const isSame = bare.ok && bare.environment.name === name && bare.environment.baseUrl === baseUrl;
    return isSame && sandboxMismatch({ env }, bare.environment) === null;
  };
  const address = flagBaseUrl === undefined ? [] : ["--base-url", flagBaseUrl];
  if (chosenBy === "base-url") return address;
  const isDefault = chosenBy === "default" || chosenBy === "sandbox-by-default";
  // Readers of a comment or a saved plan have different variables than the run that made it.
  return isDefault || [world.env, {}].every(isReached) ? [] : ["--env", name, ...address];
}

/** What is known already where a target is opened. */
export interface TargetContext {
  readonly listener?: Listener;
  /** What the URL in the file is compared with; "typed": it was just entered. */
  readonly agreement?: Agreement | "typed";
  /** The target closes it. */
  readonly store?: StateStore;
  /** The files as they were read: the sandbox knows the venues that they name. */
  readonly projects?: readonly Project[];
}

export interface ReachContext extends Pick<TargetContext, "listener" | "projects"> {
  readonly directory: string;
  readonly store: StateStore;
  readonly memory: SavedState;
  /** null: none was asked for. */
  readonly base: Pick<LoadedBase, "agreed"> | null;
}

export interface ReachedTarget {
  readonly target: OpenTarget;
  /** Where the secrets of webhooks go; null: nowhere. */
  readonly sink: SecretSink | null;
  /** Remarks on a changed sink. */
  readonly concerns: readonly Diagnostic[];
}

/** The service to call, once it is certain that the key and the secrets may be sent where the files say. Makes no call. */
export async function reachTarget(
  world: World,
  options: TargetOptions & { readonly base?: string },
  settings: Settings,
  environment: Environment,
  { directory, memory, base, ...context }: ReachContext,
): Promise<Fallible<ReachedTarget>> {
  const agreed = base?.agreed ?? null;
  const isLast = options.base === "last";
  const agreement = await readAgreement(world, settings, environment, {
    directory,
    baseGiven: options.base !== undefined,
    read: agreed === null ? [] : [agreed],
    namedBase: agreed?.found === true && !isLast ? (options.base ?? null) : null,
    appliedRevision:
      (isLast && agreed !== null) || memory.unverified !== null ? null : (memory.state?.appliedRevision ?? null),
  });
  const sink = sinkSettings(settings, environment);
  const concerns = [sinkChanged(world, settings, environment, agreement), await exposedSink(directory, sink)].filter(
    (concern) => concern !== null,
  );
  if (hasErrors(concerns)) return failed(...concerns);
  const target = await openTarget(world, options, settings, environment, { ...context, agreement });
  return target.ok ? { ok: true, target, sink, concerns } : failed(...concerns, ...target.diagnostics);
}

/** The service to call. No call is made yet. */
export async function openTarget(
  world: World,
  options: TargetOptions,
  settings: Settings,
  environment: Environment,
  { listener = {}, agreement, store: opened, projects }: TargetContext = {},
): Promise<Fallible<OpenTarget>> {
  if (environment.baseUrl !== null && world.env.GITHUB_EVENT_NAME === "pull_request_target")
    return failed(
      errorOf(
        "pull-request-target",
        "This job runs on `pull_request_target`: it has the repository's secrets while it works on what anyone can put into a pull request, so no key is used.",
        "Run it on `pull_request`, as the workflow that `ticketing init --ci github` writes does; pull requests from forks then get `validate` only.",
      ),
    );
  if (agreement !== "typed" && sendsKeyByFile(world, settings, environment)) {
    const known = agreement ?? (await readAgreement(world, settings, environment, withoutBase(options.directory)));
    const changed = addressChanged(world, settings, environment, known);
    if (changed.length > 0) return failed(...changed);
  }
  const place =
    environment.baseUrl === null
      ? await openSandbox(world, options.directory, settings.organization, projects)
      : withKey(world, environment, environment.baseUrl, insteadOfKey(options, agreement === "typed"));
  if (!place.ok) return place;
  await keepStored(world, options.directory, sinkSettings(settings, environment));
  const { TicketingClient } = await import("../../service/client.ts");
  const isEmbedded = environment.baseUrl === null;
  const store = opened ?? openEnvironmentStore(world, options.directory, settings.state, environment);
  const client = new TicketingClient({
    baseUrl: place.baseUrl,
    apiKey: place.apiKey,
    secrets: world.secrets?.kept,
    keyOrigin: isEmbedded ? undefined : `the variable ${environment.apiKeyEnv} (environment "${environment.name}")`,
    env: world.env,
    signal: world.interrupted,
    // If the time is set, two runs must print the same.
    stopwatch: world.now,
    timeouts: world.timeouts,
    listener: reportCalls(world, options.verbose, listener),
    concurrency: options.parallelism,
    maxWaitSeconds: options.maxWait,
    tier: options.tier,
    // The sandbox starts over with each command, and so do its limits.
    ledger: isEmbedded ? undefined : store.pace,
    guard: store.guard,
  });
  return {
    ok: true,
    environment,
    baseUrl: place.baseUrl,
    client,
    store,
    line: targetLine(environment.name, environment.baseUrl === null ? null : place.baseUrl),
    async close() {
      await client.close();
      await place.close();
      return (await store.close?.()) ?? null;
    },
  };
}

/** Where calls go, and the key that lets them in. */
interface ServicePlace {
  readonly baseUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** What else helps those who have no key; `isTyped`: the URL was just entered. */
function insteadOfKey({ inJob, baseUrl }: TargetOptions, isTyped: boolean): string {
  if (inJob === true) return "";
  return `, or try it without one: --env sandbox${isTyped || baseUrl !== undefined ? " instead of --base-url" : ""}`;
}

function withKey(world: World, environment: Environment, baseUrl: string, instead: string): Fallible<ServicePlace> {
  const apiKey = world.env[environment.apiKeyEnv]?.trim() ?? "";
  if (apiKey !== "") {
    world.secrets?.keep(apiKey);
    return { ok: true, baseUrl, apiKey, close: async () => undefined };
  }
  const { apiKeyEnv, chosenBy, name } = environment;
  return failed(
    errorOf(
      "key-missing",
      `The ${chosenBy === "base-url" ? `service at ${baseUrl}` : `environment "${name}"`} needs an API key, and the variable ${apiKeyEnv} is not set.`,
      `Set ${apiKeyEnv} to an API key of your organization (dashboard: Settings, API Keys)${instead}.`,
    ),
  );
}

/** A key is set, but the sandbox was not named: an apply there would look like one to the real service. */
export function sandboxMismatch(world: Pick<World, "env">, environment: Environment): Diagnostic | null {
  const chosen = environment.chosenBy === "sandbox-by-default" || environment.chosenBy === "default";
  if (environment.baseUrl !== null || !chosen || (world.env.TICKETING_API_KEY ?? "") === "") return null;
  const message = "TICKETING_API_KEY is set, but no environment was named, so this would go to the embedded sandbox.";
  const hint = "Pass --env with the environment you mean; --env sandbox if it is the sandbox.";
  return errorOf("sandbox-by-default", message, hint);
}

/** Does some work with the service that the project, flags and variables name, and ends the connection whatever happens. */
export async function withTarget(
  world: World,
  options: TargetOptions,
  work: (target: OpenTarget, loaded: LoadedSettings) => Promise<number>,
): Promise<number> {
  const loaded = await loadSettings(diskFiles(options.directory));
  if (hasErrors(loaded.diagnostics)) return reportProblems(world, options.format, loaded.diagnostics);
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return reportProblems(world, options.format, [unsafe]);
  const chosen = chooseTarget(world, options, loaded.settings);
  const target = chosen.ok ? await openTarget(world, options, loaded.settings, chosen.environment) : chosen;
  if (!target.ok) return reportProblems(world, options.format, target.diagnostics);
  let exitCode = 1;
  try {
    exitCode = await work(target, loaded);
  } finally {
    const left = await target.close();
    if (left !== null) exitCode = Math.max(exitCode, reportProblems(world, "text", [left]));
  }
  return exitCode;
}

/** What a sandbox uses from a project, so that its files can be applied there: the organization, and the venues they name. */
export async function sandboxSettings(
  world: World,
  directory: string,
): Promise<Pick<ServiceOptions, "organization" | "venues">> {
  const project = await loadForSandbox(world, directory);
  return { organization: { slug: project.settings.organization ?? "sandbox" }, venues: venuesNamedIn([project]) };
}

function loadForSandbox(world: World, directory: string): Promise<Project> {
  return loadProject(diskFiles(directory), { environment: { name: sandboxName }, env: world.env, now: world.now() });
}

function venuesNamedIn(projects: readonly Project[]): readonly NamedVenue[] {
  const named = projects.flatMap(({ events }) =>
    events.flatMap(({ own, fields }): readonly NamedVenue[] => {
      if (own.venue !== undefined) return [own.venue];
      return typeof fields.venueId === "string" ? [{ id: fields.venueId }] : [];
    }),
  );
  return [...new Map(named.map((venue) => [JSON.stringify(venue), venue])).values()];
}
