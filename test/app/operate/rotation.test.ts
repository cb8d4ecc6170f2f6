// Every fault at every call of a rotation: afterwards there is one webhook for the address, and its secret is kept.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Act, acts } from "../../faults/acts.ts";
import type { Death } from "../../stage/theatre.ts";
import { openReceiver, openRotation, type Receiver, type RotationTheatre } from "./rotation-theatre.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

async function prepare(profile?: string): Promise<RotationTheatre> {
  const theatre = openRotation(receiver.url, profile);
  await theatre.run(theatre.files);
  expect(theatre.working()).toHaveLength(1);
  return theatre;
}

/** Whoever goes on after the fault: the same command again, or the next apply. */
const heirs = {
  rotate: (theatre: RotationTheatre) => theatre.rotate().then(({ result }) => result?.notes ?? []),
  apply: (theatre: RotationTheatre) => theatre.run(theatre.files).then(({ applied }) => applied?.notes ?? []),
} as const;

async function tryAct(act: Act, n: number, heir: keyof typeof heirs, profile?: string): Promise<string[]> {
  const theatre = await prepare(profile);
  const [before] = theatre.webhooks();
  const { fault, death, fullDiskAt } = act.at(n);
  if (fault !== undefined) theatre.service.control.addFault(fault);
  const damage: string[] = [];
  const watch = () => {
    if (theatre.working().length === 0) damage.push("a moment without a webhook that works");
  };
  const first = await theatre.rotate({
    watch,
    ...(death === undefined ? {} : { death }),
    ...(fullDiskAt === undefined ? {} : { fullDiskAt }),
  });
  watch();
  theatre.service.control.clearFaults();
  await theatre.service.control.settle();
  for (let run = 1; run <= 2; run++) {
    await heirs[heir](theatre);
    watch();
  }
  const [only, ...others] = theatre.webhooks();
  if (only === undefined || others.length > 0) damage.push(`${theatre.webhooks().length} webhooks`);
  if (theatre.working().length !== 1) damage.push("its secret is lost");
  if (heir === "rotate" && only?.id === before?.id) damage.push("it is still the former");
  if (theatre.disk.journal !== "") damage.push(`the journal keeps ${theatre.disk.journal}`);
  const last = await theatre.run(theatre.files);
  const plan = last.applied?.report.plan;
  if (plan?.changes.length !== 0 || plan.summary.unmanaged !== 0) damage.push("something is left to do");
  const outcome = first.result === null ? "killed" : first.result.outcome.kind;
  return damage.map((each) => `${act.name} at ${n} (${outcome}), then ${heir}: ${each}`);
}

test("without any fault it is one webhook for another, tested before the former goes", async () => {
  const theatre = await prepare();
  const [before] = theatre.webhooks();
  theatre.service.control.clearCalls();
  const { result } = await theatre.rotate();
  expect(result?.outcome).toMatchObject({ kind: "rotated", rotated: { end: { end: "finished", tested: true } } });
  const [after, ...others] = theatre.working();
  expect(others).toEqual([]);
  expect(after?.id).not.toBe(before?.id);
  expect(after?.events).toEqual(before?.events);
  const writes = theatre.service.control.calls().filter(({ method }) => method !== "GET");
  expect(writes.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, "ID")}`)).toEqual([
    "POST /webhooks",
    "POST /webhooks/ID/test",
    "DELETE /webhooks/ID",
  ]);
  expect(theatre.disk.journal).toBe("");
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
    const theatre = await prepare();
    receiver.status = 401;
    const first = await theatre.rotate();
    expect(first.result?.outcome).toMatchObject({
      rotated: { end: { end: "untested", error: { code: "test-failed" } } },
    });
    expect(theatre.working()).toHaveLength(2);
    const again = await theatre.rotate();
    expect(again.result?.outcome).toMatchObject({ kind: "continued", end: { end: "untested" } });
    expect(theatre.working()).toHaveLength(2);
    receiver.status = 200;
    const last = await theatre.rotate();
    expect(last.result?.outcome).toMatchObject({ kind: "continued", end: { end: "finished", tested: true } });
    expect(theatre.working()).toHaveLength(1);
  });

  test("is reported by an apply meanwhile, which changes nothing and finishes it later", async () => {
    const theatre = await prepare();
    receiver.status = 401;
    await theatre.rotate();
    const waiting = await theatre.run(theatre.files);
    expect(waiting.applied?.notes.map(({ code }) => code)).toContain("rotation-unfinished");
    expect(waiting.applied?.report.plan.changes).toEqual([]);
    expect(theatre.working()).toHaveLength(2);
    receiver.status = 200;
    await theatre.run(theatre.files);
    expect(theatre.working()).toHaveLength(1);
    expect(theatre.webhooks()).toHaveLength(1);
  });

  test("does not hold up a command that must not wait", async () => {
    const theatre = await prepare();
    receiver.status = 401;
    const { result } = await theatre.rotate({ untested: true });
    expect(result?.outcome).toMatchObject({ rotated: { end: { end: "finished", tested: false } } });
    expect(theatre.working()).toHaveLength(1);
  });
});

test("a webhook that is switched off is replaced by one that is, whatever happens", async () => {
  const rehearsal = await off();
  const { calls } = await rehearsal.rotate();
  expect(rehearsal.webhooks()).toMatchObject([{ isActive: false }]);
  for (let n = 1; n <= calls; n++) {
    const theatre = await off();
    await theatre.rotate({ death: { of: "call", at: n, moment: "after" } });
    await theatre.rotate();
    expect(theatre.webhooks(), `killed at ${n}`).toMatchObject([{ isActive: false }]);
    expect(theatre.working()).toHaveLength(1);
  }

  async function off(): Promise<RotationTheatre> {
    const theatre = await prepare();
    await theatre.service.call("PATCH", `/webhooks/${theatre.webhooks()[0]?.id}`, { isActive: false });
    return theatre;
  }
});

test("a webhook that no file names does not become ours by a new secret", async () => {
  const rehearsal = unmanaged();
  const { calls } = await rehearsal.rotate();
  for (let n = 0; n <= calls; n++) {
    const theatre = unmanaged();
    if (n > 0) await theatre.rotate({ death: { of: "call", at: n, moment: "after" } });
    await theatre.rotate();
    expect(theatre.working(), `killed at ${n}`).toHaveLength(1);
    expect(theatre.webhooks()).toHaveLength(1);
    const plan = (await theatre.run({})).applied?.report.plan;
    expect(plan?.changes).toEqual([]);
    expect(theatre.disk.state).not.toContain("webhooks/");
  }

  function unmanaged(): RotationTheatre {
    const theatre = openRotation(receiver.url, undefined, false);
    theatre.service.control.seed({ webhooks: [{ url: receiver.url }] });
    return theatre;
  }
});

test("twins of one address become one; twins with different settings are asked about", async () => {
  const theatre = openRotation(receiver.url);
  theatre.service.control.seed({ webhooks: [{ url: receiver.url }, { url: receiver.url }] });
  await theatre.rotate();
  expect(theatre.webhooks()).toHaveLength(1);
  expect(theatre.working()).toHaveLength(1);
  theatre.service.control.seed({ webhooks: [{ url: receiver.url, events: ["event.sold_out"] }] });
  const { result } = await theatre.rotate();
  expect(result?.outcome).toMatchObject({ kind: "refused", diagnostics: [{ code: "ambiguous-webhook" }] });
  const [, odd] = theatre.webhooks();
  await theatre.rotate({ word: odd?.id ?? "" });
  expect(theatre.webhooks().map(({ events }) => events)).toEqual([["order.completed"], ["event.sold_out"]]);
});

test("a place for secrets that cannot be asked always holds a secret that works", { timeout: 60_000 }, async () => {
  const { calls, journalWrites } = await blind().theatre.rotate({ blind: { secret: null } });
  const deaths: Death[] = [
    ...upTo(calls).map((at): Death => ({ of: "call", at, moment: "after" })),
    ...upTo(journalWrites).map((at): Death => ({ of: "journal", at, moment: "after" })),
  ];
  for (const death of deaths) {
    const { theatre, kept } = blind();
    const works = () => theatre.webhooks().filter(({ secret }) => secret === kept.secret);
    await theatre.rotate({ death, blind: kept });
    expect(works(), JSON.stringify(death)).toHaveLength(1);
    await theatre.rotate({ blind: kept });
    expect(works(), JSON.stringify(death)).toHaveLength(1);
    expect(theatre.webhooks(), JSON.stringify(death)).toHaveLength(1);
  }

  function blind() {
    const theatre = openRotation(receiver.url);
    const [seeded] = theatre.service.control.seed({ webhooks: [{ url: receiver.url }] }).webhooks;
    return { theatre, kept: { secret: seeded?.secret ?? null } };
  }
});

test("killed while the secret is handed to such a place, both webhooks stay until another is made", async () => {
  const theatre = openRotation(receiver.url);
  const [seeded] = theatre.service.control.seed({ webhooks: [{ url: receiver.url }] }).webhooks;
  const kept = { secret: seeded?.secret ?? null };
  // The third durable write says that the secret is about to be given away: begin, intent, hand.
  await theatre.rotate({ death: { of: "journal", at: 3, moment: "after" }, blind: kept });
  const { applied } = await theatre.run(theatre.files);
  expect(applied?.notes.map(({ code }) => code)).toContain("rotation-unfinished");
  expect(theatre.webhooks()).toHaveLength(2);
});

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
