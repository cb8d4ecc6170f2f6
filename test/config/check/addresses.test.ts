// A problem names the object that it is about, where there is one.
import { expect, test } from "vitest";
import { load } from "../../stage/plan-of.ts";

async function addresses(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diagnostics } = await load(files);
  return diagnostics.map(({ code, address, source }) => `${code} ${source?.line} ${address ?? "-"}`);
}

const start = "name: One\ndateTime: 2027-03-14T19:00\n";

test.each([
  ["a field of the event", `${start}capacity: 5\n`, ["unknown-key 3 events/one"]],
  ["a missing field", "name: One\n", ["missing-field 1 events/one"]],
  ["a time", "name: One\ndateTime: tomorrow\n", ["unreadable-time 2 events/one"]],
  ["what the parser finds", `${start}description: NO\n`, ["yaml-trap 3 events/one"]],
  ["a variable", `${start}description: \${var.blurb}\n`, ["unknown-variable 3 events/one"]],
  [
    "a field of an entry",
    `${start}tickets:\n  - { name: GA, price: 1, quantity: 5 }\n  - { name: VIP, price: x, quantity: 5 }\n`,
    ["price-not-whole 5 events/one/tickets/VIP"],
  ],
  [
    "a key of an entry, and one of the event after it",
    `${start}performers:\n  - { name: Ana, kind: DJ }\nbrand: []\n`,
    ["unknown-key 5 events/one", "unknown-key 4 events/one/performers/Ana"],
  ],
  ["an entry without a name", `${start}brands:\n  - { url: https://example.com }\n`, ["missing-field 4 events/one"]],
  [
    "who plays",
    `${start}performers: []\nschedules:\n  - { title: Set, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, performer: Ana }\n`,
    ["unknown-performer 5 events/one/schedules/Set"],
  ],
])("%s", async (_, text, expected) => {
  expect([...(await addresses({ "events/one.yaml": text }))].sort()).toEqual([...expected].sort());
});

test("each of several documents in a file", async () => {
  const text = `key: a\n${start}capacity: 5\n---\nkey: b\n${start}description: NO\n`;
  expect(await addresses({ "events/both.yaml": text })).toEqual(["yaml-trap 9 events/b", "unknown-key 4 events/a"]);
});

test("two of one key", async () => {
  const files = { "events/a.yaml": `key: x\n${start}`, "events/b.yaml": `key: x\n${start}` };
  expect(await addresses(files)).toEqual(["duplicate-key 1 events/x", "duplicate-key 1 events/x#2"]);
});

test("a webhook", async () => {
  const text = "- { url: https://hooks.example.com/x, events: [order.paid] }\n- { events: [order.completed] }\n";
  expect(await addresses({ "webhooks.yaml": text })).toEqual([
    "unknown-event-type 1 webhooks/https:%2F%2Fhooks.example.com%2Fx",
    "missing-field 2 -",
  ]);
});

test("what is about no object", async () => {
  expect(await addresses({ "events/one.yaml": "" })).toEqual(["empty-file 1 -"]);
});
