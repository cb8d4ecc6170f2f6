// Each folder below scenarios/ is a story: files, what is live, and what people then read.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderPlanJson, renderPlanText } from "../src/report/formats/plan-text.ts";
import { expectGolden, expectGoldenFiles, expectGoldenUnless } from "./stage/golden.ts";
import { planOf, type Staged } from "./stage/plan-of.ts";
import { expectPlanShape } from "./stage/plan-shape.ts";
import { readSetup, storiesOf } from "./stage/stories.ts";
import { openTheater } from "./stage/theater.ts";
import { canLink, optionsOf, transcribe } from "./stage/transcript.ts";

// What is typed, and what is answered.
describe.each(["validate", "import", "apply", "operate"])("%s", (kind) => {
  for (const { name, folder } of storiesOf(kind)) {
    test.skipIf(optionsOf(folder).links !== undefined && !canLink())(name, async () => {
      const { text, calls, files } = await transcribe(folder);
      expectGolden(join(folder, "expected.txt"), text);
      if (kind === "apply") expectGolden(join(folder, "calls.txt"), calls);
      if (kind === "import") expectGoldenFiles(join(folder, "expected"), files);
    });
  }
});

describe("plan", () => {
  test.each(storiesOf("plan"))("$name", async ({ folder }) => {
    const setup = readSetup(folder);
    const theater = openTheater(setup.profile);
    const staged = await planOf({ ...setup, service: theater.service });
    expectGolden(join(folder, "expected.txt"), textOf(staged, false));
    expectGolden(join(folder, "expected.json"), coreJson(staged));
    expectPlanShape(renderPlanJson(staged.plan));
    expect(staged.plan.calls.reads).toBe(staged.calls.length);
    expectGolden(join(folder, "calls.txt"), `${staged.calls.join("\n")}\n`);
    expect(writesIn(staged)).toEqual([]);
    if (staged.plan.target.organization === null || hasErrors(staged)) return;

    // Applied, every call succeeds, and a second run has nothing to do.
    if (setup.state !== undefined) theater.disk.state = JSON.stringify(setup.state);
    const { applied } = await theater.run(setup.files, {
      ...(setup.base === undefined ? {} : { base: setup.base }),
      ...(setup.apiKey === undefined ? {} : { apiKey: setup.apiKey }),
      withoutSink: setup.sink === null,
      flags: {
        skipBlocked: true,
        target: setup.targets ?? [],
        allow: setup.allow ?? [],
        ...(setup.maxDeletes === undefined ? {} : { maxDeletes: setup.maxDeletes }),
        resendUnreadable: setup.resendUnreadable ?? false,
      },
    });
    expect(applied?.refusal?.code).toBe(setup.refusal);
    if (setup.refusal !== undefined) return;
    expect(applied?.report.outcomes.filter(({ result }) => result !== "done")).toEqual([]);
    expect(applied?.report.plan.operations).toEqual(staged.plan.operations);
    const { live: _, ...again } = setup;
    const remembered = theater.disk.state === "" ? {} : { state: JSON.parse(theater.disk.state) };
    // Where the service shows everything, the second run needs nothing that the first one remembers.
    for (const memory of setup.profile === undefined ? [{}, remembered] : [remembered]) {
      const second = await planOf({ ...again, ...memory, service: theater.service });
      expect(second.plan.operations).toEqual([]);
      expectPlanShape(renderPlanJson(second.plan));
      if (staged.plan.summary.blocked === 0) expect(second.plan.changes).toEqual([]);
    }
  });
});

// Other readings of the same story show less or refuse more: what differs then is in `readings`.
describe.each(["strict", "lax", "minimal", "hostile"])("plan under the reading %s", (profile) => {
  const stories = storiesOf("plan").filter(({ folder }) => readSetup(folder).profile === undefined);
  test.each(stories)("$name", async ({ folder }) => {
    const usual = await planOf(readSetup(folder));
    const staged = await planOf({ ...readSetup(folder), profile });
    expect(writesIn(staged)).toEqual([]);
    expectPlanShape(renderPlanJson(staged.plan));
    for (const [kind, read] of [
      ["txt", (one: Staged) => textOf(one, true)],
      ["json", coreJson],
    ] as const)
      expectGoldenUnless(read(usual), join(folder, "readings", `${profile}.${kind}`), read(staged));
  });
});

function textOf({ plan }: Staged, verbose: boolean): string {
  return renderPlanText(plan, { columns: 80, color: false, verbose });
}

function coreJson({ plan }: Staged): string {
  const { operations, diagnostics, summary } = plan;
  const changes = plan.changes.map(({ context: _, ...change }) => change);
  return `${JSON.stringify({ changes, operations, diagnostics, summary }, null, 2)}\n`;
}

function hasErrors({ plan }: Staged): boolean {
  return plan.diagnostics.some(({ severity }) => severity === "error");
}

function writesIn(staged: Staged): readonly string[] {
  return staged.calls.filter((call) => !call.startsWith("GET "));
}
