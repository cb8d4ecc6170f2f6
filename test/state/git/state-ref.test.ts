// A ref as a place for files, on real repositories.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refsOn } from "../../../src/state/git/git-store.ts";
import { refName } from "../../../src/state/git/remote-place.ts";
import type { FilesVersion, SharedFiles } from "../../../src/state/shared/shared-files.ts";
import { removeFolder } from "../../stage/remove-folder.ts";

let root: string;
const opened: SharedFiles[] = [];

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] }).trim();
}

function clone(name: string): string {
  git(root, "clone", "-q", "remote.git", name);
  return join(root, name);
}

async function open(directory: string, environment = "production"): Promise<SharedFiles> {
  const ref = await refsOn(directory, "origin")(environment);
  if (!ref.ok) throw new Error(ref.message);
  opened.push(ref.value);
  return ref.value;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "state-ref-"));
  git(root, "init", "-q", "--bare", "-b", "main", "remote.git");
  const first = clone("first");
  writeFileSync(join(first, "a.txt"), "a");
  git(first, "add", ".");
  git(first, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
  git(first, "push", "-q", "origin", "HEAD:main");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const ref of opened.splice(0)) await ref.close();
  removeFolder(root);
});

describe("the name of the ref", () => {
  test.each([
    ["", "production", "refs/ticketing/root/production"],
    ["root", "production", "refs/ticketing/root%2F/production"],
    ["clubs/manila", "production", "refs/ticketing/clubs%2Fmanila/production"],
    ["a b", "prod/eu", "refs/ticketing/a%20b/prod%2Feu"],
    [".hidden", "x.lock", "refs/ticketing/%2Ehidden/x%2Elock"],
    ["a..b~1", "e.", "refs/ticketing/a%2E.b%7E1/e%2E"],
  ])("%s, %s: %s", (folder, environment, name) => {
    expect(refName(folder, environment)).toBe(name);
    git(root, "check-ref-format", name);
  });
});

test("reading many times at once", async () => {
  const ref = await open(join(root, "first"));
  const written = await ref.write(new Map([["state.json", "{}\n"]]), null, "apply");
  expect(written.ok).toBe(true);
  const reads = await Promise.all(Array.from({ length: 12 }, () => ref.read(true)));
  expect(reads).toEqual(reads.map(() => written));
});

describe("writing", () => {
  test("takes as many files as shards have, and that is no leak to warn about", async () => {
    const warnings: string[] = [];
    const heard = ({ name }: Error) => void warnings.push(name);
    process.on("warning", heard);
    const ref = await open(join(root, "first"));
    const files = Array.from({ length: 16 }, (_, nth): [string, string] => [
      `journal.${nth + 1}-of-16.jsonl`,
      `${nth}`,
    ]);
    expect(await ref.write(new Map(files), null, "apply")).toMatchObject({ ok: true });
    process.off("warning", heard);
    expect(warnings).toEqual([]);
  });

  test("is read by another clone, and touches neither of the two", async () => {
    const one = join(root, "first");
    const before = git(one, "for-each-ref");
    const ref = await open(one);
    expect(await ref.read()).toEqual({ ok: true, value: null });
    const written = await ref.write(new Map([["state.json", "{}\n"]]), null, "apply");
    expect(written.ok).toBe(true);
    const two = clone("second");
    const read = await (await open(two)).read();
    expect(read.ok && read.value?.files.get("state.json")).toBe("{}\n");
    for (const folder of [one, two]) {
      expect(git(folder, "status", "--porcelain")).toBe("");
      expect(git(folder, "rev-parse", "--is-shallow-repository")).toBe("false");
    }
    expect(git(one, "for-each-ref")).toBe(before);
    expect(git(join(root, "remote.git"), "log", "--format=%an %ae %s", "refs/ticketing/root/production")).toBe(
      "ticketing ticketing@localhost apply",
    );
  });

  test("many times at once from one version lets one of them win", async () => {
    const one = await open(join(root, "first"));
    const two = await open(clone("second"));
    const begun = await one.write(new Map([["a", "0"]]), null, "begin");
    const seen = await two.read(true);
    if (!begun.ok || !seen.ok) throw new Error("not written");
    const writes = Array.from({ length: 12 }, (_, nth) =>
      (nth % 2 === 0 ? one : two).write(new Map([["a", `${nth + 1}`]]), begun.value, "at once"),
    );
    const reasons = (await Promise.all(writes)).map((written) => (written.ok ? "written" : written.reason));
    expect(reasons.sort()).toEqual([...Array(11).fill("moved"), "written"]);
  });

  test("waits for another push to end that is at the ref, but not for one that was stopped there", async () => {
    const ref = await open(join(root, "first"));
    const begun = await ref.write(new Map([["a", "0"]]), null, "begin");
    if (!begun.ok) throw new Error("not written");
    const lock = join(root, "remote.git", "refs", "ticketing", "root", "production.lock");
    writeFileSync(lock, "");
    expect(await ref.write(new Map([["a", "1"]]), begun.value, "one")).toMatchObject({
      ok: false,
      reason: "refused",
      message: expect.stringContaining("production.lock"),
    });
    setTimeout(() => rmSync(lock), 500);
    expect(await ref.write(new Map([["a", "1"]]), begun.value, "one")).toMatchObject({ ok: true });
  });

  test("from what was read before somebody else wrote is refused", async () => {
    const one = await open(join(root, "first"));
    const two = await open(clone("second"));
    const begun = await one.write(new Map([["a", "1"]]), null, "one");
    const seen = await two.read();
    if (!begun.ok || !seen.ok) throw new Error("not written");
    expect((await one.write(new Map([["a", "2"]]), begun.value, "two")).ok).toBe(true);
    expect(await two.write(new Map([["a", "3"]]), seen.value, "three")).toMatchObject({ ok: false, reason: "moved" });
    expect(await two.write(new Map([["a", "3"]]), null, "three")).toMatchObject({ ok: false, reason: "moved" });
  });

  test("keeps at most 200 commits, unless the remote lets none be dropped", async () => {
    const ref = await open(join(root, "first"));
    const count = () => git(join(root, "remote.git"), "rev-list", "--count", "refs/ticketing/root/production");
    async function write(content: string, before: FilesVersion | null): Promise<FilesVersion> {
      const written = await ref.write(new Map([["a", content]]), before, "a change");
      if (!written.ok) throw new Error(written.message);
      return written.value;
    }
    // As if there were many before it.
    function old({ id, files }: FilesVersion): FilesVersion {
      return {
        id,
        files: new Map(files).set("ticketing.json", '{"formatVersion":1,"environment":"production","commits":200}'),
      };
    }
    const second = await write("2", await write("1", null));
    expect(count()).toBe("2");
    const third = await write("3", old(second));
    expect(count()).toBe("1");
    mkdirSync(join(root, "remote.git", "hooks"), { recursive: true });
    const hook = '#!/bin/sh\ngit merge-base --is-ancestor "$2" "$3"\n';
    writeFileSync(join(root, "remote.git", "hooks", "update"), hook, { mode: 0o755 });
    const fourth = await write("4", old(third));
    expect(count()).toBe("2");
    expect(fourth.files.get("a")).toBe("4");
  });

  test("is refused where the remote lets no one write, and says why", async () => {
    mkdirSync(join(root, "remote.git", "hooks"), { recursive: true });
    writeFileSync(join(root, "remote.git", "hooks", "pre-receive"), "#!/bin/sh\necho no state here >&2\nexit 1\n", {
      mode: 0o755,
    });
    const ref = await open(join(root, "first"));
    const written = await ref.write(new Map([["a", "1"]]), null, "one");
    expect(written).toMatchObject({ ok: false, reason: "refused", message: expect.stringContaining("no state here") });
  });
});

test("a repository whose objects have names of SHA-256", async () => {
  git(root, "init", "-q", "--bare", "-b", "main", "--object-format=sha256", "longer.git");
  git(root, "init", "-q", "--object-format=sha256", "longer");
  const folder = join(root, "longer");
  git(folder, "remote", "add", "origin", "../longer.git");
  const ref = await open(folder);
  const first = await ref.write(new Map([["state.json", "1"]]), null, "one");
  if (!first.ok) throw new Error(first.message);
  const second = await ref.write(new Map([["state.json", "2"]]), first.value, "two");
  expect(second.ok && second.value.id).toMatch(/^[0-9a-f]{64}$/);
  expect(await (await open(folder)).read()).toEqual(second);
});

test("options for every push, which this remote does not take, are left out", async () => {
  vi.stubEnv("GIT_CONFIG_COUNT", "1");
  vi.stubEnv("GIT_CONFIG_KEY_0", "push.pushOption");
  vi.stubEnv("GIT_CONFIG_VALUE_0", "ci.skip");
  const ref = await open(join(root, "first"));
  expect(await ref.write(new Map([["a", "1"]]), null, "one")).toMatchObject({ ok: true });
});

describe("a disk of this machine that is full", () => {
  /** A git that has no room for one of its commands. */
  function fill(command: string): string {
    const folder = mkdtempSync(join(root, "full-"));
    const script = `#!/bin/sh\nPATH=\${PATH#*:}\ncase " $* " in *" ${command} "*) printf 'fatal: write error: No space left on device\\nfast-import: dumping crash report\\n' >&2; exit 128;; esac\nexec git "$@"\n`;
    writeFileSync(join(folder, "git"), script, { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    const temporary = mkdtempSync(join(root, "temporary-"));
    vi.stubEnv("TMPDIR", temporary);
    return temporary;
  }
  const full = {
    ok: false,
    reason: "setup",
    message: expect.stringMatching(/^The working folder for git .*: write error: No space left on device$/),
    hint: expect.stringContaining("TMPDIR"),
  };

  test("while it reads", async () => {
    const written = await (await open(join(root, "first"))).write(new Map([["a", "1"]]), null, "one");
    expect(written.ok).toBe(true);
    fill("fetch");
    expect(await (await open(join(root, "first"))).read()).toMatchObject(full);
  });

  test("while it writes", async () => {
    fill("fast-import");
    expect(await (await open(join(root, "first"))).write(new Map([["a", "1"]]), null, "one")).toMatchObject(full);
  });
});

test("a temporary folder with room for the working folder, and for nothing in it: nothing is left behind", async () => {
  const name = "ticketing-state-123456";
  // Linux knows no path of 4,096 bytes.
  const length = 4_095 - "/".length - name.length;
  let temporary = mkdtempSync(join(root, "long-"));
  while (temporary.length < length)
    temporary = join(temporary, "x".repeat(Math.min(100, length - temporary.length - 1)));
  mkdirSync(temporary, { recursive: true });
  vi.stubEnv("TMPDIR", temporary);
  expect(await refsOn(join(root, "first"), "origin")("production")).toMatchObject({
    ok: false,
    reason: "setup",
    message: expect.stringMatching(/^The working folder for git could not be created: ENAMETOOLONG/),
    hint: expect.stringContaining("TMPDIR"),
  });
  expect(readdirSync(temporary)).toEqual([]);
});

describe("reading", () => {
  test.each([
    [
      "a tag of the state",
      (remote: string, state: string) =>
        git(remote, "-c", "user.name=a", "-c", "user.email=a@b", "tag", "-am", "tag", "tag", state),
    ],
    [
      "the state's files without a commit",
      (remote: string, state: string) => git(remote, "update-ref", "refs/tags/tag", `${state}^{tree}`),
    ],
    [
      "the state with a file whose name no file of ours has",
      (remote: string, state: string) => {
        const entries = git(remote, "ls-tree", state).split("\n");
        const odd = entries.map((entry) => entry.replace(/\ta$/, '\t"\\"a\\nb"')).join("\n");
        const tree = execFileSync("git", ["mktree"], { cwd: remote, input: `${odd}\n`, encoding: "utf8" }).trim();
        const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        git(remote, "update-ref", "refs/tags/tag", git(remote, ...identity, "commit-tree", "-m", "odd", tree));
      },
    ],
  ])("%s is not what we wrote", async (_name, change) => {
    const remote = join(root, "remote.git");
    const written = await (await open(join(root, "first"))).write(new Map([["a", "1"]]), null, "one");
    if (!written.ok) throw new Error(written.message);
    change(remote, written.value.id);
    git(remote, "update-ref", "refs/ticketing/root/production", git(remote, "rev-parse", "refs/tags/tag"));
    expect(await (await open(join(root, "first"))).read()).toMatchObject({ ok: false, reason: "foreign" });
  });

  test("a ref that holds something else", async () => {
    const folder = join(root, "first");
    git(folder, "push", "-q", "origin", "HEAD:refs/ticketing/root/production");
    expect(await (await open(folder)).read()).toMatchObject({ ok: false, reason: "foreign" });
  });

  test("a remote that is gone", async () => {
    const ref = await open(join(root, "first"));
    rmSync(join(root, "remote.git"), { recursive: true });
    expect(await ref.read()).toMatchObject({ ok: false });
  });

  test("outside a repository, and without the remote", async () => {
    const bare = mkdtempSync(join(tmpdir(), "no-repository-"));
    expect(await refsOn(bare, "origin")("p")).toMatchObject({
      ok: false,
      message: "This folder is not in a git repository.",
    });
    removeFolder(bare);
    git(join(root, "first"), "remote", "rename", "origin", "upstream");
    expect(await refsOn(join(root, "first"), "origin")("p")).toMatchObject({
      ok: false,
      message: 'This repository has no remote named "origin".',
    });
  });
});
