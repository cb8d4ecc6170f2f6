// What the suites of this folder need to know of a backend.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../src/model/wish.ts";
import { outsideCalls } from "../../src/service/transport.ts";
import { type LockTimes, openStore } from "../../src/state/open-store.ts";
import { standardTimes } from "../../src/state/shared/lock-times.ts";
import type { SharedFiles } from "../../src/state/shared/shared-files.ts";
import type { StateStore } from "../../src/state/store.ts";

export interface StoreUnderTest {
  /** As under `state.backend`. */
  readonly name: string;
  /** The store notices by itself that a holder is gone: others get in before the lease has run out. */
  readonly noticesDeath?: true;
  /** A store that holds nothing yet, on this machine. */
  start(): Promise<StartedStore>;
}

export interface StartedStore {
  /** What is under `state` in ticketing.yaml. */
  readonly settings: Settings["state"];
  /** With the credentials. */
  readonly env: Readonly<Record<string, string>>;
  /** What no message may show. */
  readonly secrets: readonly string[];
  /** A separate folder for a project that uses the store; left out: any folder can be one. */
  folder?(): string;
  /** Another handle on the files of an environment, as another machine has it. */
  files(environment: string): Promise<SharedFiles>;
  /** Puts files there as they are, with or without a marker. */
  plant(environment: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** The next write takes effect, and its writer does not hear of it. */
  loseNextResponse(): Promise<void>;
  /** It cannot be reached until it is back. */
  away(): Promise<void>;
  back(): Promise<void>;
  stop(): Promise<void>;
}

/** Times for a store on this machine, on a busy day. */
export const quickTimes: LockTimes = {
  ...standardTimes,
  renewMs: 400,
  takeoverMs: 1_500,
  confirmMs: 100,
  staleMs: 600,
  gatherMs: 300,
  pollMs: 100,
  patienceMs: 2_000,
};

/** Where no one waits for the lock: then a store may take its time, as all do on a busy machine. */
export const calmTimes: LockTimes = { ...quickTimes, takeoverMs: 30_000, staleMs: 2_000, patienceMs: 60_000 };

/** A holder that never renews its lock, as one that is paused. */
export const pausedTimes: LockTimes = {
  ...quickTimes,
  renewMs: 3_600_000,
  confirmMs: 3_600_000,
  gatherMs: 3_600_000,
};

/** Writes into the state that it is of another organization. */
export async function belongsToOthers(files: SharedFiles): Promise<void> {
  const read = await files.read(true);
  if (!read.ok || read.value === null) throw new Error("There is no state.");
  const state = JSON.parse(read.value.files.get("state.json") ?? "");
  const organization = { id: "11111111-1111-4111-8111-111111111111", slug: "others" };
  const changed = new Map(read.value.files).set("state.json", JSON.stringify({ ...state, organization }));
  const written = await files.write(changed, read.value, "another organization");
  if (!written.ok) throw new Error(written.message);
}

/** A folder for a project. */
export function projectFolder(started: Pick<StartedStore, "folder">): string {
  return started.folder?.() ?? mkdtempSync(join(tmpdir(), "ticketing-store-"));
}

/** The store as a command opens it, on its own machine. */
export function openStarted(
  started: Pick<StartedStore, "settings" | "env" | "folder">,
  environment: string,
  times: LockTimes,
  account = "acme-live",
): StateStore {
  return openStore(started.settings, {
    directory: projectFolder(started),
    environment,
    baseUrl: "https://api.example.com",
    account,
    secrets: () => null,
    times,
    outside: {
      ...outsideCalls({}),
      env: started.env,
      keepSecret: () => undefined,
      disagreement: async () => null,
    },
  });
}

/** What a runner has in its environment that works with the store and a service. */
export function runnerEnv(folder: string, apiKey: string, now: string, { env }: StartedStore) {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    NO_COLOR: "1",
    TICKETING_API_KEY: apiKey,
    TICKETING_NOW: now,
    ...env,
  };
}
