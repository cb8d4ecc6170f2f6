// A sandbox that runs: service, socket and data file together. A command that needs one uses the sandbox that already serves
// the data file, or else starts its own.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt, errorOf, failed, Halt } from "../../model/diagnostic.ts";
import { type FileLock, holderOf, type LockAttempt, tryLock } from "../../system/file-lock.ts";
import { makeFolderOf } from "../../system/private-files.ts";
import { isRunning } from "../../system/processes.ts";
import { askControl, knowsKey, proofOf } from "../control/ask-control.ts";
import { controlPath, handleControl } from "../control/control.ts";
import { type DataFile, openDataFile, readyKeyOf } from "../data/row-store.ts";
import { dataError, dataPlaceError } from "../errors.ts";
import { basePath, type SandboxResponse } from "../wire/wire.ts";
import { createService, type SandboxService, type ServiceOptions } from "./service.ts";

export interface SandboxOptions extends Omit<ServiceOptions, "store" | "persist"> {
  /** 0 or left out: any free one. */
  readonly port?: number | undefined;
  /** null or left out: in memory only. */
  readonly dataFile?: string | null | undefined;
  /** Serves until it is stopped: others may use it through its address in place of the data file. */
  readonly standalone?: boolean | undefined;
  /** How long to wait for a command that is using the data file. */
  readonly lockWaitMs?: number | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

export type Sandbox = Awaited<ReturnType<typeof launch>>;

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

// Deliveries that have just started get a moment to arrive.
const closingMs = 2_000;

async function launch(options: SandboxOptions, data?: DataFile, lock?: FileLock) {
  const { port = 0, now = Date.now, log } = options;
  const service = createService({ ...options, store: data?.store, persist: data?.append });
  if (data?.isStale === true) data.save(service.dump());
  const server = await listen(service, port, now, log);
  if (options.standalone === true) lock?.announce(server.port);
  return {
    ...addressesAt(server.port),
    apiKey: service.apiKey,
    control: service.control,
    service,
    /** Stops, with everything in the data file. */
    async close(): Promise<void> {
      await server.close();
      await service.close(closingMs);
      data?.save(service.dump());
      await lock?.release();
    },
    /** Stops as if the process had died: nothing is folded into the data file. */
    async abandon(): Promise<void> {
      await server.close();
      await service.close(0);
      await lock?.release();
    },
  };
}

function addressesAt(port: number): { readonly baseUrl: string; readonly controlUrl: string } {
  const origin = `http://127.0.0.1:${port}`;
  return { baseUrl: origin + basePath, controlUrl: origin + controlPath };
}

/** One sandbox at a time may use a data file. A holder that serves until it is stopped is not waited for. */
async function lockData(dataFile: string, waitMs: number): Promise<FileLock> {
  for (let waited = 0; ; waited += 50) {
    const attempt = await tryDataLock(dataFile);
    if (attempt.held) return attempt.lock;
    const { pid, port } = typeof attempt.holder === "string" ? {} : (attempt.holder ?? {});
    if (port !== undefined || waited >= waitMs) {
      const user = pid === undefined ? "another process" : `process ${pid}`;
      const where = port === undefined ? "" : `, a sandbox on port ${port}`;
      const hint = port === undefined ? "Wait until it has ended." : "Stop it, or name a different file with `--data`.";
      throw dataError(`The sandbox data ${dataFile} is in use by ${user}${where}.`, hint);
    }
    await sleep(50);
  }
}

async function tryDataLock(dataFile: string): Promise<LockAttempt> {
  try {
    makeFolderOf(dataFile);
    // A data file is used on one machine, but a container gets a new host name at each start: only the process counts.
    return await tryLock({
      path: `${dataFile}.lock`,
      command: "sandbox",
      unlockHint: "If no sandbox is running, delete this file and those next to it whose names begin with its name.",
      isAlive: isRunning,
    });
  } catch (problem) {
    throw dataPlaceError(dataFile, problem);
  }
}

type ServingSandbox = Pick<Sandbox, "baseUrl" | "apiKey" | "controlUrl">;

export interface JoinedSandbox extends ServingSandbox {
  /** Whether it serves on after this command. */
  readonly shared: boolean;
  close(): Promise<void>;
}

export async function joinSandbox(options: SandboxOptions): Promise<JoinedSandbox> {
  const serving = await joinServing(options);
  if (serving !== undefined) return serving;
  const started = await attempt(() => startSandbox(options));
  if (started.ok) return { ...started.value, shared: false };
  // Another process may have started one in the meantime.
  const isDataInUse = started.diagnostics[0]?.code === "sandbox-data";
  const late = isDataInUse ? await joinServing(options) : undefined;
  if (late !== undefined) return late;
  throw new Halt(started);
}

async function joinServing({ dataFile, venues }: SandboxOptions): Promise<JoinedSandbox | undefined> {
  const serving = dataFile == null ? undefined : await findServing(dataFile);
  // It was started for these files as they were then.
  if (serving !== undefined && venues !== undefined) await askControl(serving.baseUrl, "POST", "/venues", { venues });
  return serving && { ...serving, shared: true, close: async () => undefined };
}

/** The sandbox that serves a data file; undefined if none does. Throws if something else responds in its place. */
export async function findServing(dataFile: string): Promise<ServingSandbox | undefined> {
  try {
    const holder = holderOf(`${dataFile}.lock`);
    const port = holder !== null && isRunning(holder) ? holder.port : undefined;
    if (port === undefined) return undefined;
    const apiKey = readyKeyOf(dataFile);
    if (apiKey !== null && (await knowsKey(port, apiKey))) return { ...addressesAt(port), apiKey };
    throw dataError(
      `${dataFile}.lock says that a sandbox serves this data on port ${port}, but what responds there cannot prove it.`,
      "If no sandbox is running, delete the lock file.",
    );
  } catch (problem) {
    throw dataPlaceError(dataFile, problem);
  }
}

// The service on a loopback socket, with everything a fault may do to a connection.

// A command that found our lock asks whether it is ours.
const helloPath = /^\/_sandbox\/hello\?nonce=([0-9a-f]{32})$/;

// Bodies above the service's own limit are cut off; it then refuses what it got.
const maxRead = 1024 * 1024 + 1;

/** `log` gets a line per request. */
export async function listen(
  service: SandboxService,
  port: number,
  now: () => number,
  log?: (line: string) => void,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    serve(incoming, outgoing).catch((problem: unknown) => outgoing.destroy(problem as Error));
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const response = await respondTo(incoming);
    if (response.delayMs === undefined) sendResponse(outgoing, response, now());
    else setTimeout(() => sendResponse(outgoing, response, now()), response.delayMs).unref();
  }

  async function respondTo(incoming: IncomingMessage): Promise<SandboxResponse> {
    const { method = "GET", url: path = "/", headers, socket } = incoming;
    const body = method === "GET" ? undefined : await readBodyText(incoming);
    const nonce = helloPath.exec(path)?.[1];
    if (nonce !== undefined) {
      const proof = proofOf(service.apiKey, socket.localPort ?? 0, nonce);
      return { status: 200, headers: { "Content-Type": "text/plain" }, body: proof };
    }
    const request = { method, path, headers, body, remoteAddress: socket.remoteAddress };
    if (path.startsWith(`${controlPath}/`)) return handleControl(service.control, request);
    const response = await service.handle(request);
    log?.(`${method} ${path} ${response.cut ?? response.status}`);
    return response;
  }

  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((problem: NodeJS.ErrnoException) => {
    if (problem.code !== "EADDRINUSE") throw problem;
    const hint = "Choose another with --port N, or let the system choose one with --port 0.";
    throw new Halt(failed(errorOf("port-in-use", `Port ${port} on 127.0.0.1 is in use by another program.`, hint)));
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readBodyText(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    if (size < maxRead) parts.push(part);
    size += part.length;
  }
  return Buffer.concat(parts).toString("utf8");
}

function sendResponse(outgoing: ServerResponse, { status, headers, body, cut }: SandboxResponse, now: number): void {
  switch (cut) {
    case undefined: {
      const length = status === 204 ? undefined : { "Content-Length": Buffer.byteLength(body) };
      outgoing.writeHead(status, { ...headers, ...length, Date: new Date(now).toUTCString() });
      outgoing.end(body);
      return;
    }
    case "closed":
      outgoing.destroy();
      return;
    case "reset":
      outgoing.socket?.resetAndDestroy();
      return;
    case "truncated": {
      // Half of the body, under the length of the whole.
      const whole = Buffer.from(body === "" ? "{}" : body);
      outgoing.writeHead(status, { ...headers, "Content-Length": whole.length });
      outgoing.write(whole.subarray(0, Math.floor(whole.length / 2)), () => outgoing.destroy());
      return;
    }
    case "hanging":
      return;
  }
}
