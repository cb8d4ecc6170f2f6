// Every command that remembers something, with state in git: each run in a clone that knows nothing.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventFile, type GitPlace, openGitPlace, production } from "../../stage/git-place.ts";

let place: GitPlace;
beforeEach(async () => {
  place = await openGitPlace();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await place.close();
});

describe("state in git", () => {
  test("an apply is remembered by the next clone, which removes what is gone from the files", async () => {
    const applied = await place.run(place.clone("one"), "apply", "--yes");
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(place.stored("lock.json")).toBeNull();
    expect(JSON.parse(place.stored("state.json") ?? "null").objects).toHaveProperty("events/manila-nights");
    expect(place.stored("journal.jsonl")).toBeNull();
    place.git(join(place.root, "author"), "rm", "-q", "events/manila-nights.yaml");
    place.commit({ "events/gala.yaml": eventFile("Gala").replace("03-14", "05-02") });
    const two = place.clone("two");
    const removed = await place.run(two, "apply", "--yes", "--allow", "delete-event");
    expect(removed.exitCode, removed.stderr).toBe(0);
    expect(place.sandbox.service.dump().events).toMatchObject([{ name: "Gala" }]);
    expect(existsSync(join(two, ".ticketing", "state.production.json"))).toBe(false);
  });

  test("plan, status, orders and import read it, and write nothing to the remote", async () => {
    await place.run(place.clone("one"), "apply", "--yes");
    const before = place.git(place.remote, "for-each-ref");
    const two = place.clone("two");
    for (const words of [["plan"], ["status"], ["orders", "manila-nights"], ["import", "--all"], ["state", "list"]]) {
      const ran = await place.run(two, ...words);
      expect(ran.exitCode, `${words}: ${ran.stderr}`).toBe(0);
    }
    expect(place.git(place.remote, "for-each-ref")).toBe(before);
    expect(readdirSync(place.root).sort()).toEqual(["author", "one", "remote.git", "two"]);
  });

  test("no command leaves a folder behind for git to work in", async () => {
    const folder = place.clone("one");
    vi.stubEnv("TMPDIR", place.root);
    await place.run(folder, "apply", "--yes");
    await place.run(folder, "plan");
    await place.run(folder, "status");
    await place.run(folder, "state", "show", "events/manila-nights");
    await place.run(folder, "plan", "--env", "nowhere");
    expect(readdirSync(place.root).sort()).toEqual(["author", "one", "remote.git"]);
  });

  test("three pushes an apply: the lock, what is to be done, and what was done", async () => {
    await place.run(place.clone("one"), "apply", "--yes");
    expect(place.git(place.remote, "log", "--format=%s", production).split("\n")).toEqual([
      "apply: done",
      "apply: journal, log",
      "apply: lock",
    ]);
    const announced = place.git(place.remote, "show", `${production}~1:journal.jsonl`).split("\n");
    expect(announced.map((line) => JSON.parse(line).type)).toEqual(["run", "intent"]);
  });

  test("rm and pull work as with a file, and unlock takes the lock away", async () => {
    await place.run(place.clone("one"), "apply", "--yes");
    const two = place.clone("two");
    const pulled = await place.run(two, "state", "pull");
    expect(JSON.parse(pulled.stdout).objects).toHaveProperty("events/manila-nights");
    const removed = await place.run(two, "state", "rm", "events/manila-nights", "--yes");
    expect(removed.exitCode, removed.stderr).toBe(0);
    expect(JSON.parse(place.stored("state.json") ?? "null").objects).toEqual({});
    expect((await place.run(two, "state", "unlock", "--yes")).stdout).toContain("There is no lock.");
  });

  test("the embedded sandbox keeps its files", async () => {
    const folder = place.clone("one");
    const ran = await place.run(folder, "apply", "--yes", "--env", "sandbox");
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(existsSync(join(folder, ".ticketing", "state.sandbox.json"))).toBe(true);
    expect(place.git(place.remote, "for-each-ref", "refs/ticketing")).toBe("");
  });
});
