// `sales-unknown` said that the service shows neither quantities nor orders, although no order was ever asked for. Orders are read
// where a change needs them and quantities do not say; what stays unknown is said as it is.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeOrderReader } from "../../src/snapshot/read-organization.ts";
import { makeReader } from "../../src/snapshot/reader.ts";
import { clientOf } from "../service/client-of.ts";
import { openProject, type Project } from "../stage/open-project.ts";

const types = {
  vip: "  - { name: VIP, price: 4500, quantity: 5, published: true }\n",
  closed: "  - { name: VIP, price: 4500, quantity: 5, published: true, soldOut: true }\n",
};
const gala = (vip: string) =>
  `status: PUBLISHED\nname: Gala\ndateTime: 2027-03-14T19:00\ntickets:\n${vip}  - { name: GA, price: 1500, quantity: 100, published: true }\n`;
const singleTicket = "00000000-0000-4000-8000-0000000000aa";
const gone = `${gala(types.vip)}`.replace("PUBLISHED", "DELETED");

let project: Project;
const closers: (() => void)[] = [];
beforeEach(async () => {
  project = await openProject({ "events/gala.yaml": gala(types.vip) }, { profile: "likely" });
  expect((await project.apply()).exitCode).toBe(0);
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await project.close();
});

type Body = { data: unknown; meta?: { total?: number } };

/** The same service with another answer to every question for orders; a number is a status. `ignored`: what it does not look at. */
async function withOrders(change: (body: Body, url: URL) => unknown, ignored: readonly string[] = []): Promise<void> {
  const behind = new URL(project.sandbox.baseUrl);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", behind);
    for (const name of url.pathname.endsWith("/orders") ? ignored : []) url.searchParams.delete(name);
    const answer = await fetch(url, {
      method: request.method ?? "GET",
      headers: { "api-key": String(request.headers["api-key"]) },
    });
    const body = (await answer.json()) as Body;
    const changed = url.pathname.endsWith("/orders") && answer.ok ? change(body, url) : body;
    const status = typeof changed === "number" ? changed : answer.status;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(typeof changed === "number" ? { error: { code: "NO", message: "no" } } : changed));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  project.env.TICKETING_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}${behind.pathname}`;
}

function sell(ticket: "VIP" | "GA", count: number) {
  return project.sandbox.control.sell({ event: "gala", ticket, count });
}

const allow = ["--allow", "delete-ticket-on-sale", "--allow", "delete-event"];

async function blocksOf(document: string): Promise<readonly { code: string; message: string }[]> {
  await project.write("events/gala.yaml", document);
  const { plan } = await project.plan(...allow);
  expect(plan.changes).toHaveLength(1);
  return plan.changes.flatMap((change) => change.blockedBy);
}

describe("a ticket type of which nothing remains is removed from the file", () => {
  test("sold out by sales next to one that is sold too: orders name the number", async () => {
    sell("VIP", 5);
    sell("GA", 3);
    expect(await blocksOf(gala(""))).toMatchObject([
      { code: "delete-after-sales", message: expect.stringContaining("5 tickets have been sold") },
    ]);
  });

  test("closed with nothing sold, next to one that is sold: it is deleted", async () => {
    sell("GA", 3);
    await project.write("events/gala.yaml", gala(types.closed));
    expect((await project.apply()).exitCode).toBe(0);
    expect(await blocksOf(gala(""))).toEqual([]);
    expect((await project.apply(...allow)).exitCode).toBe(0);
    expect((await project.plan()).plan.changes).toEqual([]);
  });

  test("closed with nothing sold, without consent: it is called closed, not on sale", async () => {
    await project.write("events/gala.yaml", gala(types.closed));
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/gala.yaml", gala(""));
    const { plan } = await project.plan();
    expect(plan.changes.flatMap((change) => change.blockedBy)).toMatchObject([
      {
        code: "delete-ticket-on-sale",
        message: 'The ticket type "VIP" is published but no longer on sale (no tickets sold) and would be deleted.',
      },
    ]);
  });

  test("closed, and all orders of it canceled: it is deleted", async () => {
    for (const order of project.sandbox.control.sell({ event: "gala", ticket: "VIP", count: 2, status: "PENDING" })) {
      project.sandbox.control.cancel(order.id);
    }
    await project.write("events/gala.yaml", gala(types.closed));
    expect((await project.apply()).exitCode).toBe(0);
    expect(await blocksOf(gala(""))).toEqual([]);
  });

  test("and the key may not read orders: what is unknown is said", async () => {
    sell("VIP", 5);
    sell("GA", 3);
    await withOrders(() => 403);
    const [block] = await blocksOf(gala(""));
    expect(block).toMatchObject({ code: "sales-unknown", hint: expect.stringContaining("orders:read") });
    expect(block?.message).toContain(
      "no tickets are left, which can also mean that the sale was closed, and this API key cannot read orders",
    );
  });

  test("and orders do not name their ticket types: that is said", async () => {
    sell("VIP", 5);
    sell("GA", 3);
    await withOrders((body) =>
      JSON.parse(JSON.stringify(body, (key, value) => (key === "orderItems" ? undefined : value))),
    );
    const [block] = await blocksOf(gala(""));
    expect(block).toMatchObject({ code: "delete-after-sales" });
    expect(block?.message).toContain("the event has orders that do not say which ticket type was bought");
  });

  test.each<[string, (item: Record<string, unknown>) => readonly unknown[]]>([
    ["name single tickets, not types", (item) => [{ ...item, eventTicket: { id: singleTicket, name: "VIP" } }]],
    ["list no items", () => []],
    ["list only some of their items", (item) => [{ ...item, quantity: 1 }]],
    ["count no tickets", (item) => [{ ...item, quantity: 0 }]],
  ])("and orders %s: they prove that something is sold, and not that this type is not", async (_, shown) => {
    sell("VIP", 5);
    sell("GA", 3);
    await withOrders((body) => ({
      ...body,
      data: (body.data as { orderItems: Record<string, unknown>[] }[]).map((order) => ({
        ...order,
        orderItems: order.orderItems.flatMap(shown),
      })),
    }));
    expect(await blocksOf(gala(""))).toMatchObject([{ code: "delete-after-sales" }]);
    expect(await blocksOf(gala(types.vip.replace("4500", "4600")))).toMatchObject([
      { code: "price-change-with-sales" },
    ]);
    expect(await blocksOf(gala(types.vip).replace("PUBLISHED", "ARCHIVED"))).toMatchObject([
      { code: "archive-with-sales" },
    ]);
    const { stdout } = await project.run(["status", "gala", "--format", "json"]);
    const [event] = (JSON.parse(stdout) as { events: { tickets: { name: string; sold: number | null }[] }[] }).events;
    expect(event?.tickets.map(({ name, sold }) => [name, sold])).toEqual([
      ["VIP", null],
      ["GA", 3],
    ]);
  });

  test.each([
    ["REFUNDED", []],
    ["PENDING", ["delete-after-sales"]],
  ])("and an order of a type that is no longer there is %s", async (status, codes) => {
    sell("GA", 3);
    await project.write("events/gala.yaml", gala(types.closed));
    expect((await project.apply()).exitCode).toBe(0);
    const former = {
      status,
      quantity: 1,
      orderItems: [{ quantity: 1, eventTicket: { id: singleTicket, name: "Early" } }],
    };
    await withOrders(({ data, meta }) => ({
      data: [...(data as unknown[]), { id: singleTicket, ...former }],
      meta: { ...meta, total: (meta?.total ?? 0) + 1 },
    }));
    expect((await blocksOf(gala(""))).map(({ code }) => code)).toEqual(codes);
  });

  test("and the list of orders contradicts itself: that is said, and nothing is deleted", async () => {
    sell("VIP", 5);
    await withOrders((body) => ({ ...body, data: [], meta: { ...body.meta, total: 7 } }));
    const [block] = await blocksOf(gala(""));
    expect(block).toMatchObject({ code: "sales-unknown" });
    expect(block?.message).toMatch(/orders could not be read \(.*contradicts itself: meta\.total is 7/);
  }, 20_000);
});

describe("the quantity of a ticket type of which nothing remains", () => {
  const withQuantity = (quantity: number) => gala(types.vip.replace("quantity: 5", `quantity: ${quantity}`));

  test("is not lowered where the key may not read orders, and may be raised", async () => {
    sell("VIP", 5);
    await withOrders(() => 403);
    expect(await blocksOf(withQuantity(3))).toMatchObject([
      { code: "sales-unknown", message: expect.stringContaining("this API key cannot read orders") },
    ]);
    expect(await blocksOf(withQuantity(8))).toEqual([]);
  });

  test("is not lowered where orders do not name their ticket types", async () => {
    sell("VIP", 5);
    sell("GA", 3);
    await withOrders((body) =>
      JSON.parse(JSON.stringify(body, (key, value) => (key === "orderItems" ? undefined : value))),
    );
    const message = expect.stringContaining("it is not known how many tickets of this type have been sold");
    expect(await blocksOf(withQuantity(3))).toMatchObject([{ code: "sales-unknown", message }]);
  });

  test("is lowered where the event is a draft and orders are not shown", async () => {
    await project.write("events/gala.yaml", gala(types.closed).replace("PUBLISHED", "DRAFT"));
    expect((await project.apply()).exitCode).toBe(0);
    await withOrders(() => 403);
    expect(await blocksOf(withQuantity(3).replace("PUBLISHED", "DRAFT"))).toEqual([]);
  });
});

describe("an event whose tickets were all refunded", () => {
  beforeEach(() => {
    for (const order of sell("GA", 3)) project.sandbox.control.refund(order.id);
  });

  test("is not deleted: its orders would go with it", async () => {
    expect(await blocksOf(gone)).toMatchObject([
      {
        code: "delete-after-sales",
        message:
          '"Gala" cannot be deleted: there are orders whose tickets do not count as sold (perhaps they were refunded).',
        hint: "To archive it instead, change `status` to `ARCHIVED`. It then leaves the marketplace, and its orders are kept.",
      },
    ]);
    await project.write("events/gala.yaml", gone.replace("DELETED", "ARCHIVED"));
    expect((await project.apply()).exitCode).toBe(0);
  });

  test("is deleted where the key may not read orders: quantities show no sales", async () => {
    await withOrders(() => 403);
    expect(await blocksOf(gone)).toEqual([]);
  });
});

describe("an event whose sales only orders show", () => {
  /** Nothing remains of any type, so that quantities say nothing. */
  async function closeAll(): Promise<void> {
    await project.write(
      "events/gala.yaml",
      gala(types.closed).replaceAll(/published: true }/g, "published: true, soldOut: true }"),
    );
    expect((await project.apply()).exitCode).toBe(0);
  }

  test("is deleted where there are none", async () => {
    await closeAll();
    expect(await blocksOf(gone)).toEqual([]);
  });

  test.each<[string, (body: Body, url: URL) => unknown]>([
    [
      "a total that the filter for status does not reach",
      (body, url) => ({
        ...body,
        ...(url.searchParams.get("status") === "CANCELLED"
          ? {
              data: [{ id: "00000000-0000-4000-8000-000000000001", status: "CANCELLED" }],
              meta: { page: 1, take: 1, total: 1, totalPages: 1 },
            }
          : {}),
      }),
    ],
    ["no meta at all", ({ data }) => ({ data })],
    ["a filter for status that is not looked at", (body) => body],
  ])("is not deleted because of %s", async (name, change) => {
    sell("GA", 1);
    await closeAll();
    await withOrders(change, name.startsWith("a filter") ? ["status"] : []);
    expect(await blocksOf(gone)).toMatchObject([{ code: "delete-after-sales" }]);
  });
});

test.each([
  ["", "add `allow: [price-change-with-sales]` to the event or"],
  ["allow: [delete-event]\n", "add `price-change-with-sales` to the `allow` of the event or"],
])("a risk in an event with %j: how to accept it can be followed", async (allowed, fix) => {
  sell("GA", 1);
  const dearer = gala(types.vip).replace("price: 1500", "price: 1600");
  expect(await blocksOf(dearer + allowed)).toMatchObject([{ hint: expect.stringContaining(fix) }]);
});

test.each([403, 404])("a draft without ticket types whose orders answer %i may have guests", async (status) => {
  const party = "name: Party\ndateTime: 2027-04-14T19:00\ntickets: []\nstatus: ";
  await project.write("events/party.yaml", `${party}DRAFT\n`);
  expect((await project.apply()).exitCode).toBe(0);
  await project.write("events/party.yaml", `${party}DELETED\n`);
  await withOrders(() => status);
  const { plan } = await project.plan(...allow);
  expect(plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code))).toEqual(["sales-unknown"]);
});

test("orders are read no further than the answer is known", async () => {
  const event = "00000000-0000-4000-8000-00000000000e";
  const type = "00000000-0000-4000-8000-00000000000f";
  const asked: string[] = [];
  const client = clientOf({
    baseUrl: "https://tickets.example/open-api/v1",
    transport: {
      close: async () => undefined,
      async send({ path }) {
        asked.push(path);
        const page = Number(new URL(path, "https://x.example").searchParams.get("page") ?? 1);
        const data = Array.from({ length: 100 }, (_, index) => ({
          id: `00000000-0000-4000-8000-${String(page * 1000 + index).padStart(12, "0")}`,
          status: "COMPLETED",
          orderItems: [{ quantity: 1, eventTicket: { id: type } }],
        }));
        const body = JSON.stringify({ data, meta: { page, take: 100, total: 5000, totalPages: 50 } });
        return { kind: "response", response: { status: 200, headers: {}, body, cut: null } };
      },
    },
  });
  const reader = makeOrderReader(makeReader(client));
  const part = await reader.byTicket(event, ({ tickets }) => (tickets?.notCanceled.get(type) ?? 0) > 0);
  expect(part).toMatchObject({ isPart: true });
  expect(asked).toHaveLength(1);
  expect((await makeOrderReader(makeReader(client)).byTicket(event)).total).toBe(5000);
});
