// A cache or a record is lost: a deletion that was reviewed must not turn into "no changes".
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import { type Edits, eventText, type Loop, openLoop, type Runner } from "./loop.ts";

let loop: Loop;

beforeEach(async () => {
  loop = await openLoop();
});

afterEach(() => loop.close());

/** State in a file, and runners that keep none. */
const forgetful = "version: 1\n";

/** Two events are live; the document of one of them was deleted, in a separate commit. */
async function deleteBlues(): Promise<{ readonly before: string; readonly after: string }> {
  const jazz = eventText("Jazz", "eventCapacity: 100\n");
  const before = loop.push({
    "ticketing.yaml": forgetful,
    "events/jazz.yaml": jazz,
    "events/blues.yaml": eventText("Blues").replace("03-14", "04-18"),
  });
  expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
  const after = loop.push(
    { "events/blues.yaml": null, "events/jazz.yaml": jazz.replace("100", "200") },
    "Cancel Blues",
  );
  loop.writes();
  return { before, after };
}

/** A runner on a push, as GitHub describes it. */
function onPush(before: string): Runner {
  return loop.runner({ env: pushFrom(before) });
}

function pushFrom(before: string): Readonly<Record<string, string>> {
  const payload = join(loop.root, "event.json");
  writeFileSync(payload, JSON.stringify({ before }));
  return { GITHUB_ACTIONS: "true", GITHUB_EVENT_NAME: "push", GITHUB_EVENT_PATH: payload };
}

describe.skipIf(!hasGit)("without any record", () => {
  test("a deleted document whose event is live: exit 1 with its name, nothing sent, and no greener the second time", async () => {
    await deleteBlues();
    const runner = loop.runner();
    for (let times = 0; times < 2; times += 1) {
      for (const command of [["plan"], ["plan", "--base", "last"], ["apply", "--yes"]]) {
        const { exitCode, stdout, stderr } = await runner.run(...command);
        expect(exitCode).toBe(1);
        const said = (stdout + stderr).replace(/\s+/g, " ");
        expect(said).toContain("error[unjudged-deletions]");
        expect(said).toContain('"Blues" (events/blues)');
        expect(said).toContain("status: DELETED");
      }
    }
    expect(loop.writes()).toEqual([]);
  });

  test("the rest can be applied, and it is still not green", async () => {
    await deleteBlues();
    const runner = loop.runner();
    for (let times = 0; times < 2; times += 1) {
      const { exitCode, stdout, stderr } = await runner.run("apply", "--yes", "--skip-blocked");
      expect(exitCode).toBe(1);
      // It is about to do so.
      expect(stdout).not.toContain("Cannot apply");
      expect(stderr).toContain("unjudged-deletions");
      expect(loop.live().Jazz?.eventCapacity).toBe(200);
    }
    expect(Object.keys(loop.live()).sort()).toEqual(["Blues", "Jazz"]);
  });

  test("status: DELETED decides, and so does --allow", async () => {
    await deleteBlues();
    const kept = loop.runner();
    expect((await kept.run("apply", "--yes", "--allow", "unjudged-deletions")).exitCode).toBe(0);
    expect((await kept.run("apply", "--yes")).exitCode).toBe(0);
    expect(Object.keys(loop.live())).toContain("Blues");
    loop.push({ "events/blues.yaml": `status: DELETED\n${eventText("Blues").replace("03-14", "04-18")}` });
    expect((await loop.runner().run("apply", "--yes", "--allow", "delete-event")).exitCode).toBe(0);
    expect(Object.keys(loop.live())).toEqual(["Jazz"]);
  });

  test("a base says what to delete; a later push says no less than the one that deleted the document", async () => {
    const { before, after } = await deleteBlues();
    expect((await onPush(before).run("apply", "--yes")).stderr).toContain("unjudged-deletions");
    const based = await onPush(before).run("apply", "--yes", "--base", before);
    expect(based.stderr).toContain("delete-event");
    expect(based.stderr).not.toContain("unjudged-deletions");
    loop.push({ "README.md": "Hello\n" });
    const later = await onPush(after).run("apply", "--yes");
    expect([later.exitCode, later.stderr]).toEqual([1, expect.stringContaining("unjudged-deletions")]);
  });

  test("a pull request that deletes a document shows what apply will say of it, and no risk to accept", async () => {
    loop.push({ "ticketing.yaml": forgetful, "events/jazz.yaml": eventText("Jazz") });
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
    const { changes, already, diagnostics } = await loop
      .branch({ "events/jazz.yaml": null })
      .plan("--merge-into", "origin/main");
    expect(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual([
      "unjudged-deletions",
    ]);
    expect([changes, already]).toEqual([[], undefined]);
  });

  test("of an event that may be either of two, nothing is said to be so already", async () => {
    const jazz = (price: number) => eventText("Jazz", `tickets: [{ name: GA, price: ${price}, quantity: 5 }]\n`);
    loop.push({ "ticketing.yaml": forgetful, "events/jazz.yaml": jazz(100) });
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
    const { dateTime } = loop.live().Jazz ?? {};
    await loop.sandbox.service.call("POST", "/events", { name: "Jazz", dateTime });
    const { changes, already } = await loop
      .branch({ "events/jazz.yaml": jazz(200) })
      .plan("--merge-into", "origin/main");
    expect(changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code))).toEqual(["ambiguous-event"]);
    expect(already).toBeUndefined();
  });

  test.each([
    ["the root", "", "shop/"],
    ["one folder", "shop/", "office/tickets/"],
  ])("the project was moved from %s, and lost a document on the way", async (_, from, to) => {
    const texts = { "ticketing.yaml": forgetful, "events/jazz.yaml": eventText("Jazz") };
    const blues = eventText("Blues").replace("03-14", "04-18");
    const below = (folder: string, edits: Edits) =>
      Object.fromEntries(Object.entries(edits).map(([file, text]) => [`${folder}${file}`, text]));
    const before = loop.push(below(from, { ...texts, "events/blues.yaml": blues }));
    expect((await loop.runner({ folder: from }).run("apply", "--yes")).exitCode).toBe(0);
    const gone = { "ticketing.yaml": null, "events/jazz.yaml": null, "events/blues.yaml": null };
    loop.push({ ...below(from, gone), ...below(to, texts) }, "Move the project");
    loop.push({ "README.md": "Hello\n" });
    for (const env of [{}, pushFrom(before)]) {
      const { exitCode, stderr } = await loop.runner({ folder: to, env }).run("apply", "--yes");
      expect(exitCode).toBe(1);
      expect(stderr.replace(/\s+/g, " ")).toContain(
        'still live although it was deleted from the files in git: "Blues" (events/blues). There is no record',
      );
    }
  });

  test("a saved plan knows as little", async () => {
    await deleteBlues();
    const runner = loop.runner();
    expect((await runner.run("plan", "--out", "plan.json", "--allow", "unjudged-deletions")).exitCode).toBe(0);
    const { exitCode, stderr } = await runner.run("apply", "plan.json", "--yes");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("unjudged-deletions");
    expect(loop.writes()).toEqual([]);
  });

  test.each([
    ["one of several documents in a file", { "events/all.yaml": twoDocuments(["One"]) }, ['"Two" (events/two)']],
    [
      "a file that was moved to another folder",
      { "events/all.yaml": null, "events/2027/all.yaml": twoDocuments(["One", "Two"]) },
      [],
    ],
    ["documents in a merged branch", null, ['"Two" (events/two)']],
  ])("%s", async (_, edits, named) => {
    loop.push({ "ticketing.yaml": forgetful, "events/all.yaml": twoDocuments(["One", "Two"]) });
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
    if (edits === null) {
      loop.git("checkout", "--quiet", "-b", "side");
      loop.push({ "README.md": "a\n" });
      loop.git("checkout", "--quiet", "-B", "side");
      writeFileSync(join(loop.desk, "events/all.yaml"), twoDocuments(["One"]));
      loop.git("commit", "--quiet", "--all", "--message", "Drop Two");
      loop.git("checkout", "--quiet", "-B", "main", "origin/main");
      loop.git("merge", "--quiet", "--no-ff", "--no-edit", "side");
      loop.git("push", "--quiet", "origin", "HEAD:main");
    } else loop.push(edits);
    const { exitCode, stderr } = await loop.runner().run("apply", "--yes");
    expect(exitCode).toBe(named.length === 0 ? 0 : 1);
    for (const name of named) expect(stderr.replace(/\s+/g, " ")).toContain(name);
  });

  test("a clone that does not hold the history is never green either, and says which depth is needed", async () => {
    const { before, after } = await deleteBlues();
    const runner = loop.runner({ depth: 1 });
    for (const more of [[], ["--base", "last"], ["--target", "events/jazz"], []]) {
      const { exitCode, stderr } = await runner.run("apply", "--yes", ...more);
      expect(exitCode).toBe(1);
      expect(stderr.replace(/\s+/g, " ")).toContain("error[unjudged-deletions] Some live events have no file");
      expect(stderr.replace(/\s+/g, " ")).toContain("fetch-depth: 0");
    }
    expect(loop.writes()).toEqual([]);
    // Far enough for what the push says.
    const deep = await loop.runner({ depth: 2, env: pushFrom(before) }).run("apply", "--yes");
    expect(deep.stderr).toContain('"Blues" (events/blues)');
    // An earlier push may have deleted documents, too.
    loop.push({ "README.md": "Hello\n" });
    const later = await loop.runner({ depth: 2, env: pushFrom(after) }).run("apply", "--yes");
    expect([later.exitCode, later.stderr]).toEqual([1, expect.stringContaining("unjudged-deletions")]);
    expect((await runner.run("apply", "--yes", "--allow", "unjudged-deletions")).exitCode).toBe(0);
    expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
  });

  test("a shallow clone will do where nothing is live that is in no file", async () => {
    loop.push({ "ticketing.yaml": forgetful, "events/jazz.yaml": eventText("Jazz") });
    for (let times = 0; times < 2; times += 1)
      expect((await loop.runner({ depth: 1 }).run("apply", "--yes")).exitCode).toBe(0);
  });

  test("costs no call beyond the list that is read anyway, and nothing at all with a record", async () => {
    loop.push({ "ticketing.yaml": forgetful, "events/jazz.yaml": eventText("Jazz") });
    const kept = loop.runner();
    await kept.run("apply", "--yes");
    loop.sandbox.control.clearCalls();
    await loop.runner().run("apply", "--yes");
    const without = loop.sandbox.control.calls().length;
    await deleteBlues();
    loop.sandbox.control.clearCalls();
    await loop.runner().run("apply", "--yes");
    expect(loop.sandbox.control.calls().length).toBe(without);
  });
});

function twoDocuments(names: readonly string[]): string {
  const day = (name: string) => (name === "One" ? "03-14" : "04-18");
  const documents = names.map((name) => `key: ${name.toLowerCase()}\n${eventText(name).replace("03-14", day(name))}`);
  return documents.join("---\n");
}
