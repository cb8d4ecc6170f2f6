// What state says was applied, where several shards each apply a part.
import { describe, expect, test } from "vitest";
import type { LastRun, Shard, State } from "../../../src/model/live.ts";
import { mergeState } from "../../../src/state/shared/shared-state.ts";
import { recordOf } from "../../../src/state/store.ts";

const [revision, other] = ["a".repeat(40), "b".repeat(40)];

function ran(shard: Shard | null, at: string, more: Partial<LastRun> = {}): LastRun {
  return { revision, at, clean: true, ...(shard === null ? {} : { shard }), ...more };
}

/** What is recorded after these runs, one after the other. */
function recordAfter(...runs: readonly LastRun[]): Partial<ReturnType<typeof recordOf>> {
  let record: Partial<ReturnType<typeof recordOf>> = {};
  for (const run of runs) record = { ...record, ...recordOf(run, record.lastRun) };
  return record;
}

describe("a revision counts as applied", () => {
  test("once each of its shards ended clean, from when the first of them began", () => {
    const two = [ran("3/3", "t3"), ran("1/3", "t1")];
    expect(recordAfter(...two).appliedRevision).toBe(undefined);
    expect(recordAfter(...two).lastRun?.clean).toBe(false);
    expect(recordAfter(...two, ran("2/3", "t2"))).toMatchObject({ appliedRevision: revision, appliedAt: "t1" });
  });

  test.each([
    ["one failed", [ran("1/2", "t1"), ran("2/2", "t2", { clean: false })]],
    [
      "one ran twice, and failed the second time",
      [ran("1/2", "t1"), ran("1/2", "t2", { clean: false }), ran("2/2", "t3")],
    ],
    ["one was of another revision", [ran("1/2", "t1"), ran("2/2", "t2", { revision: other }), ran("1/2", "t3")]],
    ["one had files that are not committed", [ran("1/2", "t1", { dirty: true }), ran("2/2", "t2")]],
    ["they are parts of different wholes", [ran("1/2", "t1"), ran("2/3", "t2"), ran("3/3", "t3")]],
    ["another run came in between", [ran("1/2", "t1"), ran(null, "t2", { clean: false }), ran("2/2", "t3")]],
    ["there is no commit", [ran("1/2", "t1", { revision: null }), ran("2/2", "t2", { revision: null })]],
  ])("not where %s", (_, runs) => {
    expect(recordAfter(...runs).appliedRevision).toBe(undefined);
  });

  test("where the shard that failed is run again", () => {
    const runs = [ran("1/2", "t1"), ran("2/2", "t2", { clean: false }), ran("2/2", "t3")];
    expect(recordAfter(...runs)).toMatchObject({
      appliedRevision: revision,
      appliedAt: "t1",
      lastRun: { clean: true },
    });
  });

  test("and a part that is looked at again later does not make the rest newer than it is", () => {
    const runs = [ran(null, "t1"), ran("1/2", "t2")];
    expect(recordAfter(...runs)).toMatchObject({ appliedAt: "t1", lastRun: { clean: true } });
    expect(recordAfter(...runs, ran("2/2", "t3"))).toMatchObject({ appliedAt: "t2" });
    expect(recordAfter(...runs, ran("2/2", "t3", { clean: false })).lastRun?.clean).toBe(false);
  });
});

describe("what one shard changes is brought into what the others wrote", () => {
  const entry = (id: string) => ({ kind: "event", id, applied: {} });
  const before: State = {
    formatVersion: 1,
    lineage: "l",
    serial: 4,
    organization: null,
    objects: { "events/a": entry("1"), "events/b": entry("2"), "events/c": entry("3") },
  };
  const first: State = {
    ...before,
    serial: 5,
    objects: { "events/a": entry("1"), "events/b": entry("9"), "events/d": entry("4") },
    lastRun: recordOf(ran("1/2", "t1"), undefined).lastRun as LastRun,
  };
  const second: State = {
    ...before,
    serial: 5,
    objects: { ...before.objects, "events/e": entry("5") },
    lastRun: recordOf(ran("2/2", "t2"), undefined).lastRun as LastRun,
    held: { x: { address: "events/e", at: "t" } },
  };

  test("in any order, and also twice", () => {
    const both = mergeState(mergeState(before, first, before), second, before);
    const turned = mergeState(mergeState(before, second, before), first, before);
    const objects = { "events/a": entry("1"), "events/b": entry("9"), "events/d": entry("4"), "events/e": entry("5") };
    expect(both).toMatchObject({
      lineage: "l",
      serial: 6,
      objects,
      held: second.held,
      appliedRevision: revision,
      appliedAt: "t1",
    });
    expect(Object.keys(both.objects)).toEqual(Object.keys(objects));
    expect(turned.objects).toEqual(both.objects);
    expect(turned.appliedRevision).toBe(revision);
    expect({ ...mergeState(both, second, before), serial: 6 }).toEqual(both);
  });

  test("where both begin without a state, the first one counts", () => {
    expect(mergeState(null, first, null)).toBe(first);
    const both = mergeState(first, { ...second, lineage: "m" }, null);
    expect(both.lineage).toBe("l");
    expect(Object.keys(both.objects)).toEqual(["events/a", "events/b", "events/c", "events/d", "events/e"]);
  });
});
