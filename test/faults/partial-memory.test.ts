// What a run that was cut off leaves in the journal is less than what a whole run would have remembered.
import { expect, test } from "vitest";
import { openTheater } from "../stage/theater.ts";

const shown = {
  name: "Jazz Night",
  dateTime: "2027-03-14T11:00:00.000Z",
  status: "DRAFT" as const,
  tickets: [{ name: "GA", price: 1000, quantity: 100 }],
};

test.each(["minimal", "hostile"])(
  "after a kill no field that no one can read causes a call by itself: %s",
  async (profile) => {
    const files = {
      "events/jazz.yaml": `name: Jazz Night
dateTime: 2027-03-14T19:00
endDateTime: 2027-03-14T23:00
description: Three sets.
ignore: [nothing-on-sale]
status: PUBLISHED
tickets:
  - { name: GA, price: 1500, quantity: 100, published: false }
`,
    };
    const theater = openTheater(profile);
    theater.service.control.seed({ events: [shown] });
    const whole = await theater.run(files);
    expect(whole.applied?.refusal).toBeNull();
    const writes = whole.applied?.report.outcomes.length ?? 0;
    expect(writes).toBeGreaterThan(0);
    for (let at = 1; at <= whole.calls; at++) {
      const stage = openTheater(profile);
      stage.service.control.seed({ events: [shown] });
      await stage.run(files, { death: { of: "call", at, moment: "after" } });
      const second = await stage.run(files);
      expect(second.applied?.refusal, `killed after call ${at}`).toBeNull();
      expect(second.applied?.report.outcomes.length, `killed after call ${at}`).toBeLessThanOrEqual(writes);
      const third = await stage.run(files);
      expect(third.applied?.report.plan.changes, `killed after call ${at}`).toEqual([]);
      if (at >= whole.calls) expect(second.applied?.report.outcomes).toEqual([]);
    }
  },
);

test("after a kill what is adopted is not replaced because the service keeps its picture elsewhere", async () => {
  const files = {
    "events/jazz.yaml": `name: Jazz Night
dateTime: 2027-03-14T19:00
performers:
  - { name: Ana, imageUrl: "https://images.example/ana.jpg" }
  - { name: Ben, imageUrl: "https://images.example/ben.jpg" }
brands:
  - { name: Tubig, imageUrl: "https://images.example/tubig.jpg" }
`,
  };
  const { calls } = await openTheater("imageUrls=rehosted").run(files);
  for (let at = 1; at <= calls; at++) {
    const stage = openTheater("imageUrls=rehosted");
    await stage.run(files, { parallelism: 1, death: { of: "call", at, moment: "after" } });
    const verbs: string[] = [];
    await stage.run(files, { parallelism: 1, watch: (method) => verbs.push(method) });
    expect(verbs, `killed after call ${at}`).not.toContain("DELETE");
    const third = await stage.run(files);
    expect(third.applied?.report.plan.changes, `killed after call ${at}`).toEqual([]);
  }
});
