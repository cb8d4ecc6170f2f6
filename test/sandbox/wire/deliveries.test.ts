import { afterEach, expect, test } from "vitest";
import { type Json, type Open, open } from "../open.ts";
import { type Receiver, receive } from "./receive.ts";

const receivers: Receiver[] = [];

afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function receiver(...statuses: number[]): Promise<Receiver> {
  const started = await receive(...statuses);
  receivers.push(started);
  return started;
}

async function hook({ post }: Open, { url, trust }: Receiver, events: string[], path = "/hook"): Promise<Json> {
  const { data } = (await post("/webhooks", { url: url + path, events })).body;
  trust(data.secret);
  return data;
}

function gig({ service }: Open, fields: Record<string, unknown> = {}): void {
  const tickets = [{ name: "GA", price: 100, quantity: 20, published: true }];
  service.control.seed({ events: [{ name: "Gig", status: "PUBLISHED", tickets, ...fields }] });
}

const all = ["order.completed", "order.refunded", "event.sold_out", "ticket.inventory_low"];

test("notifies another process of orders, refunds, low inventory and a sold-out event, signed", async () => {
  const opened = open();
  const there = await receiver();
  await hook(opened, there, all);
  gig(opened);
  const { control } = opened.service;
  control.sell({ event: "gig", ticket: "GA", count: 8 });
  expect(await there.next()).toMatchObject({
    method: "POST",
    path: "/hook",
    type: "order.completed",
    signed: true,
    payload: { type: "order.completed", data: { order: { quantity: 8, totalAmount: 800 } } },
  });
  control.refund("ORD-000001");
  expect(await there.next()).toMatchObject({ type: "order.refunded", signed: true });
  control.sell({ event: "gig", ticket: "GA", count: 18, force: true });
  const pair = [await there.next(), await there.next()];
  expect(pair.map(({ type }) => type).sort()).toEqual(["order.completed", "ticket.inventory_low"]);
  control.sell({ event: "gig", ticket: "GA", count: 2 });
  const last = [await there.next(), await there.next()];
  expect(last.map(({ type }) => type).sort()).toEqual(["event.sold_out", "order.completed"]);
  expect([...pair, ...last].every(({ signed }) => signed)).toBe(true);
});

test("a webhook hears only of the types it is subscribed to, and only while it is active", async () => {
  const opened = open();
  const there = await receiver();
  const { id } = await hook(opened, there, ["order.refunded"]);
  const quiet = await hook(opened, there, ["order.completed"], "/quiet");
  await opened.patch(`/webhooks/${quiet.id}`, { isActive: false });
  gig(opened);
  const { control } = opened.service;
  control.sell({ event: "gig", ticket: "GA", count: 1 });
  control.refund("ORD-000001");
  await control.settle();
  expect(await there.next()).toMatchObject({ type: "order.refunded" });
  expect((await opened.get(`/webhooks/${id}/deliveries`)).body.meta.total).toBe(1);
  expect((await opened.get(`/webhooks/${quiet.id}/deliveries`)).body.meta.total).toBe(0);
});

test("an event's own callbackUrl overrides the webhook URL", async () => {
  const opened = open();
  const there = await receiver();
  await hook(opened, there, ["order.completed"]);
  gig(opened, { callbackUrl: `${there.url}/own` });
  opened.service.control.sell({ event: "gig", ticket: "GA", count: 1 });
  expect(await there.next()).toMatchObject({ path: "/own", signed: true });
});

test("sold-out by hand notifies that the event is sold out", async () => {
  const opened = open();
  const there = await receiver();
  await hook(opened, there, ["event.sold_out"]);
  gig(opened);
  const { data } = (await opened.get("/events/gig")).body;
  const [ticket] = (await opened.get(`/events/${data.id}/tickets`)).body.data;
  await opened.post(`/events/${data.id}/tickets/${ticket.id}/sold-out`);
  expect(await there.next()).toMatchObject({ type: "event.sold_out", payload: { data: { name: "Gig" } } });
});

test("a test event is sent, its result carries success, and it is in the history", async () => {
  const opened = open();
  const there = await receiver(200, 500);
  const { id } = await hook(opened, there, all);
  expect(await opened.post(`/webhooks/${id}/test`)).toMatchObject({ status: 200, body: { data: { success: true } } });
  expect(await there.next()).toMatchObject({ type: "webhook.test", signed: true });
  expect(await opened.post(`/webhooks/${id}/test`)).toMatchObject({ status: 200, body: { data: { success: false } } });
  const { body } = await opened.get(`/webhooks/${id}/deliveries?take=1`);
  expect(body.meta).toEqual({ page: 1, take: 1, total: 2, totalPages: 2 });
  expect(body.data).toMatchObject([{ webhookId: id, event: "webhook.test", status: "FAILED", responseStatus: 500 }]);
});

test("a delivery is tried again, so many times and no more", async () => {
  const opened = open("deliveryBackoff=1");
  const there = await receiver(503, 503, 200);
  const { id } = await hook(opened, there, ["order.completed"]);
  const dead = (await opened.post("/webhooks", { url: "https://localhost:1/", events: ["order.completed"] })).body.data;
  gig(opened);
  opened.service.control.sell({ event: "gig", ticket: "GA", count: 1 });
  await opened.service.control.settle();
  const history = async (webhook: string) => (await opened.get(`/webhooks/${webhook}/deliveries`)).body.data;
  expect(await history(id)).toMatchObject([{ status: "DELIVERED", attempts: 3, responseStatus: 200, error: null }]);
  expect(await history(dead.id)).toMatchObject([{ status: "FAILED", attempts: 3, responseStatus: null }]);
  // Also where all addresses of a name refuse.
  expect(await history(dead.id)).toMatchObject([{ error: expect.stringMatching(/./) }]);
});

test("a webhook that fails too often is switched off where the service does that", async () => {
  const opened = open("webhookOffAfter=2,deliveryAttempts=1");
  await opened.post("/webhooks", { url: "https://127.0.0.1:1/", events: ["order.completed"] });
  gig(opened);
  const active = async () => (await opened.get("/webhooks")).body.data[0].isActive;
  for (const expected of [true, false]) {
    opened.service.control.sell({ event: "gig", ticket: "GA", count: 1 });
    await opened.service.control.settle();
    expect(await active()).toBe(expected);
  }
});

test("a receiver without https, or that is nowhere, is a failed test and not an error", async () => {
  const opened = open(undefined, { deliverOutside: true });
  const [plain, nowhere] = opened.service.control.seed({
    webhooks: [{ url: "http://hooks.invalid/" }, { url: "https://hooks.invalid/" }],
  }).webhooks;
  for (const webhook of [plain, nowhere]) {
    const { body } = await opened.post(`/webhooks/${webhook?.id}/test`);
    expect(body.data).toMatchObject({ success: false, error: expect.stringMatching(/https|hooks\.invalid/) });
  }
});
