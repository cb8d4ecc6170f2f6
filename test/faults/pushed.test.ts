// State in git: every fault at every call of one apply, with a journal that is written a few times only.
import { afterAll, describe, test } from "vitest";
import { acts } from "./acts.ts";
import { festival, largeEdit } from "./scenes.ts";
import { openTable } from "./table.ts";
import { rehearse } from "./trial.ts";
import { walk } from "./walk.ts";

// A push is there as a whole or not at all.
const whole = acts.filter(({ name }) => !name.includes("within the journal write"));

const table = openTable("in git");

describe.each([
  { scene: largeEdit, stride: 1 },
  { scene: festival, stride: 3 },
])("$scene.name", ({ scene, stride }) => {
  test.each(whole.map((act, index) => ({ ...act, index })))(
    "$name",
    async (act) => {
      const rehearsal = await rehearse(scene, "likely", 4, undefined, true);
      await walk(rehearsal, act, act.counts === "calls" ? stride : 1, table);
    },
    300_000,
  );
});

afterAll(() => table.write());
