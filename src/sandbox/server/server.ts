// The service on a loopback socket, with everything a fault may do to a connection.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { proofOf } from "../control/ask-control.ts";
import { controlPath, handleControl } from "../control/control-face.ts";
import { PortTakenError } from "../errors.ts";
import type { SandboxAnswer } from "../wire/wire.ts";
import type { SandboxService } from "./service.ts";

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly port: number;
  readonly now: () => number;
  /** A line per request. */
  readonly log?: ((line: string) => void) | undefined;
}

// A command that found our lock asks whether it is ours.
const helloPath = /^\/_sandbox\/hello\?nonce=([0-9a-f]{32})$/;

// Bodies above the service's own bound are cut off; it then refuses what it got.
const readAtMost = 1024 * 1024 + 1;

export async function listen(service: SandboxService, { port, now, log }: ServerOptions): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    serve(incoming, outgoing).catch((problem: unknown) => outgoing.destroy(problem as Error));
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const method = incoming.method ?? "GET";
    const path = incoming.url ?? "/";
    const body = method === "GET" ? undefined : await readBody(incoming);
    const request = { method, path, headers: incoming.headers, body, remoteAddress: incoming.socket.remoteAddress };
    const nonce = helloPath.exec(path)?.[1];
    if (nonce !== undefined) {
      const body = proofOf(service.apiKey, incoming.socket.localPort ?? 0, nonce);
      send(outgoing, { status: 200, headers: { "Content-Type": "text/plain" }, body }, now());
      return;
    }
    if (path.startsWith(`${controlPath}/`)) {
      send(outgoing, await handleControl(service.control, request), now());
      return;
    }
    const answer = await service.handle(request);
    log?.(`${method} ${path} ${answer.cut ?? answer.status}`);
    if (answer.delayMs !== undefined) setTimeout(() => put(answer, outgoing), answer.delayMs).unref();
    else put(answer, outgoing);
  }

  function put(answer: SandboxAnswer, outgoing: ServerResponse): void {
    switch (answer.cut) {
      case undefined:
        send(outgoing, answer, now());
        return;
      case "closed":
        outgoing.destroy();
        return;
      case "reset":
        outgoing.socket?.resetAndDestroy();
        return;
      case "truncated":
        truncate(outgoing, answer);
        return;
      case "hanging":
        return;
    }
  }

  await start(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function start(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (problem: NodeJS.ErrnoException) =>
      reject(problem.code === "EADDRINUSE" ? new PortTakenError(port) : problem),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
}

function readBody(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    incoming.on("data", (part: Buffer) => {
      if (size < readAtMost) parts.push(part);
      size += part.length;
    });
    incoming.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
    incoming.on("error", reject);
  });
}

let dateSecond = 0;
let dateText = "";

function dateHeader(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}

function send(outgoing: ServerResponse, { status, headers, body }: SandboxAnswer, now: number): void {
  const length = status === 204 ? undefined : { "Content-Length": Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length, Date: dateHeader(now) });
  outgoing.end(body);
}

/** Half of the body, under the length of the whole. */
function truncate(outgoing: ServerResponse, { status, headers, body }: SandboxAnswer): void {
  const whole = Buffer.from(body === "" ? "{}" : body);
  outgoing.writeHead(status, { ...headers, "Content-Length": whole.length });
  outgoing.write(whole.subarray(0, Math.floor(whole.length / 2)), () => outgoing.destroy());
}
