// `--base`: git is the state. Real repositories, real git, the whole program.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { guardsChanged } from "../../../src/app/session/guards.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { Project } from "../../../src/model/wish.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { hasGit } from "../../stage/has-git.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let sandbox: Sandbox;
let root: string;

beforeEach(async () => {
  sandbox = await startSandbox({ now });
  root = mkdtempSync(join(tmpdir(), "ticketing-base-"));
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.email", "test@example.com");
  git("config", "user.name", "Test");
});

afterEach(async () => {
  await sandbox.close();
});

function git(...argv: readonly string[]): string {
  return execFileSync("git", [...argv], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function commit(message: string): string {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
  return git("rev-parse", "HEAD");
}

function run(argv: readonly string[], folder = root, env: Record<string, string> = {}): Promise<Ran> {
  const target = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  return ticketing([...argv, "-C", folder], { env: { ...process.env, ...target, ...env }, now });
}

async function plan(base: string, folder = root, env: Record<string, string> = {}): Promise<Plan> {
  return JSON.parse((await run(["plan", "--base", base, "--format", "json"], folder, env)).stdout) as Plan;
}

function eventText(name: string, more = ""): string {
  return `name: ${name}\ndateTime: 2027-03-14T19:00\n${more}`;
}

function live(names: readonly string[]): void {
  const start = "2027-03-14T11:00:00.000Z";
  sandbox.control.seed({
    events: names.map((name, index) => ({ name, dateTime: start, slug: `live-${index}`, status: "DRAFT" })),
  });
}

function shown(made: Plan): readonly string[] {
  return made.changes.map((change) => `${change.action} ${change.address}`);
}

describe.skipIf(!hasGit)("plan --base", () => {
  test("says which guards are loosened, though nothing on the service changes", async () => {
    write("ticketing.yaml", "version: 1\n");
    write("events/one.yaml", eventText("One"));
    commit("Begin");
    const reported = async () =>
      (await plan("HEAD")).diagnostics.find(({ code }) => code === "guards-changed")?.message;
    expect(await reported()).toBeUndefined();
    write("ticketing.yaml", "version: 1\nallow: [delete-event]\nmaxDeletes: 500\nreview: { unreviewed: apply }\n");
    expect(await reported()).toMatch(
      /: `allow` in ticketing\.yaml now accepts `delete-event`; `maxDeletes` is 500, was .*; `review.unreviewed` is apply, was hold\.$/,
    );
    write("ticketing.yaml", "version: 1\n");
    write("events/one.yaml", eventText("One", "protected: true\n"));
    write("events/two.yaml", eventText("Two", "allow: [delete-event]\n"));
    expect(await reported()).toMatch(/: `protected` of events\/one is true, was not set\.$/);
  });

  test("says of guards whether they only forbid more, whatever their words are", async () => {
    const series = eventText("Friday", "allow: [delete-event]\n").replace("2027-03-14T", "");
    const dates = "series: { rrule: FREQ=WEEKLY;COUNT=2, from: 2027-03-19 }\n";
    write("ticketing.yaml", "version: 1\nallow: [delete-event]\n");
    write("events/one.yaml", eventText("One", "protected: true\n"));
    write("events/friday.yaml", `${series}${dates}`);
    commit("Begin");
    const reported = async () => {
      const { message, hint } = (await plan("HEAD")).diagnostics.find(({ code }) => code === "guards-changed") ?? {};
      return `${message} ${hint}`;
    };
    write("ticketing.yaml", "version: 1\n");
    write("events/friday.yaml", `${series.replace("[delete-event]", "[]")}${dates}`);
    expect(await reported()).toMatch(
      /in ticketing\.yaml no longer accepts `delete-event`; `allow` of events\/friday \(several dates\) no longer accepts `delete-event`\. Nothing to do: this only forbids more\.$/,
    );
    write("events/one.yaml", eventText("One"));
    expect(await reported()).toMatch(/`protected` of events\/one is not set, was true.* Check this: later runs may/);
  });

  test("a guard that is a map is one piece of code", () => {
    const settings = { allow: [], maxDeletes: 5, unreviewed: "hold", state: { backend: "git", remote: "origin" } };
    const project = { settings, events: [], upcoming: [], files: 1 } as unknown as Project;
    const base = { ...project, settings: { ...settings, state: { backend: "file" } } } as unknown as Project;
    expect(guardsChanged(project, base)[0]?.message).toMatch(
      /: `state` is `\{ backend: git, remote: origin \}`, was `\{ backend: file \}`\.$/,
    );
  });

  test("says which guards a new project sets, and not what they were", async () => {
    git("commit", "--quiet", "--allow-empty", "--message", "Begin");
    write("ticketing.yaml", "version: 1\nmaxDeletes: 500\n");
    write("events/one.yaml", eventText("One"));
    expect((await plan("HEAD")).diagnostics.find(({ code }) => code === "guards-changed")?.message).toBe(
      "This sets the safeguards of this environment: `maxDeletes` is 500.",
    );
  });

  test("plans only documents that differ, and removed ones as deletes", async () => {
    for (const name of ["One", "Two", "Three"]) write(`events/${name.toLowerCase()}.yaml`, eventText(name));
    commit("Begin");
    live(["One", "Two", "Three"]);
    write("events/two.yaml", eventText("Two", "eventCapacity: 9\n"));
    rmSync(join(root, "events/three.yaml"));
    expect(shown(await plan("HEAD"))).toEqual(["update events/two", "delete events/three"]);
  });

  test("the last file of a project without a ticketing.yaml was removed: that is a delete, and no missing project", async () => {
    write("events/one.yaml", eventText("One"));
    commit("Begin");
    live(["One"]);
    rmSync(join(root, "events"), { recursive: true });
    rmSync(join(root, "ticketing.yaml"), { force: true });
    expect(shown(await plan("HEAD"))).toEqual(["delete events/one"]);
    commit("Remove the last");
    expect((await plan("HEAD")).diagnostics.map((one) => one.code)).toEqual(["no-project"]);
  });

  test.each([
    ["from files that no one committed", ""],
    ["in part, and was taken back since", "--target events/one"],
  ])("--base last sees what was applied %s", async (_, flags) => {
    write(".gitignore", ".ticketing/\n");
    const first = eventText("One", "description: agreed\nbrands: [{ name: Acme }]\n");
    write("events/one.yaml", first);
    write("events/two.yaml", eventText("Two"));
    commit("Begin");
    expect((await run(["apply", "--yes"])).exitCode).toBe(0);
    expect(shown(await plan("last"))).toEqual([]);
    for (const other of [
      first.replace("agreed", "tried out"),
      first.replace("[{ name: Acme }]", "[{ name: Acme }, { name: Brew }]"),
    ]) {
      write("events/one.yaml", other);
      if (flags !== "") commit("Try");
      const applied = await run(["apply", "--yes", ...flags.split(" ").filter((word) => word !== "")]);
      expect(applied.exitCode, applied.stderr).toBe(0);
      write("events/one.yaml", first);
      if (flags !== "") commit("Take back");
      expect(shown(await plan("last"))).toEqual([
        other.includes("Brew") ? "delete events/one/brands/Brew" : "update events/one",
      ]);
      expect((await run(["apply", "--yes"])).exitCode).toBe(0);
      expect(shown(await plan("last"))).toEqual([]);
    }
  });

  test("finds what was removed by the id that state holds, where the service shows no start", async () => {
    sandbox.control.setProfile("minimal");
    for (const name of ["One", "Two"]) write(`events/${name.toLowerCase()}.yaml`, eventText(name));
    write(".gitignore", ".ticketing/\n");
    commit("Begin");
    expect((await run(["apply", "--yes"])).exitCode).toBe(0);
    rmSync(join(root, "events/two.yaml"));
    const made = await plan("HEAD");
    expect(shown(made)).toEqual(["delete events/two"]);
    expect(made.diagnostics.map((one) => one.code)).not.toContain("matched-by-name");
  });

  test("says only of documents that differ what could be better about them", async () => {
    const lacking = "status: PUBLISHED\nlocationType: VENUE\n";
    for (const name of ["One", "Two", "Three"]) write(`events/${name.toLowerCase()}.yaml`, eventText(name, lacking));
    commit("Begin");
    write("events/two.yaml", eventText("Two", `${lacking}eventCapacity: 9\n`));
    const reported = (await plan("HEAD")).diagnostics.map((one) => one.source?.file);
    expect(reported.length).toBeGreaterThan(0);
    expect(new Set(reported)).toEqual(new Set(["events/two.yaml"]));
  });

  test("distinguishes an edit of the file from what the base has already", async () => {
    write("events/one.yaml", eventText("One", "eventCapacity: 5\ndescription: before\n"));
    commit("Begin");
    sandbox.control.seed({
      events: [{ name: "One", dateTime: "2027-03-14T11:00:00.000Z", eventCapacity: 7, description: "before" }],
    });
    write("events/one.yaml", eventText("One", "eventCapacity: 5\ndescription: after\n"));
    const [change] = (await plan("HEAD")).changes;
    expect(change?.edits.map(({ path, origin }) => `${path} ${origin}`)).toEqual([
      "/description edit",
      "/eventCapacity unapplied",
    ]);
  });

  test("says of nothing below a blocked new event that it is on the service already", async () => {
    live(["Harvest Gala"]);
    write("ticketing.yaml", "version: 1\n");
    commit("Begin");
    write("events/ball.yaml", eventText("Harvest Ball", "tickets: [{ name: Seat, price: 100, quantity: 10 }]\n"));
    const made = await plan("HEAD");
    expect(made.changes.map(({ blockedBy }) => blockedBy.map(({ code }) => code))).toEqual([["ambiguous-event"]]);
    expect(made.already).toBeUndefined();
  });

  test("follows a file that was renamed, and a rename of the event by its key", async () => {
    write("events/one.yaml", eventText("One"));
    write("events/two.yaml", eventText("Two"));
    commit("Begin");
    live(["One", "Two"]);
    renameSync(join(root, "events/one.yaml"), join(root, "events/first.yaml"));
    write("events/two.yaml", eventText("Second"));
    const made = await plan("HEAD");
    expect(shown(made)).toEqual(["update events/two"]);
    expect(made.changes[0]?.edits).toMatchObject([{ path: "/name", before: "Two", after: "Second" }]);
  });

  test("sees defaults and variables of both sides", async () => {
    write("ticketing.yaml", "version: 1\ndefaults: { eventCapacity: 5 }\nvars: { word: before }\n");
    write("events/one.yaml", eventText("One", "description: it was ${var.word}\n"));
    commit("Begin");
    sandbox.control.seed({
      events: [{ name: "One", dateTime: "2027-03-14T11:00:00.000Z", eventCapacity: 5, description: "it was before" }],
    });
    write("ticketing.yaml", "version: 1\ndefaults: { eventCapacity: 6 }\nvars: { word: after }\n");
    const [change] = (await plan("HEAD")).changes;
    expect(change?.edits.map((edit) => edit.path)).toEqual(["/description", "/eventCapacity"]);
  });

  test("works in a subfolder, on a detached HEAD, and across a merge", async () => {
    write("shows/ticketing.yaml", "version: 1\n");
    write("shows/events/one.yaml", eventText("One"));
    const first = commit("Begin");
    git("checkout", "--quiet", "-b", "side");
    write("shows/events/two.yaml", eventText("Two"));
    commit("Side");
    git("checkout", "--quiet", "main");
    write("readme.txt", "words");
    commit("Main");
    git("merge", "--quiet", "--no-edit", "side");
    git("checkout", "--quiet", "--detach");
    expect(shown(await plan(first, join(root, "shows")))).toEqual(["create events/two"]);
    expect(shown(await plan("HEAD^1", join(root, "shows")))).toEqual(["create events/two"]);
  });

  test("files with errors are planned at a revision, too", async () => {
    write("events/one.yaml", eventText("One"));
    const head = commit("Begin");
    write("events/two.yaml", "name: Two\ndateTim: x\n");
    const made = await plan("HEAD");
    expect(made).toMatchObject({ operations: [], target: { organization: null } });
    expect(made.revision).toEqual({ head, dirty: true, base: null, applied: null });
  });

  test("a base with errors is reported, and good for what it says", async () => {
    write("events/one.yaml", eventText("One"));
    write("events/two.yaml", eventText("Two", "eventCapacity: many\n"));
    write("events/three.yaml", eventText("Three"));
    commit("Begin");
    live(["One", "Two", "Three"]);
    write("events/two.yaml", eventText("Two", "eventCapacity: 9\n"));
    rmSync(join(root, "events/three.yaml"));
    const made = await plan("HEAD");
    expect(shown(made)).toEqual(["update events/two", "delete events/three"]);
    const [remark, ...others] = made.diagnostics.filter((one) => one.code === "base-has-errors");
    expect(others).toEqual([]);
    expect(remark).toMatchObject({ severity: "warning", hint: expect.stringMatching(/revision that validates/) });
    expect(remark?.message).toMatch(/HEAD have 1 error,/);
    const text = (await run(["plan", "--base", "HEAD"])).stdout;
    expect(text).toContain("[base-has-errors]");
  });

  test("a base without events has no errors", async () => {
    write("ticketing.yaml", "version: 1\nevents: shows/*.yaml\n");
    commit("Begin");
    write("shows/one.yaml", eventText("One"));
    const made = await plan("HEAD");
    expect(shown(made)).toEqual(["create events/one"]);
    expect(made.diagnostics.map((one) => one.code)).not.toContain("base-has-errors");
  });

  test("a base without a project: everything is new", async () => {
    write("readme.txt", "words");
    commit("Begin");
    write("events/one.yaml", eventText("One"));
    expect(shown(await plan("HEAD"))).toEqual(["create events/one"]);
  });

  test.each([
    ["no-such-branch", /no-such-branch/],
    ["HEAD~7", /HEAD~7/],
  ])("an unknown revision %s is reported with a fix", async (revision, words) => {
    write("events/one.yaml", eventText("One"));
    commit("Begin");
    const ran = await run(["plan", "--base", revision]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(words);
    expect(sandbox.control.calls()).toEqual([]);
  });

  test("a shallow clone says which fetch is needed", async () => {
    write("events/one.yaml", eventText("One"));
    const first = commit("Begin");
    write("events/one.yaml", eventText("One", "eventCapacity: 9\n"));
    commit("Next");
    const clone = mkdtempSync(join(tmpdir(), "ticketing-shallow-"));
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone]);
    const ran = await run(["plan", "--base", first], clone);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(/fetch-depth|git fetch/);
  });

  test("outside a repository it says so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ticketing-nogit-"));
    mkdirSync(join(folder, "events"));
    writeFileSync(join(folder, "events/one.yaml"), eventText("One"));
    const ran = await run(["plan", "--base", "HEAD"], folder);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(/git/);
  });

  test("an address that differs from the base is refused while a key is set", async () => {
    const project = (url: string) => `version: 1\nenvironments:\n  live: { baseUrl: "${url}", apiKeyEnv: LIVE_KEY }\n`;
    write("ticketing.yaml", project(sandbox.baseUrl));
    write("events/one.yaml", eventText("One"));
    commit("Begin");
    write("ticketing.yaml", project("https://elsewhere.example/open-api/v1"));
    const env = { LIVE_KEY: sandbox.apiKey, TICKETING_BASE_URL: "", TICKETING_API_KEY: "" };
    const ran = await run(["plan", "--env", "live", "--base", "HEAD", "--format", "json"], root, env);
    expect(ran.exitCode).toBe(1);
    expect((JSON.parse(ran.stdout) as Plan).diagnostics.map((one) => one.code)).toContain("address-changed");
    expect(sandbox.control.calls()).toEqual([]);
  });

  test("`last` is the revision that was applied without a failure", async () => {
    write("events/one.yaml", eventText("One"));
    commit("Begin");
    expect((await run(["apply", "--yes", "--base", "last"])).exitCode).toBe(0);
    write("events/two.yaml", eventText("Two"));
    commit("Next");
    sandbox.control.clearCalls();
    expect(shown(await plan("last"))).toEqual(["create events/two"]);
    expect(sandbox.control.calls().every((call) => call.method === "GET")).toBe(true);
  });
});

test("outside git, no revision is recorded: that is said, and not that the next apply would record one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-no-git-"));
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\n");
  mkdirSync(join(folder, "events"));
  writeFileSync(join(folder, "events/gala.yaml"), eventText("Gala"));
  expect((await run(["apply", "--yes"], folder)).exitCode).toBe(0);
  const { diagnostics, revision } = await plan("last", folder);
  expect(revision).toBeNull();
  const remark = diagnostics.find(({ code }) => code === "no-last-revision");
  expect(remark?.message).toBe("This folder is not in a git repository, so everything is planned.");
  // A folder without any file of a project is still one if something was applied from it.
  for (const file of ["ticketing.yaml", "events/gala.yaml"]) rmSync(join(folder, file));
  const emptied: Plan = JSON.parse((await run(["plan", "--format", "json"], folder)).stdout);
  expect(emptied.changes).toMatchObject([{ address: "events/gala", action: "delete" }]);
  rmSync(folder, { recursive: true });
});

test("a type that was closed stays closed with nothing but a base to compare with", async () => {
  await sandbox.close();
  sandbox = await startSandbox({ now, profile: "soldOut=quantity" });
  const gala = (more: string) =>
    eventText(
      "Gala",
      `locationType: ONLINE\nstatus: PUBLISHED\ntickets: [{ name: GA, price: 100, quantity: 500, published: true${more} }]\n`,
    );
  write("ticketing.yaml", "version: 1\nstate: { backend: none }\n");
  write("events/gala.yaml", gala(""));
  const base = commit("One");
  expect((await run(["apply", "--yes"])).exitCode).toBe(0);
  sandbox.control.sell({ event: "Gala", ticket: "GA", count: 3 });
  write("events/gala.yaml", gala(", soldOut: true"));
  commit("Two");
  expect((await run(["apply", "--yes", "--base", base])).exitCode).toBe(0);
  expect((await plan(base)).operations).toEqual([]);
});
