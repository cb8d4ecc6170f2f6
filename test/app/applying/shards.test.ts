// Parts of a project, applied one after the other where only one run can hold the lock.
import { expect, test } from "vitest";
import type { Shard, State } from "../../../src/model/live.ts";
import { planOf } from "../../stage/plan-of.ts";
import { openTheater, type Theater } from "../../stage/theater.ts";

const files = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [
    `events/night-${index}.yaml`,
    `name: Night ${index}\ndateTime: 2027-04-0${index + 1}T11:00:00Z\nperformers:\n  - { name: Ana }\n`,
  ]),
);

async function apply(theater: Theater, shard: Shard, more: Parameters<Theater["run"]>[1] = {}) {
  return theater.run(files, { flags: { shard }, ...more });
}

function stateOf({ disk }: Theater): State {
  return JSON.parse(disk.state);
}

function namesIn({ service }: Theater): readonly string[] {
  return service.dump().events.map((event) => String((event as unknown as { name: string }).name));
}

async function expectDone(theater: Theater): Promise<void> {
  expect(namesIn(theater).toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `Night ${index}`));
  const again = await planOf({ files, service: theater.service, state: stateOf(theater) });
  expect(again.plan.changes).toEqual([]);
}

test.each([3, 6, 9, 12])(
  "a part is cut off at call %s: the next one, of whatever part, finds what it left",
  async (at) => {
    const theater = openTheater();
    const killed = await apply(theater, "2/3", { flags: { shard: "2/3" }, death: { at, of: "call", moment: "after" } });
    expect(killed.applied).toBe(null);
    for (const shard of ["1/3", "3/3", "2/3"] as const) {
      const { applied } = await apply(theater, shard);
      expect(applied?.refusal).toBe(null);
    }
    await expectDone(theater);
  },
);
