// A sandbox that runs: service, socket and data file together. A command that needs one uses the sandbox that already serves
// the data file, or else starts its own.
import { setTimeout } from "node:timers/promises";
import { type FileLock, holderOf, type LockAttempt, tryLock } from "../../system/file-lock.ts";
import { makeFolderOf } from "../../system/private-files.ts";
import { isRunning } from "../../system/process-life.ts";
import { knowsKey } from "../control/ask-control.ts";
import type { Control } from "../control/control.ts";
import { controlPath } from "../control/control-face.ts";
import { type DataFile, openDataFile, readyKeyOf } from "../data/data-file.ts";
import { dataPlaceError, SandboxDataError } from "../errors.ts";
import { basePath } from "../wire/wire.ts";
import { listen } from "./server.ts";
import { createService, type SandboxService, type ServiceOptions } from "./service.ts";

export interface SandboxOptions extends Omit<ServiceOptions, "store" | "persist"> {
  /** 0 or left out: any free one. */
  readonly port?: number | undefined;
  /** null or left out: in memory only. */
  readonly dataFile?: string | null | undefined;
  /** Serves until it is stopped: others may use it through its address in place of the data file. */
  readonly standalone?: boolean | undefined;
  /** How long to wait for a command that uses the data file now. */
  readonly lockWaitMs?: number | undefined;
  /** A line per request. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Sandbox {
  /** http://127.0.0.1:PORT/open-api/v1 */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** http://127.0.0.1:PORT/_sandbox */
  readonly controlUrl: string;
  readonly control: Control;
  readonly service: SandboxService;
  /** Stops, with everything in the data file. */
  close(): Promise<void>;
  /** Stops as if the process had died: nothing is folded into the data file. */
  abandon(): Promise<void>;
}

// Deliveries that were just begun get a moment to arrive.
const partingMs = 2_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { dataFile } = options;
  if (dataFile == null) return launch(options);
  const lock = await lockData(dataFile, options.lockWaitMs ?? 10_000);
  try {
    return await launch(options, openDataFile(dataFile), lock);
  } catch (problem) {
    await lock.release();
    throw problem;
  }
}

async function launch(options: SandboxOptions, data?: DataFile, lock?: FileLock): Promise<Sandbox> {
  const service = createService({ ...options, store: data?.store, persist: data?.append });
  if (data?.isStale === true) data.save(service.dump());
  const server = await listen(service, { port: options.port ?? 0, now: options.now ?? Date.now, log: options.log });
  const origin = `http://127.0.0.1:${server.port}`;
  if (options.standalone === true) lock?.announce(server.port);
  return {
    baseUrl: origin + basePath,
    apiKey: service.apiKey,
    controlUrl: origin + controlPath,
    control: service.control,
    service,
    async close() {
      await server.close();
      await service.close(partingMs);
      data?.save(service.dump());
      await lock?.release();
    },
    async abandon() {
      await server.close();
      await service.close(0);
      await lock?.release();
    },
  };
}

/** One sandbox at a time may use a data file. A holder that serves until it is stopped is not waited for. */
async function lockData(dataFile: string, waitMs: number): Promise<FileLock> {
  for (let waited = 0; ; waited += 50) {
    const attempt = await tryDataLock(dataFile);
    if (attempt.held) return attempt.lock;
    const { pid, port } = attempt.holder ?? {};
    if (port !== undefined || waited >= waitMs) {
      const user = pid === undefined ? "another process" : `process ${pid}`;
      throw new SandboxDataError(
        `The sandbox data ${dataFile} is in use by ${user}${port === undefined ? "" : `, a sandbox on port ${port}`}.`,
        "Wait for it or stop it, or use another file.",
      );
    }
    await setTimeout(50);
  }
}

async function tryDataLock(dataFile: string): Promise<LockAttempt> {
  try {
    makeFolderOf(dataFile);
    // A data file is used on one machine, but a container gets a new host name at each start: only the process counts.
    return await tryLock({ path: `${dataFile}.lock`, command: "sandbox", isAlive: isRunning });
  } catch (problem) {
    throw dataPlaceError(dataFile, problem);
  }
}

export type ServingSandbox = Pick<Sandbox, "baseUrl" | "apiKey" | "controlUrl">;

export interface JoinedSandbox extends ServingSandbox {
  /** Whether it serves on after this command. */
  readonly shared: boolean;
  close(): Promise<void>;
}

export async function joinSandbox(options: SandboxOptions): Promise<JoinedSandbox> {
  const serving = await guestOf(options);
  if (serving !== undefined) return serving;
  try {
    const { baseUrl, apiKey, controlUrl, close } = await startSandbox(options);
    return { baseUrl, apiKey, controlUrl, shared: false, close };
  } catch (problem) {
    // Another process may have started one in the meantime.
    const late = problem instanceof SandboxDataError ? await guestOf(options) : undefined;
    if (late !== undefined) return late;
    throw problem;
  }
}

async function guestOf({ dataFile }: SandboxOptions): Promise<JoinedSandbox | undefined> {
  const serving = dataFile == null ? undefined : await findServing(dataFile);
  return serving === undefined ? undefined : { ...serving, shared: true, close: async () => undefined };
}

/** The sandbox that serves a data file; undefined where none does. Throws where something else answers in its place. */
export async function findServing(dataFile: string): Promise<ServingSandbox | undefined> {
  try {
    const holder = holderOf(`${dataFile}.lock`);
    const port = holder !== null && isRunning(holder) ? holder.port : undefined;
    if (port === undefined) return undefined;
    const apiKey = readyKeyOf(dataFile);
    if (apiKey === null || !(await knowsKey(port, apiKey))) {
      throw new SandboxDataError(
        `${dataFile}.lock says that a sandbox serves this data on port ${port}, but what answers there cannot prove it.`,
        "If no sandbox is running, delete the lock file.",
      );
    }
    const origin = `http://127.0.0.1:${port}`;
    return { baseUrl: origin + basePath, apiKey, controlUrl: origin + controlPath };
  } catch (problem) {
    throw dataPlaceError(dataFile, problem);
  }
}
