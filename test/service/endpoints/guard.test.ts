// A guard that is asked right before a write leaves, every time it is sent.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { TicketingClient } from "../../../src/service/client.ts";
import type { Transport, TransportCall } from "../../../src/service/http/transport.ts";
import { undiciTransport } from "../../../src/service/http/undici-transport.ts";

/** Lets nothing out once it is closed, and says why. */
function makeGuard() {
  const guard = {
    open: true,
    asked: 0,
    isOpen: () => guard.open,
    wait: async () => {
      guard.asked += 1;
      return guard.open ? null : { message: "Another run took over.", hint: "Run it again." };
    },
  };
  return guard;
}

function clientWith(send: Transport["send"], guard: ReturnType<typeof makeGuard>): TicketingClient {
  const transport = { send, close: async () => undefined };
  return new TicketingClient({ baseUrl: "http://127.0.0.1/open-api/v1", apiKey: "a".repeat(20), transport, guard });
}

const response = { status: 200, headers: {}, body: '{"data":{}}', cut: null };

test("a write that must not leave is not sent, and says why; reads continue", async () => {
  const guard = makeGuard();
  const sent: string[] = [];
  const client = clientWith(async ({ method }) => {
    sent.push(method);
    return { kind: "response", response };
  }, guard);
  expect((await client.request("POST", "/events", { body: {} })).ok).toBe(true);
  guard.open = false;
  for (const method of ["POST", "PATCH", "DELETE"] as const) {
    const refused = await client.request(method, "/events", { body: {} });
    expect(refused).toMatchObject({
      ok: false,
      problem: { class: "not-sent", code: "lock-lost", hint: "Run it again." },
    });
  }
  expect((await client.request("GET", "/events")).ok).toBe(true);
  expect(sent).toEqual(["POST", "GET"]);
});

test("a first write that must not leave keeps no later read waiting", async () => {
  const guard = makeGuard();
  guard.open = false;
  const client = clientWith(async () => ({ kind: "response", response }), guard);
  for (let nth = 0; nth < 9; nth++)
    expect(await client.request("POST", "/events", { body: {} })).toMatchObject({ problem: { code: "lock-lost" } });
  expect((await client.request("GET", "/events")).ok).toBe(true);
});

test("it is asked again before a retry", async () => {
  const guard = makeGuard();
  let sent = 0;
  const client = clientWith(async () => {
    sent += 1;
    guard.open = false;
    return { kind: "fault", fault: { code: "unreachable", detail: "ECONNREFUSED", sent: false } };
  }, guard);
  const refused = await client.request("POST", "/events", { body: {} });
  expect(refused).toMatchObject({ ok: false, problem: { class: "not-sent", code: "lock-lost" } });
  expect([sent, guard.asked]).toEqual([1, 1]);
});

test("a call that waits for the guard ends when the run is interrupted, and was not sent", async () => {
  const stop = new AbortController();
  let sent = 0;
  const client = new TicketingClient({
    baseUrl: "http://127.0.0.1/open-api/v1",
    apiKey: "a".repeat(20),
    signal: stop.signal,
    transport: {
      send: async () => {
        sent += 1;
        return { kind: "response", response };
      },
      close: async () => undefined,
    },
    guard: {
      isOpen: () => false,
      wait: (signal) =>
        new Promise((resolve) => signal?.addEventListener("abort", () => resolve({ message: "Nobody knows." }))),
    },
  });
  const calling = client.request("POST", "/events", { body: {} });
  setTimeout(() => stop.abort(), 20);
  expect(await calling).toMatchObject({ ok: false, problem: { class: "not-sent", code: "interrupted" } });
  expect(sent).toBe(0);
}, 3_000);

test("it is asked once more when the connection is there: one that came late carries nothing", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = undiciTransport({ env: {} });
  const call: TransportCall = {
    method: "POST",
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: "/events",
    headers: {},
    body: "{}",
    maxBytes: 1000,
    mayLeave: () => false,
  };
  expect(await transport.send(call)).toMatchObject({ kind: "fault", fault: { sent: false } });
  expect(requests).toBe(0);
  expect(await transport.send({ ...call, mayLeave: () => true })).toMatchObject({ kind: "response" });
  expect(requests).toBe(1);
  await transport.close();
  server.close();
});
