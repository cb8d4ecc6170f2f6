import { describe, expect, test } from "vitest";
import { readRecord, soldByInventory } from "../../../src/kinds/fields/read-record.ts";
import { kindOf } from "../../../src/kinds/index.ts";

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

  test("a status that is unknown counts as not shown", () => {
    expect(readRecord(kindOf("event"), { id, status: "PAUSED" }, null)?.status).toBeNull();
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
