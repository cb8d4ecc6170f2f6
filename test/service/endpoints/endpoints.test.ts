// Every endpoint of the API document has a method, and each sends what the document says.
import { describe, expect, it } from "vitest";
import type { TicketingClient } from "../../../src/service/client.ts";
import type { Result } from "../../../src/service/problem.ts";
import { clientOf, id, json, otherId, scripted } from "../client-of.ts";

const baseUrl = "https://tickets.example/open-api/v1";
type Call = (client: TicketingClient) => Promise<Result<unknown>>;

const event = { name: "Manila Nights", dateTime: "2027-03-14T11:00:00Z" };
const ticket = { name: "GA", price: 1500, quantity: 10, published: false };
const entry = { title: "Doors", startTime: "2027-03-14T11:00:00Z", endTime: "2027-03-14T12:00:00Z" };
const hook = { url: "https://hooks.example/a", events: ["order.completed"] };

const endpoints: readonly (readonly [line: string, call: Call, body?: unknown])[] = [
  ["GET /me", (c) => c.me()],
  ["POST /events", (c) => c.events.create(event), event],
  [
    "GET /events?status=DRAFT&search=a%20b&page=2&take=5",
    (c) => c.events.list({ status: "DRAFT", search: "a b", page: 2, take: 5 }),
  ],
  ["GET /events/manila-nights", (c) => c.events.get("manila-nights")],
  [`PATCH /events/${id}`, (c) => c.events.update(id, { name: "B" }), { name: "B" }],
  [`POST /events/${id}/publish`, (c) => c.events.publish(id)],
  [`POST /events/${id}/unpublish`, (c) => c.events.unpublish(id)],
  [`POST /events/${id}/archive`, (c) => c.events.archive(id)],
  [`DELETE /events/${id}`, (c) => c.events.delete(id)],
  [`POST /events/${id}/tickets`, (c) => c.tickets.create(id, ticket), ticket],
  [`GET /events/${id}/tickets`, (c) => c.tickets.list(id)],
  [`GET /events/${id}/tickets/${otherId}`, (c) => c.tickets.get(id, otherId)],
  [`PATCH /events/${id}/tickets/${otherId}`, (c) => c.tickets.update(id, otherId, { price: 1 }), { price: 1 }],
  [`POST /events/${id}/tickets/${otherId}/publish`, (c) => c.tickets.publish(id, otherId)],
  [`POST /events/${id}/tickets/${otherId}/sold-out`, (c) => c.tickets.soldOut(id, otherId)],
  [`DELETE /events/${id}/tickets/${otherId}`, (c) => c.tickets.delete(id, otherId)],
  [`POST /events/${id}/performers`, (c) => c.performers.create(id, { name: "DJ Ana" }), { name: "DJ Ana" }],
  [`GET /events/${id}/performers`, (c) => c.performers.list(id)],
  [`DELETE /events/${id}/performers/${otherId}`, (c) => c.performers.delete(id, otherId)],
  [`POST /events/${id}/schedules`, (c) => c.schedules.create(id, entry), entry],
  [`GET /events/${id}/schedules`, (c) => c.schedules.list(id)],
  [`PATCH /events/${id}/schedules/${otherId}`, (c) => c.schedules.update(id, otherId, { title: "B" }), { title: "B" }],
  [`DELETE /events/${id}/schedules/${otherId}`, (c) => c.schedules.delete(id, otherId)],
  [`POST /events/${id}/brands`, (c) => c.brands.create(id, { name: "San Miguel" }), { name: "San Miguel" }],
  [`GET /events/${id}/brands`, (c) => c.brands.list(id)],
  [`DELETE /events/${id}/brands/${otherId}`, (c) => c.brands.delete(id, otherId)],
  [`GET /events/${id}/orders?status=COMPLETED&take=1`, (c) => c.orders.list(id, { status: "COMPLETED", take: 1 })],
  [`GET /orders/${id}`, (c) => c.orders.get(id)],
  ["GET /venues/search?query=Palace%20%26%20co&page=2", (c) => c.venues.search("Palace & co", { page: 2 })],
  ["POST /webhooks", (c) => c.webhooks.create(hook), hook],
  ["GET /webhooks", (c) => c.webhooks.list()],
  [`PATCH /webhooks/${id}`, (c) => c.webhooks.update(id, { isActive: false }), { isActive: false }],
  [`DELETE /webhooks/${id}`, (c) => c.webhooks.delete(id)],
  [`POST /webhooks/${id}/test`, (c) => c.webhooks.test(id)],
  [`GET /webhooks/${id}/deliveries?page=1&take=10`, (c) => c.webhooks.deliveries(id, { page: 1, take: 10 })],
];

describe("the endpoints", () => {
  it("are all of the document", () => {
    const groups = new Map<string, number>();
    for (const [line] of endpoints) {
      const path = (line.split(" ")[1] ?? "").replace(/\?.*/, "");
      const part = /^\/events\/[^/]+\/(tickets|performers|schedules|brands|orders)/.exec(path)?.[1];
      const group = part ?? path.split("/")[1] ?? "";
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
    expect(Object.fromEntries(groups)).toEqual({
      me: 1,
      events: 8,
      tickets: 7,
      performers: 3,
      schedules: 4,
      brands: 3,
      orders: 2,
      venues: 1,
      webhooks: 6,
    });
  });

  it.each(endpoints.map(([line, call, body]) => ({ line, call, body })))("$line", async ({ line, call, body }) => {
    const isList =
      line.startsWith("GET") &&
      /^\/(events\?|venues|webhooks)|(tickets|performers|schedules|brands|orders)$/.test(
        (line.split(" ")[1] ?? "").replace(/\?(?!status=D).*/, ""),
      );
    const transport = scripted(json(200, { data: isList ? [{ id }] : { id, success: true } }));
    const result = await call(clientOf({ baseUrl, transport }));
    expect(result).toMatchObject({ ok: true });
    const sent = transport.calls.map(({ method, origin, path, body: text }) => ({
      line: `${method} ${path}`,
      origin,
      body: text && JSON.parse(text),
    }));
    const [method, path] = line.split(" ");
    expect(sent).toEqual([
      { line: `${method} /open-api/v1${path}`, origin: "https://tickets.example", body: body ?? null },
    ]);
  });
});

describe("a query", () => {
  it("carries any text, even half a character", async () => {
    const transport = scripted(json(200, { data: [] }));
    await clientOf({ baseUrl, transport }).venues.search("Café \ud83c & co?");
    expect(transport.calls.map(({ path }) => path)).toEqual([
      "/open-api/v1/venues/search?query=Caf%C3%A9%20%EF%BF%BD%20%26%20co%3F",
    ]);
  });
});

describe("what never goes into a path", () => {
  const evil = ["", "..", "../me", `${id}/publish`, "a b", "%2e%2e", `${id}\n`, "1"];

  it.each(evil)("an id like %j", async (bad) => {
    const transport = scripted(json(200, { data: { id } }));
    const client = clientOf({ baseUrl, transport });
    for (const result of [
      await client.events.publish(bad),
      await client.events.delete(bad),
      await client.tickets.get(id, bad),
      await client.performers.list(bad),
      await client.webhooks.test(bad),
      await client.orders.get(bad),
    ]) {
      expect(result).toMatchObject({ ok: false, problem: { class: "refused", code: "bad-id" } });
    }
    expect(transport.calls).toEqual([]);
  });

  it("a slug that climbs", async () => {
    const transport = scripted(json(200, { data: { id } }));
    const client = clientOf({ baseUrl, transport });
    for (const slug of ["", ".", ".."])
      expect(await client.events.get(slug)).toMatchObject({ ok: false, problem: { code: "bad-id" } });
    await client.events.get("../me?x=1#y");
    await client.events.get(".hidden (1)");
    expect(transport.calls.map(({ path }) => path)).toEqual([
      "/open-api/v1/events/%2E.%2Fme%3Fx%3D1%23y",
      "/open-api/v1/events/%2Ehidden%20%281%29",
    ]);
  });

  it.each([
    "events",
    "",
    "/",
    "/events/../me",
    "/events/%2e%2E/me",
    "/events/%2e",
    "//evil.example/x",
    "/events?x=1",
    "/a b",
    "/events/",
    "http://evil.example",
  ])("a path like %j", async (path) => {
    const transport = scripted(json(200, { data: null }));
    const result = await clientOf({ baseUrl, transport }).request("GET", path);
    expect(result).toMatchObject({ ok: false, problem: { class: "refused", code: "bad-path" } });
    expect(transport.calls).toEqual([]);
  });
});
