// For every reading of the service: apply, then the plan is empty, and a second apply writes nothing.
import { describe, expect, test } from "vitest";
import { knobs, profiles } from "../../src/sandbox/index.ts";
import { openTheater } from "../stage/theater.ts";
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
    const theater = openTheater(reading);
    for (const files of scene.before === null ? [scene.files] : [scene.before, scene.files]) {
      const { applied } = await theater.run(files);
      const open = applied?.report.outcomes.filter((outcome) => outcome.result !== "done");
      expect([applied?.refusal, open]).toEqual([null, []]);
      theater.service.control.clearCalls();
      const again = await theater.run(files);
      expect(again.applied?.report.plan.changes).toEqual([]);
      const written = theater.service.control.calls().filter((call) => call.method !== "GET");
      expect(written).toEqual([]);
      expect(theater.disk.journal).toBe("");
    }
  });

  // Without the start of an event and without state no one can know which public event is meant: that is asked, not guessed.
  const telling = all.filter((reading) => !/^minimal$|^eventRecord=minimal$/.test(reading));
  test.each(telling)("%s, after the state is lost", async (reading) => {
    const theater = openTheater(reading);
    await theater.run(scene.files);
    theater.disk.state = "";
    // What cannot be read is left alone; what came back in another shape may be sent once more.
    const { applied } = await theater.run(scene.files);
    expect([applied?.refusal, applied?.report.summary.failed]).toEqual([null, 0]);
    theater.service.control.clearCalls();
    const again = await theater.run(scene.files);
    expect(again.applied?.report.plan.changes).toEqual([]);
    expect(theater.service.control.calls().filter((call) => call.method !== "GET")).toEqual([]);
  });
});
