// `ci plan` in the job for a pull request.
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { draft, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

describe.each(["github", "gitlab"] as const)("on %s", (kind) => {
  test("a pull request gets one comment, which follows it", async () => {
    loop = await openLoop(kind);
    const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
    const ran = await loop.ci(["ci", "plan"], { pullRequest });
    expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
    expect(loop.comments(pullRequest)).toHaveLength(1);
    const [comment = ""] = loop.comments(pullRequest);
    expect(comment).toMatch(
      /^<!-- ticketing plan project=\. environment=production digests=[0-9a-f,]{12,} events= into=[0-9a-f]{40} -->\n### /,
    );
    expect(comment).toContain("- Gala: new on Sat 1 May 2027 19:00 Asia/Manila");
    expect(comment).not.toContain("- Manila Nights: new");
    loop.push(pullRequest, { "events/gala.yaml": draft("Gala of the Year", 100) });
    await loop.ci(["ci", "plan"], { pullRequest });
    expect(loop.comments(pullRequest)).toHaveLength(1);
    expect(loop.comments(pullRequest)[0]).toContain("- Gala of the Year: new on");
  });
});

test("the summary has the whole plan, artifacts are written, and a problem is shown at its line", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({
    "events/gala.yaml": draft("Gala", 100).replace("eventCapacity", "eventCapacty"),
  });
  const ran = await loop.ci(["ci", "plan", "--artifacts", "out"], { pullRequest });
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout).toMatch(/^::error file=events\/gala\.yaml,line=4,col=1,title=unknown-key::/m);
  expect(loop.comments(pullRequest)[0]).toContain("**No plan: fix 1 error first.**");
  expect(ran.summary).toContain("eventCapacty");
  loop.push(pullRequest, { "events/gala.yaml": draft("Gala", 100) });
  const fixed = await loop.ci(["ci", "plan", "--artifacts", "out"], { pullRequest });
  expect(fixed.exitCode).toBe(0);
  expect(fixed.summary).toContain("### Plan for `production`");
  expect(JSON.parse(readFileSync(`${fixed.directory}/out/plan.json`, "utf8"))).toMatchObject({ formatVersion: 1 });
  expect(readFileSync(`${fixed.directory}/out/plan.html`, "utf8")).toMatch(/^<!doctype html>/i);
});

test("the summary stays below the limit that GitHub has for one step, which is in bytes", async () => {
  loop = await openLoop();
  const events = Array.from({ length: 40 }, (_, index) => [
    `events/night-${index}.yaml`,
    `${draft(`Night ${index}`, 100)}description: "${"₱".repeat(9_000)}"\n`,
  ]);
  const pullRequest = loop.openPullRequest(Object.fromEntries(events));
  const { summary } = await loop.ci(["ci", "plan", "--no-comment"], { pullRequest });
  expect(summary).toContain("**This is not the whole plan:**");
  expect(Buffer.byteLength(summary)).toBeGreaterThan(900_000);
  expect(Buffer.byteLength(summary)).toBeLessThan(2 ** 20);
  const begun = `${loop.remote}.summary`;
  writeFileSync(begun, "₱".repeat(300_000));
  await loop.ci(["ci", "plan", "--no-comment"], { pullRequest, env: { GITHUB_STEP_SUMMARY: begun } });
  const whole = readFileSync(begun);
  expect(whole.toString()).toContain("**This is not the whole plan:**");
  expect(whole.length).toBeLessThan(2 ** 20);
});

test("that the key of pull requests only reads is said in the plan, and is no annotation", async () => {
  loop = await openLoop();
  const value = "sk_reads_events_only_0123456789";
  loop.sandbox.control.seed({ keys: [{ value, scopes: ["events:read", "tickets:read", "orders:read"] }] });
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const ran = await loop.ci(["ci", "plan"], { pullRequest, env: { TICKETING_API_KEY: value } });
  expect(ran.exitCode, ran.stdout).toBe(0);
  expect(ran.stdout).toContain("warning[scope-missing]");
  expect(ran.stdout).not.toMatch(/^::.*scope-missing/m);
});

test("a webhook that the key of pull requests may not see is listed as not compared, and counts as reviewed", async () => {
  loop = await openLoop("github", "secrets: { sink: command, command: [cat] }\n");
  await loop.ci(["ci", "apply"]);
  const value = "sk_reads_events_only_0123456789";
  loop.sandbox.control.seed({ keys: [{ value, scopes: ["events:read", "tickets:read", "orders:read"] }] });
  const pullRequest = loop.openPullRequest({
    "events/manila-nights.yaml": manilaNights(1600),
    "webhooks.yaml": '- { url: "https://hooks.acme.example/orders", secretName: ORDERS, events: [order.completed] }\n',
  });
  await loop.ci(["ci", "plan"], { pullRequest, env: { TICKETING_API_KEY: value } });
  const [comment] = loop.comments(pullRequest);
  expect(comment).toContain(
    "> **Not compared with the service:** 1 change, to be sent after the merge unless already up to date or blocked; this job's API key is not allowed to read webhooks.\n>\n> - webhook `https://hooks.acme.example/orders`: new webhook",
  );
  expect(comment).not.toContain("Already up to date");
  loop.merge(pullRequest);
  const ran = await loop.ci(["ci", "apply"]);
  expect([ran.exitCode, loop.sandbox.service.dump().webhooks.length], ran.stdout).toEqual([0, 1]);
});

test("what was merged before and is blocked does not fail another pull request; one that changes the same object fails", async () => {
  loop = await openLoop();
  await loop.ci(["ci", "apply"]);
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  loop.commit({ "events/manila-nights.yaml": manilaNights(1800) });
  const other = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const ran = await loop.ci(["ci", "plan"], { pullRequest: other });
  expect(ran.exitCode, ran.stdout).toBe(0);
  expect(loop.comments(other)[0]).toContain("> - **Blocked:** GA of Manila Nights: ₱1,500 → ₱1,800, 37 sold");
  expect(ran.stdout).toMatch(/^::warning .*title=price-change-with-sales::/m);
  const same = manilaNights(1800).replace("quantity: 500", "quantity: 600");
  const own = await loop.ci(["ci", "plan"], {
    pullRequest: loop.openPullRequest({ "events/manila-nights.yaml": same }),
  });
  expect(own.exitCode).toBe(1);
  expect(own.stdout).toMatch(
    /^::error .*title=price-change-with-sales::.*add `\{ risk: price-change-with-sales, until: /m,
  );
});

test("a revert that is planned before what it reverts was applied says what it undoes, and is sent", async () => {
  loop = await openLoop();
  await loop.ci(["ci", "apply"]);
  loop.commit({ "events/manila-nights.yaml": manilaNights(18) });
  const pullRequest = loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1500) });
  const ran = await loop.ci(["ci", "plan"], { pullRequest });
  expect(ran.exitCode, ran.stdout).toBe(0);
  expect(loop.comments(pullRequest)[0]).toContain(
    "> **Already up to date on the service:** 1 change, so nothing is sent, unless another merge changes this first.\n>\n> - GA of Manila Nights: ₱18 → ₱1,500",
  );
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
  loop.merge(pullRequest);
  const sent = await loop.ci(["ci", "apply"]);
  expect(sent.exitCode, sent.stdout).toBe(0);
  expect((loop.sandbox.service.dump().tickets as unknown as readonly { price: number }[])[0]?.price).toBe(1500);
});

test("a branch behind main does not plan to take back what others merged", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  loop.commit({ "events/manila-nights.yaml": manilaNights(1800) });
  const ran = await loop.ci(["ci", "plan", "--format", "json"], { pullRequest });
  const plan = JSON.parse(ran.stdout) as { changes: { address: string }[] };
  expect(plan.changes.map(({ address }) => address)).not.toContain("events/manila-nights/tickets/GA");
});

test("the merge that GitHub checks out gives the same plan as the head, even once main has moved on", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const addresses = async (merged: { readonly merged?: true }) => {
    const ran = await loop.ci(["ci", "plan", "--format", "json"], { pullRequest, ...merged });
    return (JSON.parse(ran.stdout) as { changes: { address: string }[] }).changes.map(({ address }) => address);
  };
  const expected = ["events/gala", "events/gala/tickets/GA"];
  expect(await addresses({})).toEqual(expect.arrayContaining(expected));
  expect(await addresses({ merged: true })).toEqual(await addresses({}));
});

test("a shallow clone without the default branch fetches what it needs", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  loop.merge(pullRequest);
  const ran = await loop.ci(["ci", "plan"], { depth: 1 });
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
  expect(ran.stderr).toContain("Nothing to plan");
  expect(ran.stderr).not.toContain("not committed");
});

test("edits that are not committed are no reason to say only that nothing differs", async () => {
  loop = await openLoop();
  const ran = await loop.ci(["ci", "plan"], { uncommitted: { "events/gala.yaml": draft("Gala", 100) } });
  expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining("There are uncommitted edits")]);
});

test("a pull request that leaves the project alone gets no comment, and an old one says so", async () => {
  loop = await openLoop();
  const other = loop.openPullRequest({ "README.md": "hello" });
  expect((await loop.ci(["ci", "plan"], { pullRequest: other })).exitCode).toBe(0);
  expect(loop.comments(other)).toEqual([]);
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  await loop.ci(["ci", "plan"], { pullRequest });
  loop.push(pullRequest, { "events/gala.yaml": null });
  await loop.ci(["ci", "plan"], { pullRequest });
  expect(loop.comments(pullRequest)).toHaveLength(1);
  expect(loop.comments(pullRequest)[0]).toContain("**Nothing to plan: this branch changes no file of the project.**");
});

test.each(["line-up.tsv", "Line-up.CSV", "dates"])(
  "a pull request that edits only the table %s is planned",
  async (table) => {
    loop = await openLoop();
    const rows = (...days: readonly string[]) => ["date\tact", ...days.map((day) => `${day}\tAna`)].join("\n");
    const series = draft("Club", 50)
      .replace(/dateTime: (\S+T)(\d\d:\d\d)\S*/gi, 'dateTime: "$2"')
      .replace("enddateTime", "endDateTime");
    loop.commit({
      "events/club.yaml": `${series}series: { table: ${table} }\n`,
      [`events/${table}`]: rows("2027-05-01"),
    });
    const pullRequest = loop.openPullRequest({ [`events/${table}`]: rows("2027-05-01", "2027-05-08") });
    const ran = await loop.ci(["ci", "plan"], { pullRequest });
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
    expect(loop.comments(pullRequest)[0]).toContain("Club: new on Sat 8 May 2027");
  },
);

test("a pull request that edits only the file that a link leads to is planned", async () => {
  loop = await openLoop();
  loop.commit({ "shared/gala.yaml": draft("Gala", 100), "events/.keep": "" });
  symlinkSync("../shared/gala.yaml", `${loop.author}/events/gala.yaml`);
  loop.commit({});
  await loop.ci(["ci", "apply"]);
  const pullRequest = loop.openPullRequest({ "shared/gala.yaml": draft("Gala", 150) });
  await loop.ci(["ci", "plan"], { pullRequest });
  expect(loop.comments(pullRequest)[0]).toContain("\n\n- Gala: eventCapacity 100 → 150");
});

test("the comment says above all if it is about a part of the branch, or about another time", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({
    "events/gala.yaml": draft("Gala", 100),
    "events/ball.yaml": draft("Ball", 100),
  });
  await loop.ci(["ci", "plan", "--target", "events/gala"], { pullRequest });
  expect(loop.comments(pullRequest)[0]).toContain(
    "\n\n> **Only a part was planned:** `events/gala`. Other changes of this branch are not listed here: merging does not count as a review of them.\n\n- Gala: new",
  );
  await loop.ci(["ci", "plan", "--at", "2027-02-01T10:00"], { pullRequest });
  const [comment = ""] = loop.comments(pullRequest);
  expect(comment).not.toContain("Only a part");
  expect(comment).toMatch(
    /\n- \*\*notice\*\*`\[not-as-of-now\]` This is the plan for Mon 1 Feb 2027 10:00.*\n\n- Ball: new/,
  );
});

test("where there is nothing to plan, JSON is still a plan", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "README.md": "hello" });
  const ran = await loop.ci(["ci", "plan", "--format", "json"], { pullRequest });
  expect(JSON.parse(ran.stdout)).toMatchObject({ formatVersion: 1, changes: [], operations: [], diagnostics: [] });
  expect(ran.stderr).toContain("Nothing to plan");
});

test("a project file that is broken or gone, and a folder that is gone, are said to be so", async () => {
  loop = await openLoop();
  const broken = loop.openPullRequest({ "ticketing.yaml": "version: 1\nallow: [delete-event\n" });
  const ran = await loop.ci(["ci", "plan"], { pullRequest: broken });
  expect(ran.exitCode).toBe(1);
  expect(loop.comments(broken)[0]).toContain("`ticketing.yaml:");
  const gone = loop.openPullRequest({ "ticketing.yaml": null });
  await loop.ci(["ci", "plan"], { pullRequest: gone });
  expect(loop.comments(gone)[0]).toContain("ticketing.yaml is not in this folder, or names no environment");
  const nowhere = await loop.ci(["ci", "plan"], { pullRequest: gone, folder: "office" });
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([1, expect.stringContaining("error[no-such-folder]")]);
});

test("an environment that does not exist is an error, even where nothing of the project differs", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "docs/notes.txt": "Nothing to sell here.\n" });
  const ran = await loop.ci(["ci", "plan", "--env", "productoin"], { pullRequest });
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout).toContain("unknown-environment");
});

test("a comment that cannot be posted is a warning that says what follows", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  loop.host.next.push({ status: 403, body: '{"message":"Resource not accessible by integration"}' });
  const ran = await loop.ci(["ci", "plan"], { pullRequest });
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toContain("warning[comment-not-posted]");
  expect(ran.stderr).toContain("its changes will be held");
  const without = await loop.ci(["ci", "plan"], { pullRequest, env: { GITHUB_TOKEN: undefined } });
  expect(without.exitCode).toBe(0);
  expect(without.stderr).toContain("GITHUB_TOKEN is not set");
});

test.each([
  ["github", "pull request"],
  ["gitlab", "merge request"],
] as const)("on %s it is called a %s", async (kind, word) => {
  loop = await openLoop(kind);
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const said: string[] = [];
  for (const status of [403, 200]) {
    if (status === 403) loop.host.next.push({ status, body: "{}" });
    const { stdout, stderr } = await loop.ci(["ci", "plan"], { pullRequest });
    said.push(stdout, stderr);
  }
  loop.push(pullRequest, { "events/gala.yaml": null });
  said.push((await loop.ci(["ci", "plan"], { pullRequest })).stderr, ...loop.comments(pullRequest));
  expect(said.join("\n")).toContain(`The comment on ${word} ${pullRequest} could not be written`);
  if (kind === "gitlab") expect(said.join("\n")).not.toMatch(/pull request/i);
});

test("a stranger's comment with our marker is left alone", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const forged = "<!-- ticketing plan project=. environment=production digests= events= -->";
  loop.host.comments.set(pullRequest, [{ id: 1, body: forged, author: "mallory" }]);
  await loop.ci(["ci", "plan"], { pullRequest });
  expect(loop.comments(pullRequest)).toHaveLength(2);
  expect(loop.comments(pullRequest)[0]).toBe(forged);
});

test("in a merge queue only the summary is written", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const ran = await loop.ci(["ci", "plan"], { pullRequest, event: "merge_group" });
  expect(ran.summary).toContain("Gala");
  expect(loop.comments(pullRequest)).toEqual([]);
});

test("a fork without secrets is validated, and says why there is no plan", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const ran = await loop.ci(["ci", "plan"], {
    pullRequest,
    env: { TICKETING_API_KEY: "" },
    payload: { pull_request: { number: pullRequest, head: { repo: { full_name: "mallory/events" } } } },
  });
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.summary).toContain("comes from a fork, whose jobs get no secrets, so this job has no API key");
  expect(loop.comments(pullRequest)).toEqual([]);
});

test("any other host: the comment goes to a file", async () => {
  loop = await openLoop();
  const pullRequest = loop.openPullRequest({ "events/gala.yaml": draft("Gala", 100) });
  const ran = await loop.ci(["ci", "plan", "--comment-file", "comment.md", "--pull-request", "5"], {
    revision: `branch-${pullRequest}`,
    env: { GITHUB_ACTIONS: "" },
  });
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(readFileSync(`${ran.directory}/comment.md`, "utf8")).toContain("- Gala: new on");
});

test.each([
  [["--env", "sandbox"], {}, "sandbox-in-ci"],
  [[], {}, "environment-not-chosen"],
])("an environment must be named: %j", async (flags, env, code) => {
  loop = await openLoop();
  const { ticketing } = await import("../stage/test-world.ts");
  const ran = await ticketing(["ci", "plan", ...flags], { env });
  expect(ran.exitCode).toBe(1);
  expect(ran.stderr).toContain(`error[${code}]`);
  expect(ran.stderr.replace(/\s+/g, " ")).toContain(
    "If ticketing.yaml has none, add one under `environments`, with the `baseUrl`",
  );
});
