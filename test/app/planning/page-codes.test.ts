import { expect, test } from "vitest";
import { renderPlanPage } from "../../../src/app/planning/save-plan.ts";
import { edited } from "../../report/plan-samples.ts";

test("a plan's page says what its codes mean", async () => {
  const html = await renderPlanPage({ plan: edited });
  expect(html).toContain("What the codes mean");
  for (const { code } of edited.changes.flatMap(({ blockedBy }) => blockedBy))
    expect(html).toContain(`<dt><code>${code}</code></dt><dd>`);
});
