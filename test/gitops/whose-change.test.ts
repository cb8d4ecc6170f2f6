// A pull request's plan distinguishes its own edits from merges that wait and from changes on the service.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import { eventText, gitState, type Loop, linesOf, openLoop, type Runner } from "./loop.ts";

const gala = (price: number, capacity = 500) =>
  eventText(
    "Gala",
    `status: PUBLISHED\neventCapacity: ${capacity}\ntickets: [{ name: GA, price: ${price}, quantity: 100, published: true }]\n`,
  );
const jazz = (description: string) => eventText("Jazz", `description: ${description}\n`);

let loop: Loop;

beforeEach(async () => {
  loop = await openLoop();
  loop.push({ "ticketing.yaml": gitState, "events/gala.yaml": gala(1500), "events/jazz.yaml": jazz("One") });
  const { exitCode, stderr } = await loop.runner().run("apply", "--yes");
  expect(exitCode, stderr).toBe(0);
});

afterEach(() => loop.close());

async function call(method: "POST" | "PATCH" | "DELETE", path: string, body: object = {}): Promise<void> {
  const response = await loop.sandbox.service.call(method, `/events/${loop.live().Gala?.id}${path}`, body);
  expect(response.status).toBeLessThan(300);
}

const mergeInto = ["--merge-into", "origin/main"];

describe.skipIf(!hasGit)("with state in git", () => {
  test("a colleague's merge that was not applied yet is named as such, in the same event and in others", async () => {
    loop.push({
      "events/gala.yaml": gala(1800),
      "events/jazz.yaml": jazz("Two"),
      "events/rock.yaml": eventText("Rock"),
    });
    const topic = loop.branch({ "events/gala.yaml": gala(1800, 700) });
    for (const flags of [mergeInto, ["--base", "origin/main"]]) {
      expect(linesOf(await topic.plan(...flags))).toEqual([
        "events/gala/eventCapacity = 700 (edit)",
        "events/gala/tickets/GA/price = 1800 (unapplied)",
        'events/jazz/description = "Two" (unapplied)',
        "create events/rock (unapplied)",
      ]);
    }
    const { stdout } = await topic.run("plan", ...mergeInto);
    const box = 'Already merged and waiting: "Gala" (price of GA), "Jazz" (description), "Rock" (create).';
    expect(stdout.replace(/\s+/g, " ")).toContain(box);
    expect(stdout).toContain("already merged, not applied yet");
    expect(stdout).not.toContain("changed on the service");
    const shown = async (format: string) => (await topic.run("plan", ...mergeInto, "--format", format)).stdout;
    expect(await shown("markdown")).toContain("> Already merged and waiting: `Gala` (price of GA)");
    expect(await shown("html")).toContain('<p class="waiting">Already merged and waiting: ');
  });

  test("what a moved file no longer names stays ours while its deletion is blocked", async () => {
    const guarded = `${gala(1500)}protected: true\n`;
    loop.push({ "events/gala.yaml": `${guarded}brands: [{ name: Acme }]\n` });
    await loop.runner().run("apply", "--yes");
    loop.push({ "events/gala.yaml": null, "events/ball.yaml": `${guarded}brands: []\n` });
    const { exitCode, stdout } = await loop.runner().run("apply", "--yes", "--skip-blocked");
    expect(exitCode, stdout).toBe(1);
    const topic = loop.branch({ "events/ball.yaml": `${gala(1500)}brands: []\n` });
    expect(linesOf(await topic.plan(...mergeInto))).toEqual(["delete events/ball/brands/Acme (unapplied)"]);
  });

  test("a deletion and a status that wait", async () => {
    loop.push({ "events/jazz.yaml": null, "events/gala.yaml": gala(1500).replace("PUBLISHED", "DRAFT") });
    const topic = loop.branch({ "events/rock.yaml": eventText("Rock", "new: true\n") });
    expect(linesOf(await topic.plan(...mergeInto))).toEqual([
      "events/gala DRAFT (unapplied)",
      "create events/rock (edit)",
      "delete events/jazz (unapplied)",
    ]);
  });

  test("an edit to an event that is merged but not yet created belongs to this branch, and so does publishing it", async () => {
    const rock = (price: number, more = "") =>
      eventText("Rock", `tickets: [{ name: GA, price: ${price}, quantity: 10, published: true }]\n${more}`);
    loop.push({ "events/rock.yaml": rock(100), "events/pop.yaml": eventText("Pop") });
    const topic = loop.branch({
      "events/rock.yaml": rock(200, "description: Loud\n"),
      "events/pop.yaml": eventText("Pop", "status: PUBLISHED\n"),
    });
    const { changes } = await topic.plan(...mergeInto);
    expect(changes.map(({ address, action, origin }) => `${action} ${address} (${origin})`)).toEqual([
      "create events/pop (edit)",
      "create events/rock (unapplied)",
      "create events/rock/tickets/GA (unapplied)",
    ]);
    const own = changes
      .filter(({ address }) => address.startsWith("events/rock"))
      .flatMap(({ edits }) => edits.filter(({ origin }) => origin === "edit"));
    expect(own.map(({ path, after }) => `${path} ${after}`)).toEqual(["/description Loud", "/price 200"]);
    const { stdout } = await topic.run("plan", ...mergeInto);
    expect(stdout.replace(/\s+/g, " ")).toContain('Already merged and waiting: "Rock" (create, create GA).');
  });

  test("what somebody changed on the service is drift: a field, the status, a further ticket type", async () => {
    await call("PATCH", "", { eventCapacity: 400 });
    await call("POST", "/unpublish");
    await call("POST", "/tickets", { name: "VIP", type: "VIP", price: 9, quantity: 1, published: false });
    const topic = loop.branch({ "events/gala.yaml": gala(1800) });
    expect(linesOf(await topic.plan(...mergeInto))).toEqual([
      "events/gala/eventCapacity = 500 (drift)",
      "events/gala PUBLISHED (drift)",
      "events/gala/tickets/GA/price = 1800 (edit)",
      "delete events/gala/tickets/VIP (drift)",
    ]);
    const { stdout } = await topic.run("plan", ...mergeInto);
    expect(stdout).toContain("changed on the service; apply changes it back");
    expect(stdout).toContain("added on the service, and not listed under `tickets`");
    expect(stdout).not.toContain("Already merged");
  });

  test("what somebody deleted on the service, and added in its place, is drift in every format", async () => {
    const { id } = loop.sandbox.control.dump().tickets[0] ?? { id: "" };
    await call("DELETE", `/tickets/${id}`);
    await call("POST", "/tickets", { name: "VIP", type: "VIP", price: 9, quantity: 1, published: false });
    const runner = loop.runner();
    const { changes } = await runner.plan();
    expect(changes.map(({ address, action, origin }) => `${action} ${address} (${origin})`)).toEqual([
      "create events/gala/tickets/GA (drift)",
      "delete events/gala/tickets/VIP (drift)",
    ]);
    const { stdout } = await runner.run("plan");
    expect(stdout).toMatch(/\+ ticket type "GA": create.*\n(.*\n)*? +it was live before, and no longer is\n/);
    expect(stdout).toContain("added on the service, and not listed under `tickets`");
    const topic = loop.branch({ "events/gala.yaml": gala(1800) });
    await topic.run("ci", "plan", ...mergeInto, "--comment-file", "comment.md");
    const comment = readFileSync(join(topic.directory, "comment.md"), "utf8");
    expect(comment).toMatch(/GA of Gala: new ticket type \(₱1,800.*\) \(it was live before, and no longer is\)/);
    expect(comment).toContain("VIP of Gala: delete (added on the service, and not listed under `tickets`)");
  });

  test("a branch behind main does not take back the work of others", async () => {
    const begin = loop.git("rev-parse", "HEAD");
    loop.push({ "events/jazz.yaml": jazz("Two"), "events/rock.yaml": eventText("Rock") });
    expect((await loop.runner().run("apply", "--yes")).exitCode).toBe(0);
    const topic = loop.branch({ "events/gala.yaml": gala(1800) }, { revision: begin });
    expect(linesOf(await topic.plan(...mergeInto))).toEqual(["events/gala/tickets/GA/price = 1800 (edit)"]);
    // The base alone would do it: what is called waiting elsewhere is called an edit here.
    const reverting = linesOf(await topic.plan("--base", "origin/main"));
    expect(reverting).toContain('events/jazz/description = "One" (edit)');
    expect(linesOf(await topic.plan("--base", begin)).join()).not.toContain("unapplied");
  });

  test("digests are the same in the pull request and in the apply after the merge", async () => {
    loop.push({ "events/jazz.yaml": jazz("Two") });
    const topic = loop.branch({
      "events/gala.yaml": gala(1800, 700),
      "events/rock.yaml": eventText("Rock", "performers: [{ name: Ana }]\n"),
    });
    const digests = async (runner: Runner, ...flags: readonly string[]) => {
      const { changes } = await runner.plan(...flags);
      return changes.flatMap(({ digest = "", edits }) => [digest, ...edits.map((edit) => edit.digest)]);
    };
    const reviewed = await digests(topic, ...mergeInto);
    expect(reviewed.length).toBeGreaterThan(5);
    // Merged by GitHub or GitLab: another commit of the same files.
    loop.push({
      "events/gala.yaml": gala(1800, 700),
      "events/rock.yaml": eventText("Rock", "performers: [{ name: Ana }]\n"),
    });
    expect(await digests(loop.runner(), "--base", "last")).toEqual(reviewed);
    expect(await digests(loop.runner())).toEqual(reviewed);
  });
});

describe.skipIf(!hasGit)("--merge-into", () => {
  test("names the files that conflict", async () => {
    const begin = loop.git("rev-parse", "HEAD");
    loop.push({ "events/jazz.yaml": jazz("Two") });
    const topic = loop.branch({ "events/jazz.yaml": jazz("Three") }, { revision: begin });
    const { exitCode, stdout } = await topic.run("plan", ...mergeInto);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("error[merge-conflict]");
    expect(stdout).toContain("events/jazz.yaml has conflicts");
  });

  test("a project in a folder of the repository", async () => {
    loop.push({ "shows/ticketing.yaml": "version: 1\n", "shows/events/rock.yaml": eventText("Rock") });
    const topic = loop.branch({ "shows/events/folk.yaml": eventText("Folk") });
    const inside = loop.at(`${topic.directory}/shows`);
    expect(linesOf(await inside.plan(...mergeInto))).toEqual(["create events/folk (edit)"]);
  });

  test("says that edits which are not committed are not in it", async () => {
    const topic = loop.branch({ "events/jazz.yaml": jazz("Two") });
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${topic.directory}/events/gala.yaml`, gala(9));
    const plan = await topic.plan(...mergeInto);
    expect(linesOf(plan)).toEqual(['events/jazz/description = "Two" (edit)']);
    expect(plan.diagnostics.map(({ code }) => code)).toContain("not-committed");
  });

  test("a shallow clone without the common commit says which depth is needed; one that has it works", async () => {
    const begin = loop.git("rev-parse", "HEAD");
    const topic = loop.branch({ "events/gala.yaml": gala(1800) }, { depth: 1 });
    expect(linesOf(await topic.plan(...mergeInto))).toEqual(["events/gala/tickets/GA/price = 1800 (edit)"]);
    loop.git("checkout", "--quiet", "-b", "topic", begin);
    loop.git("commit", "--quiet", "--allow-empty", "--message", "Topic");
    loop.git("push", "--quiet", "origin", "HEAD:refs/heads/topic");
    loop.git("checkout", "--quiet", "main");
    loop.push({ "events/jazz.yaml": jazz("Two") });
    const shallow = loop.runner({ depth: 1 });
    const { execFileSync } = await import("node:child_process");
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: shallow.directory, stdio: "pipe" });
    git("fetch", "--quiet", "--depth=1", "origin", "topic");
    git("checkout", "--quiet", "FETCH_HEAD");
    const { exitCode, stdout } = await shallow.run("plan", ...mergeInto);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("error[shallow-clone]");
    expect(stdout).toContain("fetch-depth: 0");
  });

  test.each([
    [["--merge-into", "nowhere"], "unknown-revision"],
    [[...mergeInto, "--base", "HEAD"], "bad-option"],
  ])("%s", async (flags, code) => {
    const { exitCode, stdout } = await loop.runner().run("plan", ...flags);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`error[${code}]`);
  });
});
