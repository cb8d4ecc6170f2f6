// For every reading of the service: apply, then the plan is empty, and a second apply writes nothing.
import { describe, expect, test } from "vitest";
import { knobs, profiles } from "../../src/sandbox/index.ts";
import { openTheatre } from "../stage/theatre.ts";
import { scenes } from "./scenes.ts";

const readings = Object.entries(knobs).flatMap(([name, knob]) =>
  "values" in knob ? knob.values.slice(1).map((value) => `${name}=${value}`) : [],
);
const all = [...Object.keys(profiles), ...readings, "listLag=300", "takeMax=10", "takeMax=10,takeAbove=clamped"].filter(
  // The rate limit is tried where time can be simulated.
  (reading) => !/^(tier|window|resetUnit|headerWindow|rateHeaders|retryAfter|limitBody|refusedCount)=/.test(reading),
);

describe.each(scenes)("$name", (scene) => {
  test.each(all)("%s", async (reading) => {
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

  // Without the start of an event and without state nobody can tell which public event is meant: that is asked, not guessed.
  const telling = all.filter((reading) => !/^minimal$|^eventRecord=minimal$/.test(reading));
  test.each(telling)("%s, after the state is lost", async (reading) => {
    const theatre = openTheatre(reading);
    await theatre.run(scene.files);
    theatre.disk.state = "";
    // What cannot be read is left alone; what came back in another shape may be sent once more.
    const { applied } = await theatre.run(scene.files);
    expect([applied?.refusal, applied?.report.summary.failed]).toEqual([null, 0]);
    theatre.service.control.clearCalls();
    const again = await theatre.run(scene.files);
    expect(again.applied?.report.plan.changes).toEqual([]);
    expect(theatre.service.control.calls().filter((call) => call.method !== "GET")).toEqual([]);
  });
});
