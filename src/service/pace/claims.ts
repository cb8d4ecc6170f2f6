// Our share of a limit that several runs use. A run claims calls in the ledger before it sends them, by one atomic update that shows what
// the others have sent and claimed, and gives back what it does not need. Claims are made ahead so that no call waits for the store, and a
// killed run loses only a few. If the store fails, calls go as if there were no ledger.
import type { Clock } from "../clock.ts";
import { makeClaim, makeUpdateTiming, patienceMs } from "./claim.ts";
import type { LedgerChange, LedgerStore } from "./ledger.ts";
import { makeLedgerView } from "./ledger-view.ts";
import type { Meter } from "./meter.ts";

export interface ClaimsOptions {
  readonly store: LedgerStore;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly random: () => number;
}

export type Claims = ReturnType<typeof makeClaims>;

export function makeClaims({ store, meter, clock, random }: ClaimsOptions) {
  const view = makeLedgerView(meter);
  const timing = makeUpdateTiming(view.peersAtWork, random);
  const claim = makeClaim(meter, view, timing);
  const alarm = makeAlarm(clock);
  let loading: Promise<void> | null = null;
  let isLoaded = false;
  let isClosed = false;
  let updating: Promise<void> | null = null;
  /** When the store last showed that it is there. */
  let heardAt = 0;
  let onChange: () => void = () => undefined;

  function nextUpdate(now: number): number {
    if (updating !== null) return heardAt + patienceMs;
    return isClosed || !meter.hasLimits() ? Number.POSITIVE_INFINITY : claim.nextUpdate(now);
  }

  /** Updates now if it is time, or sets the alarm. */
  function attend(): void {
    const now = clock.now();
    let at = nextUpdate(now);
    if (at <= now && updating === null) {
      updating = update();
      at = now + patienceMs;
    }
    alarm.set(at, now, () => {
      if (updating !== null) onChange();
      attend();
    });
  }

  async function update(): Promise<void> {
    const began = clock.now();
    heardAt = began;
    let proposal: ReturnType<typeof claim.propose> | null = null;
    try {
      await store.update((kept) => {
        heardAt = clock.now();
        proposal = claim.propose(view.usable(kept), heardAt);
        return proposal.data;
      });
      if (proposal !== null) claim.accept(proposal, clock.now());
      // A store that never called back has stored nothing.
      timing.ended(clock.now() - began, proposal !== null);
    } catch {
      timing.failed();
    }
    updating = null;
    claim.updated(clock.now());
    onChange();
    attend();
  }

  async function load(): Promise<void> {
    const began = clock.now();
    try {
      const kept = await store.load();
      const now = clock.now();
      // An update reads as well, and then writes.
      timing.expect(2 * (now - began));
      view.adopt(kept, now);
    } catch {
      // A ledger that cannot be read says nothing.
    }
    isLoaded = true;
  }

  return {
    /** Null once the ledger is in. */
    ready(): Promise<void> | null {
      if (isLoaded) return null;
      loading ??= load();
      return loading;
    },
    /** Whether our claim allows a call now; the meter knows the limits themselves. */
    permits(now: number): boolean {
      if (!meter.hasLimits() || timing.isFailing()) return true;
      return (updating !== null && now - heardAt >= patienceMs) || claim.permits(now);
    },
    /** Other runs use the limit at this time. */
    hasPeers: view.peersAtWork,
    listen(listener: () => void): void {
      onChange = listener;
    },
    /** A call begins. */
    spend(now: number): void {
      claim.spend(now);
      attend();
    },
    /** `lacksClaim`: the limits would let a call go. */
    wait(calls: number, lacksClaim: boolean): void {
      claim.wait(calls, lacksClaim);
      attend();
    },
    /** A call ended; with its Date, if a response came. */
    ended(date: string | null, sentAt: number, now: number): void {
      view.service.observe(date, sentAt, now);
      claim.ended(now);
      attend();
    },
    async flush(): Promise<void> {
      isClosed = true;
      alarm.stop();
      await withinPatience(clock, updating);
      const isEntered = claim.isEntered();
      if (meter.begun() === 0 || (!isEntered && !meter.hasLimits())) return;
      const leave: LedgerChange = (kept) => view.without(kept, clock.now(), claim.isEntered());
      const leaving = isEntered ? store.update(leave) : (store.note?.(leave) ?? store.update(leave));
      await withinPatience(
        clock,
        leaving.catch(() => undefined),
      );
    },
  };
}

/** Wakes at the earliest moment that was set. */
function makeAlarm(clock: Clock) {
  let next: { readonly at: number; readonly stop: AbortController } | null = null;
  return {
    set(at: number, now: number, wake: () => void): void {
      if (at <= now || !Number.isFinite(at) || (next !== null && next.at <= at)) return;
      next?.stop.abort();
      const stop = new AbortController();
      next = { at, stop };
      void clock.sleep(Math.max(1, at - now), stop.signal).then(() => {
        if (stop.signal.aborted) return;
        next = null;
        wake();
      });
    },
    stop: () => next?.stop.abort(),
  };
}

/** No run ends later because its store does not respond. */
async function withinPatience(clock: Clock, work: Promise<void> | null): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, clock.sleep(patienceMs, done.signal)]);
  done.abort();
}
