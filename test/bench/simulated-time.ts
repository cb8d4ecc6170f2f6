// Time that passes only when everybody waits: hours of pacing in a fraction of a second.
import type { Clock } from "../../src/service/clock.ts";

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

export interface SimulatedTime extends Clock {
  /** Lets time pass until the work is done. */
  run<T>(work: Promise<T>): Promise<T>;
}

export function simulatedTime(start: number): SimulatedTime {
  let now = start;
  let alarms: Alarm[] = [];

  function insert(alarm: Alarm): void {
    let low = 0;
    let high = alarms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((alarms[middle] as Alarm).at <= alarm.at) low = middle + 1;
      else high = middle;
    }
    alarms.splice(low, 0, alarm);
  }

  return {
    now: () => now,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted === true || ms <= 0) {
          resolve();
          return;
        }
        const alarm: Alarm = { at: now + ms, ring: resolve };
        if (Number.isFinite(ms)) insert(alarm);
        signal?.addEventListener(
          "abort",
          () => {
            alarms = alarms.filter((each) => each !== alarm);
            resolve();
          },
          { once: true },
        );
      });
    },
    async run(work) {
      let done = false;
      const watched = work.finally(() => {
        done = true;
      });
      for (;;) {
        // One turn of the event loop settles every promise that can be settled at this moment.
        await new Promise((resolve) => setImmediate(resolve));
        if (done) return watched;
        const next = alarms.shift();
        if (next === undefined)
          throw new Error("The simulation stands still: nobody waits for anything that will happen.");
        now = Math.max(now, next.at);
        next.ring();
      }
    },
  };
}
