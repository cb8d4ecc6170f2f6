// What was written moments ago is read again until it shows; anything else is read once.
import { expect, test } from "vitest";
import type { State } from "../../src/model/live.ts";
import { makeReader, type Reader } from "../../src/snapshot/reader.ts";
import { showingWrites } from "../../src/snapshot/recent-writes.ts";

const now = Date.parse("2027-01-01T00:00:10Z");
const event = "7b1e5c7e-0000-4000-8000-00000000000e";
const ticket = "7b1e5c7e-0000-4000-8000-00000000000a";
const gone = "7b1e5c7e-0000-4000-8000-00000000000b";
const list = `/events/${event}/tickets`;

function wrote(secondsAgo: number): State {
  const at = new Date(now - secondsAgo * 1000).toISOString();
  return {
    formatVersion: 1,
    lineage: "l",
    serial: 1,
    organization: null,
    objects: {
      "events/x": { kind: "event", id: event, applied: { name: "X", status: "PUBLISHED" } },
      "events/x/tickets/GA": { kind: "ticket", id: ticket, applied: { name: "GA", price: 200 } },
    },
    changed: { [ticket]: at, [event]: at },
    deleted: { [gone]: at },
  };
}

/** Each response is shown once, the last one for ever. */
function open(state: State | null, ...responses: readonly unknown[]) {
  const asked: string[] = [];
  const slept: number[] = [];
  async function request(_method: string, path: string) {
    const data = responses[Math.min(asked.length, responses.length - 1)];
    asked.push(path);
    return { ok: true, status: 200, data, meta: null };
  }
  const client = { request, pause: async () => undefined } as unknown as Parameters<typeof makeReader>[0];
  const sleep = async (ms: number) => void slept.push(ms);
  const reader = showingWrites(makeReader(client), state, { settleMs: 2000, now: () => now, sleep });
  return { reader, asked, slept };
}

const priced = (price: number) => ({ id: ticket, name: "GA", price });

test("what shows as it was written is read once", async () => {
  const { reader, asked, slept } = open(wrote(1), [priced(200)]);
  expect(await reader.all(list)).toEqual([priced(200)]);
  expect([asked.length, slept]).toEqual([1, []]);
});

test.each<[string, (reader: Reader) => Promise<unknown>, unknown, unknown]>([
  ["a list", (reader) => reader.all(list), [priced(100)], [priced(200)]],
  ["a read by id", (reader) => reader.one(`${list}/${ticket.toUpperCase()}`), priced(100), priced(200)],
  [
    "an event by id",
    (reader) => reader.one(`/events/${event}`),
    { id: event, status: "DRAFT" },
    { id: event, status: "PUBLISHED" },
  ],
  ["a list that does not show it yet", (reader) => reader.all(list), [], [priced(200)]],
])("%s that shows what was before is read until it shows what was written", async (_, read, before, after) => {
  const { reader, asked, slept } = open(wrote(1), before, before, after);
  expect(await read(reader)).toEqual(after);
  expect([asked.length, slept]).toEqual([3, [250, 500]]);
});

test("a difference that stays is waited for no longer than the settle time, and then shown", async () => {
  const { reader, slept } = open(wrote(1), [priced(100)]);
  expect(await reader.all(list)).toEqual([priced(100)]);
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(2000);
});

test("what was waited for one thing counts for all others", async () => {
  const { reader, slept } = open(wrote(1), [priced(100)]);
  const byId = () => reader.one(`/events/${event}`);
  await Promise.all([reader.all(list), reader.one(`${list}/${ticket}`), byId()]);
  await byId();
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(2000);
});

test.each([
  ["was written longer ago", wrote(4)],
  ["is not remembered", null],
])("what %s is read once, whatever it shows", async (_, state) => {
  const { reader, asked, slept } = open(state, [priced(100), { id: gone }]);
  expect(await reader.all(list)).toEqual([priced(100), { id: gone }]);
  expect([asked.length, slept]).toEqual([1, []]);
});

test("what was deleted counts as gone, and an event that a list shows as it was as not listed", async () => {
  const stale = { id: event, name: "X", status: "DRAFT" };
  const { reader, slept } = open(wrote(1), [stale, { id: gone, name: "Y" }, { id: ticket, name: "Z" }]);
  expect(await reader.all("/events", { status: "DRAFT" })).toEqual([{ id: ticket, name: "Z" }]);
  expect(slept).toEqual([]);
});
