// The real program, over a socket, killed with SIGKILL at every call and at every write of its journal.
import { spawn } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { countUp, stride } from "./count-up.ts";
import { damageOf } from "./picture.ts";
import { dyingAt, type Ended, program } from "./run-program.ts";
import { festival, scenes } from "./scenes.ts";
import { certain, prepare, rehearse, survive, unharmed } from "./survive.ts";
import { openTable } from "./table.ts";

/** Killed, or at its end before its turn came. */
async function killedIn(running: Promise<Ended>) {
  const ended = await running;
  return { ended, disturbed: ended.signal === "SIGKILL" };
}

const table = openTable("the program");

describe.each(scenes.map((scene, index) => ({ ...scene, index })))("$name", (scene) => {
  test.each(["before", "after"] as const)(
    "SIGKILL %s the effect of each call",
    async (moment) => {
      const rehearsal = await rehearse(scene);
      await countUp(1 + (scene.index % stride), async (at) => {
        const died = await survive({ table, fault: `SIGKILL ${moment} the effect of a call` }, rehearsal, (place) =>
          killedIn(place.apply({}, { kind: "kill", at, moment })),
        );
        if (at <= rehearsal.calls - certain) expect(died, `at ${at} of ${rehearsal.calls}`).toBe(true);
        return died ? "go on" : "end";
      });
    },
    1_200_000,
  );

  test.each(["before", "after"] as const)(
    "SIGKILL %s each journal write",
    async (moment) => {
      const rehearsal = await rehearse(scene);
      await countUp(1 + (scene.index % stride), async (at) => {
        const died = await survive(
          { table, fault: `SIGKILL ${moment} a journal write is durable` },
          rehearsal,
          (place) => killedIn(place.apply(dyingAt("journal", at, moment))),
        );
        if (at <= 3) expect(died).toBe(true);
        return died ? "go on" : "end";
      });
    },
    1_200_000,
  );
});

test("two at once: one waits, and nothing is made twice", async () => {
  const { wished } = await rehearse(festival);
  const place = await prepare(festival);
  const both = await Promise.all([place.apply(), place.apply()]);
  const refused = both.filter(({ code }) => code !== 0);
  for (const each of refused) expect(each.output).toContain("Another run is active");
  expect(both.some(({ code }) => code === 0)).toBe(true);
  expect(damageOf(place.sandbox.service, wished, place.secrets())).toEqual(unharmed);
  await place.close();
}, 60_000);

test("one is paused while its lock is taken away: it sends nothing more, and the other finishes", async () => {
  const { wished } = await rehearse(festival);
  const place = await prepare(festival);
  let paused: (() => void) | null = null;
  const slow = place.apply({}, { kind: "slow", delayMs: 8000, at: 15 });
  await new Promise<void>((resolve) => {
    paused = resolve;
    const timer = setInterval(() => {
      if (place.sandbox.control.calls().length >= 15) {
        clearInterval(timer);
        paused?.();
      }
    }, 10);
  });
  const unlock = spawn(process.execPath, [program, "state", "unlock", "--yes", "--base-url", place.sandbox.baseUrl], {
    cwd: place.directory,
    env: { PATH: process.env.PATH, TICKETING_API_KEY: place.sandbox.apiKey },
  });
  await new Promise((resolve) => unlock.on("close", resolve));
  const second = await place.apply();
  expect(second.code, second.output).toBe(0);
  const first = await slow;
  expect(first.code, first.output).toBe(1);
  const last = await place.apply();
  expect(last.code, last.output).toBe(0);
  expect((await place.apply()).output).toContain("No changes");
  expect(damageOf(place.sandbox.service, wished, place.secrets())).toEqual(unharmed);
  await place.close();
}, 60_000);

afterAll(() => {
  if (stride === 1) table.write();
});
