import { expect, test } from "vitest";
import { formatEntry, type JournalEntry, parseJournal, splitJournal } from "../../../src/apply/journal.ts";

const organization = { id: "o", slug: "acme" };

function intent(seq: number, run: string, address: string): JournalEntry {
  const call = { operation: null, kind: "event", verb: "create", method: "POST", path: "/events" } as const;
  return { type: "intent", seq, run, address, ...call, parentId: null, id: null, fields: {}, at: 0, date: null };
}

const entries: readonly JournalEntry[] = [
  { type: "run", run: "one", at: 1, organization, known: [] },
  intent(1, "one", "events/a"),
  intent(2, "one", "events/b"),
  { type: "close", seq: 1, how: "done", id: "1" },
  { type: "run", run: "two", at: 2, organization, known: ["1"] },
  intent(3, "two", "events/b/tickets/GA"),
  { type: "close", seq: 2, how: "absent" },
  { type: "learn", address: "events/b/tickets/VIP", kind: "ticket", id: "7", fields: {} },
];
const text = entries.map(formatEntry).join("");

function split(mine: string) {
  const parts = splitJournal(text, (address) => address.startsWith(mine));
  return { own: parseJournal(parts.own).entries, rest: parseJournal(parts.rest).entries };
}

test("lines go with their addresses, and with the runs that wrote them", () => {
  const { own, rest } = split("events/a");
  expect(own).toEqual([entries[0], entries[1], entries[3]]);
  expect(rest).toEqual([entries[0], entries[2], entries[4], entries[5], entries[6], entries[7]]);
});

test("with nothing of our own, everything stays", () => {
  expect(split("events/c")).toEqual({ own: [], rest: entries });
  expect(splitJournal(text, () => false).rest).toBe(text);
  expect(splitJournal(text, () => true)).toEqual({ own: text, rest: "" });
});

test("a line that cannot be read stays where it is", () => {
  const { own, rest } = splitJournal(`${text}{"type":"intent"}\n`, () => true);
  expect(own).toBe(text);
  expect(rest).toBe('{"type":"intent"}\n');
});
