// The same faults over a real socket, met by the real client: connections that break, answers that are late, cut or garbled.
import { afterAll, describe, test } from "vitest";
import type { Fault } from "../../src/sandbox/index.ts";
import { acts } from "./acts.ts";
import { countUp } from "./count-up.ts";
import { scenes } from "./scenes.ts";
import { rehearse, survive } from "./survive.ts";
import { writeTable } from "./table.ts";

const full = process.env.FAULTS === "full";
/** In the short suite each fault meets a few calls, others for each. */
const stride = full ? 1 : 29;
/** Most of the time of a run goes into waiting before it tries again. */
const atOnce = 8;

const overSocket = acts.flatMap(({ name, at }, index) => {
  const faultAt = (n: number): Fault | undefined => at(n).fault;
  return faultAt(1) === undefined ? [] : [{ name, index, faultAt }];
});

describe.each(scenes)("$name", (scene) => {
  test.each(overSocket)(
    "$name",
    async ({ name, index, faultAt }) => {
      const rehearsal = await rehearse(scene);
      await countUp(
        1 + (index % stride),
        stride,
        async (n) => {
          if (n > rehearsal.calls) return "end";
          await survive(`over the socket: ${name}`, rehearsal, async (place) => {
            const fault = faultAt(n);
            if (fault !== undefined) place.sandbox.control.addFault(fault);
            const ended = await place.applyHere();
            return { ended, disturbed: place.sandbox.control.calls().some((call) => call.fault !== undefined) };
          });
          return "go on";
        },
        atOnce,
      );
    },
    600_000,
  );
});

afterAll(() => {
  if (full) writeTable();
});
