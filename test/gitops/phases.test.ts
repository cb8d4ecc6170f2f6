// Runs that a clock starts: what came due since the last one is applied, and where nothing did, the service is left alone.
import { afterEach, expect, test } from "vitest";
import type { ApplyReport } from "../../src/model/plan.ts";
import { draft, type JobRan, type Loop, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

const nights = (more = "") => `name: Manila Nights
dateTime: 2027-03-14T19:00
timezone: Asia/Manila
endDateTime: +4h
status: DRAFT
locationType: ONLINE
tickets:
  - { name: Early bird, price: 500, quantity: 100, published: true }
  - { name: Regular, price: 800, quantity: 500, published: false }
phases:
  - { name: Announce, from: -6w at 10:00, status: PUBLISHED }
  - { from: -2w, tickets: [{ name: Regular, published: true }, { name: Early bird, soldOut: true }] }
  - { name: Last call, from: -3d, until: -1d, description: Last call. }
  - { from: end +3d, status: ARCHIVED }
${more}`;

const announced = Date.parse("2027-01-31T02:00:00Z");
const minute = 60_000;

async function started(kind: "github" | "gitlab" = "github"): Promise<void> {
  loop = await openLoop(kind);
  loop.commit({ "events/manila-nights.yaml": null, "events/nights.yaml": nights("description: A night.\n") });
  await cron("2027-01-10T00:00:00Z");
}

/** At this time, in a fresh clone. */
async function cron(at: string | number, ...argv: readonly string[]): Promise<JobRan> {
  loop.clock.now = typeof at === "string" ? Date.parse(at) : at;
  loop.takeCalls();
  const ran = await loop.ci(["ci", "apply", ...argv], { event: "schedule" });
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
  return ran;
}

function origins({ stdout }: JobRan): readonly string[] {
  const { plan } = JSON.parse(stdout) as ApplyReport;
  return plan.changes.flatMap(({ address, transition, origin, edits }) => [
    ...(transition === null ? [] : [`${address} ${transition.to} ${origin}`]),
    ...edits.map(({ path, origin: own }) => `${address}${path} ${own}`),
  ]);
}

async function appliedAt(): Promise<string> {
  const { stdout } = await loop.ci(["state", "pull"]);
  return (JSON.parse(stdout) as { readonly appliedAt: string }).appliedAt;
}

test("with nothing due and nothing left open, no call is made", async () => {
  await started();
  const idle = await cron("2027-01-20T00:00:00Z");
  expect(idle.stdout).toContain("No changes");
  expect(loop.takeCalls()).toEqual([]);
  // A commit that changes nothing of the project is recorded, and costs no call either.
  loop.commit({ "README.md": "Nights.\n" });
  await cron("2027-01-20T00:15:00Z");
  expect(loop.takeCalls()).toEqual([]);
}, 60_000);

test("what came due is applied with the origin phase, and then no call is made again", async () => {
  await started();
  expect(origins(await cron(announced, "--format", "json"))).toEqual(["events/nights PUBLISHED phase"]);
  expect(loop.takeCalls().some((line) => line.includes("publish"))).toBe(true);
  expect(await appliedAt()).toBe(new Date(announced).toISOString());
  await cron(announced + 15 * minute);
  expect(loop.takeCalls()).toEqual([]);
}, 60_000);

test("what came due and is live already is looked at once", async () => {
  await started();
  const [event] = loop.sandbox.service.dump().events as unknown as readonly { readonly id: string }[];
  const published = await fetch(`${loop.sandbox.baseUrl}/events/${event?.id}/publish`, {
    method: "POST",
    headers: { "api-key": loop.sandbox.apiKey },
  });
  expect(published.ok).toBe(true);
  await cron(announced + minute);
  expect(loop.takeCalls()).not.toEqual([]);
  expect(await appliedAt()).toBe(new Date(announced + minute).toISOString());
  await cron(announced + 2 * minute);
  expect(loop.takeCalls()).toEqual([]);
}, 60_000);

test.each(["github", "gitlab"] as const)(
  "what was changed by hand is not undone by a clock of %s, nor by any later run until somebody decides",
  async (kind) => {
    await started(kind);
    const rows = () => loop.sandbox.service.dump() as unknown as Record<string, readonly Record<string, unknown>[]>;
    const live = () => [rows().events?.[0]?.status, rows().tickets?.find(({ name }) => name === "Early bird")?.price];
    await cron(announced);
    const { id } = rows().events?.[0] ?? {};
    const early = rows().tickets?.find(({ name }) => name === "Early bird")?.id;
    const headers = { "api-key": loop.sandbox.apiKey, "content-type": "application/json" };
    const send = (method: string, path: string, body = {}) =>
      fetch(`${loop.sandbox.baseUrl}/events/${id}${path}`, { method, headers, body: JSON.stringify(body) });
    expect((await send("PATCH", `/tickets/${early}`, { price: 550 })).ok).toBe(true);
    expect((await send("POST", "/unpublish")).ok).toBe(true);
    const due = await cron("2027-02-28T11:00:00Z");
    expect(due.stdout + due.stderr).toContain("would undo what somebody changed on the service");
    expect(live()).toEqual(["DRAFT", 550]);
    expect(rows().tickets?.find(({ name }) => name === "Regular")?.published).toBe(true);
    // Remembered as held: also a run that somebody starts, with nothing to compare with, leaves it alone.
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    expect(live()).toEqual(["DRAFT", 550]);
    expect((await loop.ci(["ci", "apply", "--unreviewed", "apply"])).exitCode).toBe(0);
    expect(live()).toEqual(["PUBLISHED", 500]);
  },
  60_000,
);

test("a run that failed is left open: the next one does it", async () => {
  await started();
  loop.clock.now = announced;
  const broken = await loop.ci(["ci", "apply"], { env: { TICKETING_API_KEY: "wrong" } });
  expect(broken.exitCode).toBe(1);
  expect(origins(await cron(announced + 15 * minute, "--format", "json"))).toEqual(["events/nights PUBLISHED phase"]);
}, 60_000);

test("at every boundary: what is due is applied, and then the plan is empty", async () => {
  await started();
  const boundaries = [
    announced,
    Date.parse("2027-02-28T11:00:00Z"),
    Date.parse("2027-03-11T11:00:00Z"),
    Date.parse("2027-03-13T11:00:00Z"),
    Date.parse("2027-03-17T15:00:00Z"),
  ];
  for (const boundary of boundaries) {
    await cron(boundary - 1);
    expect(loop.takeCalls()).toEqual([]);
    const due = origins(await cron(boundary, "--format", "json"));
    expect(due.length).toBeGreaterThan(0);
    expect(due.filter((line) => !line.endsWith(" phase"))).toEqual([]);
    const whole = await loop.ci(["plan", "--format", "json"]);
    expect((JSON.parse(whole.stdout) as ApplyReport["plan"]).changes).toEqual([]);
  }
}, 120_000);

test("--wait plans a minute ahead, sends at the instant, and holds the lock only then", async () => {
  await started();
  const quarter = announced - 10 * minute;
  const seen: { readonly at: number; readonly calls: readonly string[]; readonly other: number }[] = [];
  loop.clock.slept = async () => {
    const calls = loop.takeCalls();
    const at = loop.clock.now;
    const { exitCode } = await loop.ci(["ci", "apply", "--lock-timeout", "0"]);
    loop.takeCalls();
    seen.push({ at: at - announced, calls, other: exitCode });
  };
  const ran = await cron(quarter, "--wait", "15m", "--format", "json");
  expect(ran.stderr).toContain(
    "waiting until Sun 31 Jan 2027 10:00 Asia/Manila (02:00Z) for Announce of events/nights",
  );
  const far = seen.filter(({ at }) => at < -minute);
  expect(far.map(({ calls, other }) => [calls.length, other])).toEqual(far.map(() => [0, 0]));
  const [planned, ...rest] = seen.filter(({ at }) => at >= -minute);
  expect(planned).toMatchObject({ at: -minute, other: 1 });
  expect(planned?.calls.every((line) => line.includes("GET"))).toBe(true);
  expect(planned?.calls.length).toBeGreaterThan(0);
  expect(rest.every(({ calls, other }) => calls.length === 0 && other === 1)).toBe(true);
  expect(loop.clock.now).toBe(announced);
  expect(loop.takeCalls().some((line) => line.includes("publish"))).toBe(true);
  expect(origins(ran)).toEqual(["events/nights PUBLISHED phase"]);
  const report = JSON.parse(ran.stdout) as { readonly earlier: readonly ApplyReport[] };
  expect(report.earlier.map(({ calls }) => calls.reads + calls.writes)).toEqual([0]);

  loop.clock.slept = undefined;
  expect(await appliedAt()).toBe(new Date(announced).toISOString());
  await cron(announced + minute);
  expect(loop.takeCalls()).toEqual([]);
}, 60_000);

test.each([
  ["", false],
  [" that moves the phase", true],
])(
  "a merge%s is applied while --wait stays: what comes due is sent at its instant, by the merged files",
  async (_, isVoid) => {
    await started();
    const merged = nights("description: Another night.\n").replace("-6w at 10:00", isVoid ? "-5w at 10:00" : "$&");
    let other: JobRan | null = null;
    loop.clock.slept = async () => {
      if (other !== null) return;
      const pullRequest = loop.openPullRequest({ "events/nights.yaml": merged });
      await loop.ci(["ci", "plan"], { pullRequest });
      loop.merge(pullRequest);
      other = await loop.ci(["ci", "apply"]);
      loop.takeCalls();
    };
    const ran = await cron(announced - 10 * minute, "--wait", "15m", "--format", "json");
    expect(other).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain("a newer commit was applied meanwhile: continuing with ");
    expect(origins(ran)).toEqual(isVoid ? [] : ["events/nights PUBLISHED phase"]);
    expect(loop.takeCalls().some((line) => line.includes("publish"))).toBe(!isVoid);
    if (!isVoid) expect(loop.clock.now).toBe(announced);
    loop.clock.slept = undefined;
    // Recorded as the commit that it is, with nothing left open.
    const { lastRun, appliedRevision } = JSON.parse((await loop.ci(["state", "pull"])).stdout);
    expect(lastRun).toMatchObject({ clean: true, revision: appliedRevision });
    expect(lastRun.dirty).toBeUndefined();
    await cron(announced + minute);
    expect(loop.takeCalls()).toEqual([]);
  },
  60_000,
);

test("a job that continues with a newer commit reports that commit, and quotes no lines of the one it checked out", async () => {
  await started();
  loop.commit({ "events/gala.yaml": draft("Gala", 100) });
  await cron("2027-01-11T00:00:00Z");
  const merged = `# One more line.\n${nights("description: A night.\n")}`;
  let pullRequest = 0;
  let commit = "";
  loop.clock.slept = async () => {
    if (pullRequest !== 0) return;
    // The deletion is blocked, so the waiting job reports to the same pull request.
    pullRequest = loop.openPullRequest({ "events/nights.yaml": merged, "events/gala.yaml": null });
    await loop.ci(["ci", "plan"], { pullRequest });
    commit = loop.merge(pullRequest);
    await loop.ci(["ci", "apply"]);
  };
  loop.clock.now = announced - 10 * minute;
  const { stdout, stderr } = await loop.ci(["ci", "apply", "--wait", "15m"], { event: "schedule" });
  expect(stderr).toContain(`continuing with ${commit.slice(0, 12)}`);
  expect(stdout).toMatch(/^warning\[bare-listing\] events\/nights\.yaml:\d+/m);
  expect(stdout).not.toMatch(/^ +\d+ \| /m);
  expect(loop.comments(pullRequest)[0]).toContain(
    `### Not fully applied to \`production\` at [\`${commit.slice(0, 7)}\`]`,
  );
}, 60_000);

test("a job with --wait that starts on an older commit goes by the applied one from the start; without, it is refused", async () => {
  await started();
  const revision = loop.commit({});
  const newer = loop.commit({ "events/nights.yaml": nights("description: Another night.\n") });
  await cron(announced - 20 * minute);
  loop.clock.now = announced - 10 * minute;
  const job = { event: "schedule", revision };
  const refused = await loop.ci(["ci", "apply"], job);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("older-than-applied")]);
  const ran = await loop.ci(["ci", "apply", "--wait", "15m", "--format", "json"], job);
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.stderr).not.toContain("older-than-applied");
  expect(ran.stderr).toContain("a newer commit was applied meanwhile: continuing with ");
  expect(origins(ran)).toEqual(["events/nights PUBLISHED phase"]);
  expect(loop.clock.now).toBe(announced);
  expect(ran.summary).toContain(`### Applied to \`production\` at [\`${newer.slice(0, 7)}\`]`);
}, 60_000);

test("--wait ends at once where nothing comes due in its time", async () => {
  await started();
  await cron(announced - 16 * minute, "--wait", "15m");
  expect(loop.takeCalls()).toEqual([]);
  expect(loop.clock.now).toBe(announced - 16 * minute);
}, 60_000);

test("--wait says that it stays for the end of a phase", async () => {
  await started();
  const { stderr } = await cron("2027-03-13T10:50:00Z", "--wait", "15m");
  expect(stderr).toContain("(11:00Z) for the end of Last call of events/nights");
}, 60_000);

test.each([
  ["while it waits", -5 * minute],
  ["after it has planned", 0],
])(
  "stopped %s, --wait sends nothing and ends with 130; the next run does it",
  async (_, from) => {
    await started();
    const stop = new AbortController();
    loop.clock.now = announced - 3 * minute;
    loop.clock.slept = async () => {
      if (loop.clock.now >= announced - minute + from) stop.abort();
    };
    loop.takeCalls();
    const ran = await loop.ci(["ci", "apply", "--wait", "15m"], { interrupted: stop.signal });
    expect(ran.exitCode).toBe(130);
    expect(loop.takeCalls().filter((line) => !line.includes("GET"))).toEqual([]);
    loop.clock.slept = undefined;
    expect(origins(await cron(announced, "--format", "json"))).toEqual(["events/nights PUBLISHED phase"]);
  },
  60_000,
);

test("a run that waited for the lock goes by the time when it got it, and takes nothing back", async () => {
  await started();
  let other: Promise<JobRan> | null = null;
  loop.clock.slept = async () => {
    if (loop.clock.now < announced - minute || other !== null) return;
    other = loop.ci(["ci", "apply", "--lock-timeout", "60", "--format", "json"]);
    // Until it has read its files and waits.
    await new Promise((resolve) => setTimeout(resolve, 3000));
  };
  await cron(announced - minute, "--wait", "15m");
  const second = await (other as Promise<JobRan> | null);
  expect(second?.stderr).toContain("waiting for another run");
  expect(second?.exitCode).toBe(0);
  expect(origins(second as JobRan)).toEqual([]);
}, 60_000);

const flashSale = (price: number, more = "") => `name: Gala
dateTime: 2027-03-14T19:00
timezone: Asia/Manila
endDateTime: +4h
status: PUBLISHED
locationType: ONLINE
description: A gala.
tickets:
  - { name: GA, price: ${price}, quantity: 100, published: true }
  - { name: VIP, price: 2000, quantity: 50, published: true }
phases:
  - name: Sale
    from: 2027-01-20T10:00
    until: 2027-01-22T10:00
    allow: [price-change-with-sales]
    tickets: [{ name: GA, price: 300 }]
${more}`;

const galaPrice = () =>
  (loop.sandbox.service.dump().tickets as unknown as readonly Record<string, unknown>[]).find(
    ({ name }) => name === "GA",
  )?.price;

async function saleOn(more = ""): Promise<void> {
  loop = await openLoop();
  loop.commit({ "events/manila-nights.yaml": null, "events/gala.yaml": flashSale(500, more) });
  await cron("2027-01-10T00:00:00Z");
  loop.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 3 });
  await cron("2027-01-20T02:00:00Z");
  expect(galaPrice()).toBe(300);
}

test("a phase that overwrites what somebody changed on the service says so", async () => {
  loop = await openLoop();
  loop.commit({ "events/manila-nights.yaml": null, "events/gala.yaml": flashSale(500) });
  await cron("2027-01-20T02:00:00Z");
  const tickets = loop.sandbox.service.dump().tickets as unknown as readonly Record<string, unknown>[];
  const { id, eventId } = tickets.find(({ name }) => name === "GA") ?? {};
  const headers = { "api-key": loop.sandbox.apiKey, "content-type": "application/json" };
  const body = JSON.stringify({ price: 350 });
  const path = `${loop.sandbox.baseUrl}/events/${eventId}/tickets/${id}`;
  expect((await fetch(path, { method: "PATCH", headers, body })).ok).toBe(true);
  const { stdout } = await cron("2027-01-22T02:00:00Z");
  expect(galaPrice()).toBe(500);
  expect(stdout.replace(/\s+/g, " ")).toContain("price ₱350.00 (last applied: ₱300.00) becomes ₱500.00");
});

test("what a phase accepts counts for its end as well, and for nothing after that", async () => {
  await saleOn();
  const ended = await cron("2027-01-22T02:00:00Z");
  expect(ended.stdout).toMatch(/Accepted(?: for \S+)?: /);
  expect(galaPrice()).toBe(500);
  loop.commit({ "events/gala.yaml": flashSale(550) });
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(1);
  expect(galaPrice()).toBe(500);
}, 60_000);

test.each([
  ["an edit that is merged during the phase", 550, ""],
  [
    "another phase that begins as it ends",
    500,
    "  - { from: 2027-01-22T10:00, tickets: [{ name: GA, price: 700 }] }\n",
  ],
])(
  "what a phase accepts does not count for %s",
  async (_, price, more) => {
    await saleOn(more);
    if (price !== 500) loop.commit({ "events/gala.yaml": flashSale(price, more) });
    loop.clock.now = Date.parse("2027-01-22T02:00:00Z");
    const ran = await loop.ci(["ci", "apply"], { event: "schedule" });
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toContain("price-change-with-sales");
    expect(galaPrice()).toBe(300);
  },
  60_000,
);

test.each([
  ["after a due job has ended the phase", true],
  ["before one has", false],
])(
  "a price that is reviewed during a phase and merged after its end is sent, %s",
  async (_, isEnded) => {
    const withoutAllow = (price: number) => flashSale(price).replace(/ *allow: .*\n/, "");
    loop = await openLoop();
    loop.commit({ "events/manila-nights.yaml": null, "events/gala.yaml": withoutAllow(500) });
    await cron("2027-01-10T00:00:00Z");
    await cron("2027-01-20T02:00:00Z");
    const pullRequest = loop.openPullRequest({ "events/gala.yaml": withoutAllow(550) });
    await loop.ci(["ci", "plan"], { pullRequest });
    expect(loop.comments(pullRequest)[0]).toContain("Sale ends: GA ₱300 → ₱550");
    if (isEnded) await cron("2027-01-22T02:00:00Z");
    loop.merge(pullRequest);
    loop.clock.now = Date.parse("2027-01-22T03:00:00Z");
    const ran = await loop.ci(["ci", "apply"]);
    expect([ran.exitCode, galaPrice()], ran.stdout).toEqual([0, 550]);
  },
  60_000,
);

test("a saved plan of a phase's end is applied", async () => {
  await saleOn();
  loop.clock.now = Date.parse("2027-01-22T02:00:00Z");
  const { directory } = await loop.ci(["plan", "--out", "plan.json"]);
  const env = { GITHUB_ACTIONS: undefined };
  const applied = await loop.ci(["apply", `${directory}/plan.json`, "--yes"], { env });
  expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);
  expect(galaPrice()).toBe(500);
}, 60_000);

test("what is not a duration is refused", async () => {
  loop = await openLoop();
  for (const wait of ["soon", "15", "", "-5m", "1.5h"]) {
    const ran = await loop.ci(["ci", "apply", `--wait=${wait}`]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/Write a duration such as 15m|Write a value/);
  }
  const both = await loop.ci(["apply", "plan.json", "--yes", "--wait", "15m"]);
  expect(both.exitCode).toBe(1);
  expect(both.stderr).toContain("--wait cannot be used with a saved plan");
});
