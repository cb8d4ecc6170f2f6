import { expect, test } from "vitest";
import { applyAsDue } from "../../../src/app/applying/wait-for-phases.ts";
import type { World } from "../../../src/app/world.ts";
import type { ComingPhase } from "../../../src/model/wish.ts";

test("a run that waits says how many events change at the instant", async () => {
  let now = Date.parse("2026-11-18T11:00:00Z");
  const said: string[] = [];
  const world = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
    interrupted: new AbortController().signal,
    stderr: { write: (text: string) => said.push(text), columns: 200 },
  } as unknown as World;
  const phase = (day: string) => ({
    ...{ at: "2026-11-18T11:10:00.000Z", address: `events/club@2026-12-${day}`, type: "phase", phase: "Flash" },
    ...{ fields: ["/description"], context: { timezone: "Asia/Manila" } },
  });
  const upcoming = ["11", "18", "25"].map(phase) as unknown as readonly ComingPhase[];
  const exitCode = await applyAsDue(world, { waitMs: 900_000, targets: [] }, async (instant) => {
    return { exitCode: 0, upcoming: instant === null ? upcoming : [] };
  });
  expect(exitCode).toBe(0);
  expect(said.join("").replaceAll(/\s+/g, " ")).toContain("for Flash of events/club@2026-12-11 and 2 more events");
});
