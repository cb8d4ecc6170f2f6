// Wrong places and rights for state in git: each has a clear error, exit 1, and nothing is sent to the service.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { type GitPlace, openGitPlace, production } from "../../stage/git-place.ts";

const marker = '{"formatVersion":1,"environment":"production","commits":1}';
let place: GitPlace;
beforeEach(async () => {
  place = await openGitPlace();
});
afterEach(() => place.close());

async function refuses(folder: string, ...said: readonly string[]): Promise<void> {
  const applied = await place.run(folder, "apply", "--yes");
  expect(applied.exitCode).toBe(1);
  for (const text of said) expect((applied.stdout + applied.stderr).replace(/\s+/g, " ")).toContain(text);
  expect(place.writes()).toEqual([]);
}

async function works(folder: string): Promise<void> {
  const applied = await place.run(folder, "apply", "--yes");
  expect(applied.exitCode, applied.stderr).toBe(0);
  expect(place.sandbox.service.dump().events).toHaveLength(1);
}

function hook(name: string, script: string): void {
  mkdirSync(join(place.remote, "hooks"), { recursive: true });
  writeFileSync(join(place.remote, "hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

describe("refused before anything is sent", () => {
  test("outside a repository", async () => {
    const folder = place.clone("one");
    rmSync(join(folder, ".git"), { recursive: true });
    await refuses(folder, "This folder is not in a git repository.", "state: { backend: file }");
  });

  test("no remote of that name", async () => {
    const folder = place.clone("one");
    place.git(folder, "remote", "rename", "origin", "upstream");
    await refuses(folder, 'This repository has no remote named "origin".');
  });

  test("a protected ref: the remote's own words, and the line for the workflow", async () => {
    hook("pre-receive", 'echo "refs/ticketing is protected" >&2; exit 1');
    await refuses(place.clone("one"), "refs/ticketing is protected", "permissions: contents: write");
  });

  test("no permission to write", async () => {
    const folder = place.clone("one");
    place.git(
      folder,
      "config",
      "core.sshCommand",
      'sh -c "echo Permission to a/b.git denied to bot. >&2; exit 128" --',
    );
    place.git(folder, "remote", "set-url", "--push", "origin", "ssh://git@example.invalid/a/b.git");
    await refuses(folder, "denied to bot", "permissions: contents: write");
  });

  test("a remote that belongs to another user: what to trust", async () => {
    const folder = place.clone("one");
    const program = join(place.root, "ssh");
    const said = `fatal: detected dubious ownership in repository at '/srv/a.git'
To add an exception for this directory, call:

	git config --global --add safe.directory /srv/a.git`;
    writeFileSync(program, `#!/bin/sh\ncat >&2 <<"END"\n${said}\nEND\nexit 128\n`, { mode: 0o755 });
    place.git(folder, "config", "core.sshCommand", program);
    place.git(folder, "remote", "set-url", "origin", "ssh://git@example.invalid/srv/a.git");
    await refuses(folder, ": detected dubious ownership", "belongs to another user", "safe.directory /srv/a.git`");
  });

  test("a remote that has no room: its own words", async () => {
    place.git(place.remote, "config", "receive.maxInputSize", "1");
    await refuses(place.clone("one"), "exceeds maximum allowed size");
    expect(place.stored("lock.json")).toBeNull();
  });

  test("offline", async () => {
    const folder = place.clone("one");
    place.git(folder, "remote", "set-url", "origin", "http://127.0.0.1:9/a/b.git");
    await refuses(folder, "Check the connection to the remote");
  });

  test("a ref that holds something else", async () => {
    const folder = place.clone("one");
    place.git(folder, "push", "-q", "origin", `HEAD:${production}`);
    await refuses(folder, "contains something that was not written by `ticketing`", "Choose another ref");
    expect(place.git(place.remote, "rev-parse", production)).toBe(place.git(folder, "rev-parse", "HEAD"));
  });

  test("a ref that another environment uses already", async () => {
    await place.close();
    place = await openGitPlace("state: { backend: git, ref: refs/ticketing/shared }\n");
    const folder = place.clone("one");
    await works(folder);
    const other = await place.run(folder, "apply", "--yes", "--base-url", place.sandbox.baseUrl);
    expect(other.exitCode).toBe(1);
    expect(other.stderr.replace(/\s+/g, " ")).toContain('contains the state of the environment "production"');
  });

  test.each([
    ["state of a newer version", "state.json", '{"formatVersion":2}', "state-too-new"],
    ["state that is damaged", "state.json", "{", "state-corrupt"],
    ["a marker that names no environment", "ticketing.json", '{"formatVersion":1}', "not written by `ticketing`"],
    ["a ref of a newer version", "ticketing.json", '{"formatVersion":2}', "newer version of `ticketing`"],
  ])("%s", async (_name, file, content, said) => {
    write({ "ticketing.json": marker, [file]: content });
    await refuses(place.clone("one"), said);
    // Neither is it taken for an empty one by a plan.
    expect((await place.run(place.clone("two"), "plan")).exitCode).toBe(1);
    expect(place.stored(file)).toBe(content);
  });

  test("damaged state says how it is deleted, and is no file of the checkout", async () => {
    write({ "ticketing.json": marker, "state.json": "{" });
    const { stdout } = await place.run(place.clone("one"), "plan", "--format", "json");
    const [corrupt] = (JSON.parse(stdout) as Plan).diagnostics.filter(({ code }) => code === "state-corrupt");
    expect(corrupt?.hint).toContain(`delete it with \`git push origin --delete ${production}\` and continue without`);
    expect(corrupt?.source).toBeUndefined();
  });

  test("state of another organization", async () => {
    const organization = { id: "3f0c9e0e-6a55-4d8f-9c7b-1f6f8a5b2c10", slug: "another" };
    const state = { formatVersion: 1, lineage: "a", serial: 1, organization, objects: {} };
    write({ "ticketing.json": marker, "state.json": JSON.stringify(state) });
    await refuses(place.clone("one"), "another");
    expect(place.stored("lock.json")).toBeNull();
    expect(place.stored("state.json")).toBe(JSON.stringify(state));
  });

  function write(files: Readonly<Record<string, string>>): void {
    const folder = place.clone("writer");
    place.git(folder, "checkout", "-q", "--orphan", "state");
    place.git(folder, "rm", "-rfq", ".");
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    place.git(folder, "add", "-A");
    place.git(folder, "commit", "-qm", "state");
    place.git(folder, "push", "-q", "origin", `HEAD:${production}`);
  }
});

test("a lock that is lost is reported once on stderr", async () => {
  hook(
    "post-receive",
    `while read -r _ new ref; do case "$(git log -1 --format=%s "$new")" in *lock) git update-ref "$ref" "$new^" || git update-ref -d "$ref";; esac; done`,
  );
  const { exitCode, stderr } = await place.run(place.clone("one"), "apply", "--yes");
  expect(exitCode).toBe(1);
  expect(stderr.match(/error\[lock-lost\]/g)).toHaveLength(1);
});

describe("fine", () => {
  test("a detached HEAD", async () => {
    const folder = place.clone("one");
    place.git(folder, "checkout", "-q", "--detach");
    await works(folder);
  });

  test("a shallow clone, which stays as shallow as it was", async () => {
    place.commit({ "notes.txt": "one more" });
    place.git(place.root, "clone", "-q", "--depth=1", `file://${place.remote}`, "one");
    await works(join(place.root, "one"));
    expect(place.git(join(place.root, "one"), "rev-list", "--count", "HEAD")).toBe("1");
  });

  test("a worktree, with the ref of its repository", async () => {
    place.git(place.clone("one"), "worktree", "add", "-q", "--detach", join(place.root, "tree"));
    await works(join(place.root, "tree"));
    expect(place.stored("state.json")).not.toBeNull();
  });

  test("a submodule, with the remote of its own repository", async () => {
    place.git(place.root, "init", "-q", "outer");
    const outer = join(place.root, "outer");
    place.git(outer, "submodule", "add", "-q", place.remote, "inner");
    await works(join(outer, "inner"));
    expect(place.stored("state.json")).not.toBeNull();
  });

  test("a folder below the root has its own ref", async () => {
    const folder = place.clone("one");
    mkdirSync(join(folder, "clubs"));
    place.git(folder, "mv", "ticketing.yaml", "events", "clubs");
    await works(join(folder, "clubs"));
    expect(place.stored("state.json", "refs/ticketing/clubs/production")).not.toBeNull();
    expect(place.stored("state.json")).toBeNull();
  });

  test("a checkout that no one may write to", async () => {
    const folder = place.clone("one");
    chmodSync(join(folder, ".git"), 0o555);
    await works(folder);
    chmodSync(join(folder, ".git"), 0o755);
  });
});
