// The real program with state in git: killed, paused, two at once, and with a remote that goes away. Every run has a clone of its own.
import { renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildProgram } from "../bin/program.ts";
import { eventFile, type GitPlace, openGitPlace, production } from "../stage/git-place.ts";

const words = ["apply", "--yes", "--settle", "0.3", "--parallelism", "2"];
const names = ["Ana", "Ben", "Cora", "Dan"];
let place: GitPlace;
let clones = 0;

beforeAll(() => buildProgram());
beforeEach(async () => {
  place = await openGitPlace();
  const people = `performers:\n${names.map((name) => `  - { name: ${name} }\n`).join("")}`;
  const files = names.map((name, index) => [
    `events/${name.toLowerCase()}.yaml`,
    eventFile(`A night with ${name}`, people).replace("03-14", `04-0${index + 1}`),
  ]);
  place.commit(Object.fromEntries(files));
});
afterEach(() => place.close());

function clone(): string {
  clones += 1;
  return place.clone(`clone-${clones}`);
}

async function callsMade(count: number): Promise<void> {
  while (place.writes().length < count) await sleep(5);
}

/** Each event once, each with its people, and nothing left to do. */
async function expectWhole(): Promise<void> {
  const last = await place.start(clone(), words).ended;
  expect(last.code, last.output).toBe(0);
  const { events, performers } = place.sandbox.service.dump();
  expect(events.map((event) => (event as unknown as { name: string }).name).sort()).toEqual([
    ...names.map((name) => `A night with ${name}`),
    "Manila Nights",
  ]);
  expect(performers).toHaveLength(names.length ** 2);
  const planned = await place.run(clone(), "plan", "--detailed-exitcode");
  expect(planned.exitCode, planned.stdout).toBe(0);
  expect(place.stored("journal.jsonl")).toBeNull();
  expect(place.stored("lock.json")).toBeNull();
}

describe.each(["before", "after"] as const)("SIGKILL %s the effect of a write", (moment) => {
  test.each([1, 3, 8, 20])("at the %s. of them", async (at) => {
    const { child, ended } = place.start(clone(), words);
    const onKill = () => void child.kill("SIGKILL");
    place.sandbox.control.addFault({ kind: "kill", method: "POST", at, moment, onKill });
    expect((await ended).signal).toBe("SIGKILL");
    place.sandbox.control.clearFaults();
    expect(place.stored("lock.json")).not.toBeNull();
    await expectWhole();
  });
});

test("two at once: one waits for the other, and nothing is made twice", async () => {
  const [one, two] = [clone(), clone()];
  const both = [one, two].map((folder) => place.start(folder, [...words, "--lock-timeout", "120"]).ended);
  for (const { code, output } of await Promise.all(both)) expect(code, output).toBe(0);
  await expectWhole();
}, 60_000);

test("two at once, one in no mood to wait: it names who has the lock", async () => {
  place.sandbox.control.addFault({ kind: "slow", method: "POST", at: 1, delayMs: 3000 });
  const first = place.start(clone(), words);
  await callsMade(1);
  const second = await place.start(clone(), words).ended;
  expect(second.code).toBe(1);
  expect(second.output).toContain("Another run is active in this environment: apply by");
  expect(second.output).toContain("ticketing state unlock");
  expect((await first.ended).code).toBe(0);
}, 60_000);

/** Stopped in the middle, while another one takes its lock: after SIGCONT nothing more is sent. */
async function pausedWhile(takeOver: () => Promise<void>): Promise<void> {
  place.sandbox.control.addFault({ kind: "slow", method: "POST", at: 4, delayMs: 1500 });
  const { child, ended } = place.start(clone(), words);
  await callsMade(4);
  child.kill("SIGSTOP");
  await takeOver();
  await place.sandbox.control.settle();
  const before = place.writes().length;
  child.kill("SIGCONT");
  const { code, output } = await ended;
  expect(code, output).toBe(1);
  expect(output).toContain("Another run took over the lock");
  expect(place.writes()).toHaveLength(before);
  await expectWhole();
}

test("SIGSTOP while somebody takes its lock away and finishes: it sends nothing more", async () => {
  await pausedWhile(async () => {
    const folder = clone();
    const unlocked = await place.run(folder, "state", "unlock", "--yes");
    expect(unlocked.stdout).toContain("Removed the lock held by apply by");
    const { code, output } = await place.start(folder, words).ended;
    expect(code, output).toBe(0);
  });
}, 60_000);

test("SIGSTOP past its lease: the other one takes over after two minutes, and it sends nothing more", async () => {
  await pausedWhile(async () => {
    const began = performance.now();
    const { code, output } = await place.start(clone(), [...words, "--lock-timeout", "200"]).ended;
    expect(code, output).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(115_000);
  });
}, 300_000);

test("the ref is written by somebody else in the middle: nothing more is sent", async () => {
  place.sandbox.control.addFault({ kind: "slow", method: "POST", at: 3, delayMs: 6000 });
  const { ended } = place.start(clone(), words);
  await callsMade(3);
  const before = place.git(place.remote, "rev-parse", production);
  const tree = place.git(place.remote, "rev-parse", `${production}^{tree}`);
  const other = place.git(place.remote, "commit-tree", tree, "-p", before, "-m", "another run");
  place.git(place.remote, "update-ref", production, other);
  await sleep(4500);
  const sent = place.writes().length;
  const { code, output } = await ended;
  expect(code, output).toBe(1);
  expect(output).toContain("Another run took over the lock");
  expect(place.writes()).toHaveLength(sent);
  await expectWhole();
}, 60_000);

test("a remote that is away for some seconds delays it, and nothing is sent meanwhile", async () => {
  place.sandbox.control.addFault({ kind: "slow", method: "POST", at: 2, delayMs: 500 });
  const { ended } = place.start(clone(), words);
  await callsMade(2);
  renameSync(place.remote, `${place.remote}.away`);
  await sleep(4000);
  const sent = place.writes().length;
  await sleep(2000);
  expect(place.writes()).toHaveLength(sent);
  renameSync(`${place.remote}.away`, place.remote);
  const { code, output } = await ended;
  expect(code, output).toBe(0);
  await expectWhole();
}, 60_000);

test("a remote that stays away ends the run, and the next one finishes it", async () => {
  place.sandbox.control.addFault({ kind: "slow", method: "POST", at: 2, delayMs: 500 });
  const { ended } = place.start(clone(), words);
  await callsMade(2);
  renameSync(place.remote, `${place.remote}.away`);
  const { code, output } = await ended;
  expect(code, output).toBe(1);
  renameSync(`${place.remote}.away`, place.remote);
  await expectWhole();
}, 300_000);
