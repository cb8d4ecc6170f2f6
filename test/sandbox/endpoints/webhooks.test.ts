import { expect, test } from "vitest";
import { noSuchId, open, wrongFields } from "../open.ts";

const wish = { url: "https://hooks.example.com/orders", events: ["order.completed", "order.refunded"] };

test("creates a webhook and shows its secret only then", async () => {
  const { post, get, patch } = open();
  const { status, body } = await post("/webhooks", wish);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ ...wish, isActive: true, secret: expect.stringMatching(/.{20,}/) });
  const { secret, id } = body.data;
  const answers = [
    await get("/webhooks"),
    await patch(`/webhooks/${id}`, { isActive: false }),
    await get(`/webhooks/${id}/deliveries`),
  ];
  expect(answers.map((response) => response.status)).toEqual([200, 200, 200]);
  expect(JSON.stringify(answers)).not.toContain(secret);
});

test("lists all webhooks with their documented fields", async () => {
  const { post, get } = open();
  const { id } = (await post("/webhooks", wish)).body.data;
  expect((await get("/webhooks")).body.data).toMatchObject([{ id, ...wish, isActive: true }]);
});

test.each([
  ["url", "http://hooks.example.com"],
  ["url", "http://127.0.0.1:9999"],
  ["url", "hooks.example.com"],
  ["url", undefined],
  ["events", undefined],
  ["events", []],
  ["events", "order.completed"],
  ["events", ["order.created"]],
])("refuses a webhook whose %s is %j", async (field, value) => {
  const { post, get } = open();
  expect(wrongFields(await post("/webhooks", { ...wish, [field]: value }))).toEqual([field]);
  expect((await get("/webhooks")).body.data).toEqual([]);
});

test("takes each of the four documented event types", async () => {
  const { post } = open();
  const events = ["order.completed", "order.refunded", "event.sold_out", "ticket.inventory_low"];
  expect((await post("/webhooks", { ...wish, events })).body.data.events).toEqual(events);
});

test("PATCH changes events and isActive of a webhook, not its url", async () => {
  const { post, patch, get } = open();
  const { id } = (await post("/webhooks", wish)).body.data;
  await patch(`/webhooks/${id}`, { isActive: false });
  expect((await get("/webhooks")).body.data).toMatchObject([{ ...wish, isActive: false }]);
  await patch(`/webhooks/${id}`, { events: ["event.sold_out"], url: "https://elsewhere.example.com" });
  expect((await get("/webhooks")).body.data).toMatchObject([
    { url: wish.url, events: ["event.sold_out"], isActive: false },
  ]);
  expect(wrongFields(await patch(`/webhooks/${id}`, { events: ["x"], isActive: "no" }))).toEqual([
    "events",
    "isActive",
  ]);
});

test("deletes a webhook", async () => {
  const { post, del, get } = open();
  const { id } = (await post("/webhooks", wish)).body.data;
  expect((await del(`/webhooks/${id}`)).status).toBe(200);
  expect((await get("/webhooks")).body.data).toEqual([]);
  expect((await del(`/webhooks/${id}`)).status).toBe(404);
});

test("a webhook of another organization is not found", async () => {
  const { service, post, patch, del, get } = open();
  const [other] = service.control.seed({ organizations: [{ slug: "other" }] }).organizations;
  const [theirs] = service.control.seed({ webhooks: [{ organizationId: other?.id ?? "" }] }).webhooks;
  for (const id of [theirs?.id, noSuchId]) {
    const at = `/webhooks/${id}`;
    const answers = [await patch(at, {}), await del(at), await post(`${at}/test`), await get(`${at}/deliveries`)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  }
  expect((await get("/webhooks")).body.data).toEqual([]);
});
