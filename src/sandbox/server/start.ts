// A sandbox that runs: service, socket and data file together.
import type { Control } from "../control/control.ts";
import { controlPath } from "../control/control-face.ts";
import { type DataFile, openDataFile } from "../data/data-file.ts";
import { type Holder, type Lock, takeLock } from "../data/data-lock.ts";
import { dataPlaceError, SandboxDataError } from "../errors.ts";
import { basePath } from "../wire/wire.ts";
import { listen } from "./server.ts";
import { createService, type Service, type ServiceOptions } from "./service.ts";

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
  readonly service: Service;
  /** Stops, with everything in the data file. */
  close(): Promise<void>;
  /** Stops as if the process had died: nothing is folded into the data file. */
  abandon(): Promise<void>;
}

// Deliveries that were just begun get a moment to arrive.
const partingMs = 2_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const dataFile = options.dataFile ?? null;
  const lock = dataFile === null ? undefined : await lockOf(dataFile, options.lockWaitMs ?? 10_000);
  if (lock !== undefined && "pid" in lock) {
    const where = lock.port === null ? "" : `, a sandbox on port ${lock.port}`;
    throw new SandboxDataError(
      dataFile ?? "",
      `The sandbox data ${dataFile} is in use by process ${lock.pid}${where}.`,
      "Wait for it or stop it, or use another file.",
    );
  }
  try {
    const data = dataFile === null ? undefined : dataOf(dataFile);
    const service = createService({ ...options, store: data?.store, persist: data?.append });
    if (data?.isStale === true) data.save(service.dump());
    const server = await listen(service, { port: options.port ?? 0, now: options.now ?? Date.now, log: options.log });
    const origin = `http://127.0.0.1:${server.port}`;
    const baseUrl = origin + basePath;
    if (options.standalone === true) lock?.announce(server.port);
    return {
      baseUrl,
      apiKey: service.apiKey,
      controlUrl: origin + controlPath,
      control: service.control,
      service,
      async close() {
        await server.close();
        await service.close(partingMs);
        data?.save(service.dump());
        lock?.release();
      },
      async abandon() {
        await server.close();
        await service.close(0);
        lock?.release();
      },
    };
  } catch (problem) {
    lock?.release();
    throw problem;
  }
}

async function lockOf(dataFile: string, waitMs: number): Promise<Lock | Holder> {
  try {
    return await takeLock(dataFile, waitMs);
  } catch (error) {
    throw dataPlaceError(dataFile, error);
  }
}

function dataOf(dataFile: string): DataFile {
  try {
    return openDataFile(dataFile);
  } catch (error) {
    throw dataPlaceError(dataFile, error);
  }
}
