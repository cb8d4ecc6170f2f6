// Where an environment is remembered: whether local data may be used, what it is sealed with, and the lock.

import { lstatSync, readFileSync } from "node:fs";
import type { Environment } from "../../config/environment.ts";
import { type CiRun, readCiRun } from "../../host/ci-run.ts";
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { parseShard, type Shard } from "../../model/live.ts";
import type { Settings } from "../../model/wish.ts";
import { safeText } from "../../report/text.ts";
import { outsideCalls } from "../../service/transport.ts";
import { fileProblem, folderName, folderOf, ownSecret } from "../../state/folder.ts";
import { openStore } from "../../state/open-store.ts";
import type { FindSealSecrets } from "../../state/seal.ts";
import { describeHolder, type LockResult, type StateStore } from "../../state/store.ts";
import { mayBeRepository, runGit } from "../../system/git.ts";
import { gitHint } from "../../system/git-output.ts";
import { checkPrivateEntries } from "../../system/private-folder.ts";
import { isOnRunner, type World } from "../world.ts";
import type { Checkout } from "./checkout.ts";
import { findAgreed, withoutBase } from "./guarded-settings.ts";
import { writeLines } from "./report-problems.ts";

/** Why the folder must not be used; null if it is safe or does not exist. Checked once, before its first use. */
export async function localDataProblem(directory: string): Promise<Diagnostic | null> {
  const folder = folderOf(directory);
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return null;
  try {
    checkPrivateEntries(folder);
  } catch (error) {
    return fileProblem(error, "Reading", folderName);
  }
  return trackedProblem(directory);
}

/** Tracked files came with a commit, and so from anyone who can open a pull request. */
async function trackedProblem(directory: string): Promise<Diagnostic | null> {
  if (!mayBeRepository(directory)) return null;
  const result = await runGit(directory, ["ls-files", "-z", "--", `:(icase)${folderName}`]);
  if (result.ok) return result.output.length > 0 ? tracked : null;
  return result.reason === "no-git" ? null : trackedUnknown(result.message);
}

const tracked: Diagnostic = errorOf(
  "unsafe-local-data",
  `${folderName}/ is tracked by git, so its files came with a commit. They were not used.`,
  `Remove it from git with \`git rm -r --cached ${folderName}\` and commit that. If you did not put it there, delete the folder.`,
);

function trackedUnknown(message: string): Diagnostic {
  const [said = ""] = message.split("\n");
  return errorOf(
    "unsafe-local-data",
    `Git did not say whether ${folderName}/ is tracked, so the folder was not used: ${said === "" ? "git gave no reason" : said}`,
    gitHint(message) ??
      `Make \`git ls-files ${folderName}\` work in this folder, then run the command again; without ${folderName}/ the check is not needed.`,
  );
}

/** Where an environment is remembered. Nothing is read yet; the caller closes it. */
export function openEnvironmentStore(
  world: World,
  directory: string,
  settings: Settings["state"],
  environment: Pick<Environment, "name" | "baseUrl" | "apiKeyEnv" | "organization">,
): StateStore {
  const { name, baseUrl } = environment;
  const run = runAddress(world.env);
  return openStore(settings, {
    directory,
    environment: name,
    baseUrl,
    account: environment.organization ?? environment.apiKeyEnv,
    secrets: sealSecrets(world, directory, environment),
    ...(run === null ? {} : { run }),
    ...(world.lockTimes === undefined ? {} : { times: world.lockTimes }),
    outside: {
      ...outsideCalls(world.env),
      env: world.env,
      keepSecret: (secret) => world.secrets?.keep(secret),
      disagreement: (sendsCredentials) => stateDisagreement(world, directory, settings, sendsCredentials),
    },
  });
}

/** The page of the current CI run, for people who have to wait for it. */
export function runAddress(env: World["env"]): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  return env.CI_JOB_URL || null;
}

/** The current CI job; null: unknown host. */
export function currentRun(env: World["env"]): CiRun | null {
  return readCiRun(env, (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return null;
    }
  });
}

/** The name of the run that several jobs share; null if there is none. */
function runName(env: World["env"]): string | null {
  return env.TICKETING_RUN?.trim() || (env.GITHUB_RUN_ID ? runAddress(env) : null) || env.CI_PIPELINE_URL || null;
}

/** The API key; for the embedded service, which may start over at any time, a secret that stays in the folder. */
function sealSecrets(
  world: World,
  directory: string,
  environment: Pick<Environment, "baseUrl" | "apiKeyEnv">,
): FindSealSecrets {
  if (environment.baseUrl === null) return () => ({ current: ownSecret(directory), previous: null });
  return () => {
    const current = keyIn(world, environment.apiKeyEnv);
    return current === null ? null : { current, previous: keyIn(world, "TICKETING_PREVIOUS_API_KEY") };
  };
}

function keyIn(world: World, name: string): string | null {
  const key = world.env[name]?.trim() ?? "";
  if (key === "") return null;
  world.secrets?.keep(key);
  return key;
}

// The lock that a command holds while it writes.

export interface LockRequest {
  /** What the holder does, for runs that have to wait: "apply". */
  readonly command: string;
  /** How long to wait for another run, in seconds. */
  readonly lockTimeout?: number | undefined;
  /** Whether the CI host says that the run at this address has ended. */
  readonly hasEnded?: ((run: string) => Promise<boolean>) | undefined;
  /** It applies only this part. */
  readonly shard?: Shard;
}

/** Reports that it waits, and for whom. */
export async function takeLock(
  world: World,
  store: StateStore,
  { command, lockTimeout = 0, hasEnded, shard }: LockRequest,
  checkout: Checkout | null = null,
): Promise<LockResult> {
  const run = runName(world.env);
  const isAlone = shard === undefined || parseShard(shard).count === 1 || run === null;
  const joint = isAlone ? undefined : { shard, run, revision: checkout?.revision ?? null };
  const locked = await store.lock({
    command: shard === undefined ? command : `${command} --shard ${shard}`,
    timeoutMs: lockTimeout * 1000,
    signal: world.interrupted,
    ...(hasEnded === undefined ? {} : { hasEnded }),
    // Files that are not committed may differ from job to job.
    ...(joint === undefined || checkout?.dirty === true ? {} : { joint }),
    onWait(holder) {
      writeLines(world.stderr, [`waiting for another run: ${safeText(describeHolder(holder))}`]);
    },
  });
  if (locked.ok) return locked;
  return world.interrupted.aborted ? failed(stoppedWaiting) : locked;
}

/** Also reports what could not be written or released at the end. */
export async function withLock<Value>(
  world: World,
  store: StateStore,
  command: string,
  work: () => Promise<Fallible<Value>>,
): Promise<Fallible<Value>> {
  const locked = await takeLock(world, store, { command });
  if (!locked.ok) return locked;
  try {
    const result = await work();
    const left = await locked.lock.release();
    return left === null ? result : failed(...(result.ok ? [] : result.diagnostics), left);
  } finally {
    await locked.lock.release();
  }
}

const stoppedWaiting: Diagnostic = errorOf(
  "interrupted",
  "Stopped while waiting for another run.",
  "Run the same command again when the other run has ended.",
);

// A pull request must not be able to send the credentials of the state elsewhere, nor to have a job read another project's state.

/**
 * Why the state must not be used where the file says; null: it is as agreed, or there is nothing to compare. On their own
 * machine, people may read what their credentials allow.
 */
async function stateDisagreement(world: World, directory: string, state: Settings["state"], sendsCredentials: boolean) {
  if (!sendsCredentials && !isOnRunner(world)) return null;
  const { known, onRunner, inRepository } = await findAgreed(world, withoutBase(directory));
  if (known.some(({ settings }) => JSON.stringify(settings.state) === JSON.stringify(state))) return null;
  const [first] = known;
  const so = sendsCredentials
    ? "and credentials for it are set, so nothing was sent"
    : "so it was not used: it may lead to another project's state";
  if (first !== undefined) {
    const { backend } = first.settings.state;
    const migrate = (from: string, to: string) => `\`ticketing state migrate --from ${from} --to ${to}\``;
    const copy =
      backend === state.backend
        ? `${migrate(backend, "file")} under the old setting and then ${migrate("file", backend)} under the new one`
        : migrate(backend === "none" ? "file" : backend, state.backend);
    return {
      message: `\`state\` in ticketing.yaml differs from the one ${first.where}, ${so}`,
      hint: `Or copy the state with ${copy}, then merge this change in a separate pull request: without the copy, the merge begins a new state.`,
    };
  }
  if (!onRunner || !inRepository) return null;
  return {
    message: `\`state\` in ticketing.yaml cannot be compared with the default branch's, ${so}`,
    hint: "Or fetch the default branch: `fetch-depth: 0` at the checkout step, `GIT_DEPTH: 0` on GitLab.",
  };
}
