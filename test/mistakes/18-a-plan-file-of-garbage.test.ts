// A plan file that is none gets an ordinary error that says what to do, never a report of a bug.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
let plan: Record<string, unknown>;

beforeEach(async () => {
  project = await openProject({ "events/nights.yaml": "name: Nights\ndateTime: 2027-03-14T19:00+08:00\n" });
  expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
  plan = JSON.parse(await project.read("plan.json"));
});
afterEach(() => project.close());

async function expectUnreadable(text: string, words = "is not a saved plan"): Promise<void> {
  await project.write("plan.json", text);
  project.sandbox.control.clearCalls();
  const { exitCode, stdout, stderr } = await project.run(["apply", "plan.json", "--yes"]);
  expect(exitCode).toBe(1);
  expect(stdout + stderr).toContain("plan-unreadable");
  expect((stdout + stderr).replace(/\s+/g, " ")).toContain(words);
  expect(stdout + stderr).not.toContain("bug");
  expect(project.sandbox.control.calls()).toEqual([]);
}

const optional = ["matched", "forgotten", "revision", "upcoming", "held", "whole"];
const members = ["changes", "operations", "diagnostics", "observed"];
const garbage = [null, 1, "x", [], [[]], {}, { id: null }];

test("lists of anything but what belongs there", async () => {
  for (const member of members) {
    for (const value of garbage)
      await expectUnreadable(JSON.stringify({ ...plan, [member]: [value] }), `\`${member}/0`);
    for (const value of [null, 1, "x", {}]) await expectUnreadable(JSON.stringify({ ...plan, [member]: value }));
  }
});

test("members of a plan that are missing, of another sort, or unknown", async () => {
  for (const member of Object.keys(plan)) {
    const { [member]: _, ...rest } = plan;
    if (!optional.includes(member)) await expectUnreadable(JSON.stringify(rest), `\`${member}\``);
    const said = member === "formatVersion" ? "was made by a different version of `ticketing`" : `\`${member}\``;
    await expectUnreadable(JSON.stringify({ ...plan, [member]: 7.5 }), said);
  }
  await expectUnreadable(JSON.stringify({ ...plan, more: true }));
});

test("ids that would lead a call elsewhere", async () => {
  const [observed] = plan.observed as readonly object[];
  for (const id of ["../webhooks", "x/publish", "", "{events/nights}"]) {
    await expectUnreadable(JSON.stringify({ ...plan, observed: [{ ...observed, id }] }), "`observed/0/id`");
  }
});

test("no plan at all", async () => {
  for (const text of [
    "",
    "null",
    "[]",
    "{",
    "name: Nights",
    "[".repeat(100_000),
    `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  ]) {
    await expectUnreadable(text);
  }
});

test("an event or its file says how to name one", async () => {
  for (const word of ["nights", "events/nights", "events/nights.yaml"]) {
    const { exitCode, stderr } = await project.run(["apply", word, "--yes"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/fix: .*For one event: --target events\/nights\./)]);
  }
});
