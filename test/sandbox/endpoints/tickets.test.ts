import { expect, test } from "vitest";
import { noSuchId, open, wrongFields } from "../open.ts";

test("creates a ticket type with its inventory and the documented defaults", async () => {
  const { event, post, get } = open();
  const { id } = await event();
  const { status, body } = await post(`/events/${id}/tickets`, { name: "GA", price: 1500, quantity: 100 });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    name: "GA",
    price: 1500,
    quantity: 100,
    remainingQuantity: 100,
    section: "General Admissions",
    row: "GA",
    maximumPurchaseQuantity: 8,
    published: false,
  });
  expect((await get(`/events/${id}/tickets/${body.data.id}`)).body.data).toEqual(body.data);
});

test("keeps every field of a ticket type as sent", async () => {
  const { event, ticket } = open();
  const fields = {
    name: "Front",
    price: 4500,
    quantity: 20,
    section: "A",
    row: "1",
    type: "RESERVED_SEAT",
    maximumPurchaseQuantity: 2,
    published: true,
  };
  expect(await ticket((await event()).id, fields)).toMatchObject(fields);
});

test("lists all ticket types of the event, without pages", async () => {
  const { service, get } = open();
  const tickets = Array.from({ length: 30 }, (_, n) => ({ name: `T${n}` }));
  const [event] = service.control.seed({ events: [{ tickets }] }).events;
  const { body } = await get(`/events/${event?.id}/tickets`);
  expect(body.data).toHaveLength(30);
  expect(body.meta).toBeUndefined();
});

test("requires name, price and quantity of a ticket type", async () => {
  const { event, post } = open();
  const { id } = await event();
  expect(wrongFields(await post(`/events/${id}/tickets`, {}))).toEqual(["name", "price", "quantity"]);
});

test.each([
  ["price", 1500.5],
  ["price", -1],
  ["price", "1500"],
  ["quantity", 0],
  ["quantity", 1.5],
  ["quantity", "10"],
  ["type", "BOX"],
  ["maximumPurchaseQuantity", 0],
  ["published", "yes"],
  ["section", 5],
])("refuses a ticket type whose %s is %j, created or changed", async (field, value) => {
  const { event, ticket, post, patch } = open();
  const { id } = await event();
  const made = await ticket(id);
  const created = await post(`/events/${id}/tickets`, { name: "GA", price: 1, quantity: 1, [field]: value });
  expect([created.status, wrongFields(created)]).toEqual([400, [field]]);
  expect(wrongFields(await patch(`/events/${id}/tickets/${made.id}`, { [field]: value }))).toEqual([field]);
});

test("PATCH changes only the provided fields of a ticket type", async () => {
  const { event, ticket, patch, get } = open();
  const { id } = await event();
  const made = await ticket(id, { section: "A" });
  const at = `/events/${id}/tickets/${made.id}`;
  expect((await patch(at, { price: 1800 })).status).toBe(200);
  expect((await get(at)).body.data).toMatchObject({ ...made, price: 1800, updatedAt: expect.any(String) });
});

test("a changed quantity moves what remains, and never below what is sold", async () => {
  const { service, patch, get } = open();
  const [event] = service.control.seed({ events: [{ tickets: [{ quantity: 10, sold: 4 }] }] }).events;
  const at = `/events/${event?.id}/tickets/${event?.tickets[0]?.id}`;
  const remaining = async () => (await get(at)).body.data.remainingQuantity;
  await patch(at, { quantity: 20 });
  expect(await remaining()).toBe(16);
  await patch(at, { quantity: 4 });
  expect(await remaining()).toBe(0);
  expect(wrongFields(await patch(at, { quantity: 3 }))).toEqual(["quantity"]);
});

test("publish makes a ticket type available for purchase", async () => {
  const { event, ticket, post, get, service } = open();
  const { id } = await event();
  const made = await ticket(id);
  await post(`/events/${id}/publish`);
  expect(() => service.control.sell({ event: id, ticket: "GA", count: 1 })).toThrow("not on sale");
  expect((await post(`/events/${id}/tickets/${made.id}/publish`)).status).toBe(200);
  expect((await get(`/events/${id}/tickets/${made.id}`)).body.data.published).toBe(true);
  expect(service.control.sell({ event: id, ticket: "GA", count: 1 })).toHaveLength(1);
});

test("a type created with published true is available for sale immediately", async () => {
  const { event, post, service } = open();
  const { id } = await event({ tickets: [{ name: "GA", price: 1, quantity: 9, published: true }] });
  await post(`/events/${id}/publish`);
  expect(service.control.sell({ event: id, ticket: "GA", count: 8 })).toHaveLength(1);
});

test("sold-out sets remainingQuantity to 0", async () => {
  const { event, ticket, post, patch, get } = open();
  const { id } = await event();
  const made = await ticket(id);
  const at = `/events/${id}/tickets/${made.id}`;
  expect((await post(`${at}/sold-out`)).status).toBe(200);
  expect((await get(at)).body.data).toMatchObject({ remainingQuantity: 0, quantity: 100 });
  await patch(at, { quantity: 110 });
  expect((await get(at)).body.data).toMatchObject({ remainingQuantity: 10, quantity: 110 });
});

test("deletes a ticket type only when no tickets have been sold", async () => {
  const { service, del, get, post } = open();
  const [event] = service.control.seed({ events: [{ tickets: [{ name: "Sold", sold: 1 }, { name: "Free" }] }] }).events;
  const [sold, free] = event?.tickets ?? [];
  const at = `/events/${event?.id}/tickets`;
  expect(await del(`${at}/${sold?.id}`)).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
  await post(`${at}/${free?.id}/sold-out`);
  expect((await del(`${at}/${free?.id}`)).status).toBe(200);
  expect((await get(at)).body.data.map(({ name }: { name: string }) => name)).toEqual(["Sold"]);
});

test("a ticket type is found only under its own event", async () => {
  const { event, ticket, get, patch, del, post } = open();
  const [one, two] = [await event(), await event()];
  const made = await ticket(one.id);
  for (const id of [made.id, noSuchId, "x"]) {
    const at = `/events/${two.id}/tickets/${id}`;
    const answers = [
      await get(at),
      await patch(at, {}),
      await del(at),
      await post(`${at}/publish`),
      await post(`${at}/sold-out`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  }
});
