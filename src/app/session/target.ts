// From flags, variables and the project file to a service that can be talked to.
import { join, relative } from "node:path";
import { chooseEnvironment, type Environment } from "../../config/environment.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Settings } from "../../model/wish.ts";
import { targetLine } from "../../report/text.ts";
import { SandboxError } from "../../sandbox/errors.ts";
import type { Listener } from "../../service/calls.ts";
import type { ClientOptions, TicketingClient } from "../../service/client.ts";
import { openStore } from "../../state/open-store.ts";
import type { StateStore } from "../../state/store.ts";
import type { CommonOptions, World } from "../world.ts";
import { type Agreement, addressChanged, readAgreement, sendsKeyByFile, withoutBase } from "./guarded-settings.ts";
import { storeSetup } from "./local-data.ts";
import { reportCalls } from "./report-problems.ts";

/** What a sandbox cannot do, in the form of every other problem; what it did not foresee is thrown on. */
export function sandboxProblem(error: unknown): Diagnostic {
  if (!(error instanceof SandboxError)) throw error;
  return { code: error.code, severity: "error", message: error.sentence, hint: error.hint };
}

/** The sandbox of a project: the one that serves its data already, or one inside this command. */
export async function openSandbox(
  world: World,
  directory: string,
  organization: string | null,
): Promise<ServicePlace | Diagnostic[]> {
  const { joinSandbox } = await import("../../sandbox/index.ts");
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  try {
    const { baseUrl, apiKey, close } = await joinSandbox({
      dataFile,
      organization: { slug: organization ?? "sandbox" },
      // Receivers on this machine are checked as the environment `sandbox` has them: over http too. And what was imported
      // from another service names venues of that.
      profile: "httpLoopback=accepted,venueIds=any",
      now: () => world.now(),
    });
    return { baseUrl, apiKey, dataFile, close };
  } catch (problem) {
    return [sandboxProblem(problem)];
  }
}

export interface TargetOptions extends CommonOptions {
  readonly parallelism?: number;
  /** In seconds. */
  readonly maxWait?: number;
  readonly tier?: "free" | "pro" | "enterprise";
}

/** A service that is ready for calls. */
export interface OpenTarget {
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly client: TicketingClient;
  /** Names the target to people: the first line of every text. */
  readonly line: string;
  /** Ends the connections, and the sandbox where this command started it. */
  close(): Promise<void>;
}

/**
 * The service to talk to, or what keeps it from being talked to. No call is made yet.
 * `agreement`: what the address in the file is compared with, where that is known already; "typed": somebody has just entered it.
 */
export async function openTarget(
  world: World,
  options: TargetOptions,
  settings: Settings,
  listener: Listener = {},
  agreement?: Agreement | "typed",
): Promise<OpenTarget | Diagnostic[]> {
  const environment = chooseEnvironment(settings, {
    flagEnv: options.env,
    flagBaseUrl: options.baseUrl,
    env: world.env,
  });
  if (Array.isArray(environment)) return environment;
  const changed = agreement === "typed" ? [] : await checkAddress(world, options, settings, environment, agreement);
  if (changed.length > 0) return changed;
  const place =
    environment.baseUrl === null
      ? await openSandbox(world, options.directory, settings.organization)
      : withKey(world, environment, environment.baseUrl);
  if (Array.isArray(place)) return place;
  const { TicketingClient } = await import("../../service/client.ts");
  const client = new TicketingClient({
    baseUrl: place.baseUrl,
    apiKey: place.apiKey,
    ...(environment.baseUrl === null
      ? {}
      : { keyOrigin: `the variable ${environment.apiKeyEnv} (environment ${environment.name})` }),
    env: world.env,
    signal: world.interrupted,
    // Where the time is set, two runs are to print the same.
    stopwatch: world.now,
    ...(world.timeouts === undefined ? {} : { timeouts: world.timeouts }),
    listener: reportCalls(world, options.verbose, listener),
    ...pace(options, environment, openStore(settings.state, storeSetup(world, options.directory, environment))),
  });
  return {
    environment,
    baseUrl: place.baseUrl,
    client,
    line: lineOf(world, environment, place),
    async close() {
      await client.close();
      await place.close();
    },
  };
}

async function checkAddress(
  world: World,
  { directory }: TargetOptions,
  settings: Settings,
  environment: Environment,
  known: Agreement | undefined,
): Promise<Diagnostic[]> {
  if (!sendsKeyByFile(world, settings, environment)) return [];
  const agreement = known ?? (await readAgreement(world, settings, environment, withoutBase(directory)));
  return [...addressChanged(world, settings, environment, agreement)];
}

/** Where calls go, and the key that lets them in. */
export interface ServicePlace {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The sandbox's data file. */
  readonly dataFile?: string;
  close(): Promise<void>;
}

function withKey(world: World, environment: Environment, baseUrl: string): ServicePlace | Diagnostic[] {
  const apiKey = world.env[environment.apiKeyEnv]?.trim() ?? "";
  if (apiKey !== "") {
    world.secrets?.keep(apiKey);
    return { baseUrl, apiKey, close: async () => undefined };
  }
  return [
    {
      code: "key-missing",
      severity: "error",
      message:
        environment.chosenBy === "base-url"
          ? `The service at ${baseUrl} needs an API key, and the variable ${environment.apiKeyEnv} is not set.`
          : `The environment ${environment.name} needs an API key, and the variable ${environment.apiKeyEnv} is not set.`,
      hint: `Set ${environment.apiKeyEnv} to a key of your organization (dashboard: Settings, API Keys), or try it without one: --env sandbox.`,
    },
  ];
}

function pace(options: TargetOptions, environment: Environment, store: StateStore): Partial<ClientOptions> {
  return {
    ...(options.parallelism === undefined ? {} : { concurrency: options.parallelism }),
    ...(options.maxWait === undefined ? {} : { maxWaitSeconds: options.maxWait }),
    ...(options.tier === undefined ? {} : { tier: options.tier }),
    // The sandbox begins anew with each command, and its limits with it.
    ...(environment.baseUrl === null ? {} : { ledger: store.pace }),
  };
}

function lineOf(world: World, environment: Environment, place: ServicePlace): string {
  const where =
    place.dataFile === undefined
      ? place.baseUrl
      : `the embedded service, data in ${relative(world.cwd, place.dataFile) || place.dataFile}`;
  return targetLine(environment.name, where);
}

/** A key is at hand, and yet nobody said that the sandbox is meant: an apply there would look like one to the real service. */
export function sandboxMismatch(world: World, environment: Environment): Diagnostic | null {
  const chosen = environment.chosenBy === "sandbox-by-default" || environment.chosenBy === "default";
  if (environment.baseUrl !== null || !chosen || (world.env.TICKETING_API_KEY ?? "") === "") return null;
  return {
    code: "sandbox-by-default",
    severity: "error",
    message: "TICKETING_API_KEY is set, but no environment was named, so this would go to the embedded sandbox.",
    hint: "Pass --env with the environment you mean; --env sandbox if it is the sandbox.",
  };
}
