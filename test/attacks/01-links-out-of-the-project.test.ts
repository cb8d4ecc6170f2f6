// Point 1: what a cloned repository can put in the place of local data and of files that commands write.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../apply/open-project.ts";
import { type Ran, ticketing } from "../cli/test-world.ts";

const event = "status: DRAFT\nname: $(touch /tmp/owned)\ndateTime: 2027-03-14T19:00\nvenueId: null\n";
const webhooks = '- { url: "https://hooks.acme.example/orders", events: [order.completed] }\n';
const untouched = "export PATH\n";

let outside: string;
let victim: string;
let project: Project;

beforeEach(async () => {
  outside = mkdtempSync(join(tmpdir(), "ticketing-outside-"));
  victim = join(outside, ".bashrc");
  writeFileSync(victim, untouched);
  project = await openProject({ "events/night.yaml": event, "webhooks.yaml": webhooks });
});
afterEach(async () => {
  await project.close();
  rmSync(outside, { recursive: true, force: true });
});

function local(name = ""): string {
  return join(project.directory, ".ticketing", name);
}

function inSandbox(...argv: readonly string[]): Promise<Ran> {
  return ticketing([...argv, "--env", "sandbox", "-C", project.directory]);
}

function expectUntouched(): void {
  expect(readFileSync(victim, "utf8")).toBe(untouched);
  expect(readdirSync(outside)).toEqual([".bashrc"]);
}

function expectRefused(ran: Ran, words: RegExp): void {
  const said = (ran.stdout + ran.stderr).replace(/\s+/g, " ");
  expect(said).toMatch(words);
  expect(said).not.toContain("this is a bug");
  expect(ran.exitCode).toBe(1);
}

const stateFiles = ["journal.default.jsonl", "state.default.json", "lock.default.json"];
const sandboxFiles = ["sandbox.json", "sandbox.json.log", "sandbox.json.lock", "journal.sandbox.jsonl"];

describe("a link in the place of local data", () => {
  test.each(stateFiles)("%s is refused by apply, and nothing was sent", async (name) => {
    mkdirSync(local(), { mode: 0o700 });
    symlinkSync(victim, local(name));
    expectRefused(await project.run(["apply", "--yes"]), new RegExp(`${name} is a symbolic link`));
    expect(project.writes()).toEqual([]);
    expectUntouched();
  });

  test.each(sandboxFiles)("%s is refused in the sandbox, by plan too", async (name) => {
    mkdirSync(local(), { mode: 0o700 });
    symlinkSync(victim, local(name));
    for (const argv of [["plan"], ["apply", "--yes"]]) {
      expectRefused(await inSandbox(...argv), new RegExp(`${name} is a symbolic link`));
      expectUntouched();
    }
  });

  test("the file for secrets is not written through, and the webhook is not left without one", async () => {
    mkdirSync(local(), { mode: 0o700 });
    symlinkSync(victim, local("secrets.json"));
    expect((await project.run(["apply", "--yes", "--settle", "0"])).exitCode).toBe(1);
    expect(project.sandbox.control.dump().webhooks).toEqual([]);
    expectUntouched();
  });

  test.each(["snapshot.default.json", ".gitignore"])("%s is not followed", async (name) => {
    mkdirSync(local(), { mode: 0o700 });
    symlinkSync(victim, local(name));
    await project.run(["plan"]);
    await project.run(["apply", "--yes", "--settle", "0"]);
    expectUntouched();
  });

  test("nor is one under the name of a draft", async () => {
    mkdirSync(local(), { mode: 0o700 });
    for (const name of ["sandbox.json", "state.sandbox.json", "pace.default.json"]) {
      symlinkSync(victim, local(`${name}.${process.pid}.tmp`));
    }
    expect((await inSandbox("plan")).exitCode).toBe(0);
    expect((await inSandbox("apply", "--yes", "--settle", "0")).exitCode).toBe(0);
    expectUntouched();
  });

  test.each([
    ["plan", []],
    ["apply", ["--yes"]],
    ["status", []],
    ["import", ["--all"]],
    ["state", ["list"]],
    ["sandbox", ["reset"]],
  ])("the folder itself: %s does nothing in its place", async (command, more) => {
    symlinkSync(outside, local());
    expectRefused(await project.run([command, ...more]), /\.ticketing is a symbolic link/);
    expectUntouched();
  });
});

describe("what is not a plain file of this user", () => {
  test.each([...stateFiles, ...sandboxFiles])("a named pipe as %s does not hang", async (name) => {
    mkdirSync(local(), { mode: 0o700 });
    execFileSync("sh", ["-c", `mkfifo "$0"`, local(name)]);
    const ran = name.includes("sandbox") ? await inSandbox("apply", "--yes") : await project.run(["apply", "--yes"]);
    expectRefused(ran, new RegExp(`${name} is a named pipe`));
  });

  test("a folder that others can write is refused, with the fix", async () => {
    mkdirSync(local());
    chmodSync(local(), 0o775);
    expectRefused(await project.run(["plan"]), /chmod go-w \.ticketing/);
  });

  test("so is a file in it", async () => {
    expect((await project.apply()).exitCode).toBe(0);
    chmodSync(local("state.default.json"), 0o666);
    expectRefused(await project.run(["plan"]), /chmod go-w \.ticketing\/state\.default\.json/);
  });

  test.runIf(process.getuid?.() === 0)("so is what belongs to another user", async () => {
    expect((await project.apply()).exitCode).toBe(0);
    chownSync(local("state.default.json"), 12_345, 12_345);
    expectRefused(await project.run(["plan"]), /belongs to another user/);
  });

  test("so is a folder that git tracks, whatever else is right about it", async () => {
    expect((await project.apply()).exitCode).toBe(0);
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: project.directory, stdio: "pipe" });
    git("init", "-q");
    expect((await project.run(["plan"])).exitCode).toBe(0);
    git("add", "-f", ".ticketing/state.default.json");
    for (const argv of [["plan"], ["apply", "--yes"], ["status"], ["state", "list"]]) {
      expectRefused(await project.run(argv), /\.ticketing\/ is tracked by git[\s\S]*git rm -r --cached/);
    }
    const { plan } = await project.plan();
    expect(plan).toMatchObject({ operations: [], changes: [] });
    expect(plan.diagnostics.map(({ code }) => code)).toContain("unsafe-local-data");
  });
});

describe("files that commands write into a project", () => {
  test("import does not follow a link out of it", async () => {
    await project.apply();
    rmSync(join(project.directory, "events"), { recursive: true });
    symlinkSync(outside, join(project.directory, "events"));
    expectRefused(await project.run(["import", "--all"]), /events is a link that leads out of the project/);
    expectUntouched();
    symlinkSync(outside, join(project.directory, "more"));
    expectRefused(await project.run(["import", "--all", "--out", "more/here"]), /leads out of the project/);
    expectUntouched();
  });

  test.each([".github", ".gitignore", ".vscode", "schemas", "events"])("init does not follow %s", async (name) => {
    const directory = mkdtempSync(join(tmpdir(), "ticketing-clone-"));
    symlinkSync(name === ".gitignore" ? victim : outside, join(directory, name));
    const ran = await ticketing(["init", directory, "--yes"]);
    expectRefused(ran, /leads out of the project/);
    expectUntouched();
    expect(existsSync(join(directory, "ticketing.yaml"))).toBe(false);
    rmSync(directory, { recursive: true });
  });

  test("plan --out does not either, and goes where it is told to otherwise", async () => {
    symlinkSync(outside, join(project.directory, "plans"));
    expectRefused(await project.run(["plan", "--out", "plans/p.json"]), /plans is a link/);
    symlinkSync(victim, join(project.directory, "p.json"));
    expectRefused(await project.run(["plan", "--out", "p.json"]), /p\.json is a link/);
    expectUntouched();
    expect((await project.run(["plan", "--out", join(outside, "p.json")])).exitCode).toBe(0);
    expect(readdirSync(outside)).toContain("p.json");
  });
});
