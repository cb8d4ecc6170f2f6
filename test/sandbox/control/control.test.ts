import { request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askControl, type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import type { Json } from "../open.ts";

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

afterEach(() => sandbox.close());

function ask(method: string, path: string, body?: unknown): Promise<Json> {
  return askControl(sandbox.controlUrl, method, path, body);
}

const gig = { name: "Gig", status: "PUBLISHED", tickets: [{ name: "GA", quantity: 10, published: true }] } as const;

test("seeds, sells, refunds, cancels and dumps over HTTP", async () => {
  const { events } = await ask("POST", "/seed", { events: [gig] });
  const [order] = await ask("POST", "/sell", { event: "gig", ticket: "GA", count: 2 });
  expect(order).toMatchObject({ eventId: events[0].id, quantity: 2, status: "COMPLETED" });
  expect(await ask("POST", "/refund", { order: order.id })).toMatchObject({ status: "REFUNDED" });
  const [pending] = await ask("POST", "/sell", { event: "gig", ticket: "GA", count: 1, status: "PENDING" });
  expect(await ask("POST", "/cancel", { order: pending.orderNumber })).toMatchObject({ status: "CANCELLED" });
  expect(await ask("GET", "/dump")).toMatchObject({
    formatVersion: 1,
    orders: [{ status: "REFUNDED" }, { status: "CANCELLED" }],
  });
});

test("reset leaves an empty organization, the same key, and the profile", async () => {
  const [extra] = sandbox.control.seed({ events: [gig], keys: [{ name: "Extra" }], webhooks: [{}], venues: [{}] }).keys;
  sandbox.control.addFault({ kind: "huge" });
  sandbox.control.setProfile("minimal");
  await ask("POST", "/refuse-writes");
  await ask("POST", "/reset");
  const dump = sandbox.control.dump();
  expect(Object.values(dump).map((rows) => (Array.isArray(rows) ? rows.length : rows))).toEqual([
    1,
    1,
    1,
    ...Array(10).fill(0),
  ]);
  expect(dump.keys).toMatchObject([{ value: sandbox.apiKey }]);
  expect(sandbox.control.faults()).toEqual([]);
  expect(sandbox.control.profile().eventRecord).toBe("minimal");
  const response = await fetch(`${sandbox.baseUrl}/me`, { headers: { "api-key": extra?.value ?? "" } });
  expect(response.status).toBe(401);
});

test("switches the profile and shows it", async () => {
  expect(await ask("POST", "/profile", { profile: "strict,takeMax=7" })).toMatchObject({
    takeMax: 7,
    unknownFields: "refused",
  });
  expect(await ask("GET", "/profile")).toMatchObject({ takeMax: 7 });
  await expect(ask("POST", "/profile", { profile: "takeMax=many" })).rejects.toThrow("takeMax cannot be");
});

test("injects, lists and clears faults", async () => {
  await ask("POST", "/faults", { kind: "error-before", at: 2 });
  expect(await ask("GET", "/faults")).toEqual([{ kind: "error-before", at: 2 }]);
  await ask("DELETE", "/faults");
  expect(await ask("GET", "/faults")).toEqual([]);
  await expect(ask("POST", "/faults", { kind: "fire" })).rejects.toThrow("There is no fault");
});

test("refuses every write while asked to, and no read", async () => {
  await ask("POST", "/refuse-writes");
  const { call } = sandbox.service;
  expect((await call("POST", "/events", {})).body).toMatchObject({ error: { code: "WRITES_REFUSED" } });
  expect((await call("GET", "/me")).status).toBe(200);
  await ask("POST", "/refuse-writes", { on: false });
  expect((await call("POST", "/events", {})).status).toBe(400);
});

test("keeps a log of the calls to the API, not of those to itself", async () => {
  const { call } = sandbox.service;
  await call("GET", "/events?take=5");
  sandbox.control.addFault({ kind: "response-lost" });
  await sandbox.service.call("DELETE", "/webhooks/1");
  await call("POST", "/webhooks", { url: 1 });
  expect(await ask("GET", "/calls")).toMatchObject([
    { n: 1, method: "GET", path: "/events?take=5", write: false, status: 200 },
    { n: 2, method: "DELETE", path: "/webhooks/1", write: true, status: 0, fault: "response-lost" },
    { n: 3, method: "POST", path: "/webhooks", write: true, status: 400, body: '{"url":1}' },
  ]);
  await ask("DELETE", "/calls");
  expect(await ask("GET", "/calls")).toEqual([]);
});

test("seeds a state that no sequence of calls could reach", () => {
  const { events, webhooks, keys } = sandbox.control.seed({
    organization: { slug: "acme-live" },
    events: [
      {
        id: "11111111-1111-4111-8111-111111111111",
        name: "Twin",
        status: "ARCHIVED",
        dateTime: "2020-01-01T20:00:00+08:00",
        tickets: [{ name: "GA", quantity: 10, sold: 4, remainingQuantity: 0 }, { name: "GA" }],
        performers: [{ name: "DJ" }],
        schedules: [{ title: "Set", performer: "DJ" }],
        brands: [{ name: "Cola" }],
        orders: [{ status: "CANCELLED", quantity: 3 }],
      },
      { name: "Twin" },
    ],
    webhooks: [{ isActive: false }],
    keys: [{ scopes: ["events:read"], expiresAt: "2020-01-01T00:00:00.000Z" }],
  });
  expect(events).toMatchObject([
    {
      id: "11111111-1111-4111-8111-111111111111",
      status: "ARCHIVED",
      dateTime: "2020-01-01T12:00:00.000Z",
      tickets: [
        { sold: 4, remainingQuantity: 0 },
        { sold: 0, remainingQuantity: 100 },
      ],
      orders: [
        { status: "COMPLETED", quantity: 4 },
        { status: "CANCELLED", quantity: 3 },
      ],
    },
    { name: "Twin", slug: "twin-2" },
  ]);
  expect(events[0]?.schedules[0]?.performerId).toBe(events[0]?.performers[0]?.id);
  expect([webhooks[0]?.isActive, keys[0]?.scopes]).toEqual([false, ["events:read"]]);
  expect(sandbox.control.dump().organizations).toMatchObject([{ slug: "acme-live" }]);
});

test("spends calls of the rate limit as another client would", async () => {
  sandbox.control.setProfile("tier=free");
  await ask("POST", "/spend", { calls: 60 });
  expect((await sandbox.service.call("GET", "/me")).status).toBe(429);
});

test.each([
  ["/sell", {}, "event is required."],
  ["/sell", { event: "gig", ticket: 5, count: 1 }, "ticket must be a string."],
  ["/sell", { event: "gig", ticket: "GA", count: "2" }, "count must be a whole number of at least 1."],
  ["/sell", { event: "gig", ticket: "GA", count: 1, status: "PAID" }, "status must be one of COMPLETED, PENDING"],
  ["/sell", { event: "gig", ticket: "GA", count: 1, force: "yes" }, "force must be true or false."],
  ["/sell", [], "The body must be an object."],
  ["/sell", null, "The body must be an object."],
  ["/refund", {}, "order is required"],
  ["/cancel", { order: 7 }, "order must be a string"],
  ["/profile", {}, "profile is required"],
  ["/profile", { profile: { takeMax: 7 } }, "profile must be a string"],
  ["/spend", {}, "calls is required"],
  ["/spend", { calls: "abc" }, "calls must be a whole number from 0"],
  ["/spend", { calls: 1e12 }, "calls must be a whole number from 0"],
  ["/refuse-writes", { on: "no" }, "on must be true or false."],
  ["/faults", {}, "kind is required"],
  ["/faults", { kind: "error-before", at: "x", times: -3 }, "at must be a whole number of at least 1."],
  ["/faults", { kind: "error-before", times: -3 }, "times must be a whole number of at least 0."],
  ["/faults", { kind: "late", status: "gone" }, 'status must be an HTTP status from 100 to 599, or "lost".'],
  ["/faults", { kind: "rate-limited", retryAfter: true }, "retryAfter must be a number of seconds, a string, or null."],
  ["/faults", { kind: "slow", delayMs: "1" }, "delayMs must be a whole number of at least 0."],
  ["/faults", { kind: "html-502", moment: "later" }, "moment must be one of before, after."],
  ["/faults", { kind: "error-before", method: "get" }, "method must be one of GET, POST, PATCH, DELETE."],
  ["/seed", { events: {} }, "events must be an array."],
  ["/seed", { events: ["gig"] }, "events.0 must be an object."],
  ["/seed", { events: [{ name: 5 }] }, "events.0.name must be a string."],
  ["/seed", { events: [gig, { dateTime: "soon" }] }, "events.1.dateTime must be an ISO 8601 date-time."],
  ["/seed", { events: [{ tickets: [{ sold: -1 }] }] }, "events.0.tickets.0.sold must be a whole number of at least 0."],
  ["/seed", { events: [{ orders: [{ orderItems: [{}, 1] }] }] }, "orderItems.1 must be an object."],
  ["/seed", { keys: [{ scopes: ["all"] }] }, "keys.0.scopes must contain only events:read"],
  ["/seed", { events: null }, "events must not be null."],
  ["/seed", { events: [{ description: null, dateTime: null }] }, "events.0.dateTime must not be null."],
  ["/sell", { event: "gig", ticket: "GA", count: 1, status: null }, "status must not be null."],
  ["/seed", { organization: "acme" }, "organization must be an object."],
])("POST %s with %j is refused by the name of the field, and does nothing", async (path, body, words) => {
  const before = JSON.stringify(sandbox.control.dump());
  const response = await fetch(`${sandbox.controlUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
  expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(words) }]);
  expect(JSON.stringify(sandbox.control.dump())).toBe(before);
  expect(sandbox.control.faults()).toEqual([]);
});

test("a body that is not JSON is refused as such", async () => {
  const response = await fetch(`${sandbox.controlUrl}/spend`, { method: "POST", body: "calls=5" });
  expect([response.status, await response.json()]).toEqual([400, { error: "The body is not JSON." }]);
});

test("answers this machine only, and no web page on it", async () => {
  const { port } = new URL(sandbox.baseUrl);
  const status = (headers: Record<string, string>) =>
    new Promise((resolve) => {
      const path = "/_sandbox/dump";
      request({ port, host: "127.0.0.1", path, headers }, (response) => resolve(response.resume().statusCode)).end();
    });
  expect(await status({})).toBe(200);
  expect(await status({ host: "attacker.example" })).toBe(403);
  expect(await status({ origin: "https://attacker.example" })).toBe(403);
});

test("what it does not know, it says, and what is asked of no sandbox too", async () => {
  await expect(ask("POST", "/dance")).rejects.toThrow(/There is no POST \/dance/);
  await expect(ask("POST", "/sell", { event: "x", ticket: "y", count: 1 })).rejects.toThrow('There is no event "x"');
  await expect(askControl("http://127.0.0.1:1", "GET", "/dump")).rejects.toThrow(
    /No sandbox responds.*ticketing sandbox --port 1$/,
  );
  await expect(askControl("https://example.com", "GET", "/dump")).rejects.toThrow("not the URL of a sandbox");
});
