// Jobs are run again, branches are applied by mistake, history is rewritten: nothing that was merged is taken back unseen.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { hasGit } from "../stage/has-git.ts";
import { eventText, gitState, type Loop, openLoop } from "./loop.ts";

let loop: Loop;

beforeEach(async () => {
  loop = await openLoop();
});

afterEach(() => loop.close());

function jazz(capacity: number): string {
  return eventText("Jazz", `eventCapacity: ${capacity}\n`);
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

/** Two commits, each applied by its own runner. */
async function applyTwo(): Promise<readonly [string, string]> {
  const first = loop.push({ "ticketing.yaml": gitState, "events/jazz.yaml": jazz(100) });
  expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
  const second = loop.push({ "events/jazz.yaml": jazz(200), "events/blues.yaml": eventText("Blues") });
  expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
  loop.writes();
  return [first, second];
}

function capacity(): unknown {
  return loop.live().Jazz?.eventCapacity;
}

describe.skipIf(!hasGit)("the job of an older commit is run again", () => {
  test("it is refused before anything is read or sent, and says what to run", async () => {
    const [first, second] = await applyTwo();
    for (const more of [[], ["--base", "last"]]) {
      loop.sandbox.control.clearCalls();
      const { exitCode, stdout, stderr } = await loop.runner({ revision: first }).run("apply", "--yes", ...more);
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^Target: .+\n$/);
      const said = stderr.replace(/\s+/g, " ");
      expect(said).toContain("error[older-than-applied]");
      expect(said).toContain(`(${short(first)}) is 1 commit older than what was applied last (${short(second)})`);
      expect(said).toContain("git pull");
      expect(loop.sandbox.control.calls()).toEqual([]);
    }
    expect(capacity()).toBe(200);
  });

  test("a plan warns that an apply would refuse it; a pull request's plan does not", async () => {
    const [first] = await applyTwo();
    const runner = loop.runner({ revision: first });
    const { exitCode, stdout, stderr } = await runner.run("plan", "--out", "plan.json", "--allow", "delete-event");
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain("warning[older-than-applied]");
    expect(stderr).toContain("An apply would refuse it");
    expect(stderr).not.toContain("Apply it with");
    for (const more of [
      ["--merge-into", "origin/main"],
      ["--base", "HEAD"],
      ["--allow", "older-than-applied"],
    ])
      expect((await runner.run("plan", ...more)).stdout).not.toContain("older-than-applied");
  });

  test("as JSON the plan says so, and does nothing", async () => {
    const [first] = await applyTwo();
    const { stdout } = await loop.runner({ revision: first }).run("apply", "--yes", "--format", "json");
    const report = JSON.parse(stdout);
    expect(report.plan.diagnostics).toMatchObject([{ code: "older-than-applied", severity: "error" }]);
    expect(report.outcomes).toEqual([]);
  });

  test("--allow means it, and the newest job may follow again", async () => {
    const [first, second] = await applyTwo();
    const back = await loop.runner({ revision: first }).run("apply", "--yes", "--allow", "older-than-applied");
    expect(back.stdout).toContain("older-than-applied");
    expect(back.exitCode, back.stderr).toBe(1);
    expect(back.stderr).toContain("delete-event");
    const decided = ["--allow", "older-than-applied", "--allow", "delete-event"];
    expect((await loop.runner({ revision: first }).run("apply", "--yes", ...decided)).exitCode).toBe(0);
    expect(capacity()).toBe(100);
    expect((await loop.runner({ revision: second }).run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
    expect(capacity()).toBe(200);
  });

  test("a default branch that was moved back: there is nothing newer to check out, so both ways on are named, and work", async () => {
    const [first, second] = await applyTwo();
    loop.git("push", "--quiet", "origin", `${second}:refs/heads/kept`);
    loop.git("push", "--quiet", "--force", "origin", `${first}:main`);
    const refused = await loop.runner().run("apply", "--yes", "--base", "last");
    expect(refused.exitCode).toBe(1);
    const said = refused.stderr.replace(/\s+/g, " ");
    expect(said).toContain(
      "It is the newest commit of main: that branch was moved back, or the newer work is not in it yet.",
    );
    expect(said).toContain("pass --allow older-than-applied");
    expect(said).not.toContain("git pull");
    expect(loop.writes()).toEqual([]);
    const forward = /`git (push origin \S+:main)`/.exec(said)?.[1] ?? "";
    loop.git(...forward.split(" "));
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
    expect(capacity()).toBe(200);
    loop.git("push", "--quiet", "--force", "origin", `${first}:main`);
    const meant = ["--allow", "older-than-applied", "--allow", "delete-event"];
    expect((await loop.runner().run("apply", "--yes", "--base", "last", ...meant)).exitCode).toBe(0);
    expect(capacity()).toBe(100);
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
  });

  test("the newest attempt counts, even one that failed; --base last starts from the one that ended clean", async () => {
    const [, second] = await applyTwo();
    const third = loop.push({ "events/jazz.yaml": jazz(300) });
    loop.sandbox.control.addFault({ kind: "error-before", path: "/events", method: "PATCH", times: 0 });
    expect((await loop.runner().run("apply", "--yes", "--settle", "0")).exitCode).toBe(1);
    loop.sandbox.control.clearFaults();
    const again = await loop.runner({ revision: second }).run("apply", "--yes");
    expect(again.stderr).toContain("older-than-applied");
    const plan = await loop.runner().plan("--base", "last");
    expect(plan.revision).toMatchObject({ head: third, base: second, applied: second, dirty: false });
    expect(plan.changes.map(({ address }) => address)).toEqual(["events/jazz"]);
  });

  test("a saved plan of an older commit is refused", async () => {
    const first = loop.push({ "ticketing.yaml": gitState, "events/jazz.yaml": jazz(100) });
    const early = loop.runner();
    expect((await early.run("plan", "--out", "plan.json")).exitCode).toBe(0);
    loop.push({ "events/blues.yaml": eventText("Blues").replace("03-14", "04-18") });
    expect((await loop.runner().run("apply", "--yes", "--target", "events/blues")).exitCode).toBe(0);
    loop.writes();
    expect((await early.run("apply", "plan.json", "--yes")).stderr).toContain("diverged-from-applied");
    loop.git("-C", early.directory, "fetch", "--quiet");
    const { exitCode, stderr } = await early.run("apply", "plan.json", "--yes");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("older-than-applied");
    expect(loop.writes()).toEqual([]);
    const newest = await loop.runner().run("apply", join(early.directory, "plan.json"), "--yes");
    expect(newest.stderr).toContain("/plan.json was made from (");
    expect(newest.stderr).toMatch(/^ {2}fix: Make a new plan with /m);
    const meant = await early.run("apply", "plan.json", "--yes", "--allow", "older-than-applied");
    expect(meant.exitCode, meant.stderr).toBe(0);
    const state = JSON.parse((await early.run("state", "pull")).stdout);
    expect(state.lastRun.revision).toBe(first);
  });
});

describe.skipIf(!hasGit)("what may be applied", () => {
  test("a commit that reverts", async () => {
    await applyTwo();
    loop.git("revert", "--no-edit", "HEAD");
    loop.git("push", "--quiet", "origin", "HEAD:main");
    const { exitCode } = await loop.runner().run("apply", "--yes", "--base", "last", "--allow", "delete-event");
    expect(exitCode).toBe(0);
    expect(capacity()).toBe(100);
    expect(Object.keys(loop.live())).toEqual(["Jazz"]);
  });

  test("a commit that reverts what a run has done that did not end clean", async () => {
    const [onSale, blues] = [eventText("Jazz", "status: PUBLISHED\n"), eventText("Blues")];
    loop.push({ "ticketing.yaml": gitState, "events/jazz.yaml": onSale, "events/blues.yaml": blues });
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
    loop.push({ "events/jazz.yaml": eventText("Jazz", "status: DRAFT\n"), "events/blues.yaml": null });
    const partly = await loop.runner().run("apply", "--yes", "--base", "last", "--skip-blocked");
    expect([partly.exitCode, loop.live().Jazz?.status]).toEqual([1, "DRAFT"]);
    loop.push({ "events/jazz.yaml": onSale, "events/blues.yaml": blues });
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
    expect(loop.live().Jazz?.status).toBe("PUBLISHED");
    loop.sandbox.control.clearCalls();
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
    expect(loop.sandbox.control.calls()).toEqual([]);
  });

  test("a commit that reverts what such a run has made: events and webhooks", async () => {
    const blues = eventText("Blues");
    const settings = `${gitState}secrets: { sink: file, path: .ticketing/secrets.json }\n`;
    loop.push({ "ticketing.yaml": settings, "events/jazz.yaml": jazz(100), "events/blues.yaml": blues });
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
    const hook = "- { url: https://hooks.example.com/orders, events: [order.completed], isActive: true }\n";
    loop.push({
      "events/rock.yaml": eventText("Rock", "new: true\n"),
      "webhooks.yaml": hook,
      "events/blues.yaml": null,
    });
    const partly = await loop.runner().run("apply", "--yes", "--base", "last", "--skip-blocked");
    expect([partly.exitCode, Object.keys(loop.live()).sort()]).toEqual([1, ["Blues", "Jazz", "Rock"]]);
    const webhooks = () => loop.sandbox.service.dump().webhooks;
    expect(webhooks()).toHaveLength(1);
    loop.push({ "events/rock.yaml": null, "webhooks.yaml": null, "events/blues.yaml": blues });
    const blocked = await loop.runner().run("apply", "--yes", "--base", "last");
    expect([blocked.exitCode, blocked.stdout]).toEqual([1, expect.stringContaining("delete-webhook")]);
    const allow = ["--allow", "delete-event", "--allow", "delete-webhook"];
    expect((await loop.runner().run("apply", "--yes", "--base", "last", ...allow)).exitCode).toBe(0);
    expect([Object.keys(loop.live()).sort(), webhooks()]).toEqual([["Blues", "Jazz"], []]);
  });

  test("a commit that brings back what such a run has deleted: an event and a ticket type", async () => {
    const settings = `${gitState}allow: [{ risk: delete-event, event: jazz }]\n`;
    const rock = (tickets: string) => eventText("Rock", `new: true\ntickets: [${tickets}]\n`);
    const [ga, vip] = ["{ name: GA, price: 500, quantity: 10 }", "{ name: VIP, price: 900, quantity: 10 }"];
    const before = {
      "events/jazz.yaml": jazz(100),
      "events/blues.yaml": eventText("Blues", "new: true\n"),
      "events/rock.yaml": rock(`${ga}, ${vip}`),
    };
    loop.push({ "ticketing.yaml": settings, ...before });
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
    loop.push({ "events/jazz.yaml": null, "events/blues.yaml": null, "events/rock.yaml": rock(ga) });
    const partly = await loop.runner().run("apply", "--yes", "--base", "last", "--skip-blocked");
    const tickets = () => loop.sandbox.service.dump().tickets.length;
    expect([partly.exitCode, Object.keys(loop.live()).sort(), tickets()]).toEqual([1, ["Blues", "Rock"], 1]);
    loop.push(before);
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
    expect([Object.keys(loop.live()).sort(), tickets()]).toEqual([["Blues", "Jazz", "Rock"], 2]);
    loop.sandbox.control.clearCalls();
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
    expect(loop.sandbox.control.calls()).toEqual([]);
  });

  test("a merge of a branch that began before the newest", async () => {
    const [first] = await applyTwo();
    loop.git("checkout", "--quiet", "-b", "side", first);
    loop.git("commit", "--quiet", "--allow-empty", "--message", "Side");
    loop.git("checkout", "--quiet", "main");
    loop.git("merge", "--quiet", "--no-edit", "side");
    loop.git("push", "--quiet", "origin", "HEAD:main");
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
  });

  test("files that are not committed, which --base last then compares in full", async () => {
    await applyTwo();
    const runner = loop.runner();
    writeFileSync(join(runner.directory, "events/jazz.yaml"), jazz(250));
    expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
    expect(capacity()).toBe(250);
    const plan = await loop.runner().plan("--base", "last");
    expect(plan.revision).toMatchObject({ base: null });
    expect(plan.compared).toBeUndefined();
    expect(plan.diagnostics.find(({ code }) => code === "no-last-revision")?.message).toContain("not committed");
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
    expect(capacity()).toBe(200);
    expect((await loop.runner().plan("--base", "last")).revision?.base).not.toBeNull();
  });
});

describe.skipIf(!hasGit)("another line of history", () => {
  test("a branch that lacks what was applied is refused", async () => {
    const [first, second] = await applyTwo();
    loop.git("checkout", "--quiet", "-b", "side", first);
    loop.git("commit", "--quiet", "--allow-empty", "--message", "Side");
    loop.git("push", "--quiet", "origin", "side");
    const { exitCode, stderr } = await loop.runner({ revision: "side" }).run("apply", "--yes");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("diverged-from-applied");
    expect(stderr).toContain(short(second));
    expect(loop.writes()).toEqual([]);
    // A merge into that commit helps only a plan that is made after it.
    const side = loop.runner({ revision: "side" });
    await side.run("plan", "--out", "plan.json");
    const saved = await loop.runner().run("apply", join(side.directory, "plan.json"), "--yes");
    expect(saved.stderr).toContain("error[diverged-from-applied] The commit that ");
    expect(saved.stderr).toMatch(/^ {2}fix: Make a new plan with /m);
  });

  test("history that was rewritten: refused, and with --allow planned in full, with state", async () => {
    const [first, second] = await applyTwo();
    loop.git("reset", "--quiet", "--hard", first);
    loop.git("commit", "--quiet", "--amend", "--message", "Rewritten");
    loop.git("push", "--quiet", "--force", "origin", "HEAD:main");
    // A pull request's plan shows what the merge will take back.
    loop.git("checkout", "--quiet", "-b", "side");
    loop.git("commit", "--quiet", "--allow-empty", "--message", "Side");
    loop.git("push", "--quiet", "origin", "side");
    loop.git("checkout", "--quiet", "main");
    const review = await loop
      .runner({ revision: "side", env: { CI: "true" } })
      .run("plan", "--merge-into", "origin/main", "--format", "json");
    const plan = JSON.parse(review.stdout);
    const origins = (plan as Plan).changes.map(({ address, origin, edits }) => [address, origin ?? edits[0]?.origin]);
    // None of it is the branch's own.
    expect(origins).toEqual([
      ["events/jazz", "unapplied"],
      ["events/blues", "unapplied"],
    ]);
    expect(plan.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "diverged-from-applied",
        severity: "warning",
        message: expect.stringMatching(/^The base /),
      }),
    );
    const refused = await loop.runner().run("apply", "--yes", "--base", "last");
    expect(refused.exitCode).toBe(1);
    const said = refused.stderr.replace(/\s+/g, " ");
    expect(said).toContain(`(${short(second)}), which git does not have here`);
    expect(loop.writes()).toEqual([]);
    const meant = ["--allow", "diverged-from-applied", "--allow", "delete-event"];
    expect((await loop.runner().run("apply", "--yes", "--base", "last", ...meant)).exitCode).toBe(0);
    expect(capacity()).toBe(100);
    expect(Object.keys(loop.live())).toEqual(["Jazz"]);
    expect((await loop.runner().run("apply", "--yes", "--base", "last")).exitCode).toBe(0);
  });
});

describe.skipIf(!hasGit)("clones of all sorts", () => {
  test("a shallow one of the commit that was applied is enough; of a later one it says which depth is needed", async () => {
    await applyTwo();
    expect((await loop.runner({ depth: 1 }).run("apply", "--yes")).exitCode).toBe(0);
    loop.push({ "events/jazz.yaml": jazz(300) });
    for (const more of [[], ["--base", "last"]]) {
      const { exitCode, stderr } = await loop.runner({ depth: 1 }).run("apply", "--yes", ...more);
      expect(exitCode).toBe(1);
      expect(stderr.replace(/\s+/g, " ")).toContain("fetch-depth: 0");
    }
    expect(loop.writes()).toEqual([]);
    expect((await loop.runner({ depth: 2 }).run("apply", "--yes")).exitCode).toBe(0);
  });

  test("a project in a folder of the repository, and one in a submodule", async () => {
    const files = { "club/ticketing.yaml": gitState, "club/events/jazz.yaml": jazz(100) };
    const first = loop.push(files);
    expect((await loop.runner({ folder: "club" }).run("apply", "--yes")).exitCode).toBe(0);
    loop.push({ "club/events/jazz.yaml": jazz(200) });
    expect((await loop.runner({ folder: "club" }).run("apply", "--yes")).exitCode).toBe(0);
    const old = await loop.runner({ folder: "club", revision: first }).run("apply", "--yes");
    expect(old.stderr).toContain("older-than-applied");

    const outer = join(loop.root, "outer");
    loop.git("init", "--quiet", outer);
    loop.git("-C", outer, "submodule", "--quiet", "add", `file://${loop.root}/remote.git`, "inner");
    const inner = loop.at(join(outer, "inner/club"));
    expect((await inner.run("apply", "--yes")).exitCode).toBe(0);
    loop.git("-C", inner.directory, "checkout", "--quiet", first);
    expect((await inner.run("apply", "--yes")).stderr).toContain("older-than-applied");
  });

  test("a work tree next to another", async () => {
    const [first] = await applyTwo();
    const beside = loop.at(join(loop.root, "beside"));
    loop.git("-C", loop.runner().directory, "worktree", "add", "--quiet", beside.directory, first);
    const { exitCode, stderr } = await beside.run("apply", "--yes");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("older-than-applied");
  });
});

test.skipIf(!hasGit)("the embedded sandbox is for trying out: it only says so", async () => {
  const first = loop.push({
    "ticketing.yaml": "version: 1\n",
    "events/jazz.yaml": jazz(100),
    ".gitignore": ".ticketing\n",
  });
  const runner = loop.runner({ env: { TICKETING_ENV: "sandbox" } });
  expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
  loop.push({ "events/jazz.yaml": jazz(200) });
  loop.git("-C", runner.directory, "pull", "--quiet");
  expect((await runner.run("apply", "--yes")).exitCode).toBe(0);
  loop.git("-C", runner.directory, "checkout", "--quiet", first);
  const { exitCode, stdout } = await runner.run("apply", "--yes");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("warning[older-than-applied]");
});
