// Every fault at every call of three applies: then run again, and nothing is doubled, orphaned or lost.
import { afterAll, describe, test } from "vitest";
import { acts } from "./acts.ts";
import { scenes } from "./scenes.ts";
import { openTable } from "./table.ts";
import { rehearse } from "./trial.ts";
import { walk } from "./walk.ts";

const table = openTable("in process");

describe.each(scenes)("$name", (scene) => {
  test.each(acts.map((act, index) => ({ ...act, index })))(
    "$name",
    async (act) => {
      // With less at once each write of the journal holds less, and there are more of them to be killed at.
      const rehearsal = await rehearse(scene, "likely", act.counts === "calls" ? 4 : 1);
      await walk(rehearsal, act, 1, table);
    },
    300_000,
  );
});

afterAll(() => table.write());
