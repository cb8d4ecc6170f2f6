// What was reviewed is what is applied: whose comment counts, and what becomes of the rest.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ticketing } from "../stage/test-world.ts";
import { draft, type FileEdits, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

const signed = { TICKETING_PLAN_KEY: "the key that plans are signed with" };

async function applied(settings = ""): Promise<void> {
  loop = await openLoop("github", settings);
  const ran = await loop.ci(["ci", "apply"], { env: signed });
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
}

async function planned(files: FileEdits): Promise<number> {
  const pullRequest = loop.openPullRequest(files);
  const ran = await loop.ci(["ci", "plan"], { pullRequest, env: signed });
  expect(ran.stderr).not.toContain("comment-not-posted");
  return pullRequest;
}

const apply = (...flags: readonly string[]) => loop.ci(["ci", "apply", ...flags], { env: signed });

/** The price of GA of Manila Nights, and the names of all events. */
function live(): { readonly price: unknown; readonly events: readonly unknown[] } {
  type Rows = Readonly<Record<"events" | "tickets", readonly Readonly<Record<string, unknown>>[]>>;
  const { events, tickets } = loop.sandbox.service.dump() as unknown as Rows;
  const nights = events.find(({ name }) => name === "Manila Nights");
  return {
    price: tickets.find(({ eventId }) => eventId === nights?.id)?.price,
    events: events.map(({ name }) => name).sort(),
  };
}

test("a pull request without a comment: nothing of it was reviewed, so it is held until one lists it", async () => {
  await applied();
  loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1800) }));
  const held = await apply();
  expect(held.exitCode, held.stdout + held.stderr).toBe(1);
  expect(live().price).toBe(1500);
  expect(held.summary).toContain("**Held:** GA of Manila Nights: ₱1,500 → ₱1,800");
  // Every later run holds it as well.
  expect((await apply()).exitCode).toBe(1);
  expect(live().price).toBe(1500);
  const next = await planned({ "events/gala.yaml": draft("Gala", 100) });
  expect(loop.comments(next)[0]).toContain("> **Held and waiting:**");
  loop.merge(next);
  const ran = await apply();
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(live()).toEqual({ price: 1800, events: ["Gala", "Manila Nights"] });
});

test("somebody can apply what is held, after a look", async () => {
  await applied();
  loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1800) }));
  expect((await apply()).exitCode).toBe(1);
  const ran = await apply("--unreviewed", "apply");
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(live().price).toBe(1800);
  expect((await apply()).exitCode).toBe(0);
});

test("the advice on a held webhook says which plans can list it", async () => {
  await applied("secrets: { sink: file, path: .ticketing/secrets.json }\n");
  loop.merge(
    loop.openPullRequest({ "webhooks.yaml": "- { url: https://hooks.example.com/a, events: [order.completed] }\n" }),
  );
  const held = await apply();
  expect(held.exitCode).toBe(1);
  expect(held.stdout).toContain(
    "(a plan lists a webhook only if its API key has the scope webhooks:manage), or change",
  );
});

test("what is for later is released by a run of everything, and a run with targets says that it is not", async () => {
  await applied();
  const later = "phases: [{ name: Late, from: -1w, tickets: [{ name: GA, price: 2200 }] }]\n";
  loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1600, later) }));
  const target = ["--target", "events/manila-nights"];
  const first = await apply();
  expect(first.exitCode).toBe(1);
  expect(first.stdout).toContain(
    "To send them now or at the time that the files say, run `ticketing ci apply --unreviewed apply",
  );
  const targeted = await apply("--unreviewed", "apply", ...target);
  expect(live().price).toBe(1600);
  expect(targeted.stdout).toContain(
    "1 change for a later time stays held: a run with `--target` releases only what is due now.",
  );
  const again = await apply(...target);
  expect(again.stdout).toMatch(
    /To send it at the time that the files say, run `ticketing ci apply --unr.*everything else that is/,
  );
  expect((await apply("--unreviewed", "apply")).stdout).not.toContain("held");
  const released = await apply();
  expect([released.exitCode, released.stdout.includes("held")]).toEqual([0, false]);
});

test("a project can say that everything merged is applied", async () => {
  await applied("review: { unreviewed: apply }\n");
  loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1800) }));
  loop.host.next.push({ status: 403, body: '{"message":"Resource not accessible by integration"}' });
  const ran = await apply();
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(live().price).toBe(1800);
  expect(ran.stderr).toContain("warning[comment-not-posted] The list of reviewed changes could not be read: 403");
});

test("--unreviewed stop applies nothing at all", async () => {
  await applied();
  loop.merge(await planned({ "events/gala.yaml": draft("Gala", 100) }));
  loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1800) }));
  const ran = await apply("--unreviewed", "stop");
  expect(ran.exitCode).toBe(1);
  expect(live()).toEqual({ price: 1500, events: ["Manila Nights"] });
  expect(ran.stdout).toContain("::error title=unreviewed::1 change was not reviewed");
  expect(ran.stdout).toContain("To apply the rest, run with `--unreviewed hold`.");
});

test("a commit without a pull request has nothing to be compared with, and is applied", async () => {
  await applied();
  loop.commit({ "events/manila-nights.yaml": manilaNights(1800) });
  const ran = await apply();
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(live().price).toBe(1800);
});

test("an edit that came after the plan is held; the planned one is applied", async () => {
  await applied();
  const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1800) });
  loop.push(pullRequest, { "events/gala.yaml": draft("Gala", 100) });
  loop.merge(pullRequest);
  const ran = await apply();
  expect(ran.exitCode).toBe(1);
  expect(live()).toEqual({ price: 1800, events: ["Manila Nights"] });
  expect(loop.comments(pullRequest)[0]).toContain("**Held:** Gala: new");
});

describe("whose comment counts", () => {
  test("not a stranger's, whatever it contains", async () => {
    await applied();
    const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1800) });
    const [comment] = loop.host.comments.get(pullRequest) ?? [];
    if (comment !== undefined) comment.author = "mallory";
    loop.merge(pullRequest);
    const ran = await apply();
    expect(ran.exitCode).toBe(1);
    // It may be the workflow's own, from before its token was replaced.
    expect(ran.stderr).toContain("warning[review-not-counted] The comment on pull request 1 was written by mallory");
    // Those who see only that it is held learn why.
    expect(ran.stdout).toContain("::warning title=review-not-counted::The comment on pull request 1 was written by");
    expect(ran.summary).toContain("- **warning**`[review-not-counted]` The comment on pull request 1 was written by");
    expect(live().price).toBe(1500);
  });

  test("not one that a person edited, where there is a key", async () => {
    await applied();
    const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1700) });
    const digests = /digests=([0-9a-f,]+)/;
    const [comment] = loop.host.comments.get(pullRequest) ?? [];
    loop.push(pullRequest, { "events/manila-nights.yaml": manilaNights(1) });
    // The digest that would let the other price pass, taken from a plan of it.
    const { stdout } = await loop.ci(["ci", "plan", "--no-comment", "--format", "json"], { pullRequest });
    const [wanted] = /"digest": "([0-9a-f]{12})"/.exec(stdout)?.slice(1) ?? [];
    if (comment !== undefined) comment.body = comment.body.replace(digests, `digests=${wanted}`);
    loop.merge(pullRequest);
    const ran = await apply();
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(
      "warning[review-not-counted] The comment on pull request 1 does not carry the signature",
    );
    expect(live().price).toBe(1500);
  });
});

test.each([
  ["github", { GITHUB_REF: "refs/heads/autumn" }],
  ["gitlab", { CI_COMMIT_BRANCH: "autumn" }],
] as const)("on %s, a comment does not count if its merge was into a branch that is not applied", async (kind, env) => {
  loop = await openLoop(kind);
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
  const pullRequest = loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(15) });
  await loop.ci(["ci", "plan"], { pullRequest });
  loop.merge(pullRequest);
  for (const commit of loop.host.commits.slice(-1)) commit.into = "autumn";
  const ran = await loop.ci(["ci", "apply"]);
  expect([ran.exitCode, live().price]).toEqual([1, 1500]);
  expect(ran.stderr).toContain(
    "is about a merge into the branch autumn, but this job does not apply that branch. So none of its changes",
  );
  const there = await loop.ci(["ci", "apply"], { env });
  expect([there.exitCode, live().price], there.stderr).toEqual([0, 15]);
});

describe.each(["github", "gitlab"] as const)("on %s, a plan that ends after a squash merge", (kind) => {
  const files = { "events/manila-nights.yaml": manilaNights(15) };
  const plan = (pullRequest: number) => loop.ci(["ci", "plan"], { pullRequest });

  test("is not posted, so nothing of it was reviewed", async () => {
    loop = await openLoop(kind);
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    const pullRequest = loop.openPullRequest(files);
    loop.merge(pullRequest, "squash");
    const late = await plan(pullRequest);
    expect(late.exitCode, late.stderr).toBe(0);
    expect(late.stderr).toContain("warning[comment-not-posted] This plan is not posted");
    expect(loop.comments(pullRequest)).toEqual([]);
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(1);
    expect(live().price).toBe(1500);
  });

  test("leaves the comment that was reviewed", async () => {
    loop = await openLoop(kind);
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    const pullRequest = loop.openPullRequest(files);
    await plan(pullRequest);
    const reviewed = loop.comments(pullRequest);
    loop.merge(pullRequest, "squash");
    await plan(pullRequest);
    expect(loop.comments(pullRequest)).toEqual(reviewed);
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    expect(live().price).toBe(15);
  });

  test("does not count where it was posted, because the host did not say that it was merged", async () => {
    loop = await openLoop(kind);
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    const pullRequest = loop.openPullRequest(files);
    loop.merge(pullRequest, "squash");
    loop.host.down = /\/(?:pulls|merge_requests)\/\d+$/;
    await plan(pullRequest);
    expect(loop.comments(pullRequest)).toHaveLength(1);
    // The second one finds the comment as the first has left it: with its result.
    for (const _ of [1, 2]) {
      const ran = await loop.ci(["ci", "apply"]);
      expect(ran.exitCode).toBe(1);
      expect(ran.stderr).toMatch(/warning\[review-not-counted\] The comment on (pull|merge) request 1 shows a plan/);
      expect(ran.stderr.replace(/\s+/g, " ")).toMatch(
        /open a new (pull|merge) request that changes a file of the project/,
      );
      expect(live().price).toBe(1500);
    }
    loop.host.down = null;
    const settings = readFileSync(join(loop.author, "ticketing.yaml"), "utf8");
    const fresh = loop.openPullRequest({ "ticketing.yaml": `${settings}\n# Reviewed anew\n` });
    await plan(fresh);
    loop.merge(fresh);
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    expect(live().price).toBe(15);
  });
});

test("a host that does not say what was reviewed: nothing is written, exit 1", async () => {
  await applied();
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1800) }));
  loop.host.next.push({ status: 403, body: '{"message":"Resource not accessible by integration"}' });
  const ran = await apply();
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout + ran.stderr).toContain("reviews-not-read");
  expect(live().price).toBe(1500);
  const without = await loop.ci(["ci", "apply"], { env: { ...signed, GITHUB_TOKEN: "" } });
  expect(without.exitCode).toBe(1);
  expect(live().price).toBe(1500);
  expect((await apply()).exitCode).toBe(0);
});

test("a host whose rate limit is used up asks for time, not for rights or for doing without a review", async () => {
  await applied();
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1800) }));
  loop.host.next.push({ status: 429, headers: { "retry-after": "3600" } });
  const ran = await apply();
  const said = (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ");
  expect(said).toContain("used up for 60 more minutes. fix: Run the job again once that time is over.");
  expect([ran.exitCode, said.includes("--unreviewed")]).toEqual([1, false]);
});

test("what a run that failed in the middle leaves of a reviewed change is done by the next one", async () => {
  await applied();
  const gala = manilaNights(900).replace("manila-nights", "gala").replace("Manila Nights", "Gala");
  loop.merge(await planned({ "events/gala.yaml": gala }));
  loop.sandbox.control.addFault({ kind: "error-before", status: 400, path: "/publish" });
  expect((await apply()).exitCode).toBe(1);
  const status = () => {
    const { events } = loop.sandbox.service.dump() as unknown as Readonly<
      Record<"events", readonly { status: string }[]>
    >;
    return events.map((each) => each.status);
  };
  expect(status()).toEqual(["PUBLISHED", "DRAFT"]);
  const ran = await apply();
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(status()).toEqual(["PUBLISHED", "PUBLISHED"]);
});

test("a phase that begins between the plan and the apply was reviewed with its file", async () => {
  await applied();
  const soon = new Date(loop.clock.now + 600_000).toISOString();
  const phases = (price: number) => `phases:\n  - { from: ${soon}, tickets: [{ name: GA, price: ${price} }] }\n`;
  const gala = draft("Gala", 100) + phases(300);
  const files = { "events/manila-nights.yaml": manilaNights(1500, phases(1800)), "events/gala.yaml": gala };
  const pullRequest = await planned(files);
  loop.clock.now += 1_200_000;
  loop.merge(pullRequest);
  const ran = await apply();
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(live()).toEqual({ price: 1800, events: ["Gala", "Manila Nights"] });
});

test("the comment says what a phase will change, and that what is sold will block it", async () => {
  await applied();
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  const sale = (more: string) => `phases:\n  - { name: Sale, from: -1w, tickets: [{ name: GA, price: 900 }]${more} }\n`;
  const commented = async (more: string) => {
    const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1500, sale(more)) });
    return loop.comments(pullRequest)[0] ?? "";
  };
  const comment = await commented("");
  expect(comment).toMatch(
    /- Later: \w+ \d+ \w+ 2027 \d\d:\d\d Sale: GA ₱1,500 → ₱900 in "Manila Nights"\. As things are now, this will be blocked \(price-change-with-sales\): The price of "GA" would change although 37 tickets have been sold\. To accept this risk, add `allow: \[price-change-with-sales\]` to the phase "Sale"\.\n/,
  );
  const accepted = await commented(", allow: [price-change-with-sales]");
  expect(accepted).toContain("Sale: GA ₱1,500 → ₱900 in");
  expect(accepted).not.toContain("will be blocked");
});

test("a price in a phase that looks like centavos beside the live one fails the plan of its pull request", async () => {
  await applied();
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(15) }));
  expect((await apply()).exitCode).toBe(0);
  const phases = "phases:\n  - { name: Late, from: -1w, tickets: [{ name: GA, price: 1500 }] }\n";
  const night = manilaNights(15, phases);
  const pullRequest = loop.openPullRequest({ "events/manila-nights.yaml": night });
  const ran = await loop.ci(["ci", "plan"], { pullRequest, env: signed });
  expect(ran.exitCode, ran.stdout).toBe(1);
  const [comment] = loop.comments(pullRequest);
  expect(comment).toContain('"GA" costs ₱15.00 now and would cost ₱1,500.00');
  expect(comment).not.toContain("As things are now");
  const ignored = night.replace("price: 15,", "price: 15, ignore: [price-looks-like-centavos],");
  expect(ignored).not.toBe(night);
  loop.push(pullRequest, { "events/manila-nights.yaml": ignored });
  const next = await loop.ci(["ci", "plan"], { pullRequest, env: signed });
  expect(next.exitCode, next.stdout).toBe(0);
  // With both prices, the one of today is reported where it changes.
  loop.push(pullRequest, { "events/manila-nights.yaml": manilaNights(1500, phases) });
  const now = await loop.ci(["ci", "plan"], { pullRequest, env: signed });
  expect(loop.comments(pullRequest)[0]).toContain("**Blocked:** GA of Manila Nights: ₱15 → ₱1,500");
  expect(now.stdout).not.toContain("Cannot continue");
});

test.each([
  ["that was merged before", 15, 1500, null],
  ["beside a price that somebody typed on the service", 1500, 1800, 18],
])("a price in a phase %s fails no plan of another edit", async (_, now, then, typed) => {
  await applied();
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(now) }));
  expect((await apply()).exitCode).toBe(0);
  const phases = `phases:\n  - { name: Late, from: -1w, tickets: [{ name: GA, price: ${then} }] }\n`;
  loop.commit({ "events/manila-nights.yaml": manilaNights(now, phases) });
  expect((await apply()).exitCode).toBe(0);
  type Rows = Readonly<Record<"events" | "tickets", readonly { readonly id: string; readonly eventId?: string }[]>>;
  const { tickets } = loop.sandbox.service.dump() as unknown as Rows;
  const [ga] = tickets;
  if (typed !== null)
    await loop.sandbox.service.call("PATCH", `/events/${ga?.eventId}/tickets/${ga?.id}`, { price: typed });
  const files = { "events/manila-nights.yaml": manilaNights(now, `${phases}description: New words\n`) };
  const pullRequest = loop.openPullRequest(files);
  const ran = await loop.ci(["ci", "plan"], { pullRequest, env: signed });
  expect(ran.exitCode, ran.stdout).toBe(0);
});

test("a merge whose run cannot begin is said not to be applied, until a run has applied it", async () => {
  await applied();
  const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1800) });
  loop.merge(pullRequest);
  const hook = join(loop.remote, "hooks/update");
  writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const refused = await apply();
  expect([refused.exitCode, live().price]).toEqual([1, 1500]);
  expect(loop.comments(pullRequest)[0]).toContain("### Not applied to `production`");
  expect(loop.comments(pullRequest)[0]).toContain("Allow the push to");
  rmSync(hook);
  expect((await apply()).exitCode).toBe(0);
  expect(loop.comments(pullRequest)[0]).toContain("### Applied to `production`");
  expect(loop.comments(pullRequest)[0]).not.toContain("Not applied");
});

test("a later run that cannot begin leaves the result of an applied pull request", async () => {
  await applied();
  const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1800) });
  loop.merge(pullRequest);
  expect((await apply()).exitCode).toBe(0);
  const before = loop.comments(pullRequest);
  const ran = await loop.ci(["ci", "apply"], { env: { ...signed, TICKETING_API_KEY: "" }, event: "schedule" });
  expect(ran.exitCode).toBe(1);
  expect(loop.comments(pullRequest)).toEqual(before);
});

test("a due job that cannot begin again leaves the result of what it applied first", async () => {
  await applied();
  const soon = new Date(loop.clock.now + 600_000).toISOString();
  const phases = `phases:\n  - { from: ${soon}, tickets: [{ name: GA, price: 1900 }] }\n`;
  const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1800, phases) });
  loop.merge(pullRequest);
  loop.clock.slept = async () => {
    if (existsSync(loop.remote)) renameSync(loop.remote, `${loop.remote}.gone`);
  };
  const ran = await loop.ci(["ci", "apply", "--wait", "15m"], { env: signed, event: "schedule" });
  expect([ran.exitCode, live().price]).toEqual([1, 1800]);
  expect(ran.stdout).toContain("state-unusable");
  expect(loop.comments(pullRequest)[0]).toContain("### Applied to `production`");
});

test("what is blocked now, or by an earlier phase, is not reported again for each later phase", async () => {
  await applied();
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  const phases = `phases:
  - { name: Sale, from: -3w, tickets: [{ name: GA, price: 900 }] }
  - { name: Last sale, from: -2w, tickets: [{ name: GA, price: 800 }] }
  - { name: Door, from: -1d, tickets: [{ name: GA, soldOut: true }] }
`;
  const commented = async (price: number) => {
    const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(price, phases) });
    return loop.comments(pullRequest)[0] ?? "";
  };
  const later = await commented(1500);
  expect(later.match(/will be blocked/g)).toHaveLength(1);
  expect(later).toMatch(
    /- Later: [^\n]+ Sale: GA ₱1,500 → ₱900 in "Manila Nights"\. As things are now, this will be blocked/,
  );
  const now = await commented(1600);
  expect(now).toContain("**Blocked:** GA of Manila Nights: ₱1,500 → ₱1,600");
  expect(now).toContain("Door: GA sold out");
  expect(now).not.toContain("will be blocked");
});

test.each([
  ["taken out", null],
  ["postponed", 86_400_000],
])("what a phase set between the plan that shows it %s and the apply goes back", async (_, later) => {
  await applied();
  const begins = loop.clock.now + 600_000;
  const sale = (at: number) =>
    `phases:\n  - { from: ${new Date(at).toISOString()}, tickets: [{ name: GA, price: 900 }] }\n`;
  const nights = (phases: string) => ({
    "events/manila-nights.yaml": manilaNights(1500, phases).replace(/venueId: .*/, "venue: Session Hall"),
  });
  loop.merge(await planned(nights(sale(begins))));
  expect((await apply()).exitCode).toBe(0);
  const pullRequest = await planned(nights(later === null ? "" : sale(begins + later)));
  loop.clock.now = begins + 1000;
  expect((await apply()).exitCode).toBe(0);
  expect(live().price).toBe(900);
  loop.merge(pullRequest);
  const ran = await apply();
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(live().price).toBe(1500);
});

test("a price that is held when a phase begins is held when the phase ends, and the one before returns, until a plan has shown it", async () => {
  await applied();
  const [begins, ends] = [600_000, 1_200_000].map((later) => new Date(loop.clock.now + later).toISOString());
  const flash = `phases:\n  - { from: ${begins}, until: ${ends}, tickets: [{ name: GA, price: 900 }] }\n`;
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1500, flash) }));
  expect((await apply()).exitCode).toBe(0);
  loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(15, flash) }));
  expect((await apply()).exitCode).toBe(1);
  const prices: unknown[] = [];
  for (const _ of ["begun", "during", "ended", "again"]) {
    loop.clock.now += 450_000;
    await apply();
    prices.push(live().price);
  }
  expect(prices).toEqual([1500, 900, 1500, 1500]);
  const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1600, flash) });
  loop.merge(pullRequest);
  expect((await apply()).exitCode).toBe(0);
  expect(live().price).toBe(1600);
});

test.each([
  ["a price", "tickets: [{ name: GA, price: 50 }]", [500, "DRAFT"], [50, "DRAFT"]],
  ["a status", "status: PUBLISHED", [500, "DRAFT"], [500, "PUBLISHED"]],
])("%s goes back when its phase ends, although a different merge stays blocked", async (_, set, without, within) => {
  await applied();
  const [begins, ends] = [600_000, 1_200_000].map((later) => new Date(loop.clock.now + later).toISOString());
  const onSale = `status: DRAFT\n${draft("Gala", 100).replace("quantity", "published: true, quantity")}`;
  const gala = `${onSale}phases:\n  - { from: ${begins}, until: ${ends}, ${set} }\n`;
  loop.merge(await planned({ "events/gala.yaml": gala }));
  const first = await apply();
  expect(first.exitCode, first.stdout + first.stderr).toBe(0);
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1800) }));
  const found: unknown[] = [];
  for (const _ of ["before", "within", "after"]) {
    expect((await apply()).exitCode).toBe(1);
    type Rows = Readonly<Record<"events" | "tickets", readonly Readonly<Record<string, unknown>>[]>>;
    const { events, tickets } = loop.sandbox.service.dump() as unknown as Rows;
    const event = events.find(({ name }) => name === "Gala");
    found.push([tickets.find(({ eventId }) => eventId === event?.id)?.price, event?.status]);
    loop.clock.now += 700_000;
  }
  expect(found).toEqual([without, within, without]);
});

test("a price that was also that of a phase long over is held like any other", async () => {
  await applied();
  const [begins, ends] = [-1_200_000, -600_000].map((later) => new Date(loop.clock.now + later).toISOString());
  const flash = `phases:\n  - { from: ${begins}, until: ${ends}, tickets: [{ name: GA, price: 900 }] }\n`;
  const gala = (price: number) =>
    `status: PUBLISHED\n${draft("Gala", 100)
      .replace(/price: \d+/, `price: ${price}`)
      .replace("quantity", "published: true, quantity")}`;
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1500, flash), "events/gala.yaml": gala(100) }));
  const first = await apply();
  expect(first.exitCode, first.stdout + first.stderr).toBe(0);
  loop.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 3 });
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(900, flash), "events/gala.yaml": gala(200) }));
  expect((await apply()).exitCode).toBe(1);
  expect(live().price).toBe(900);
  loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1500, flash) }));
  expect((await apply()).exitCode).toBe(1);
  expect(live().price).toBe(900);
});

test("a sale price goes back when its phase ends, although the price before it was changed on the service and held", async () => {
  await applied();
  const [begins, ends] = [600_000, 1_200_000].map((later) => new Date(loop.clock.now + later).toISOString());
  const flash = `phases:\n  - { from: ${begins}, until: ${ends}, tickets: [{ name: GA, price: 900 }] }\n`;
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1500, flash) }));
  type Rows = Readonly<Record<"tickets", readonly { readonly id: string; readonly eventId: string }[]>>;
  const [ticket] = (loop.sandbox.service.dump() as unknown as Rows).tickets;
  await loop.sandbox.service.call("PATCH", `/events/${ticket?.eventId}/tickets/${ticket?.id}`, { price: 1200 });
  const found: unknown[] = [];
  for (const _ of ["before", "within", "after", "again"]) {
    const { exitCode } = await apply();
    found.push([live().price, exitCode]);
    loop.clock.now += 700_000;
  }
  expect(found).toEqual([
    [1200, 0],
    [900, 0],
    [1500, 0],
    [1500, 0],
  ]);
});

test("drift that came after the review is left alone, with a warning", async () => {
  await applied();
  const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1800) });
  type Rows = Readonly<Record<"events", readonly { readonly id: string; readonly eventCapacity: number }[]>>;
  const event = () => (loop.sandbox.service.dump() as unknown as Rows).events[0];
  const response = await fetch(`${loop.sandbox.baseUrl}/events/${event()?.id}`, {
    method: "PATCH",
    headers: { "api-key": loop.sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ eventCapacity: 900 }),
  });
  expect(response.status).toBe(200);
  loop.merge(pullRequest);
  const ran = await apply();
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(live().price).toBe(1800);
  expect(event()?.eventCapacity).toBe(900);
  expect(loop.comments(pullRequest)[0]).toContain(
    "**Held:** Manila Nights: eventCapacity 900 → 700 (changed on the service)",
  );
});

describe("a field that a reviewed change sets, and that somebody has changed on the service since the last apply", () => {
  const warning =
    /warning\[overwrites-a-change\] events\/manila-nights\.yaml:9:24 Somebody changed "GA" of "Manila Nights" on the service after the last apply, and this plan overwrites that change: price ₱1,600\.00 \(last applied: ₱1,500\.00\) becomes ₱1,800\.00\. /;
  const words = (text: string) => text.replace(/\s+/g, " ");

  async function changedAfterPlan(): Promise<number> {
    await applied();
    const pullRequest = await planned({ "events/manila-nights.yaml": manilaNights(1800) });
    expect(loop.comments(pullRequest)[0]).not.toContain("overwrites-a-change");
    const { service } = loop.sandbox;
    const [ticket] = service.dump().tickets as unknown as readonly Readonly<Record<"id" | "eventId", string>>[];
    await service.call("PATCH", `/events/${ticket?.eventId}/tickets/${ticket?.id}`, { price: 1600 });
    return pullRequest;
  }

  test("is set as reviewed, and the run and the comment say what that overwrites, once", async () => {
    const pullRequest = await changedAfterPlan();
    loop.merge(pullRequest);
    const ran = await apply();
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
    expect(live().price).toBe(1800);
    expect(words(ran.stdout)).toMatch(warning);
    expect(loop.comments(pullRequest)[0]).toContain("**warning**`[overwrites-a-change]`");
    const again = await apply();
    expect(again.stdout).not.toContain("overwrites-a-change");
  });

  test("is kept by the advised import, before the merge", async () => {
    const pullRequest = await changedAfterPlan();
    const planning = await loop.ci(["ci", "plan"], { pullRequest, env: signed });
    expect(words(planning.stdout)).toMatch(warning);
    expect(loop.comments(pullRequest)[0]).toContain("**warning:** `overwrites-a-change`");
    const advised = /`ticketing (import manila-nights[^`]*)`/.exec(words(planning.stdout))?.[1] ?? "";
    loop.checkout(pullRequest);
    const env = { TICKETING_API_KEY: loop.sandbox.apiKey };
    const kept = await ticketing([...advised.split(" "), "-C", loop.author], { env, now: () => loop.clock.now });
    expect(kept.exitCode, kept.stderr).toBe(0);
    loop.push(pullRequest, {});
    await loop.ci(["ci", "plan"], { pullRequest, env: signed });
    loop.merge(pullRequest);
    const ran = await apply();
    expect(ran.stdout).not.toContain("overwrites-a-change");
    expect([ran.exitCode, live().price]).toEqual([0, 1600]);
  });
});

test("what somebody changes once a reviewed change was applied is drift, though another change of that merge is blocked", async () => {
  await applied();
  loop.merge(await planned({ "events/gala.yaml": draft("Gala", 100) }));
  expect((await apply()).exitCode).toBe(0);
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  const edits = { "events/manila-nights.yaml": manilaNights(1800), "events/gala.yaml": draft("Gala", 200) };
  const pullRequest = await planned(edits);
  loop.merge(pullRequest);
  expect((await apply()).exitCode).toBe(1);
  type Ticket = Readonly<Record<"id" | "eventId", string>> & { readonly quantity: number };
  type Rows = {
    readonly events: readonly { readonly id: string; readonly name: string }[];
    readonly tickets: Ticket[];
  };
  const ticket = () => {
    const { events, tickets } = loop.sandbox.service.dump() as unknown as Rows;
    return tickets.find(({ eventId }) => events.some(({ id, name }) => id === eventId && name === "Gala"));
  };
  expect(ticket()?.quantity).toBe(200);
  await loop.sandbox.service.call("PATCH", `/events/${ticket()?.eventId}/tickets/${ticket()?.id}`, { quantity: 150 });
  const held = await apply();
  expect(held.exitCode).toBe(1);
  expect(ticket()?.quantity).toBe(150);
  expect(held.summary).toContain("**Held:** GA of Gala: quantity 150 → 200 (changed on the service)");
  // The run had nothing to send: the result of the one before stays.
  expect(loop.comments(pullRequest)[0]).toContain("**2 calls done, 1 blocked.**");
  // Whoever merges a plan that lists it as such has agreed to undo it.
  loop.merge(await planned({ "events/rock.yaml": draft("Rock", 100) }));
  expect((await apply()).exitCode).toBe(1);
  expect(ticket()?.quantity).toBe(200);
});

test("a scheduled run without a record leaves alone what may have been changed on the service", async () => {
  await applied();
  // A merge that was reviewed and applied long ago is no review of what somebody did since.
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1600) }));
  expect((await apply()).exitCode).toBe(0);
  loop.resetState(null);
  type Rows = Readonly<Record<"tickets", readonly { readonly id: string; readonly eventId: string }[]>>;
  const [ticket] = (loop.sandbox.service.dump() as unknown as Rows).tickets;
  await loop.sandbox.service.call("PATCH", `/events/${ticket?.eventId}/tickets/${ticket?.id}`, { price: 1700 });
  const ran = await loop.ci(["ci", "apply"], { env: { ...signed, GITHUB_EVENT_NAME: "schedule" } });
  expect(ran.summary).toContain("**Held:** GA of Manila Nights: ₱1,700 → ₱1,600");
  expect(live().price).toBe(1700);
});

test("a plan counts as the review also where its merge changes nothing, because another one brought the same", async () => {
  await applied();
  const files = { "events/manila-nights.yaml": manilaNights(1800) };
  const reviewed = await planned(files);
  loop.merge(loop.openPullRequest(files), "squash");
  expect((await apply()).exitCode).toBe(1);
  expect(live().price).toBe(1500);
  loop.merge(reviewed);
  const ran = await apply();
  expect([ran.exitCode, live().price]).toEqual([0, 1800]);
  expect(loop.comments(reviewed)[0]).toContain("### Applied to `production`");
});

test("of hundreds of commits, only those that touch the project are looked up", async () => {
  await applied();
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1800) }));
  expect((await apply()).exitCode).toBe(1);
  loop.commitNothing(260);
  loop.merge(await planned({ "events/gala.yaml": draft("Gala", 100) }));
  const ran = await apply();
  expect(ran.stderr).not.toContain("reviews-not-read");
  expect(live()).toEqual({ price: 1500, events: ["Gala", "Manila Nights"] });
});
