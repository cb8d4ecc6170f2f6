import { expect, test } from "vitest";
import { noSuchId, open } from "../open.ts";

function sold() {
  const opened = open();
  const seed = {
    name: "Gig",
    status: "PUBLISHED",
    tickets: [{ name: "GA", price: 1500, quantity: 20, published: true }],
  } as const;
  const [event] = opened.service.control.seed({ events: [seed] }).events;
  const at = `/events/${event?.id}`;
  return { ...opened, event, at };
}

test("an order shows the documented fields", async () => {
  const { service, get, at, event } = sold();
  service.control.sell({ event: "gig", ticket: "GA", count: 3, buyerName: "Ana", buyerEmail: "ana@example.com" });
  const { body } = await get(`${at}/orders`);
  const ticket = event?.tickets[0];
  expect(body.data).toEqual([
    {
      id: expect.any(String),
      orderNumber: "ORD-000001",
      status: "COMPLETED",
      totalAmount: 4500,
      currency: "PHP",
      quantity: 3,
      buyerName: "Ana",
      buyerEmail: "ana@example.com",
      eventId: event?.id,
      orderItems: [
        {
          id: expect.any(String),
          quantity: 3,
          price: 1500,
          eventTicket: { id: ticket?.id, name: "GA", section: "General Admissions" },
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ]);
});

test("lists orders by page and by status", async () => {
  const { service, get, at } = sold();
  service.control.sell({ event: "gig", ticket: "GA", count: 1 });
  service.control.sell({ event: "gig", ticket: "GA", count: 1, status: "PENDING" });
  service.control.sell({ event: "gig", ticket: "GA", count: 1, status: "CANCELLED" });
  service.control.refund("ORD-000001");
  const statuses = async (query: string) =>
    (await get(`${at}/orders${query}`)).body.data.map((order: { status: string }) => order.status);
  expect(await statuses("")).toEqual(["REFUNDED", "PENDING", "CANCELLED"]);
  expect(await statuses("?status=PENDING")).toEqual(["PENDING"]);
  expect(await statuses("?status=COMPLETED")).toEqual([]);
  expect((await get(`${at}/orders?take=1&page=2`)).body).toMatchObject({
    data: [{ status: "PENDING" }],
    meta: { page: 2, take: 1, total: 3, totalPages: 3 },
  });
  expect((await get(`${at}/orders?status=PAID`)).status).toBe(400);
});

test("one order comes with payment information", async () => {
  const { service, get } = sold();
  const [order] = service.control.sell({ event: "gig", ticket: "GA", count: 2 });
  const { status, body } = await get(`/orders/${order?.id}`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ id: order?.id, payment: { amount: 3000, currency: "PHP" } });
  expect((await get(`/orders/${noSuchId}`)).body.error.code).toBe("NOT_FOUND");
});

test("orders are read-only", async () => {
  const { service, send, at } = sold();
  const [order] = service.control.sell({ event: "gig", ticket: "GA", count: 2 });
  for (const method of ["POST", "PATCH", "DELETE"]) {
    expect((await send(method, `${at}/orders`, {})).status).toBe(405);
    expect((await send(method, `/orders/${order?.id}`, {})).status).toBe(405);
  }
});

test("a sale takes from the inventory, a refund and a cancellation give back", async () => {
  const { service, get, at } = sold();
  const remaining = async () => (await get(`${at}/tickets`)).body.data[0].remainingQuantity;
  expect(service.control.sell({ event: "gig", ticket: "GA", count: 17 }).map(({ quantity }) => quantity)).toEqual([
    8, 8, 1,
  ]);
  expect(await remaining()).toBe(3);
  service.control.refund("ORD-000001");
  expect(await remaining()).toBe(11);
  const [pending] = service.control.sell({ event: "gig", ticket: "GA", count: 2, status: "PENDING" });
  expect(await remaining()).toBe(9);
  service.control.cancel(pending?.id ?? "");
  expect(await remaining()).toBe(11);
});

test("no one can buy what is not on sale", async () => {
  const { service, at, post, event } = sold();
  const { sell } = service.control;
  expect(() => sell({ event: "gig", ticket: "GA", count: 21 })).toThrow("Only 20 tickets of GA remain");
  expect(() => sell({ event: "gig", ticket: "GA", count: 0 })).toThrow("cannot be sold");
  expect(() => sell({ event: "gig", ticket: "VIP", count: 1 })).toThrow(`Name one of: GA (${event?.tickets[0]?.id})`);
  expect(() => sell({ event: "gag", ticket: "GA", count: 1 })).toThrow('There is no event "gag"');
  sell({ event: "gig", ticket: "GA", count: 20 });
  expect(() => sell({ event: "gig", ticket: "GA", count: 1 })).toThrow("No tickets of GA remain.");
  await post(`${at}/unpublish`);
  expect(() => sell({ event: "gig", ticket: "GA", count: 1 })).toThrow("is DRAFT");
});
