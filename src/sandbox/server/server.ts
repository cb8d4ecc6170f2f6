// The service on a loopback socket, with everything a fault may do to a connection.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorOf, failed, Halt } from "../../model/diagnostic.ts";
import { proofOf } from "../control/ask-control.ts";
import { controlPath, handleControl } from "../control/control.ts";
import type { SandboxResponse } from "../wire/wire.ts";
import type { SandboxService } from "./service.ts";

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
    throw new Halt(failed(errorOf("port-taken", `Port ${port} on 127.0.0.1 is in use by another program.`, hint)));
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
