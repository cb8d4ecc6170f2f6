// Parts of a project, applied one after the other where only one run can hold the lock.
import { expect, test } from "vitest";
import type { Shard, State } from "../../../src/model/live.ts";
import { planOf } from "../../stage/plan-of.ts";
import { openTheatre, type Theatre } from "../../stage/theatre.ts";

const files = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [
    `events/night-${index}.yaml`,
    `name: Night ${index}\ndateTime: 2027-04-0${index + 1}T11:00:00Z\nperformers:\n  - { name: Ana }\n`,
  ]),
);

async function apply(theatre: Theatre, shard: Shard, more: Parameters<Theatre["run"]>[1] = {}) {
  return theatre.run(files, { flags: { shard }, ...more });
}

function stateOf({ disk }: Theatre): State {
  return JSON.parse(disk.state);
}

function namesIn({ service }: Theatre): readonly string[] {
  return service.dump().events.map((event) => String((event as unknown as { name: string }).name));
}

async function expectDone(theatre: Theatre): Promise<void> {
  expect(namesIn(theatre).toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `Night ${index}`));
  const again = await planOf({ files, service: theatre.service, state: stateOf(theatre) });
  expect(again.plan.changes).toEqual([]);
}

test.each([3, 6, 9, 12])(
  "a part is cut off at call %s: the next one, of whatever part, finds what it left",
  async (at) => {
    const theatre = openTheatre();
    const killed = await apply(theatre, "2/3", { flags: { shard: "2/3" }, death: { at, of: "call", moment: "after" } });
    expect(killed.applied).toBe(null);
    for (const shard of ["1/3", "3/3", "2/3"] as const) {
      const { applied } = await apply(theatre, shard);
      expect(applied?.refusal).toBe(null);
    }
    await expectDone(theatre);
  },
);
