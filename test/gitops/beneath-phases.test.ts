// What phases will bring later is reviewed like what is sent now, and what is reviewed comes in its time, whatever else waits.
import { afterEach, expect, test } from "vitest";
import { draft, type FileEdits, type JobRan, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

type Row = Readonly<Record<string, unknown>>;
const rows = (list: string): readonly Row[] =>
  (loop.sandbox.service.dump() as unknown as Readonly<Record<string, readonly Row[]>>)[list] ?? [];

const price = () => rows("tickets").find(({ name }) => name === "GA")?.price;
const apply = () => loop.ci(["ci", "apply"]);

async function applied(): Promise<void> {
  loop = await openLoop();
  expect((await apply()).exitCode).toBe(0);
}

async function planned(files: FileEdits): Promise<number> {
  const pullRequest = loop.openPullRequest(files);
  await loop.ci(["ci", "plan"], { pullRequest });
  return pullRequest;
}

const comment = (pullRequest: number) => loop.comments(pullRequest)[0] ?? "";
const later = (ms: number) => new Date(loop.clock.now + ms).toISOString();
const nights = (ga: number, phases: string) => ({
  "events/manila-nights.yaml": manilaNights(ga, `phases:\n${phases}`),
});

/** A sale at ₱900 from ten minutes on, for ten minutes. */
const sale = () =>
  `  - { name: Flash, from: ${later(600_000)}, until: ${later(1_200_000)}, tickets: [{ name: GA, price: 900 }] }\n`;

async function saleOn(): Promise<string> {
  await applied();
  const flash = sale();
  loop.merge(await planned(nights(1500, flash)));
  expect((await apply()).exitCode).toBe(0);
  loop.clock.now += 700_000;
  expect([(await apply()).exitCode, price()]).toEqual([0, 900]);
  return flash;
}

/** Each ten minutes later: how the run ended, and the price then. */
async function runs(count: number): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let run = 0; run < count; run++) {
    loop.clock.now += 600_000;
    const { exitCode } = await loop.ci(["ci", "apply"], { event: "schedule" });
    found.push([exitCode, price()]);
  }
  return found;
}

test("a price that is merged unreviewed beneath a phase is held, and the reviewed one returns when the phase ends", async () => {
  const flash = await saleOn();
  loop.merge(loop.openPullRequest(nights(15, flash)));
  const held = await apply();
  expect([held.exitCode, price()]).toEqual([1, 900]);
  expect(held.summary).toContain("**Held:** GA of Manila Nights: ₱900 → ₱15");
  expect(await runs(3)).toEqual([
    [1, 1500],
    [1, 1500],
    [1, 1500],
  ]);
  const pullRequest = await planned({ "events/gala.yaml": draft("Gala", 100) });
  expect(comment(pullRequest)).toContain("> **Held and waiting:**");
  loop.merge(pullRequest);
  expect([(await apply()).exitCode, price()]).toEqual([0, 15]);
});

test("a pull request that lists a price beneath a phase releases it for the phase's end", async () => {
  const flash = await saleOn();
  loop.merge(loop.openPullRequest(nights(1600, flash)));
  expect((await apply()).exitCode).toBe(1);
  const pullRequest = await planned({ "events/gala.yaml": draft("Gala", 100) });
  expect(comment(pullRequest)).toMatch(/> \*\*Held and waiting:\*\*.*\n>\n> - .*₱900 → ₱1,600/);
  loop.merge(pullRequest);
  expect([(await apply()).exitCode, price()]).toEqual([0, 900]);
  expect(await runs(2)).toEqual([
    [0, 1600],
    [0, 1600],
  ]);
});

test("what two pull requests change for later in one document is reviewed by both", async () => {
  const flash = await saleOn();
  const one = await planned(nights(1600, flash));
  const night = manilaNights(1500, `phases:\n${flash}`).replace("eventCapacity: 700", "eventCapacity: 800");
  const other = await planned({ "events/manila-nights.yaml": night });
  loop.merge(one);
  loop.merge(other);
  const ran = await apply();
  expect([ran.exitCode, price()], ran.stdout).toEqual([0, 900]);
  expect(await runs(1)).toEqual([[0, 1600]]);
});

test.each([
  ["is merged unreviewed", false, 15],
  ["is moved forward unreviewed", true, 900],
])("a phase that %s is held when it begins, until a plan has shown it", async (_, wasThere, value) => {
  await applied();
  const [soon, far] = [later(900_000), later(90_000_000)];
  const phase = (from: string) => `  - { name: Flash, from: ${from}, tickets: [{ name: GA, price: ${value} }] }\n`;
  const begun = wasThere ? nights(1500, phase(far)) : { "events/gala.yaml": draft("Gala", 100) };
  loop.merge(await planned(begun));
  expect((await apply()).exitCode).toBe(0);
  loop.merge(loop.openPullRequest(nights(1500, phase(soon))));
  const held = await apply();
  expect([held.exitCode, price()], held.stdout).toEqual([1, 1500]);
  expect(await runs(3)).toEqual([
    [1, 1500],
    [1, 1500],
    [1, 1500],
  ]);
  loop.merge(await planned({ "events/rock.yaml": draft("Rock", 100) }));
  expect([(await apply()).exitCode, price()]).toEqual([0, value]);
});

test("an entry that a phase will create is held if its price is merged unreviewed, until a plan has shown it", async () => {
  await applied();
  const from = later(900_000);
  const vip = (value: number) =>
    `  - { name: Doors, from: ${from}, tickets: [{ name: VIP, price: ${value}, quantity: 10, published: true }] }\n`;
  const live = () => rows("tickets").map(({ name, price: value }) => `${name} ${value}`);
  loop.merge(await planned(nights(1500, vip(4500))));
  expect((await apply()).exitCode).toBe(0);
  loop.merge(loop.openPullRequest(nights(1500, vip(45))));
  expect((await apply()).exitCode).toBe(1);
  expect(await runs(2)).toEqual([
    [1, 1500],
    [1, 1500],
  ]);
  expect(live()).toEqual(["GA 1500"]);
  loop.merge(await planned({ "events/rock.yaml": draft("Rock", 100) }));
  const released = await apply();
  expect([released.exitCode, live()], released.stdout).toEqual([0, ["GA 1500", "VIP 45", "GA 500"]]);
});

test("what was reviewed for later is not reviewed for now", async () => {
  await applied();
  const phases = `  - { from: ${later(90_000_000)}, tickets: [{ name: GA, price: 900 }] }\n`;
  loop.merge(await planned(nights(1500, phases)));
  loop.merge(loop.openPullRequest(nights(900, phases)));
  expect([(await apply()).exitCode, price()]).toEqual([1, 1500]);
});

/** Applies the event, then blocks another one for good. */
async function blockedBeside(gala: () => string): Promise<void> {
  await applied();
  loop.merge(await planned({ "events/gala.yaml": gala() }));
  const first = await apply();
  expect(first.exitCode, first.stdout + first.stderr).toBe(0);
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1800) }));
}

const named = (list: string) => rows(list).map(({ name }) => name);

test.each([
  [
    "an entry that a phase removes returns when the phase ends",
    (begins: string, ends: string) =>
      `performers: [{ name: Ana, type: ARTIST }, { name: Ben, type: ARTIST }]\nphases:\n  - { from: ${begins}, until: ${ends}, performers: [{ name: Ben, remove: true }] }\n`,
    [["Ana", "Ben"], ["Ana"], ["Ana", "Ben"]],
  ],
  [
    "an entry that one phase adds goes when another one removes it",
    (begins: string, ends: string) =>
      `performers: [{ name: Ana, type: ARTIST }]\nphases:\n  - { from: ${begins}, performers: [{ name: Ben, type: ARTIST }] }\n  - { from: ${ends}, performers: [{ name: Ben, remove: true }] }\n`,
    [["Ana"], ["Ana", "Ben"], ["Ana"]],
  ],
])("%s, although a different merge stays blocked", async (_, performers, expected) => {
  await blockedBeside(() => draft("Gala", 100) + performers(later(600_000), later(1_200_000)));
  const found: unknown[] = [];
  const said: JobRan[] = [];
  for (let run = 0; run < 3; run++) {
    said.push(await apply());
    found.push(named("performers"));
    loop.clock.now += 700_000;
  }
  expect(found, said.at(-1)?.stdout).toEqual(expected);
});
