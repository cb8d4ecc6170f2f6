// Lists that are slow to show what was made, for nearly as long as a run waits for it; and a run that is killed meanwhile.
import { afterAll, describe, test } from "vitest";
import { acts } from "./acts.ts";
import { scenes } from "./scenes.ts";
import { openTable } from "./table.ts";
import { rehearse } from "./trial.ts";
import { walk } from "./walk.ts";

const stride = 5;
const settleMs = 6000;
const lagMs = 4500;
const deadly = acts.filter((act) => /^SIGKILL|^response lost$/.test(act.name));

const table = openTable("lists that lag");

describe.each(scenes)("$name", (scene) => {
  test.each(deadly.map((act, index) => ({ ...act, index })))(
    "$name",
    async (act) => {
      const slow = `likely,listLag=${lagMs}`;
      const rehearsal = await rehearse(scene, slow, act.counts === "calls" ? 4 : 1, settleMs);
      await walk(rehearsal, act, stride, table);
    },
    300_000,
  );
});

afterAll(() => table.write());
