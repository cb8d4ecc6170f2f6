import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { riskCodes } from "../../src/kinds/risk-codes.ts";
import { createService } from "../../src/sandbox/index.ts";
import { randomEvents, randomLists, toFiles, toSeed } from "./random-project.ts";
import { now, perform, planOf } from "./stage.ts";

const runs = { numRuns: Number(process.env.PLAN_RUNS ?? 150) };

describe("for any files and any live organization", () => {
  test("the calls of the plan, made in order, lead to an empty plan", async () => {
    await fc.assert(
      fc.asyncProperty(randomEvents, randomEvents, randomLists, async (wished, live, leftOut) => {
        fc.pre(wished.length > 0);
        const files = toFiles(wished, leftOut);
        const first = await planOf({ files, live: toSeed(live), allow: riskCodes });
        expect(first.plan.diagnostics.filter((one) => one.severity === "error")).toEqual([]);
        await perform(first.service, first.plan.operations);
        const second = await planOf({ files, service: first.service, allow: riskCodes });
        expect(second.plan.operations).toEqual([]);
        const open = second.plan.changes.filter(
          (change) => change.blockedBy.length === 0 && change.transition === null,
        );
        if (first.plan.summary.blocked === 0) expect(open).toEqual([]);
      }),
      runs,
    );
  });

  test("what is live as the files say is left alone, whatever its order", async () => {
    await fc.assert(
      fc.asyncProperty(randomEvents, randomLists, async (events, leftOut) => {
        fc.pre(events.length > 0);
        const service = createService({ profile: "listOrder=shuffled", now: () => now });
        service.control.seed(toSeed(events));
        const { plan } = await planOf({ files: toFiles(events, leftOut), service });
        expect(plan.changes).toEqual([]);
      }),
      runs,
    );
  });

  test("the same input gives the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(randomEvents, randomEvents, async (wished, live) => {
        fc.pre(wished.length > 0);
        const files = toFiles(wished, []);
        const one = await planOf({ files, live: toSeed(live), allow: riskCodes });
        const other = await planOf({ files, service: one.service, allow: riskCodes });
        expect(JSON.stringify(other.plan)).toBe(JSON.stringify(one.plan));
      }),
      { numRuns: 40 },
    );
  });
});
