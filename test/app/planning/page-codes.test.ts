import { expect, test } from "vitest";
import { renderPlanPage } from "../../../src/app/planning/save-plan.ts";
import { edited } from "../../stage/plan-samples.ts";

test("every code on a plan's page leads to what it means, and back", async () => {
  const html = await renderPlanPage({ plan: edited });
  expect(html).toContain("What the codes mean");
  const codes = [...edited.changes.flatMap(({ blockedBy }) => blockedBy), ...edited.diagnostics];
  for (const { code } of codes) {
    expect(html).toContain(`href="#code-${code}">${code}</a>`);
    expect(html.split(`id="of-${code}"`)).toHaveLength(2);
    expect(html).toMatch(
      new RegExp(`<dt id="code-${code}">.+</dt><dd><p>.+<strong>fix:</strong> .+ <a href="#of-${code}"`),
    );
  }
  expect(html).not.toContain('class="code"');
});
