// For every reading of the service: apply, then the plan is empty, and a second apply writes nothing.
import { describe, expect, test } from "vitest";
import { knobs, profiles } from "../../src/sandbox/index.ts";
import { type Scene, scenes } from "./scenes.ts";
import { openTheatre } from "./theatre.ts";

const readings = Object.entries(knobs).flatMap(([name, knob]) =>
  "values" in knob ? knob.values.slice(1).map((value) => `${name}=${value}`) : [],
);
const all = [...Object.keys(profiles), ...readings, "listLag=3", "takeMax=10", "takeMax=10,takeAbove=clamped"].filter(
  // The rate limit is tried where time can be simulated.
  (reading) => !/^(tier|window|resetUnit|headerWindow|rateHeaders|retryAfter|limitBody|refusedCount)=/.test(reading),
);

/** What this service cannot do at all is told as a failure, which other tests look at. */
function isBeyond(reading: string, scene: Scene): boolean {
  return reading === "uniqueNames=yes" && scene.name === "large edit";
}

describe.each(scenes)("$name", (scene) => {
  test.each(all.filter((reading) => !isBeyond(reading, scene)))("%s", async (reading) => {
    const theatre = openTheatre(reading);
    for (const files of scene.before === null ? [scene.files] : [scene.before, scene.files]) {
      const { applied } = await theatre.run(files);
      const open = applied?.report.outcomes.filter((outcome) => outcome.result !== "done");
      expect([applied?.refusal, open]).toEqual([null, []]);
      theatre.service.control.clearCalls();
      const again = await theatre.run(files);
      expect(again.applied?.report.plan.changes).toEqual([]);
      const written = theatre.service.control.calls().filter((call) => call.method !== "GET");
      expect(written).toEqual([]);
      expect(theatre.disk.journal).toBe("");
    }
  });
});
