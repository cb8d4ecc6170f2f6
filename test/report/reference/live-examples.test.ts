// Each example of a change that is blocked or reported, run on the sandbox: applied, sold, edited, planned.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LiveExample } from "../../../src/report/reference/catalog.ts";
import { type Files, planOf } from "../../stage/plan-of.ts";
import { openTheater } from "../../stage/theater.ts";
import { entries, eventFile, eventOf } from "./examples.ts";

const examples = entries.flatMap(([code, { example, levels }]) =>
  typeof example !== "string" && "live" in example ? [{ code, levels, ...(example as LiveExample) }] : [],
);

describe.each(examples)("$code", ({ code, levels, live, sold, stateless, wrong, right }) => {
  const isBlock = levels.some((level) => level === "rule" || level === "risk");

  test("comes up for the edit of the example", async () => {
    const { blocks, remarks } = await plannedWith(wrong);
    expect(isBlock ? blocks : remarks).toContain(code);
  });

  test("does not come up for the corrected edit, nor is anything blocked", async () => {
    const { blocks, remarks } = await plannedWith(right);
    expect(blocks).toEqual([]);
    // A risk that is accepted is still reported.
    if (!isBlock) expect(remarks).not.toContain(code);
  });

  async function plannedWith(edit: string | null) {
    const theater = openTheater();
    const { applied } = await theater.run(filesOf(live));
    expect(applied?.report.summary).toMatchObject({ failed: 0, skipped: 0, unsure: 0 });
    if (sold !== undefined) theater.service.control.sell({ event: "Manila Nights", ticket: "GA", count: sold });
    const state = stateless === true ? {} : { state: JSON.parse(theater.disk.state) };
    const { plan } = await planOf({
      files: filesOf(edit),
      service: theater.service,
      environment: "sandbox",
      ...state,
    });
    return {
      blocks: plan.changes.flatMap((change) => change.blockedBy.map((block) => block.code)),
      remarks: plan.diagnostics.map((each) => each.code),
    };
  }
});

function filesOf(lines: string | null): Files {
  return lines === null ? {} : { [eventFile]: eventOf(lines) };
}

// What no short example shows is shown by a scenario.
test("every other rule and risk is in the plan of a scenario", () => {
  const folder = join(import.meta.dirname, "../../scenarios/plan");
  const plans = readdirSync(folder).map((name) => readFileSync(join(folder, name, "expected.json"), "utf8"));
  const shown = new Set(examples.map(({ code }) => code));
  const rest = entries.flatMap(([code, { levels, example }]) =>
    !shown.has(code) && (levels.includes("rule") || levels.includes("risk")) && typeof example === "string"
      ? [code]
      : [],
  );
  const missing = rest.filter((code) => !plans.some((plan) => plan.includes(`"code": "${code}"`)));
  expect(missing.toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  for (const [code, file] of Object.entries(elsewhere)) {
    expect(readFileSync(join(import.meta.dirname, "../..", file), "utf8")).toContain(code);
  }
});

/** What a scenario cannot stage, and the test that does. */
const elsewhere: Readonly<Record<string, string>> = {
  "cannot-clear": "apply/update/clearing.test.ts",
  "status-unknown": "kinds/fields/read-record.test.ts",
  "secret-would-be-lost": "apply/remarks.test.ts",
};
