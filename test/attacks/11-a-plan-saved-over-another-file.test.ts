// `plan --out` writes a new file or takes the place of an earlier plan: it overwrites nothing else and follows no link.
import { lstat, mkdir, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
let outside: Project;

beforeEach(async () => {
  project = await openProject({ "events/nights.yaml": "name: Nights\ndateTime: 2027-03-14T19:00+08:00\n" });
  outside = await openProject({ "precious.txt": "precious" });
});
afterEach(async () => {
  await project.close();
  await outside.close();
});

async function expectRefused(out: string): Promise<void> {
  project.sandbox.control.clearCalls();
  const { exitCode, stdout } = await project.run(["plan", "--out", out, "--format", "json"]);
  expect(exitCode).toBe(1);
  expect(project.sandbox.control.calls()).toEqual([]);
  const { diagnostics, target } = JSON.parse(stdout);
  expect(target.environment).toBe("none");
  expect(diagnostics).toMatchObject([{ code: "plan-not-saved", severity: "error" }]);
  expect(diagnostics[0].hint).toMatch(/^Choose /);
}

test("the project's own files, and others that are no plans", async () => {
  for (const file of ["ticketing.yaml", "events/nights.yaml"]) {
    const before = await project.read(file);
    await expectRefused(file);
    expect(await project.read(file)).toBe(before);
  }
  for (const text of ["{}", "null", '{"tool":{"name":"other"},"fingerprint":"x","operations":[]}']) {
    await project.write("package.json", text);
    await expectRefused("package.json");
    expect(await project.read("package.json")).toBe(text);
  }
});

test("a link in place of the file, or of a folder on the way", async () => {
  const precious = join(outside.directory, "precious.txt");
  await symlink(precious, join(project.directory, "plan.json"));
  await expectRefused("plan.json");
  await symlink(join(outside.directory, "none.json"), join(project.directory, "dangling.json"));
  await expectRefused("dangling.json");
  await symlink(outside.directory, join(project.directory, "out"));
  await expectRefused("out/plan.json");
  expect(await outside.read("precious.txt")).toBe("precious");
  await expect(outside.read("none.json")).rejects.toThrow();
  await expect(outside.read("plan.json")).rejects.toThrow();
});

test("a folder, a device, and a folder that is not there", async () => {
  await mkdir(join(project.directory, "folder"));
  await expectRefused("folder");
  await expectRefused("/dev/null");
  const { exitCode, stderr } = await project.run(["plan", "--out", "missing/plan.json"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "The plan cannot be saved as missing/plan.json: the file cannot be written (it or its folder does not exist).",
  );
  expect(stderr).not.toContain("This is a bug");
});

test("a new file, an empty one and an earlier plan are written, for their owner alone", async () => {
  await project.write("empty.json", "");
  for (const out of ["plan.json", "plan.json", "empty.json", join(outside.directory, "plan.json")]) {
    expect((await project.run(["plan", "--out", out])).exitCode).toBe(0);
  }
  expect((await lstat(join(project.directory, "plan.json"))).mode & 0o777).toBe(0o600);
  expect((await project.apply("plan.json")).exitCode).toBe(0);
});

test("names that the project uses, whether a file is there or not", async () => {
  await project.write("ticketing.yaml", "version: 1\nevents: [events/**/*.yaml, shows/*.json]\n");
  expect((await project.apply()).exitCode).toBe(0);
  await project.write(".ticketing/journal.prod.jsonl", "");
  const before = await project.read(".ticketing/state.default.json");
  for (const out of [
    ".ticketing/journal.prod.jsonl",
    ".ticketing/journal.default.jsonl",
    ".ticketing/new.json",
    ".Ticketing/new.json",
    "events/new.yaml",
    "events/../events/deep/new.yaml",
    "shows/plan.json",
    "webhooks.yaml",
  ]) {
    await expectRefused(out);
  }
  expect(await project.read(".ticketing/journal.prod.jsonl")).toBe("");
  expect(await project.read(".ticketing/state.default.json")).toBe(before);
  expect((await project.run(["validate"])).exitCode).toBe(0);
  await project.remove("ticketing.yaml");
  await expectRefused("ticketing.yaml");
});

test("what is said about a saved plan is what apply does with it", async () => {
  expect((await project.apply()).exitCode).toBe(0);
  await project.remove("events/nights.yaml");
  const blocked = await project.run(["plan", "--out", "plan.json"]);
  expect(blocked.stderr).toContain("It cannot be applied: every change is blocked.");
  await project.write("events/other.yaml", "name: Other\ndateTime: 2027-04-14T19:00+08:00\n");
  const partly = await project.run(["plan", "--out", "plan.json"]);
  expect(partly.stderr).toMatch(
    /1 of its changes is blocked\. Apply the rest with: ticketing apply (-C \S+ )?--skip-blocked plan\.json/,
  );
  expect((await project.apply("plan.json")).exitCode).toBe(1);
  expect((await project.apply("--skip-blocked", "plan.json")).report.summary).toMatchObject({ done: 1 });
  await project.write("events/third.yaml", "name: Third\ndateTime: 2027-05-14T19:00+08:00\n");
  const free = await project.run(["plan", "--out", "plan.json", "--target", "events/third"]);
  expect(free.stderr).toMatch(/Apply it with: ticketing apply (-C \S+ )?plan\.json/);
  const spaced = await project.run(["plan", "--out", "my plan.json", "--target", "events/third"]);
  expect(spaced.stderr).toMatch(/Apply it with: ticketing apply (-C \S+ )?'my plan\.json'/);
  const cwd = dirname(project.directory);
  const above = await project.run(["plan", "-C", project.directory, "--out", "p.json"], { cwd });
  expect(above.stderr).toContain(`ticketing apply -C ${basename(project.directory)} --skip-blocked p.json`);
});
