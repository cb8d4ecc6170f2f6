import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gitFiles, mergedFiles } from "../../../src/config/files/git-files.ts";
import type { FileSource } from "../../../src/config/files/read-text.ts";
import { loadProject } from "../../../src/config/project.ts";
import { currentRevision } from "../../../src/system/git.ts";
import { hasGit } from "../../stage/has-git.ts";

let folder: string;
let repository: string;
let project: string;

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"];
  return execFileSync("git", [...identity, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

function write(path: string, text: string): void {
  mkdirSync(join(project, path, ".."), { recursive: true });
  writeFileSync(join(project, path), text);
}

beforeAll(() => {
  if (!hasGit) return;
  folder = mkdtempSync(join(tmpdir(), "ticketing-git-"));
  repository = join(folder, "repository");
  project = join(repository, "tickets");
  mkdirSync(project, { recursive: true });
  git(repository, "init", "-q", "-b", "main");
  writeFileSync(join(repository, "README"), "x");
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "before the project");
  git(repository, "tag", "before");
  write("ticketing.yaml", "version: 1\n");
  write("events/a.yaml", "name: A\ndateTime: 2027-03-14T19:00\n");
  write("events/ünï cödé.yaml", "name: U\ndateTime: 2027-03-14T20:00\n");
  write("events/large.yaml", `name: ${"x".repeat(1024 * 1024)}\n`);
  symlinkSync("a.yaml", join(project, "events", "link.yaml"));
  symlinkSync("../../README", join(project, "events", "out.yaml"));
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "the project");
  git(repository, "tag", "then");
  write("events/a.yaml", "name: A, changed and not committed\n");
});

afterAll(() => {
  if (hasGit) rmSync(folder, { recursive: true, force: true });
});

async function open(root: string, revision: string): Promise<FileSource> {
  const opened = await gitFiles(root, revision);
  if (!opened.ok) throw new Error(opened.diagnostics[0]?.message);
  return opened.files;
}

async function refusal(root: string, revision: string): Promise<string | undefined> {
  const opened = await gitFiles(root, revision);
  return opened.ok ? undefined : opened.diagnostics[0]?.code;
}

describe.skipIf(!hasGit)("files in git", () => {
  it("are those of the revision, below the project's folder", async () => {
    const files = await open(project, "then");
    const listing = await files.list(["events/**/*.{yaml,yml}"]);
    expect(listing.files).toEqual([
      "events/a.yaml",
      "events/large.yaml",
      "events/link.yaml",
      "events/out.yaml",
      "events/ünï cödé.yaml",
    ]);
    const text = async (path: string) => Buffer.from((await files.read(path)) as Uint8Array).toString("utf8");
    expect(await text("events/a.yaml")).toBe("name: A\ndateTime: 2027-03-14T19:00\n");
    expect(await text("events/link.yaml")).toBe("name: A\ndateTime: 2027-03-14T19:00\n");
    expect(await text("events/ünï cödé.yaml")).toContain("name: U");
    expect(await text("ticketing.yaml")).toBe("version: 1\n");
    expect(await files.read("events/out.yaml")).toBe("outside");
    expect(await files.read("events/large.yaml")).toBe("too-large");
    expect(await files.read("events")).toBe("folder");
    expect(await files.read("nothing.yaml")).toBe("missing");
  });

  it("are an empty project where the revision has none", async () => {
    const loaded = await loadProject(await open(project, "before"), {
      environment: { name: "sandbox" },
      env: {},
      now: 0,
    });
    expect(loaded).toMatchObject({ events: [], webhooks: [], files: 0 });
    expect(loaded.diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
  });

  it("name the commit that is checked out", async () => {
    expect(await currentRevision(project)).toBe(git(repository, "rev-parse", "HEAD"));
    expect(await currentRevision(folder)).toBeNull();
  });

  it("are not there outside git, for an unknown revision or for an option in disguise", async () => {
    expect(await refusal(folder, "main")).toBe("not-a-repository");
    const merged = await mergedFiles(folder, "main");
    expect(merged.ok ? [] : merged.diagnostics.map(({ hint }) => hint)).toEqual([
      "Run the command in the project's repository, or plan without --merge-into.",
    ]);
    expect(await refusal(project, "no-such-branch")).toBe("unknown-revision");
    expect(await refusal(project, "--help")).toBe("unknown-revision");
    expect(await refusal(project, "")).toBe("unknown-revision");
  });

  it("of an older revision are missing in a shallow clone, which is reported with the fix", async () => {
    git(folder, "clone", "-q", "--depth", "1", `file://${repository}`, "shallow");
    const opened = await gitFiles(join(folder, "shallow", "tickets"), git(repository, "rev-parse", "before"));
    expect(opened).toMatchObject({
      ok: false,
      diagnostics: [{ code: "shallow-clone", hint: expect.stringContaining("fetch-depth: 0") }],
    });
  });

  it("of a branch that only the remote has are there after the fetch that is advised, also in a clone of one branch", async () => {
    git(repository, "branch", "elsewhere");
    git(folder, "clone", "-q", "--single-branch", `file://${repository}`, "single");
    const clone = join(folder, "single");
    const opened = await gitFiles(clone, "origin/elsewhere");
    const [, command = ""] = opened.ok ? [] : (/run `git (.*?)`/.exec(opened.diagnostics[0]?.hint ?? "") ?? []);
    expect(command).toContain("NAME");
    git(clone, ...command.replaceAll("NAME", "elsewhere").split(" "));
    expect(await gitFiles(clone, "origin/elsewhere")).toMatchObject({ ok: true });
    git(repository, "branch", "-D", "elsewhere");
  });

  it("are missing in a clone that was made with a filter, which is reported with the fix", async () => {
    git(repository, "config", "uploadpack.allowFilter", "true");
    git(folder, "clone", "-q", "--filter=tree:0", "--no-checkout", `file://${repository}`, "filtered");
    const opened = await gitFiles(join(folder, "filtered"), "HEAD");
    const hint = expect.stringContaining("`git fetch --refetch --no-filter`");
    expect(opened).toMatchObject({ ok: false, diagnostics: [{ code: "git-failed", hint }] });
    // Maintenance after it would continue in the background while the folder is removed.
    git(join(folder, "filtered"), "fetch", "-q", "--refetch", "--no-filter", "--no-auto-maintenance");
    expect(await gitFiles(join(folder, "filtered"), "HEAD")).toMatchObject({ ok: true });
  });
});
