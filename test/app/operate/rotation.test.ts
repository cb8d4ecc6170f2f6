// Every fault at every call of a rotation: afterward there is one webhook for the address, and its secret is kept.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Act, acts } from "../../faults/acts.ts";
import { openReceiver, openRotation, type Receiver, type RotationTheater } from "../../stage/rotation-theater.ts";
import type { Death } from "../../stage/theater.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

async function prepare(profile?: string): Promise<RotationTheater> {
  const theater = openRotation(receiver.url, profile);
  await theater.run(theater.files);
  expect(theater.working()).toHaveLength(1);
  return theater;
}

/** Whoever continues after the fault: the same command again, or the next apply. */
const heirs = {
  rotate: (theater: RotationTheater) => theater.rotate().then(({ result }) => result?.notes ?? []),
  apply: (theater: RotationTheater) => theater.run(theater.files).then(({ applied }) => applied?.notes ?? []),
} as const;

async function tryAct(act: Act, n: number, heir: keyof typeof heirs, profile?: string): Promise<string[]> {
  const theater = await prepare(profile);
  const [before] = theater.webhooks();
  const { fault, death, fullDiskAt } = act.at(n);
  if (fault !== undefined) theater.service.control.addFault(fault);
  const damage: string[] = [];
  const watch = () => {
    if (theater.working().length === 0) damage.push("a moment without a webhook that works");
  };
  const first = await theater.rotate({
    watch,
    ...(death === undefined ? {} : { death }),
    ...(fullDiskAt === undefined ? {} : { fullDiskAt }),
  });
  watch();
  theater.service.control.clearFaults();
  await theater.service.control.settle();
  for (let run = 1; run <= 2; run++) {
    await heirs[heir](theater);
    watch();
  }
  const [only, ...others] = theater.webhooks();
  if (only === undefined || others.length > 0) damage.push(`${theater.webhooks().length} webhooks`);
  if (theater.working().length !== 1) damage.push("its secret is lost");
  if (heir === "rotate" && only?.id === before?.id) damage.push("it is still the former");
  if (theater.disk.journal !== "") damage.push(`the journal keeps ${theater.disk.journal}`);
  const last = await theater.run(theater.files);
  const plan = last.applied?.report.plan;
  if (plan?.changes.length !== 0 || plan.summary.unmanaged !== 0) damage.push("something is left to do");
  const outcome = first.result === null ? "killed" : first.result.outcome.kind;
  return damage.map((each) => `${act.name} at ${n} (${outcome}), then ${heir}: ${each}`);
}

test("without any fault it is one webhook for another, tested before the former goes", async () => {
  const theater = await prepare();
  const [before] = theater.webhooks();
  theater.service.control.clearCalls();
  const { result } = await theater.rotate();
  expect(result?.outcome).toMatchObject({ kind: "rotated", rotated: { end: { end: "finished", tested: true } } });
  const [after, ...others] = theater.working();
  expect(others).toEqual([]);
  expect(after?.id).not.toBe(before?.id);
  expect(after?.events).toEqual(before?.events);
  const writes = theater.service.control.calls().filter(({ method }) => method !== "GET");
  expect(writes.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, "ID")}`)).toEqual([
    "POST /webhooks",
    "POST /webhooks/ID/test",
    "DELETE /webhooks/ID",
  ]);
  expect(theater.disk.journal).toBe("");
});

describe.each(["rotate", "apply"] as const)("after a fault, %s again", (heir) => {
  test.each(acts.map((act) => [act.name, act] as const))("%s", { timeout: 120_000 }, async (_, act) => {
    const rehearsal = await (await prepare()).rotate();
    const last = act.counts === "calls" ? rehearsal.calls : rehearsal.journalWrites;
    const damage: string[] = [];
    for (let n = 1; n <= last; n++) damage.push(...(await tryAct(act, n, heir)));
    expect(damage).toEqual([]);
  });
});

test.each(["hostile", "strict", "likely,webhookList=paged,webhookSecret=masked,listOrder=shuffled,listLag=200"])(
  "under the reading %s it survives every kill",
  { timeout: 120_000 },
  async (name) => {
    const profile = `${name},httpLoopback=accepted`;
    const rehearsal = await (await prepare(profile)).rotate();
    const kills = acts.filter(({ name: act }) => act.startsWith("SIGKILL") || act.startsWith("response lost"));
    const damage: string[] = [];
    for (const act of kills) {
      const last = act.counts === "calls" ? rehearsal.calls : rehearsal.journalWrites;
      for (let n = 1; n <= last; n++) damage.push(...(await tryAct(act, n, n % 2 === 0 ? "rotate" : "apply", profile)));
    }
    expect(damage).toEqual([]);
  },
);

describe("a receiver that does not know the new secret yet", () => {
  afterEach(() => {
    receiver.status = 200;
  });

  test("keeps both alive until it does, and no third is made", async () => {
    const theater = await prepare();
    receiver.status = 401;
    const first = await theater.rotate();
    expect(first.result?.outcome).toMatchObject({
      rotated: { end: { end: "untested", error: { code: "test-failed" } } },
    });
    expect(theater.working()).toHaveLength(2);
    const again = await theater.rotate();
    expect(again.result?.outcome).toMatchObject({ kind: "continued", end: { end: "untested" } });
    expect(theater.working()).toHaveLength(2);
    receiver.status = 200;
    const last = await theater.rotate();
    expect(last.result?.outcome).toMatchObject({ kind: "continued", end: { end: "finished", tested: true } });
    expect(theater.working()).toHaveLength(1);
  });

  test("is reported by an apply meanwhile, which changes nothing and finishes it later", async () => {
    const theater = await prepare();
    receiver.status = 401;
    await theater.rotate();
    const waiting = await theater.run(theater.files);
    expect(waiting.applied?.notes.map(({ code }) => code)).toContain("rotation-unfinished");
    expect(waiting.applied?.report.plan.changes).toEqual([]);
    expect(theater.working()).toHaveLength(2);
    receiver.status = 200;
    await theater.run(theater.files);
    expect(theater.working()).toHaveLength(1);
    expect(theater.webhooks()).toHaveLength(1);
  });

  test("does not hold up a command that must not wait", async () => {
    const theater = await prepare();
    receiver.status = 401;
    const { result } = await theater.rotate({ untested: true });
    expect(result?.outcome).toMatchObject({ rotated: { end: { end: "finished", tested: false } } });
    expect(theater.working()).toHaveLength(1);
  });
});

test("a webhook that is switched off is replaced by one that is, whatever happens", async () => {
  const rehearsal = await off();
  const { calls } = await rehearsal.rotate();
  expect(rehearsal.webhooks()).toMatchObject([{ isActive: false }]);
  for (let n = 1; n <= calls; n++) {
    const theater = await off();
    await theater.rotate({ death: { of: "call", at: n, moment: "after" } });
    await theater.rotate();
    expect(theater.webhooks(), `killed at ${n}`).toMatchObject([{ isActive: false }]);
    expect(theater.working()).toHaveLength(1);
  }

  async function off(): Promise<RotationTheater> {
    const theater = await prepare();
    await theater.service.call("PATCH", `/webhooks/${theater.webhooks()[0]?.id}`, { isActive: false });
    return theater;
  }
});

test("a webhook that no file names does not become ours by a new secret", async () => {
  const rehearsal = unmanaged();
  const { calls } = await rehearsal.rotate();
  for (let n = 0; n <= calls; n++) {
    const theater = unmanaged();
    if (n > 0) await theater.rotate({ death: { of: "call", at: n, moment: "after" } });
    await theater.rotate();
    expect(theater.working(), `killed at ${n}`).toHaveLength(1);
    expect(theater.webhooks()).toHaveLength(1);
    const plan = (await theater.run({})).applied?.report.plan;
    expect(plan?.changes).toEqual([]);
    expect(theater.disk.state).not.toContain("webhooks/");
  }

  function unmanaged(): RotationTheater {
    const theater = openRotation(receiver.url, undefined, false);
    theater.service.control.seed({ webhooks: [{ url: receiver.url }] });
    return theater;
  }
});

test("twins of one address become one; twins with different settings are asked about", async () => {
  const theater = openRotation(receiver.url);
  theater.service.control.seed({ webhooks: [{ url: receiver.url }, { url: receiver.url }] });
  await theater.rotate();
  expect(theater.webhooks()).toHaveLength(1);
  expect(theater.working()).toHaveLength(1);
  theater.service.control.seed({ webhooks: [{ url: receiver.url, events: ["event.sold_out"] }] });
  const { result } = await theater.rotate();
  expect(result?.outcome).toMatchObject({ kind: "refused", diagnostics: [{ code: "ambiguous-webhook" }] });
  const [, odd] = theater.webhooks();
  await theater.rotate({ word: odd?.id ?? "" });
  expect(theater.webhooks().map(({ events }) => events)).toEqual([["order.completed"], ["event.sold_out"]]);
});

test("a place for secrets that cannot be asked always holds a secret that works", { timeout: 60_000 }, async () => {
  const { calls, journalWrites } = await blind().theater.rotate({ blind: { secret: null } });
  const deaths: Death[] = [
    ...upTo(calls).map((at): Death => ({ of: "call", at, moment: "after" })),
    ...upTo(journalWrites).map((at): Death => ({ of: "journal", at, moment: "after" })),
  ];
  for (const death of deaths) {
    const { theater, kept } = blind();
    const works = () => theater.webhooks().filter(({ secret }) => secret === kept.secret);
    await theater.rotate({ death, blind: kept });
    expect(works(), JSON.stringify(death)).toHaveLength(1);
    await theater.rotate({ blind: kept });
    expect(works(), JSON.stringify(death)).toHaveLength(1);
    expect(theater.webhooks(), JSON.stringify(death)).toHaveLength(1);
  }

  function blind() {
    const theater = openRotation(receiver.url);
    const [seeded] = theater.service.control.seed({ webhooks: [{ url: receiver.url }] }).webhooks;
    return { theater, kept: { secret: seeded?.secret ?? null } };
  }
});

test("killed while the secret is handed to such a place, both webhooks stay until another is made", async () => {
  const theater = await prepare();
  const [before] = theater.webhooks();
  const kept = { secret: before?.secret ?? null };
  // The third durable write says that the secret is about to be given away: begin, intent, hand.
  await theater.rotate({ death: { of: "journal", at: 3, moment: "after" }, blind: kept });
  for (let run = 1; run <= 2; run++) {
    const { applied } = await theater.run(theater.files);
    expect(applied?.report.plan.diagnostics.map(({ code }) => code)).toContain("rotation-unfinished");
    expect(applied?.problem?.code).toBe("rotation-unfinished");
    expect(theater.webhooks()).toHaveLength(2);
  }
  // By the id of one of them: the other goes, too.
  await theater.rotate({ blind: kept, word: before?.id ?? "" });
  expect(theater.webhooks().map(({ secret }) => secret)).toEqual([kept.secret]);
  expect((await theater.run(theater.files)).applied?.problem).toBeNull();
  expect(theater.disk.journal).toBe("");
});

test("killed while it is handed over, and both webhooks deleted by somebody: there is no more to say", async () => {
  const theater = await prepare();
  const [before] = theater.webhooks();
  await theater.rotate({ death: { of: "journal", at: 3, moment: "after" }, blind: { secret: before?.secret ?? null } });
  for (const { id } of theater.webhooks()) await theater.service.call("DELETE", `/webhooks/${id}`);
  const { applied } = await theater.run({});
  expect(applied?.problem).toBeNull();
  expect(theater.disk.journal).toBe("");
});

test("killed while such a place is given a secret, the next waits until that can no longer arrive", async () => {
  const created = openRotation(receiver.url);
  const kept = { secret: null as string | null };
  await created.run(created.files, { death: { of: "journal", at: 3, moment: "after" }, blind: kept });
  const rotated = await prepare();
  await rotated.rotate({ death: { of: "journal", at: 3, moment: "after" }, blind: kept });
  for (const [theater, goOn] of [
    [created, () => created.run(created.files, { blind: kept })],
    [rotated, () => rotated.rotate({ blind: kept })],
  ] as const) {
    const killed = theater.time.now();
    await goOn();
    expect(theater.time.now() - killed).toBeGreaterThanOrEqual(60_000);
    expect(theater.webhooks().map(({ secret }) => secret)).toEqual([kept.secret]);
  }
});

test("killed right after such a place has the secret, the next apply finishes the rotation", async () => {
  const theater = await prepare();
  const [before] = theater.webhooks();
  const kept = { secret: before?.secret ?? null };
  // The fourth says that the place has it.
  await theater.rotate({ death: { of: "journal", at: 4, moment: "after" }, blind: kept });
  const { applied } = await theater.run(theater.files);
  expect(applied?.problem).toBeNull();
  expect(theater.webhooks().map(({ secret }) => secret)).toEqual([kept.secret]);
  expect(kept.secret).not.toBe(before?.secret);
});

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
