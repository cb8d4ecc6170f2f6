// Time that passes only when everybody waits: hours of pacing in a fraction of a second.
import type { Clock } from "../../src/service/clock.ts";

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

export interface SimulatedTime extends Clock {
  /** Calls back after the time, unless what it returns is called before. */
  after(ms: number, then: () => void): () => void;
  /** Lets time pass until the work is done. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** How long work may take that no clock knows of, as a call over a socket. */
const patienceMs = 10_000;

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

  function after(ms: number, ring: () => void): () => void {
    const alarm: Alarm = { at: now + ms, ring };
    if (Number.isFinite(ms)) insert(alarm);
    return () => {
      alarms = alarms.filter((each) => each !== alarm);
    };
  }

  return {
    now: () => now,
    after,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted === true || ms <= 0) {
          resolve();
          return;
        }
        function end(): void {
          cancel();
          signal?.removeEventListener("abort", end);
          resolve();
        }
        const cancel = after(ms, end);
        signal?.addEventListener("abort", end, { once: true });
      });
    },
    async run(work) {
      let done = false;
      const end = () => {
        done = true;
      };
      work.then(end, end);
      let idleSince: number | null = null;
      for (;;) {
        // One turn of the event loop settles every promise that can be settled at this moment.
        await new Promise((resolve) => setImmediate(resolve));
        if (done) return work;
        const next = alarms.shift();
        if (next === undefined) {
          idleSince ??= performance.now();
          if (performance.now() - idleSince > patienceMs)
            throw new Error("The simulation stands still: nobody waits for anything that will happen.");
          continue;
        }
        idleSince = null;
        now = Math.max(now, next.at);
        next.ring();
      }
    },
  };
}
