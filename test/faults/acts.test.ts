// Every fault at every call of three applies: then run again, and nothing is doubled, orphaned or lost.
import { afterAll, describe, expect, test } from "vitest";
import { acts } from "./acts.ts";
import { scenes } from "./scenes.ts";
import { addToTable, writeTable } from "./table.ts";
import { rehearse, tryAct } from "./trial.ts";

const full = process.env.FAULTS === "full";
/** In the short suite each fault meets every so many calls, another part of them for each fault. */
const stride = full ? 1 : 7;

describe.each(scenes)("$name", (scene) => {
  test.each(acts.map((act, index) => ({ ...act, index })))(
    "$name",
    async (act) => {
      // With less at once each write of the journal holds less, and there are more of them to be killed at.
      const rehearsal = await rehearse(scene, "likely", act.counts === "calls" ? 4 : 1);
      const most = act.counts === "calls" ? rehearsal.calls : rehearsal.journalWrites;
      for (let n = 1 + (act.index % stride); n <= most; n += stride) {
        const verdict = await tryAct(rehearsal, act, n);
        const { duplicates, orphans, missing, lostSecrets, thirdEmpty, publicTooEarly } = verdict;
        addToTable(act.name, verdict);
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
