// Lists that are slow to show what was made, for nearly as long as a run waits for it; and a run that is killed meanwhile.
import { afterAll, describe, expect, test } from "vitest";
import { acts } from "./acts.ts";
import { scenes } from "./scenes.ts";
import { addToTable, writeTable } from "./table.ts";
import { goingTime } from "./theatre.ts";
import { rehearse, tryAct } from "./trial.ts";

const full = process.env.FAULTS === "full";
const stride = full ? 5 : 29;
const settleMs = 6000;
// The service's lists go by the real clock, the runs by one that is a hundred times as fast: this is three quarters of the settle time.
const lagMs = 45;
const deadly = acts.filter((act) => /^SIGKILL|^response lost$/.test(act.name));

describe.each(scenes)("$name", (scene) => {
  test.each(deadly.map((act, index) => ({ ...act, index })))(
    "$name",
    async (act) => {
      const slow = `likely,listLag=${lagMs}`;
      const rehearsal = await rehearse(scene, slow, act.counts === "calls" ? 4 : 1, goingTime(settleMs));
      const most = act.counts === "calls" ? rehearsal.calls : rehearsal.journalWrites;
      for (let n = 1 + (act.index % stride); n <= most; n += stride) {
        const verdict = await tryAct(rehearsal, act, n);
        const { duplicates, orphans, missing, lostSecrets, thirdEmpty, publicTooEarly } = verdict;
        addToTable(`${act.name}, and lists that lag`, verdict);
        expect(
          { duplicates, orphans, missing, lostSecrets, thirdEmpty, publicTooEarly },
          `at ${n} of ${most}\n${verdict.story.join("\n")}`,
        ).toEqual({ duplicates: 0, orphans: 0, missing: 0, lostSecrets: 0, thirdEmpty: true, publicTooEarly: 0 });
      }
    },
    300_000,
  );
});

afterAll(() => {
  if (full) writeTable();
});
