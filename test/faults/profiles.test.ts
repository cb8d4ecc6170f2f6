// The same under every awkward reading of the service.
import { describe, expect, test } from "vitest";
import { acts } from "./acts.ts";
import { festival, largeEdit, webhooks } from "./scenes.ts";
import { rehearse, tryAct } from "./trial.ts";

const stride = 13;

const profiles = [
  "minimal",
  "hostile",
  "lax",
  "strict",
  "createResponse=null",
  "createResponse=partial",
  "inlineOnFault=some",
  "inlineOnFault=some,createResponse=null",
  "uniqueNames=yes",
  "search=ignored",
  "search=broken",
  "writeResponse=204",
  "listLag=200",
  "readLag=200",
  "readLag=200,readLagIn=everywhere",
  "readLag=200,readLagIn=everywhere,writeResponse=204",
];

describe.each(profiles)("%s", (profile) => {
  test.each([festival, largeEdit, webhooks])(
    "$name",
    async (scene) => {
      const rehearsal = await rehearse(scene, profile);
      let turn = 0;
      for (const act of acts) {
        const most = act.counts === "calls" ? rehearsal.calls : rehearsal.journalWrites;
        turn += 1;
        for (let n = 1 + (turn % stride); n <= most; n += stride) {
          const verdict = await tryAct(rehearsal, act, n);
          const { duplicates, orphans, missing, lostSecrets, thirdEmpty, publicTooEarly } = verdict;
          expect(
            { duplicates, orphans, missing, lostSecrets, thirdEmpty, publicTooEarly },
            `${act.name} at ${n} of ${most}\n${verdict.story.join("\n")}`,
          ).toEqual({ duplicates: 0, orphans: 0, missing: 0, lostSecrets: 0, thirdEmpty: true, publicTooEarly: 0 });
        }
      }
    },
    600_000,
  );
});
