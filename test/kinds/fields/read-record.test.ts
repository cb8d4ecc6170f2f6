import { describe, expect, test } from "vitest";
import { readRecord, soldByInventory, ticketsInOrders } from "../../../src/kinds/fields/read-record.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import { createService } from "../../../src/sandbox/index.ts";
import { now, planOf } from "../../stage/plan-of.ts";
import { rewriteBodies } from "../../stage/rewrite-bodies.ts";

const id = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";
const other = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";

describe("an event's record", () => {
  test("shows what it shows, in canonical form", () => {
    const live = readRecord(
      kindOf("event"),
      {
        id: id.toUpperCase(),
        name: " Jazz Night ",
        status: "DRAFT",
        slug: "jazz-night",
        dateTime: "2027-03-14T19:00:00+08:00",
      },
      null,
    );
    expect(live).toMatchObject({ id: id.toUpperCase(), status: "DRAFT", slug: "jazz-night", remaining: null });
    expect(live?.fields).toEqual({ name: "Jazz Night", dateTime: "2027-03-14T11:00:00.000Z" });
  });

  test.each([{ venueId: other }, { venue: { id: other, name: "Palace" } }])("a venue is read from %j", (shown) => {
    expect(readRecord(kindOf("event"), { id, ...shown }, null)?.fields).toEqual({ venueId: other });
  });

  test("null is a value; what is not there is unreadable", () => {
    const fields = readRecord(kindOf("event"), { id, imageUrl: null, description: "" }, null)?.fields;
    expect(fields).toEqual({ imageUrl: null, description: null });
  });

  test("a value of the wrong shape counts as not shown", () => {
    expect(readRecord(kindOf("event"), { id, eventCapacity: "many", absorbFees: "yes" }, null)?.fields).toEqual({});
  });

  test("the zero of a number, a clock or an id is no value where a field may be empty", () => {
    const zero = { endDateTime: "0001-01-01T00:00:00Z", venueId: "00000000-0000-0000-0000-000000000000" };
    const { fields } = readRecord(kindOf("event"), { id, eventCapacity: 0, ...zero }, null) ?? {};
    expect(fields).toEqual({ eventCapacity: null, endDateTime: null, venueId: null });
    expect(readRecord(kindOf("ticket"), { id, name: "Free", price: 0 }, other)?.fields).toMatchObject({ price: 0 });
  });

  test("a status that is unknown is kept as it is shown, apart from those that are known", () => {
    const read = (status: unknown) => readRecord(kindOf("event"), { id, status }, null);
    expect(read("Paused")).toMatchObject({ status: null, otherStatus: "Paused" });
    expect(["published ", "Archived", 3, ""].map((status) => read(status)?.status)).toEqual([
      "PUBLISHED",
      "ARCHIVED",
      null,
      null,
    ]);
    expect(["Draft", null, 3].map((status) => read(status)?.otherStatus)).toEqual([undefined, undefined, undefined]);
    expect(read("deleted")).toBeNull();
  });

  describe("with a status that is unknown", () => {
    const sale = "tickets: [{ name: GA, price: 100, quantity: 10, published: true }]\n";
    const ga = { name: "GA", price: 100, quantity: 10, published: true };
    const vip = { name: "VIP", price: 500, quantity: 5, published: true };
    const live = { id, name: "Alpha", dateTime: "2027-03-01T11:00:00Z", status: "PUBLISHED" as const };

    async function planWith(lines: string, tickets = [ga]) {
      const service = createService({ now: () => now });
      service.control.seed({ events: [{ ...live, tickets }] });
      rewriteBodies(service, (body) => body.replaceAll('"PUBLISHED"', '"SOLD_OUT"'));
      const text = `id: ${id}\nname: Alpha\ndateTime: 2027-03-01T11:00:00Z\n${lines}`;
      const { plan } = await planOf({ files: { "events/a.yaml": text }, service });
      const blocks = plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code));
      return { plan, blocks, said: plan.diagnostics.filter(({ code }) => code === "status-unknown") };
    }

    test.each(["DRAFT", "PUBLISHED", "ARCHIVED", "DELETED"])(
      "no change to %s is planned, and it is named",
      async (to) => {
        const { plan, blocks } = await planWith(`status: ${to}\nallow: [delete-event]\n`);
        expect([blocks, plan.operations]).toEqual([["status-unknown"], []]);
        expect(plan.changes[0]?.blockedBy[0]?.message).toContain('shows its status as "SOLD_OUT"');
      },
    );

    test("what may be on sale is not deleted without consent", async () => {
      expect((await planWith(sale, [ga, vip])).blocks).toEqual(["delete-ticket-on-sale"]);
    });

    test("other changes are sent, with a warning", async () => {
      const { plan, blocks, said } = await planWith("eventCapacity: 20\n");
      expect([blocks, plan.operations.map(({ method }) => method)]).toEqual([[], ["PATCH"]]);
      expect(said).toMatchObject([{ severity: "warning", address: "events/a" }]);
    });
  });
});

test.each([0, "0"])("a ticket type with %j remaining is sold out", (remainingQuantity) => {
  const record = { id, name: "VIP", price: "1500.00", remainingQuantity };
  expect(readRecord(kindOf("ticket"), record, other)).toMatchObject({
    parentId: other,
    remaining: 0,
    fields: { name: "VIP", price: 1500, soldOut: true },
  });
});

test.each([
  [100, 40, 60],
  [100, 120, 0],
  [100, 0, null],
  [0, 0, null],
])("of a quantity of %d, of which %d remain, the sold ones are %j", (quantity, remainingQuantity, sold) => {
  const live = readRecord(kindOf("ticket"), { id, name: "VIP", quantity, remainingQuantity }, other);
  expect(live && soldByInventory(live)).toBe(sold);
});

test("what only events have is not read from others: a ticket type with its own status has none for its file", () => {
  expect(readRecord(kindOf("ticket"), { id, name: "VIP", status: "PUBLISHED" }, other)?.status).toBeNull();
});

test.each([{ performerId: other }, { performer: { id: other } }])("a performer is read from %j", (shown) => {
  expect(readRecord(kindOf("schedule"), { id, ...shown }, other)?.fields).toEqual({ performerId: other });
});

test("the status of an order counts in any case", () => {
  const order = (status: string) => ({ status, orderItems: [{ quantity: 2, ticketId: id }] });
  const { completed, notCanceled } = ticketsInOrders(["completed", "Cancelled", "PENDING"].map(order)) ?? {};
  expect([completed?.get(id), notCanceled?.get(id)]).toEqual([2, 4]);
});

test("a secret is never read", () => {
  const record = { id, url: "https://hooks.example.com/orders", secret: "whsec", events: ["order.completed"] };
  expect(JSON.stringify(readRecord(kindOf("webhook"), record, null))).not.toContain("whsec");
});

test.each([
  null,
  "x",
  [],
  {},
  { id: 7 },
  { id: "../me" },
  { id, deletedAt: "2027-01-01T00:00:00Z" },
  { id, deleted: true },
])("%j is no live object", (record) => {
  expect(readRecord(kindOf("event"), record, null)).toBeNull();
});

test.each(["", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z", null])(
  "deletedAt: %j marks nothing as deleted",
  (deletedAt) => {
    expect(readRecord(kindOf("event"), { id, deletedAt }, null)).toMatchObject({ id });
  },
);
