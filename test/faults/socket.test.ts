// The same faults over a real socket, met by the real client: connections that break, answers that are late, cut or garbled.
import { afterAll, describe, expect, test } from "vitest";
import type { Fault } from "../../src/sandbox/index.ts";
import { acts } from "./acts.ts";
import { countUp, stride } from "./count-up.ts";
import { scenes } from "./scenes.ts";
import { certain, rehearse, survive } from "./survive.ts";
import { openTable } from "./table.ts";

/** Most of the time of a run goes into waiting before it tries again. */
const atOnce = 8;

/** The settle time is so many times shorter than in process, and what lands late does so before or after it. */
const faster = 8;

const overSocket = acts.flatMap(({ name, at }, index) => (at(1).fault === undefined ? [] : [{ name, index, at }]));

function inRealTime(fault: Fault): Fault {
  return fault.kind === "late" ? { ...fault, delayMs: (fault.delayMs ?? 0) / faster } : fault;
}

const table = openTable("over the socket");

describe.each(scenes)("$name", (scene) => {
  test.each(overSocket)(
    "$name",
    async ({ name, index, at }) => {
      const rehearsal = await rehearse(scene);
      await countUp(
        1 + (index % stride),
        async (n) => {
          if (n > rehearsal.calls) return "end";
          const disturbed = await survive({ table, fault: name }, rehearsal, async (place) => {
            const { fault } = at(n);
            if (fault !== undefined) place.sandbox.control.addFault(inRealTime(fault));
            const ended = await place.applyHere();
            return { ended, disturbed: place.sandbox.control.calls().some((call) => call.fault !== undefined) };
          });
          if (n <= rehearsal.calls - certain) expect(disturbed, `at ${n} of ${rehearsal.calls}`).toBe(true);
          return "go on";
        },
        atOnce,
      );
    },
    600_000,
  );
});

afterAll(() => {
  if (stride === 1) table.write();
});
