// From a pull request to the service: plan, merge, apply, and what people read of it.
import { readdirSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { refsOn } from "../../src/state/git/git-store.ts";
import { lockFiles } from "../../src/state/shared/lock-files.ts";
import { standardTimes } from "../../src/state/shared/lock-times.ts";
import { draft, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

async function applied(kind: "github" | "gitlab" = "github", settings = ""): Promise<void> {
  loop = await openLoop(kind, settings);
  const ran = await loop.ci(["ci", "apply"]);
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
}

async function mergedAndPlanned(files: Parameters<Loop["openPullRequest"]>[0]): Promise<number> {
  const pullRequest = loop.openPullRequest(files);
  await loop.ci(["ci", "plan"], { pullRequest });
  loop.merge(pullRequest);
  return pullRequest;
}

/** Prices of ticket types by the name of their event. */
function prices(): Readonly<Record<string, readonly unknown[]>> {
  type Rows = Readonly<Record<"events" | "tickets", readonly Readonly<Record<string, unknown>>[]>>;
  const { events, tickets } = loop.sandbox.service.dump() as unknown as Rows;
  const of = (event: unknown) => tickets.filter(({ eventId }) => eventId === event).map(({ price }) => price);
  return Object.fromEntries(events.map(({ id, name }) => [String(name), of(id)]));
}

describe.each(["github", "gitlab"] as const)("on %s", (kind) => {
  test("a plan that runs after the merge leaves the comment alone: what was reviewed is applied", async () => {
    await applied(kind);
    const pullRequest = await mergedAndPlanned({ "events/gala.yaml": draft("Gala", 100) });
    const before = loop.comments(pullRequest);
    const late = await loop.ci(["ci", "plan"], { pullRequest });
    expect([late.exitCode, late.stderr]).toEqual([0, expect.stringContaining("Nothing to plan")]);
    expect(loop.comments(pullRequest)).toEqual(before);
    const ran = await loop.ci(["ci", "apply"]);
    expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
    expect(prices()).toMatchObject({ Gala: [500] });
  });

  test("what was planned and merged is applied, and the comment says so", async () => {
    await applied(kind);
    const pullRequest = await mergedAndPlanned({
      "events/gala.yaml": draft("Gala", 100),
      "events/manila-nights.yaml": manilaNights(1800),
    });
    const before = loop.comments(pullRequest)[0] ?? "";
    const ran = await loop.ci(["ci", "apply"]);
    expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
    expect(prices()).toEqual({ "Manila Nights": [1800], Gala: [500] });
    const [comment = ""] = loop.comments(pullRequest);
    expect(loop.comments(pullRequest)).toHaveLength(1);
    const [marker = "", ...rest] = before.split("\n");
    expect(comment.split("\n")[0]).toBe(marker);
    expect(comment).toContain("### Applied to `production`");
    expect(comment).toContain("**2 of 2 calls done.**");
    expect(comment).toContain(rest.join("\n").trim());
    if (kind === "github") expect(ran.summary).toContain("### Applied to `production`");
    const again = await loop.ci(["ci", "apply"]);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain("No changes");
  });
});

test("a merged change that is blocked is left out and reported, and stops nothing else", async () => {
  await applied();
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  const blocked = await mergedAndPlanned({ "events/manila-nights.yaml": manilaNights(1800) });
  expect(loop.comments(blocked)[0]).toContain("- **Blocked:** GA of Manila Nights: ₱1,500 → ₱1,800, 37 sold");
  const first = await loop.ci(["ci", "apply", "--skip-blocked", "--artifacts", "out"]);
  expect(first.exitCode).toBe(1);
  expect(readdirSync(`${first.directory}/out`)).toEqual(["apply.json", "plan.html", "plan.json"]);
  expect(loop.comments(blocked)[0]).toContain("### Not fully applied to `production`");
  expect(first.stdout).toMatch(
    /^::error file=events\/manila-nights\.yaml,line=9,col=\d+,title=price-change-with-sales::/m,
  );
  const other = await mergedAndPlanned({ "events/gala.yaml": draft("Gala", 100) });
  expect(loop.comments(other)[0]).toContain("> **Already merged and waiting:**");
  const second = await loop.ci(["ci", "apply"]);
  expect(second.exitCode).toBe(1);
  expect(prices()).toEqual({ "Manila Nights": [1500], Gala: [500] });
  // What the comment offers to be copied, as it is.
  const [, offered = ""] = / {2}```yaml\n([\s\S]*?) {2}```/.exec(loop.comments(blocked)[0] ?? "") ?? [];
  expect(offered).toContain("- risk: price-change-with-sales");
  await mergedAndPlanned({ "events/manila-nights.yaml": manilaNights(1800, offered.replace(/^ {2}/gm, "")) });
  const third = await loop.ci(["ci", "apply"]);
  expect(third.exitCode, third.stdout + third.stderr).toBe(0);
  expect(prices()).toMatchObject({ "Manila Nights": [1800] });
});

test("each of several pull requests says what became of it, and keeps that while later runs apply others", async () => {
  await applied();
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  const files = { "events/manila-nights.yaml": manilaNights(1800), "events/opera.yaml": draft("Opera", 50) };
  const blocked = await mergedAndPlanned(files);
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(1);
  const [left] = loop.comments(blocked);
  expect(left).toContain("**1 call done, 1 blocked.**");
  const second = await mergedAndPlanned({ "events/gala.yaml": draft("Gala", 100) });
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(1);
  const [done] = loop.comments(second);
  expect(done).toContain("### Applied to `production`");
  expect(done).toContain("Changes of other pull requests were left out: the job shows which, and why.");
  await mergedAndPlanned({ "events/ball.yaml": draft("Ball", 80) });
  const summary = (await loop.ci(["ci", "apply"])).summary;
  expect(summary).toContain("### Not fully applied to `production`");
  expect([...loop.comments(blocked), ...loop.comments(second)]).toEqual([left, done]);
  const accepted = manilaNights(1800, "allow: [price-change-with-sales]\n");
  const accepting = await mergedAndPlanned({ "events/manila-nights.yaml": accepted });
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
  expect(loop.comments(accepting)[0]).toContain("1 call was made for changes of earlier pull requests");
  expect(loop.comments(blocked)[0]).toContain("### Applied to `production`");
  expect(loop.comments(second)).toEqual([done]);
});

test("a pull request is not said to be applied by what a later one did, nor to wait for what another one left", async () => {
  await applied();
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  const blocked = await mergedAndPlanned({ "events/manila-nights.yaml": manilaNights(1800) });
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(1);
  await mergedAndPlanned({ "events/manila-nights.yaml": manilaNights(1500), "events/gala.yaml": draft("Gala", 100) });
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
  expect(loop.comments(blocked)[0]).toContain("### Nothing left to apply to `production`");
  expect(loop.comments(blocked)[0]).toContain("it is live already, or a later merge reverted it");
  const whole = await mergedAndPlanned({ "events/opera.yaml": draft("Opera", 50) });
  loop.merge(loop.openPullRequest({ "events/ball.yaml": draft("Ball", 80) }));
  const { exitCode, summary } = await loop.ci(["ci", "apply"]);
  expect([exitCode, summary]).toEqual([1, expect.stringContaining("**Held:** Ball: new")]);
  expect(loop.comments(whole)[0]).toContain("### Applied to `production`");
  expect(loop.comments(whole)[0]).toContain("Changes of other pull requests were left out");
});

test("a run with a target says so on the pull request, and leaves what was said of the rest", async () => {
  await applied();
  const pullRequest = loop.openPullRequest({ "events/ball.yaml": draft("Ball", 80) });
  await loop.ci(["ci", "plan"], { pullRequest });
  loop.push(pullRequest, { "events/gala.yaml": draft("Gala", 100), "events/manila-nights.yaml": manilaNights(1800) });
  loop.merge(pullRequest);
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(1);
  const run = (target: string) => loop.ci(["ci", "apply", "--target", target, "--unreviewed", "apply"]);
  expect((await run("events/gala")).exitCode).toBe(0);
  const [comment = ""] = loop.comments(pullRequest);
  expect(comment).toMatch(
    /### Only `events\/gala`: applied to `production`[\s\S]*### Not fully applied to `production`/,
  );
  expect(comment).toContain("**Held:** GA of Manila Nights: ₱1,500 → ₱1,800");
  expect((await run("events/gala")).exitCode).toBe(0);
  expect(loop.comments(pullRequest)).toEqual([comment]);
  expect((await loop.ci(["ci", "apply", "--unreviewed", "apply"])).exitCode).toBe(0);
  expect(loop.comments(pullRequest)[0]).toMatch(/result -->\n### Applied to `production`/);
  expect(loop.comments(pullRequest)[0]).not.toContain("Held");
});

test.each([
  ["github", "summary"],
  ["gitlab", "log"],
] as const)("a result that %s does not take is said to be in the job's %s", async (kind, place) => {
  await applied(kind);
  await mergedAndPlanned({ "events/gala.yaml": draft("Gala", 100) });
  loop.host.down = /\/(?:issues\/comments|notes)\/\d+$/;
  const ran = await loop.ci(["ci", "apply"]);
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stderr.replace(/\s+/g, " ")).toContain(`502 (acted out). fix: The job's ${place} has it.`);
});

test("a merge whose files have errors: its comment names all of them, with their places", async () => {
  await applied();
  const broken =
    "name: Gala\nlocationType: ONLINE\ndateTime: 2027-05-14T19:00\ntickets: [{ name: GA, price: 500 }, { name: VIP, price: 5 }]\n";
  const pullRequest = await mergedAndPlanned({ "events/gala.yaml": broken });
  const ran = await loop.ci(["ci", "apply"]);
  expect(ran.exitCode).toBe(1);
  const [comment = ""] = loop.comments(pullRequest);
  expect(comment).toContain("### Not applied to `production`");
  expect(comment.match(/- \*\*error\*\*`\[missing-field\]` `events\/gala\.yaml:4:\d+` /g)).toHaveLength(2);
  expect(ran.summary).toContain("events/gala.yaml:4:");
});

test("the lock of a run that the host knows to be over is taken over at once", async () => {
  loop = await openLoop();
  const { directory } = await loop.ci(["ci", "apply"]);
  const ref = await refsOn(directory, "origin")("production");
  if (!ref.ok) throw new Error(ref.message);
  const run = "https://github.example/acme/events/actions/runs/77";
  const locked = await lockFiles(ref.value, { command: "apply", run, timeoutMs: 0, times: standardTimes });
  if (!locked.ok) throw new Error("not locked");
  try {
    loop.commit({ "events/gala.yaml": draft("Gala", 100) });
    const refused = await loop.ci(["ci", "apply", "--unreviewed", "apply", "--lock-timeout", "1"]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(new RegExp(`^waiting for another run: apply by .*\\(${run}\\)$`, "m"));
    loop.host.ended.add("77");
    const began = performance.now();
    const ran = await loop.ci(["ci", "apply", "--unreviewed", "apply", "--lock-timeout", "1"]);
    expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
    expect(performance.now() - began).toBeLessThan(standardTimes.takeoverMs / 2);
    expect(Object.keys(prices())).toContain("Gala");
  } finally {
    await locked.held.release();
    await ref.value.close();
  }
});
