import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { riskCodes } from "../../src/model/diagnostic.ts";
import { createService } from "../../src/sandbox/index.ts";
import { now, planOf } from "../stage/plan-of.ts";
import { expectUnaltered } from "../stage/plan-shape.ts";
import { randomEvents, randomLists, toFiles, toSeed } from "../stage/random-project.ts";
import { openTheater } from "../stage/theater.ts";

const most = Number(process.env.PLAN_RUNS ?? 150);
const likeliest = ["likely", "listOrder=shuffled"];
const runsUnder = (profile: string) => ({ numRuns: likeliest.includes(profile) ? most : Math.ceil(most / 3) });
// Where a service shows less, an apply learns from its answers what calls alone do not show: that is the law's to hold.
const plain = ["likely", "strict", "lax"];
const readings = [...new Set([...likeliest, ...plain, "minimal", "hostile"])];

describe("for any files and any live organization", () => {
  test.each(plain)("an apply leads to an empty plan, even for a run that remembers nothing: %s", async (profile) => {
    await fc.assert(
      fc.asyncProperty(randomEvents, randomEvents, randomLists, async (wished, live, leftOut) => {
        fc.pre(wished.length > 0);
        const files = toFiles(wished, leftOut);
        const theater = openTheater(profile);
        theater.service.control.seed(toSeed(live));
        const { applied } = await theater.run(files, {
          flags: { skipBlocked: true, allow: riskCodes, maxDeletes: 99 },
        });
        expect(applied?.refusal).toBeNull();
        expect(applied?.report.outcomes.filter(({ result }) => result !== "done")).toEqual([]);
        const second = await planOf({ files, service: theater.service, allow: riskCodes });
        expect(second.plan.operations).toEqual([]);
        const open = second.plan.changes.filter(
          (change) => change.blockedBy.length === 0 && change.transition === null,
        );
        if (applied?.report.plan.summary.blocked === 0) expect(open).toEqual([]);
      }),
      runsUnder(profile),
    );
  });

  test.each(readings)("what is live as the files say is left alone: %s", async (profile) => {
    await fc.assert(
      fc.asyncProperty(randomEvents, randomLists, async (events, leftOut) => {
        fc.pre(events.length > 0);
        const service = createService({ profile, now: () => now });
        service.control.seed(toSeed(events));
        const { plan } = await planOf({ files: toFiles(events, leftOut), service });
        expect(plan.operations).toEqual([]);
        // Where the start is hidden, it is uncertain whether a new event is another one.
        if (profile !== "minimal") expect(plan.changes).toEqual([]);
      }),
      runsUnder(profile),
    );
  });

  test.each(readings)("the same input gives the same bytes: %s", async (profile) => {
    await fc.assert(
      fc.asyncProperty(randomEvents, randomEvents, async (wished, live) => {
        fc.pre(wished.length > 0);
        const files = toFiles(wished, []);
        const one = await planOf({ files, live: toSeed(live), allow: riskCodes, profile });
        const other = await planOf({ files, service: one.service, allow: riskCodes });
        expect(JSON.stringify(other.plan)).toBe(JSON.stringify(one.plan));
        expectUnaltered(JSON.stringify(one.plan));
      }),
      { numRuns: 40 },
    );
  });
});
