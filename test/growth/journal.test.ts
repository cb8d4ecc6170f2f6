// A long journal over a large state: eight times the events take about eight times the time.
import { test } from "vitest";
import type { IntentEntry, JournalEntry } from "../../src/apply/journal/journal-entry.ts";
import { replayJournal } from "../../src/apply/journal/replay-journal.ts";
import type { StateEntry } from "../../src/model/live.ts";
import { expectLinear } from "./growth.ts";

const below = ["tickets/GA", "tickets/VIP", "performers/Ana", "schedules/Set", "brands/Acme"];

function remembered(events: number): Readonly<Record<string, StateEntry>> {
  const objects: Record<string, StateEntry> = {};
  for (let index = 0; index < events; index++) {
    const address = `events/night-${index}`;
    objects[address] = { kind: "event", id: address, applied: {} };
    for (const each of below) objects[`${address}/${each}`] = { kind: "ticket", id: `${address}/${each}`, applied: {} };
  }
  return objects;
}

function journal(count: number, call: (index: number) => Pick<IntentEntry, "verb" | "address" | "id">): JournalEntry[] {
  return Array.from({ length: count }, (_, index) => index).flatMap((index): JournalEntry[] => [
    {
      ...{ type: "intent", seq: index, run: "r", operation: "o", kind: "event", method: "PATCH", path: "" },
      ...{ parentId: null, fields: {}, at: 0, date: null },
      ...call(index),
    },
    { type: "close", seq: index, how: "done" },
  ]);
}

const calls: Readonly<Record<string, (index: number) => Pick<IntentEntry, "verb" | "address" | "id">>> = {
  deletes: (index) => ({ verb: "delete", address: `events/night-${index}`, id: `events/night-${index}` }),
  renames: (index) => ({ verb: "update", address: `events/day-${index}`, id: `events/night-${index}` }),
  "changes of what is not remembered": (index) => ({ verb: "update", address: `events/new-${index}`, id: `n${index}` }),
};

test.each(Object.entries(calls))("%s", async (_name, call) => {
  await expectLinear((events) => replayJournal(remembered(events), journal(events / 2, call)), 4_000);
});
