// What a network can do, over real sockets: each fault has its class, its word, and a message that says what to try.
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ClientOptions } from "../../../src/service/client.ts";
import { systemClock } from "../../../src/service/clock.ts";
import type { Problem, Result } from "../../../src/service/problem.ts";
import { selfSigned } from "../../certificate/self-signed.ts";
import { closedPort } from "../../stage/closed-port.ts";
import { apiKey, clientOf, id } from "../client-of.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function http(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`;
}

async function tcp(listener: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    listener(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`;
}

function open(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const client = clientOf({ baseUrl, ...options });
  closers.unshift(() => client.close());
  return client;
}

function problemOf(result: Result<unknown>): Problem {
  if (result.ok) throw new Error("the call succeeded");
  const { problem } = result;
  expect(problem.message).toMatch(/^[A-Z].*\.$/s);
  expect(problem.hint).toMatch(/^[A-Z].*\.$/s);
  expect(JSON.stringify(problem)).not.toContain(apiKey);
  return problem;
}

describe("when the service cannot be reached", () => {
  it("says that nothing listens, and that nothing was sent", async () => {
    for (const method of ["GET", "POST"] as const) {
      const problem = problemOf(await open(`${closedPort}/open-api/v1`).request(method, "/events"));
      expect(problem).toMatchObject({ class: "not-sent", code: "unreachable", status: null });
      expect(problem.message).toContain("cannot be reached");
    }
  });

  it("says that the name is not known", async () => {
    const problem = problemOf(await open("https://no-such-host.invalid/open-api/v1").request("POST", "/events"));
    expect(problem).toMatchObject({ class: "not-sent", code: "dns" });
    expect(problem.message).toContain("no-such-host.invalid");
  });

  it("does not send the key where the certificate cannot be trusted", async () => {
    let calls = 0;
    const server = createHttpsServer(selfSigned(), (_request, response) => {
      calls++;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const base = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const problem = problemOf(await open(base).request("POST", "/events"));
    expect(problem).toMatchObject({ class: "not-sent", code: "tls" });
    expect(problem.hint).toContain("NODE_EXTRA_CA_CERTS");
    expect(calls).toBe(0);
  });

  it("says that a port does not speak TLS, where there is no certificate to speak of", async () => {
    const base = await tcp((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    const problem = problemOf(await open(base.replace("http:", "https:")).request("POST", "/events"));
    expect(problem).toMatchObject({ class: "not-sent", code: "tls" });
    expect(problem.message).toMatch(
      /^The server at 127\.0\.0\.1:\d+ does not speak TLS, so the API key was not sent \(/,
    );
    expect(problem.message).not.toContain("certificate");
    expect(problem.hint).toContain("port");
  });

  it("says that something else answers", async () => {
    const base = await tcp((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n")));
    expect(problemOf(await open(base).request("PATCH", "/events", { body: {} }))).toMatchObject({
      class: "ambiguous",
      code: "protocol",
    });
  });
});

describe("when a response does not come", () => {
  it("ends the wait for headers", async () => {
    const base = await http(() => {});
    const problem = problemOf(await open(base, { timeouts: { headersMs: 150 } }).request("POST", "/events"));
    expect(problem).toMatchObject({ class: "ambiguous", code: "timeout", status: null });
  });

  it("ends the wait for a body that stops", async () => {
    const base = await http((_request, response) => response.writeHead(200).write('{"data":'));
    const problem = problemOf(await open(base, { timeouts: { bodyMs: 150 } }).request("POST", "/events"));
    expect(problem).toMatchObject({ class: "ambiguous", code: "timeout", status: 200 });
  });

  it("ends the wait for a body that drips forever", async () => {
    const base = await http((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    const problem = problemOf(await open(base, { timeouts: { totalMs: 200 } }).request("POST", "/events"));
    expect(problem).toMatchObject({ class: "ambiguous", code: "timeout" });
  });

  it("reports a write as ambiguous when its connection is cut, and repeats a read", async () => {
    let calls = 0;
    const base = await http((request, response) => {
      calls++;
      if (request.method === "GET" && calls > 2) response.end(`{"data":{"id":"${id}"}}`);
      else request.socket.destroy();
    });
    expect(problemOf(await open(base).request("POST", "/events"))).toMatchObject({
      class: "ambiguous",
      code: "connection-lost",
    });
    expect(calls).toBe(1);
    expect(await open(base).events.get(id)).toMatchObject({ ok: true });
    expect(calls).toBe(3);
  });

  it("reports a create as ambiguous when its response is cut in the middle", async () => {
    const base = await http((_request, response) => {
      response.writeHead(201, { "content-length": "1000" });
      response.write('{"data":{"id":"', () => response.destroy());
    });
    expect(problemOf(await open(base).request("POST", "/events"))).toMatchObject({
      class: "ambiguous",
      code: "connection-lost",
      status: 201,
    });
  });

  it("believes the status of a refusal whose text is cut", async () => {
    const base = await http((_request, response) => {
      response.writeHead(422, { "content-length": "1000" });
      response.write('{"error":', () => response.destroy());
    });
    expect(problemOf(await open(base).request("POST", "/events"))).toMatchObject({ class: "refused", status: 422 });
  });
});

describe("when a response is too much", () => {
  it("reads a body that begins with a byte order mark", async () => {
    const base = await http((_, response) => response.end('\uFEFF{"data":[]}'));
    expect(await open(base).webhooks.list()).toMatchObject({ ok: true, data: [] });
  });

  it("stops reading at the cap", async () => {
    let written = 0;
    const base = await http((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      function pour(): void {
        while (written < 200 * 1024 * 1024 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", pour);
            return;
          }
        }
      }
      pour();
    });
    const client = open(base);
    expect(problemOf(await client.request("GET", "/events"))).toMatchObject({ class: "refused", code: "too-large" });
    expect(problemOf(await client.request("POST", "/events"))).toMatchObject({ class: "ambiguous", code: "too-large" });
    expect(written).toBeLessThan(60 * 1024 * 1024);
  });

  it("does not read ten megabytes that claim to be JSON", async () => {
    const body = JSON.stringify({ data: "x".repeat(10 * 1024 * 1024) });
    const base = await http((_request, response) => response.end(body));
    expect(problemOf(await open(base).request("GET", "/me"))).toMatchObject({ code: "too-large" });
  });

  it("takes endless redirects for one", async () => {
    let calls = 0;
    const base = await http((request, response) => {
      calls++;
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    expect(problemOf(await open(base).request("GET", "/me"))).toMatchObject({ class: "refused", code: "redirect" });
    expect(calls).toBe(1);
  });
});

describe("before anything is sent", () => {
  it.each([
    ["ftp://x.example/"],
    ["http://api.example.com/open-api/v1"],
    ["http://127.0.0.1.evil.example/"],
    ["http://10.0.0.1/"],
    ["not a url"],
    ["https://user:pass@x.example/"],
    ["https://x.example/?key=1"],
    ["https://x.example/#a"],
  ])("refuses the address %s", async (baseUrl) => {
    const problem = problemOf(await open(baseUrl).me());
    expect(problem).toMatchObject({ class: "refused", code: "bad-base-url" });
    expect(JSON.stringify(problem)).not.toContain("user:pass");
  });

  it.each(["", "two words", "line\nbreak", "tab\t", "ünïcode", "emoji🎫"])(
    "refuses the key %j without showing it",
    async (key) => {
      const problem = problemOf(await open("https://x.example/", { apiKey: key }).me());
      expect(problem).toMatchObject({ class: "refused", code: "bad-key" });
      if (key !== "") expect(JSON.stringify(problem)).not.toContain(key);
    },
  );

  it.each(["http://127.0.0.1:1/", "http://localhost:1/v1", "http://[::1]:1", "http://127.9.9.9:1/"])(
    "takes %s, which is this machine",
    async (baseUrl) => {
      expect(problemOf(await open(baseUrl, { retries: { faults: 0 } }).me()).code).not.toBe("bad-base-url");
    },
  );

  it("starts nothing once the run was stopped, and ends what waits", async () => {
    let calls = 0;
    const stop = new AbortController();
    const base = await http((_request, response) => {
      calls++;
      stop.abort();
      setTimeout(() => response.end('{"data":null}'), 100);
    });
    const client = open(base, { concurrency: 1, signal: stop.signal });
    const running = [
      client.request("POST", "/events"),
      ...Array.from({ length: 4 }, () => client.request("GET", "/me")),
    ];
    const results = await Promise.all(running);
    // A write under way ends in its own time: what became of it must be known.
    expect(results[0]).toMatchObject({ ok: true });
    for (const result of results.slice(1))
      expect(problemOf(result)).toMatchObject({ class: "not-sent", code: "interrupted" });
    expect(calls).toBe(1);
  });
});

describe("a client that is closed", () => {
  it.each(["GET", "POST"] as const)("sends no %s that waited for the first connection", async (method) => {
    let calls = 0;
    const base = await http((_request, response) => {
      calls++;
      response.end("{}");
    });
    const client = open(base);
    const call = client.request(method, "/events");
    await client.close();
    expect(await call).toMatchObject({ ok: false, problem: { code: "interrupted" } });
    expect(calls).toBe(0);
  });

  it("ends a read under way, and lets a write under way end", async () => {
    let calls = 0;
    const base = await http(({ method, url = "" }, response) => {
      calls++;
      if (url.endsWith("/me")) response.end("{}");
      else if (method === "POST") setTimeout(() => response.end("{}"), 50);
    });
    const client = open(base);
    // Until a first response shows the limits, calls leave one by one.
    await client.request("GET", "/me");
    const read = client.request("GET", "/events");
    const write = client.request("POST", "/events", { body: {} });
    while (calls < 3) await new Promise((done) => setTimeout(done, 1));
    await client.close();
    expect(await read).toMatchObject({ ok: false, problem: { code: "interrupted" } });
    expect(await write).toMatchObject({ ok: true });
  }, 10_000);

  it("sends nothing more: neither what waits for its turn nor what would be tried again", async () => {
    let calls = 0;
    const base = await http((_request, response) => {
      calls++;
      response.writeHead(503).end("{}");
    });
    const client = open(base, { concurrency: 2, clock: systemClock });
    const reads = Array.from({ length: 10 }, (_, index) => client.request("GET", `/events/${index}`));
    while (calls < 2) await new Promise((done) => setTimeout(done, 1));
    await client.close();
    expect((await Promise.all(reads)).map(({ ok }) => ok)).not.toContain(true);
    expect(calls).toBe(2);
  });
});
