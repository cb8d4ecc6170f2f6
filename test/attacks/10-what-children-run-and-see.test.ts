// A repository from a stranger names programs that git would run, and children would see keys in their environment.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gitHolds } from "../../src/app/importing/imported.ts";
import { readCheckout } from "../../src/app/session/checkout.ts";
import { runGit, runGitRemote } from "../../src/system/git.ts";
import { hasGit } from "../stage/has-git.ts";

let root: string;
let witness: string;
let program: string;
const before = { ...process.env };

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-children-"));
  root = join(folder, "repository");
  witness = join(folder, "witness");
  program = join(folder, "program");
  mkdirSync(root);
  writeFileSync(program, `#!/bin/sh\necho ran >> "${witness}"\ncat\n`);
  chmodSync(program, 0o755);
});

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

function git(...argv: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...argv], { cwd: root, encoding: "utf8" }).trim();
}

function begin(): void {
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(root, "event.yaml"), "name: One\n");
  writeFileSync(join(root, ".gitattributes"), "*.yaml filter=theirs diff=theirs\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
}

describe.skipIf(!hasGit)("git runs no program that the repository names", () => {
  test("neither a file monitor, nor a hook, nor a filter, nor a text conversion", async () => {
    begin();
    const hooks = join(root, "hooks");
    mkdirSync(hooks);
    for (const hook of ["post-index-change", "reference-transaction"]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\necho ran >> "${witness}"\n`);
      chmodSync(join(hooks, hook), 0o755);
    }
    git("config", "core.hooksPath", hooks);
    for (const setting of ["filter.theirs.clean", "filter.theirs.smudge", "diff.theirs.textconv", "diff.external"]) {
      git("config", setting, program);
    }
    git("config", "filter.theirs.required", "true");
    git("config", "core.fsmonitor", program);
    writeFileSync(join(root, "event.yaml"), "name: Two\n");
    expect(await gitHolds(root, "event.yaml")).toBe(false);
    expect(await readCheckout(root, { events: ["*.yaml"], templates: [], webhooks: [] })).toMatchObject({
      dirty: true,
    });
    writeFileSync(join(root, "event.yaml"), "name: One\n");
    expect(await gitHolds(root, "event.yaml")).toBe(true);
    expect((await runGit(root, ["cat-file", "--batch"], "HEAD:event.yaml\n")).ok).toBe(true);
    expect(existsSync(witness)).toBe(false);
  });

  test("a filter whose name no flag can express is not run either", async () => {
    begin();
    writeFileSync(join(root, ".gitattributes"), "*.yaml filter=a=b\n");
    git("config", "filter.a=b.clean", program);
    writeFileSync(join(root, "event.yaml"), "name: Two\n");
    expect(await readCheckout(root, { events: ["*.yaml"], templates: [], webhooks: [] })).toMatchObject({
      dirty: true,
    });
    expect(await gitHolds(root, "event.yaml")).toBe(false);
    expect(existsSync(witness)).toBe(false);
  });

  test("a bare repository among the files of a pull request is no repository", async () => {
    begin();
    const inner = join(root, "tickets");
    git("init", "--quiet", "--bare", inner);
    execFileSync("git", ["config", "core.bare", "false"], { cwd: inner });
    execFileSync("git", ["config", "core.worktree", root], { cwd: inner });
    execFileSync("git", ["config", "core.fsmonitor", program], { cwd: inner });
    expect((await runGit(inner, ["status", "--porcelain"])).ok).toBe(false);
    expect(existsSync(witness)).toBe(false);
  });
});

describe.skipIf(!hasGit || process.platform === "win32")("git sees no key", () => {
  test("under whatever name it is kept", async () => {
    begin();
    const bin = join(root, "..", "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), `#!/bin/sh\nenv >> "${witness}"\n`);
    chmodSync(join(bin, "git"), 0o755);
    process.env.PATH = `${bin}${delimiter}${process.env.PATH}`;
    const names = ["TICKETING_API_KEY", "TICKETING_PREVIOUS_API_KEY", "TICKETING_PLAN_KEY", "LIVE", "GIT_SECRET"];
    const ofStores = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "PGPASSWORD", "PGPASSFILE"];
    const ofServers = ["TICKETING_STATE_URL", "TICKETING_STATE_PASSWORD"];
    for (const name of [...names, ...ofStores, ...ofServers]) process.env[name] = `secret-of-${name}`;
    await runGit(root, ["rev-parse", "HEAD"]);
    await runGitRemote({ gitDir: root, args: ["ls-remote"], settings: [], timeoutMs: 10_000 });
    const seen = readFileSync(witness, "utf8");
    expect(seen.match(/^PATH=/gm)).toHaveLength(2);
    expect(seen).not.toContain("secret-of");
  });
});
