// The client over a socket against the embedded service, under every profile and every knob that a client can feel.
import { afterEach, describe, expect, it } from "vitest";
import { type FaultKind, knobs, profiles, type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { type ClientOptions, TicketingClient } from "../../src/service/client.ts";
import type { Result } from "../../src/service/problem.ts";
import { hastyClock } from "./client-of.ts";

let sandbox: Sandbox;
let client: TicketingClient;

afterEach(async () => {
  await client.close();
  await sandbox.close();
});

async function open(profile: string, options: Partial<ClientOptions> = {}): Promise<void> {
  sandbox = await startSandbox({ profile });
  client = new TicketingClient({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.apiKey,
    clock: hastyClock(),
    env: {},
    ...options,
  });
}

function data<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.data;
}

/** A write's response may show nothing: then the list is asked. */
async function idOf(
  result: Result<{ readonly id: string } | null>,
  list: () => Promise<Result<readonly { readonly id: string }[]>>,
  before: readonly string[] = [],
): Promise<string> {
  const shown = data(result)?.id;
  if (shown !== undefined) return shown;
  const found = data(await list()).find(({ id }) => !before.includes(id));
  if (found === undefined) throw new Error("what was created is not listed");
  return found.id;
}

async function walk(): Promise<void> {
  expect(data(await client.me()).organization.slug).toEqual(expect.any(String));

  const drafts = () => client.events.all({ status: "DRAFT" });
  const before = data(await drafts()).map(({ id }) => id);
  expect(before).toHaveLength(23);
  const dateTime = "2027-03-14T11:00:00.000Z";
  const tickets = [
    { name: "VIP", price: 4500, quantity: 20, published: false },
    { name: "GA", price: 1500, quantity: 50, published: false },
  ];
  const eventId = await idOf(await client.events.create({ name: "Manila Nights", dateTime, tickets }), drafts, before);
  expect(data(await drafts())).toHaveLength(24);
  expect(data(await client.events.get(eventId)).name).toBe("Manila Nights");
  data(await client.events.update(eventId, { description: "A night." }));

  const types = () => client.tickets.list(eventId);
  const [first, second] = data(await types()).map(({ id }) => id) as [string, string];
  expect(data(await types())).toHaveLength(2);
  expect(data(await client.tickets.get(eventId, first)).id).toBe(first);
  data(await client.tickets.update(eventId, first, { price: 4600 }));
  data(await client.tickets.publish(eventId, first));
  const third = await idOf(
    await client.tickets.create(eventId, { name: "Late", price: 1, quantity: 1, published: false }),
    types,
    [first, second],
  );
  data(await client.tickets.delete(eventId, third));
  expect(data(await client.tickets.delete(eventId, third))).toBeNull();

  const performers = () => client.performers.list(eventId);
  const performerId = await idOf(await client.performers.create(eventId, { name: "DJ Ana", type: "DJ" }), performers);
  const schedules = () => client.schedules.list(eventId);
  const slot = {
    title: "Doors",
    startTime: dateTime,
    endTime: "2027-03-14T12:00:00.000Z",
    performerId,
    color: "#FF8800",
  };
  const scheduleId = await idOf(await client.schedules.create(eventId, slot), schedules);
  data(await client.schedules.update(eventId, scheduleId, { title: "Open doors" }));
  data(await client.schedules.delete(eventId, scheduleId));
  data(await client.performers.delete(eventId, performerId));
  const brandId = await idOf(await client.brands.create(eventId, { name: "San Miguel" }), () =>
    client.brands.list(eventId),
  );
  data(await client.brands.delete(eventId, brandId));
  expect([data(await performers()), data(await schedules())]).toEqual([[], []]);

  data(await client.events.publish(eventId));
  expect(data(await client.events.get(eventId)).status).toBe("PUBLISHED");
  sandbox.control.sell({ event: eventId, ticket: first, count: 2 });
  const [order] = data(await client.orders.all(eventId));
  expect(order?.quantity).toBe(2);
  expect(data(await client.orders.get(order?.id as string)).id).toBe(order?.id);
  data(await client.tickets.soldOut(eventId, first));
  data(await client.events.unpublish(eventId));
  const deletion = await client.events.delete(eventId);
  expect(deletion).toMatchObject({
    ok: false,
    problem: { class: "refused", hint: expect.any(String), requestId: expect.any(String) },
  });

  const other = before[0] as string;
  data(await client.events.delete(other));
  const gone = await client.events.get(other);
  expect(gone.ok ? gone.data.status : gone.problem.class).toMatch(/DELETED|refused/);

  data(await client.venues.searchAll("Palace"));
  const hook = { url: "https://127.0.0.1:1/hook", events: ["order.completed"] };
  const created = await client.webhooks.create(hook);
  expect(data(created)?.secret).toEqual(expect.any(String));
  const hookId = await idOf(created, () => client.webhooks.list());
  expect(data(await client.webhooks.list()).map(({ id }) => id)).toEqual([hookId]);
  data(await client.webhooks.update(hookId, { isActive: false }));
  const test = await client.webhooks.test(hookId);
  expect(test.ok ? test.data?.success : test.problem.class).toSatisfy(
    (verdict) => verdict === false || verdict === "refused",
  );
  data(await client.webhooks.allDeliveries(hookId));
  data(await client.webhooks.delete(hookId));
  expect(client.counts.rateLimited).toBe(0);
}

function plantEvents(): void {
  const events = Array.from({ length: 23 }, (_, index) => ({
    name: `Earlier ${index}`,
    dateTime: `2027-02-0${1 + (index % 9)}T11:00:00.000Z`,
  }));
  sandbox.control.seed({ events });
}

describe("every endpoint, over a socket", () => {
  it.each(Object.keys(profiles))("under the profile %s", async (profile) => {
    await open(profile);
    plantEvents();
    await walk();
  });

  const felt = [
    "childLists",
    "takeAbove",
    "listOrder",
    "writeResponse",
    "createResponse",
    "oneRecord",
    "resetUnit",
    "headerWindow",
    "rateHeaders",
    "window",
    "deletedGet",
    "webhookTest",
    "webhookList",
    "refusalStatus",
  ] as const;
  const settings = felt.flatMap((name) => knobs[name].values.slice(1).map((value) => `${name}=${value}`));

  it.each([
    ...settings,
    "takeDefault=50",
    "takeMax=10",
    "takeMax=10,takeAbove=clamped,childLists=paged,takeDefault=3",
    "takeMax=100",
  ])("with %s", async (profile) => {
    await open(profile);
    plantEvents();
    await walk();
  });
});

describe("faults of the service", () => {
  const kinds: readonly [kind: FaultKind, create: string, code: string][] = [
    ["request-lost", "ambiguous", "connection-lost"],
    ["response-lost", "ambiguous", "connection-lost"],
    ["reset", "ambiguous", "connection-lost"],
    ["error-before", "ambiguous", "INTERNAL_ERROR"],
    ["error-after", "ambiguous", "INTERNAL_ERROR"],
    ["html-502", "ambiguous", "HTTP_502"],
    ["slow", "ambiguous", "timeout"],
    ["redirect", "ambiguous", "redirect"],
    ["huge", "ambiguous", "too-large"],
  ];

  it.each(kinds)("%s: a create is %s (%s), and made at most once", async (kind, problemClass, code) => {
    // Only a slow response is given up: on a busy machine any other may take a second, too.
    await open("likely", { timeouts: { headersMs: kind === "slow" ? 1000 : 20_000 }, maxBytes: 256 * 1024 });
    sandbox.control.addFault({ kind, delayMs: 4000 });
    const result = await client.events.create({ name: "Manila Nights", dateTime: "2027-03-14T11:00:00.000Z" });
    expect(result).toMatchObject({ ok: false, problem: { class: problemClass, code } });
    expect(sandbox.control.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(data(await client.events.all()).length).toBeLessThanOrEqual(1);
  });

  it("truncated: a create is ambiguous", async () => {
    await open("likely");
    sandbox.control.addFault({ kind: "truncated" });
    const result = await client.events.create({ name: "Manila Nights", dateTime: "2027-03-14T11:00:00.000Z" });
    expect(result).toMatchObject({ ok: false, problem: { class: "ambiguous" } });
    expect(data(await client.events.all())).toHaveLength(1);
  });

  it.each([
    "request-lost",
    "response-lost",
    "reset",
    "error-before",
    "html-502",
    "slow",
    "truncated",
    "rate-limited",
  ] as const)("%s: reads and deletes get through", async (kind) => {
    await open("likely", { timeouts: { headersMs: 1000 } });
    const [event] = sandbox.control.seed({ events: [{ name: "A" }] }).events;
    sandbox.control.addFault({ kind, times: 2, delayMs: 4000 });
    expect(data(await client.events.all())).toHaveLength(1);
    sandbox.control.addFault({ kind, times: 2, delayMs: 4000 });
    expect(await client.events.delete((event as { id: string }).id)).toMatchObject({ ok: true });
    expect(data(await client.events.all())).toEqual([]);
  });
});

describe("keys", () => {
  it.each([
    ["wrong", "no-such-key", 401],
    ["expired", undefined, 401],
    ["without the scope", undefined, 403],
  ])("%s: a clear refusal", async (name, key, status) => {
    await open("likely");
    const planted = sandbox.control.seed({
      keys: [name === "expired" ? { expiresAt: "2020-01-01T00:00:00.000Z" } : { scopes: ["events:read"] }],
    }).keys;
    const other = new TicketingClient({ baseUrl: sandbox.baseUrl, apiKey: key ?? planted[0]?.value ?? "" });
    const result = await other.events.create({ name: "A", dateTime: "2027-03-14T11:00:00.000Z" });
    await other.close();
    expect(result).toMatchObject({ ok: false, problem: { class: "refused", status, hint: expect.any(String) } });
  });
});

describe("a used-up limit", () => {
  it.each([
    "retryAfter=seconds",
    "retryAfter=date",
    "retryAfter=none",
    "rateHeaders=not-on-429,retryAfter=seconds",
    "limitBody=html",
    "window=sliding",
    "rateHeaders=suffixed",
  ])("%s: one refusal, then an end that says when to come back", async (setting) => {
    await open(`tier=free,${setting}`, { maxWaitSeconds: 5, tier: "free" });
    sandbox.control.spend(60);
    const results = await Promise.all(Array.from({ length: 10 }, () => client.request("POST", "/events")));
    for (const result of results)
      expect(result).toMatchObject({ ok: false, problem: { class: "throttled", code: "rate-limited-too-long" } });
    expect(client.counts.rateLimited).toBe(1);
  });

  it("is not reached: the client stops before", async () => {
    await open("tier=free", { maxWaitSeconds: 5 });
    const results = await Promise.all(Array.from({ length: 80 }, () => client.me()));
    expect(results.filter((result) => result.ok)).toHaveLength(60);
    expect(client.counts).toEqual({ reads: 60, writes: 0, rateLimited: 0 });
  });
});
