// Remotes that are reached as real ones are: through a program in the place of ssh, and over HTTP with a header that lets one in.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A program for GIT_SSH_COMMAND: it runs what ssh would have run on the other machine, and notes what it saw. */
export function sshLike(folder: string): { readonly program: string; readonly seen: string } {
  const [program, seen] = [join(folder, "ssh-like.sh"), join(folder, "ssh-seen.txt")];
  writeFileSync(
    program,
    `#!/bin/sh\nenv >> '${seen}'\n( : < /dev/tty ) 2>/dev/null && echo HAS-A-TERMINAL >> '${seen}'\nfor last; do :; done\neval "$last"\n`,
    { mode: 0o755 },
  );
  return { program, seen };
}

export interface HttpRemote {
  readonly url: string;
  /** Requests by method and path. */
  readonly requests: string[];
  /** Who may not write gets 403. */
  readOnly: boolean;
  /** Answers nothing, as a network that swallows everything. */
  silent: boolean;
  close(): Promise<void>;
}

/** `git http-backend` behind a server that wants this Authorization header. */
export async function httpRemote(projectRoot: string, authorization: string): Promise<HttpRemote> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
    requests.push(`${request.method} ${pathname}`);
    if (remote.silent) return;
    if (request.headers.authorization !== authorization) {
      return void response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    }
    const isWrite = pathname.endsWith("/git-receive-pack") || search.includes("service=git-receive-pack");
    if (isWrite && remote.readOnly) return void response.writeHead(403).end("Write access not granted.");
    backend(projectRoot, pathname, search.slice(1), request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const remote: HttpRemote = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    readOnly: false,
    silent: false,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return remote;
}

function backend(
  root: string,
  pathname: string,
  query: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      REMOTE_USER: "runner",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      ...(request.headers["content-encoding"] === undefined
        ? {}
        : { HTTP_CONTENT_ENCODING: String(request.headers["content-encoding"]) }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.on("close", () => {
    const whole = Buffer.concat(parts);
    const end = whole.indexOf("\r\n\r\n");
    const headers = whole.subarray(0, end).toString("latin1").split("\r\n");
    const status = headers.find((line) => /^status:/i.test(line));
    for (const line of headers) {
      const [name = "", value = ""] = line.split(/:\s*/, 2);
      if (!/^status$/i.test(name)) response.setHeader(name, value);
    }
    response.writeHead(status === undefined ? 200 : Number(/\d+/.exec(status)?.[0] ?? 500));
    response.end(whole.subarray(end + 4));
  });
}
