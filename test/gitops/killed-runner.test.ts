// A runner is killed after a call took effect and before it could say so. What it did is not somebody else's change: the next run goes on
// from there, or takes it back where the files say so.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import { draft, type JobRan, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;

beforeEach(async () => {
  loop = await openLoop("github", "allow: [delete-event, delete-ticket-on-sale]\n");
});
afterEach(() => loop.close());

type Rows = Readonly<Record<"events" | "tickets", readonly Readonly<Record<string, unknown>>[]>>;
const rows = () => loop.sandbox.service.dump() as unknown as Rows;
const prices = () => rows().tickets.map(({ price }) => price);

async function apply(job = {}): Promise<JobRan> {
  const ran = await loop.ci(["ci", "apply"], job);
  loop.endRuns();
  return ran;
}

async function killed(moment: "before" | "after", job = {}): Promise<void> {
  const stop = new AbortController();
  const { control } = loop.sandbox;
  let ref: string | null = null;
  control.addFault({
    kind: "kill",
    writes: true,
    at: 1,
    moment,
    onKill() {
      ref = loop.stateCommit();
      control.addFault({ kind: "request-lost", times: 0 });
      stop.abort();
    },
  });
  await apply({ ...job, interrupted: stop.signal });
  expect(ref).not.toBeNull();
  loop.resetState(ref);
  control.clearFaults();
  loop.takeCalls();
}

async function planned(pullRequest: number | null): Promise<number> {
  expect(pullRequest).not.toBeNull();
  const { exitCode, stdout, stderr } = await loop.ci(["ci", "plan"], { pullRequest: pullRequest ?? 0 });
  expect(exitCode, stdout + stderr).toBe(0);
  return pullRequest ?? 0;
}

async function merge(files: Readonly<Record<string, string | null>>): Promise<void> {
  loop.merge(await planned(loop.openPullRequest(files)));
}

const revert = () => loop.proposePullRequest(["revert", "--no-edit", "-m", "1", "origin/main"]);

async function expectApplied(job = {}): Promise<void> {
  const { exitCode, stdout, stderr } = await apply(job);
  expect(exitCode, stdout + stderr).toBe(0);
  expect(stdout + stderr).not.toContain("somebody changed on the service");
  expect(stdout).not.toContain("Held and waiting");
}

async function expectNoDrift(): Promise<void> {
  const { exitCode, stdout, stderr } = await loop.ci(["ci", "drift"]);
  expect(exitCode, stdout + stderr).toBe(0);
}

describe.skipIf(!hasGit)("a merge whose apply was killed", () => {
  beforeEach(async () => {
    loop.commit({ "events/manila-nights.yaml": manilaNights(1500), "events/gala.yaml": draft("Gala", 100) });
    await expectApplied();
  });

  test("is taken back by a revert, planned before the kill or after it", async () => {
    for (const isPlannedBefore of [true, false]) {
      await merge({ "events/manila-nights.yaml": manilaNights(1600) });
      const early = isPlannedBefore ? await planned(revert()) : null;
      await killed("after");
      expect(prices()).toContain(1600);
      const pullRequest = early ?? (await planned(revert()));
      expect(loop.comments(pullRequest).join()).not.toContain("changed on the service");
      loop.merge(pullRequest);
      await expectApplied();
      expect(prices()).not.toContain(1600);
      await expectNoDrift();
    }
  }, 120_000);

  test("is recognized by the run after one that was killed, too, and is no drift", async () => {
    await merge({ "events/manila-nights.yaml": manilaNights(1600) });
    const pullRequest = await planned(revert());
    await killed("after");
    await expectNoDrift();
    await merge({ "events/gala.yaml": draft("Gala", 120) });
    // It recovers, and is killed at its own first call.
    await killed("before");
    loop.merge(pullRequest);
    await expectApplied();
    expect(prices()).not.toContain(1600);
  }, 120_000);

  test("what it deleted is made again by a revert", async () => {
    await merge({ "events/gala.yaml": null });
    const pullRequest = await planned(revert());
    await killed("after");
    expect(rows().events).toHaveLength(1);
    loop.merge(pullRequest);
    await expectApplied();
    expect(rows().events.map(({ name }) => name)).toContain("Gala");
    await expectNoDrift();
  }, 120_000);

  test("a value that is neither the former nor ours is still somebody else's", async () => {
    await merge({ "events/manila-nights.yaml": manilaNights(1600) });
    const pullRequest = await planned(revert());
    await killed("before");
    const [ticket] = rows().tickets.filter(({ price }) => price === 1500);
    const response = await loop.sandbox.service.call("PATCH", `/events/${ticket?.eventId}/tickets/${ticket?.id}`, {
      price: 1700,
    });
    expect(response.status).toBe(200);
    loop.merge(pullRequest);
    const { exitCode, stdout, stderr } = await apply();
    expect(exitCode, stdout + stderr).toBe(0);
    expect(stdout).toContain("Held and waiting");
    expect(prices()).toContain(1700);
  }, 120_000);
});

test.skipIf(!hasGit).each([
  ["status: PUBLISHED", "DRAFT", 500],
  ["tickets: [{ name: GA, price: 300 }]", "DRAFT", 500],
])(
  "what a phase set before its runner was killed ends with the phase: %s",
  async (set, status, price) => {
    const phases = `phases: [{ name: Open, from: 2027-01-12T10:00, until: 2027-01-14T10:00, ${set} }]\n`;
    const text = draft("Gala", 100).replace("quantity: 100", "quantity: 100, published: true");
    loop.commit({ "events/manila-nights.yaml": null, "events/gala.yaml": `${text}status: DRAFT\n${phases}` });
    await expectApplied();
    loop.clock.now = Date.parse("2027-01-12T03:00:00Z");
    await killed("after", { event: "schedule" });
    expect([rows().events[0]?.status, prices()[0]]).not.toEqual([status, price]);
    loop.clock.now = Date.parse("2027-01-14T03:00:00Z");
    await expectApplied({ event: "schedule" });
    expect([rows().events[0]?.status, prices()[0]]).toEqual([status, price]);
    await expectNoDrift();
  },
  120_000,
);
