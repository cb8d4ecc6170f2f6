import { expect, test } from "vitest";
import * as yaml from "yaml";
import { keepSecretsOn } from "../../../src/model/value.ts";
import { makeOrdersText, renderOrderText, viewOrder } from "../../../src/report/lists/orders.ts";
import { type LogEntry, viewLog } from "../../../src/report/lists/state.ts";
import { renderDeliveriesText, viewDelivery } from "../../../src/report/lists/webhooks.ts";
import { type VenueView, venueYaml } from "../../../src/report/lists.ts";
import { withoutPeople } from "../../../src/report/text/sanitize.ts";

function venue(name: string, city: string | null, id = "v1"): VenueView {
  return { id, name, city, address1: null, state: null, country: null, latitude: null, longitude: null };
}

test.each([
  ["Palace", "Baguio"],
  ["No", "Yes"],
  ["123", "-"],
  ["Hall: Annex, #2", "{Manila}"],
  ['The "Box"', "Lapu-Lapu"],
  ["東京", "& anchors *"],
  ["tab\there", "line\nend"],
  ["[brackets]", "it's"],
])("the line for %j in %j is YAML that means just that", (name, city) => {
  const line = venueYaml(venue(name, city), [venue(name, city)]);
  expect(line).not.toContain("\n");
  expect(yaml.parse(line)).toEqual({ venue: { name, city } });
});

test("where name and city do not distinguish it, the id does", () => {
  const twins = [venue("Palace", "Baguio", "v1"), venue("palace ", "BAGUIO", "v2")];
  expect(twins.map((each) => venueYaml(each, twins))).toEqual(["venueId: v1", "venueId: v2"]);
  expect(venueYaml(venue("Palace", null), [])).toBe("venueId: v1");
});

test("what says who somebody is goes, wherever it is; how it was paid stays", () => {
  const shown = {
    payment: {
      method: "CARD",
      card: { brand: "VISA", last4: "4242", holderName: "Ana Cruz" },
      billing: { street: "1 Main" },
      receipt: "sent to ana@example.com",
      customer: { phone: "+63" },
    },
    history: [{ status: "PAID", userEmail: "ana@example.com", at: "2027-01-01" }],
  };
  expect(withoutPeople(shown)).toEqual({
    payment: { method: "CARD", card: { brand: "VISA", last4: "4242" }, receipt: "(hidden)" },
    history: [{ status: "PAID", at: "2027-01-01" }],
  });
});

test("money of a payment is shown in the currency next to it, or in that of the order; any other number as it is", () => {
  const record = {
    id: "o1",
    currency: "PHP",
    payment: { amount: 24000, fees: [{ fee: 1200, currency: "USD" }], count: 1500 },
  };
  const text = renderOrderText(record, {
    columns: 80,
    color: false,
    zone: "Asia/Manila",
    withBuyers: false,
    eventName: null,
  });
  expect(text).toMatch(/payment\.amount +₱24,000\.00\n/);
  expect(text).toMatch(/payment\.fees\[0\]\.fee +1,200 USD\n/);
  expect(text).toMatch(/payment\.count +1500\n/);
});

test("a delivery is read in whatever shape it comes", () => {
  const moment = "2027-01-10T00:00:00.000Z";
  expect(
    viewDelivery({ createdAt: moment, event: "order.completed", status: "DELIVERED", responseStatus: 200 }),
  ).toEqual({
    at: moment,
    event: "order.completed",
    result: "DELIVERED",
    response: "200",
    attempts: null,
    error: null,
  });
  expect(
    viewDelivery({ timestamp: moment, eventType: "a", success: false, statusCode: 500, errorMessage: "x" }),
  ).toEqual({
    at: moment,
    event: "a",
    result: "FAILED",
    response: "500",
    attempts: null,
    error: "x",
  });
  const bare = renderDeliveriesText([{}], { columns: 80, id: "w1", url: "https://x.example", zone: "Asia/Manila" });
  expect(bare).toContain("Deliveries to https://x.example (w1), times in Asia/Manila");
  expect(bare).toContain("?     ?      ?");
});

test.each([
  [1_500, "PHP", " ₱1,500.00 "],
  [1e12, "PHP", " ₱1,000,000,000,000.00 "],
  [1e12, "IDR", " 1,000,000,000,000 IDR "],
])("an order of %d %s shows all of its amount", (totalAmount, currency, shown) => {
  const text = makeOrdersText({ columns: 80, color: false, zone: "Asia/Manila", withBuyers: false });
  const order = viewOrder({ id: "o1", orderNumber: "A-1", status: "COMPLETED", totalAmount, currency, quantity: 2 });
  text.titles(order);
  expect(text.row(order)).toContain(shown);
});

test("the log of runs says what was left out, and calls nothing failed that did not fail", () => {
  const none = { done: 0, failed: 0, skipped: 0, unsure: 0 };
  const about = { at: "2027-01-10T00:00:00Z", ended: null, revision: null, dirty: false, command: null, user: null };
  const line = (result: LogEntry["result"], summary: LogEntry["summary"]) =>
    viewLog([{ ...about, host: null, url: null, result, summary }], false).lines[0];
  expect(line("incomplete", none)).toMatch(/incomplete {2}0 done, the rest was left out$/);
  expect(line("incomplete", { ...none, done: 1 })).toMatch(/incomplete {2}1 done, the rest was left out$/);
  expect(line("incomplete", { ...none, done: 1, unsure: 4 })).toMatch(/incomplete {2}1 done, 4 unconfirmed$/);
  expect(line("clean", none)).toMatch(/clean {7}nothing to do$/);
});

test("on a runner, a file is no place for a secret", () => {
  expect(keepSecretsOn("other")).toMatch(/sink: command.*in a separate pull request/);
  expect(keepSecretsOn("other")).not.toContain("sink: file");
  expect(keepSecretsOn(null)).toContain("sink: file");
});
