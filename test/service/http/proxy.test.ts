// CI runners reach the world through proxies that the environment names.
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { proxyFor } from "../../../src/service/http/transport.ts";
import { undiciTransport } from "../../../src/service/http/undici-transport.ts";
import { selfSigned } from "../../certificate/self-signed.ts";
import { clientOf } from "../client-of.ts";

describe("which proxy is between", () => {
  const env = { HTTPS_PROXY: "http://proxy.example:8080", HTTP_PROXY: "http://plain.example:3128" };

  it.each([
    ["https://api.example.com", env, "http://proxy.example:8080"],
    ["http://api.example.com", env, "http://plain.example:3128"],
    ["https://api.example.com", {}, null],
    ["https://api.example.com", { HTTP_PROXY: "http://plain.example" }, null],
    ["https://api.example.com", { ALL_PROXY: "http://all.example" }, "http://all.example"],
    ["https://api.example.com", { HTTPS_PROXY: "proxy.example:8080" }, "http://proxy.example:8080"],
    ["https://api.example.com", { ...env, https_proxy: "http://lower.example" }, "http://lower.example"],
    ["https://api.example.com", { ...env, NO_PROXY: "*" }, null],
    ["https://api.example.com", { ...env, NO_PROXY: "example.com" }, null],
    ["https://api.example.com", { ...env, NO_PROXY: ".example.com" }, null],
    ["https://api.example.com", { ...env, NO_PROXY: "*.example.com" }, null],
    ["https://api.example.com", { ...env, NO_PROXY: "a.example, API.example.com" }, null],
    ["https://api.example.com", { ...env, NO_PROXY: "api.example.com:443" }, null],
    ["https://api.example.com", { ...env, NO_PROXY: "api.example.com:8443" }, "http://proxy.example:8080"],
    ["https://api.example.com:8443", { ...env, NO_PROXY: "api.example.com:8443" }, null],
    ["https://notexample.com", { ...env, NO_PROXY: "example.com" }, "http://proxy.example:8080"],
    ["https://[2001:db8::1]", { ...env, NO_PROXY: "2001:db8::1" }, null],
    ["http://127.0.0.1:8080", env, null],
    ["http://localhost:8080", env, null],
    ["http://[::1]:8080", env, null],
  ] as const)("for %s with %j: %s", (origin, variables, expected) => {
    expect(proxyFor(origin, variables)?.url ?? null).toBe(expected);
  });
});

describe("a call through a proxy", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function service() {
    const pair = selfSigned();
    const seen: { readonly key: unknown; readonly host: unknown }[] = [];
    const server = createHttpsServer(pair, (request, response) => {
      seen.push({ key: request.headers["api-key"], host: request.headers.host });
      response.end('{"data":{"apiKey":{"name":"CI"},"organization":{}}}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { port: (server.address() as AddressInfo).port, ca: pair.cert, seen };
  }

  /** Connects to 127.0.0.1, whatever the name: names are the proxy's business. */
  async function proxy(status = 200) {
    const tunnels: { readonly to: string | undefined; readonly auth: string | undefined; readonly key: unknown }[] = [];
    const sockets = new Set<Socket>();
    const server = createServer();
    server.on("connect", (request: IncomingMessage, socket: Socket) => {
      sockets.add(socket);
      tunnels.push({ to: request.url, auth: request.headers["proxy-authorization"], key: request.headers["api-key"] });
      if (status !== 200) {
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const target = connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        target.pipe(socket).pipe(target);
      });
      sockets.add(target);
      for (const each of [socket, target]) each.on("error", () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return { port: (server.address() as AddressInfo).port, tunnels };
  }

  it("arrives, with the key for the service and the password for the proxy", async () => {
    const { port, ca, seen } = await service();
    const middle = await proxy();
    const transport = undiciTransport({ ca, env: { HTTPS_PROXY: `http://ci:pass@127.0.0.1:${middle.port}` } });
    const client = clientOf({ baseUrl: `https://tickets.example:${port}/open-api/v1`, transport });
    expect(await client.me()).toMatchObject({ ok: true, data: { apiKey: { name: "CI" } } });
    await client.close();
    expect(seen).toMatchObject([{ key: expect.stringContaining("tk_secret"), host: `tickets.example:${port}` }]);
    expect(middle.tunnels).toEqual([
      { to: `tickets.example:${port}`, auth: `Basic ${Buffer.from("ci:pass").toString("base64")}`, key: undefined },
    ]);
  });

  it("is refused by a proxy that wants a password: said so, and nothing was sent", async () => {
    const middle = await proxy(407);
    const transport = undiciTransport({ env: { HTTPS_PROXY: `http://ci:geheim@127.0.0.1:${middle.port}` } });
    const client = clientOf({ baseUrl: "https://tickets.example/open-api/v1", transport });
    const result = await client.request("POST", "/events");
    await client.close();
    expect(result).toMatchObject({ ok: false, problem: { class: "not-sent", code: "proxy" } });
    expect(!result.ok && result.problem.message).toBe(
      `The proxy http://127.0.0.1:${middle.port} (from HTTPS_PROXY) refused to connect to tickets.example (it responded with 407).`,
    );
    expect(JSON.stringify(result)).not.toContain("geheim");
  });

  it("says so where the proxy's address is none", async () => {
    const client = clientOf({
      baseUrl: "https://tickets.example/",
      transport: undiciTransport({ env: { HTTPS_PROXY: "http://:::" } }),
    });
    expect(await client.me()).toMatchObject({
      ok: false,
      problem: {
        class: "not-sent",
        code: "bad-proxy",
        message: "The URL of the proxy in HTTPS_PROXY cannot be read.",
      },
    });
    await client.close();
  });

  it.each(["socks5", "socks4", "ftp"])("says so where it would have to be spoken to in %s", async (scheme) => {
    const transport = undiciTransport({ env: { all_proxy: `${scheme}://ci:geheim@proxy.example:1080` } });
    const client = clientOf({ baseUrl: "https://tickets.example/", transport });
    const result = await client.me();
    await client.close();
    expect(result).toMatchObject({ ok: false, problem: { class: "not-sent", code: "bad-proxy" } });
    expect(!result.ok && result.problem.message).toBe(
      `The proxy ${scheme}://proxy.example:1080 (from all_proxy) cannot be used: only http and https proxies are supported.`,
    );
    expect(!result.ok && result.problem.hint).toContain("NO_PROXY=tickets.example");
    expect(JSON.stringify(result)).not.toContain("geheim");
  });

  it("says so where nothing listens there", async () => {
    const client = clientOf({
      baseUrl: "https://tickets.example/",
      transport: undiciTransport({ env: { HTTPS_PROXY: "http://ci:geheim@127.0.0.1:1" } }),
      retries: { faults: 0 },
    });
    expect(await client.request("POST", "/events")).toMatchObject({
      ok: false,
      problem: {
        class: "not-sent",
        code: "unreachable",
        message:
          "The proxy http://127.0.0.1:1 (from HTTPS_PROXY) cannot be reached (ECONNREFUSED), so nothing was sent to tickets.example.",
      },
    });
    await client.close();
  });

  it("still names the service where it is the service that cannot be trusted", async () => {
    const { port } = await service();
    const middle = await proxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${middle.port}` };
    const baseUrl = `https://tickets.example:${port}/open-api/v1`;
    const untrusting = clientOf({ baseUrl, transport: undiciTransport({ env }), retries: { faults: 0 } });
    const untrusted = await untrusting.me();
    await untrusting.close();
    expect(!untrusted.ok && untrusted.problem.message).toContain(
      `The certificate of tickets.example:${port} is not trusted`,
    );
  });
});
