// Point 1: what a cloned repository can put in the place of local data and of files that commands write.
import { execFileSync, spawnSync } from "node:child_process";
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
import { buildProgram, cleanEnv, root } from "../bin/program.ts";
import { openProject, type Project } from "../stage/open-project.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";

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
  expect(said).not.toContain("This is a bug");
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

  const anyFiles = [
    "secrets.json",
    "snapshot.default.json",
    "pace.default.0123abcd.json",
    ".gitignore",
    "seal.key",
    "sandbox.json.4711.tmp",
    "of-no-use-to-anybody",
  ];

  test.each(anyFiles)("%s is refused by plan and apply, and nothing was sent", async (name) => {
    mkdirSync(local(), { mode: 0o700 });
    symlinkSync(victim, local(name));
    for (const argv of [["plan"], ["apply", "--yes", "--settle", "0"], ["status"], ["webhooks", "list"]]) {
      expectRefused(await project.run(argv), new RegExp(`${name} is a symbolic link.*delete it`));
    }
    rmSync(local(name));
    execFileSync("sh", ["-c", `mkfifo "$0"`, local(name)]);
    for (const argv of [["plan"], ["apply", "--yes", "--settle", "0"]]) {
      expectRefused(await project.run(argv), new RegExp(`${name} is a named pipe`));
    }
    expect(project.sandbox.control.calls()).toEqual([]);
    expectUntouched();
  });

  test("so is one in a folder within, and a folder in the place of a file; other files of this user are not", async () => {
    mkdirSync(local("secrets"), { recursive: true, mode: 0o700 });
    writeFileSync(local("notes.txt"), "mine\n", { mode: 0o600 });
    expect((await project.run(["plan"])).exitCode).not.toBe(1);
    symlinkSync(victim, local("secrets/production.json"));
    expectRefused(await project.run(["plan"]), /production\.json is a symbolic link/);
    rmSync(local("secrets"), { recursive: true });
    mkdirSync(local("snapshot.default.json"), { mode: 0o700 });
    expectRefused(await project.run(["plan"]), /snapshot\.default\.json is a folder/);
  });

  test("a file for secrets elsewhere is refused before a webhook is made", async () => {
    const settings = "version: 1\nsecrets: { sink: file, path: hidden/secrets.json }\n";
    writeFileSync(join(project.directory, "ticketing.yaml"), settings);
    mkdirSync(join(project.directory, "hidden"));
    symlinkSync(victim, join(project.directory, "hidden/secrets.json"));
    expectRefused(
      await project.run(["apply", "--yes", "--settle", "0"]),
      /hidden\/secrets\.json leads out of the project/,
    );
    rmSync(join(project.directory, "hidden/secrets.json"));
    execFileSync("sh", ["-c", `mkfifo "$0"`, join(project.directory, "hidden/secrets.json")]);
    expectRefused(await project.run(["apply", "--yes", "--settle", "0"]), /secrets\.json is not a regular file/);
    expect(project.writes()).toEqual([]);
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
    // Where git cannot answer, nothing says that it is not tracked.
    writeFileSync(join(project.directory, ".git/index"), "damaged");
    for (const argv of [["plan"], ["apply", "--yes"], ["state", "list"]]) {
      expectRefused(await project.run(argv), /Git did not say whether \.ticketing\/ is tracked.*index file/);
    }
  });
});

describe("files that commands write into a project", () => {
  test("import does not follow a link out of it", async () => {
    await project.apply();
    rmSync(join(project.directory, "events"), { recursive: true });
    symlinkSync(outside, join(project.directory, "events"));
    expectRefused(await project.run(["import", "--all"]), /events is a link to outside the project/);
    expectUntouched();
    symlinkSync(outside, join(project.directory, "more"));
    expectRefused(await project.run(["import", "--all", "--out", "more/here"]), /(?:leads out of|outside) the project/);
    expectUntouched();
  });

  test.each([".github", ".gitignore", ".vscode", "schemas", "events"])("init does not follow %s", async (name) => {
    const directory = mkdtempSync(join(tmpdir(), "ticketing-clone-"));
    symlinkSync(name === ".gitignore" ? victim : outside, join(directory, name));
    const ran = await ticketing(["init", directory, "--yes"]);
    expectRefused(ran, /(?:leads out of|outside) the project/);
    expectUntouched();
    expect(existsSync(join(directory, "ticketing.yaml"))).toBe(false);
    rmSync(directory, { recursive: true });
  });

  test("the program as it is installed says so too, and does not call it a bug", () => {
    buildProgram();
    const directory = mkdtempSync(join(tmpdir(), "ticketing-clone-"));
    symlinkSync(outside, join(directory, ".github"));
    const said = (...argv: readonly string[]) => {
      const ran = spawnSync(process.execPath, [join(root, "bin", "ticketing.js"), ...argv], {
        cwd: directory,
        env: cleanEnv(),
        encoding: "utf8",
      });
      return { exitCode: ran.status, text: (ran.stdout + ran.stderr).replace(/\s+/g, " ") };
    };
    const init = said("init", ".", "--yes");
    expect(init.text).toMatch(
      /^error\[unsafe-file\] \.github\/workflows\/ticketing\.yml leads out of the project through the link \.github/,
    );
    expect(init).toMatchObject({ exitCode: 1, text: expect.not.stringContaining("bug") });
    rmSync(join(directory, ".github"));
    expect(said("init", ".", "--yes").exitCode).toBe(0);
    expect(said("apply", "--yes", "--env", "sandbox").exitCode).toBe(0);
    rmSync(join(directory, "events"), { recursive: true });
    symlinkSync(outside, join(directory, "imported"));
    const imported = said("import", "--all", "--out", "imported", "--env", "sandbox");
    expect(imported.text).toMatch(/leads out of the project through the link imported/);
    expect(imported).toMatchObject({ exitCode: 1, text: expect.not.stringContaining("bug") });
    expectUntouched();
    rmSync(directory, { recursive: true });
  });

  test("plan --out does not either, and goes where it is sent otherwise", async () => {
    symlinkSync(outside, join(project.directory, "plans"));
    expectRefused(await project.run(["plan", "--out", "plans/p.json"]), /plans is a link/);
    symlinkSync(victim, join(project.directory, "p.json"));
    expectRefused(await project.run(["plan", "--out", "p.json"]), /p\.json is a link/);
    expectUntouched();
    expect((await project.run(["plan", "--out", join(outside, "p.json")])).exitCode).toBe(0);
    expect(readdirSync(outside)).toContain("p.json");
  });
});
