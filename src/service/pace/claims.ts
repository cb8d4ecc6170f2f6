// Our share of a limit that several runs use. A run claims calls in the ledger before it sends them, by one atomic update that shows what
// the others have sent and claimed, and gives back what it does not need. Claims are made ahead so that no call waits for the store, and a
// killed run loses only a few. If the store fails, calls go as if there were no ledger.
import type { Clock } from "../clock.ts";
import type { LedgerChange, LedgerData, LedgerStore } from "./ledger.ts";
import { makeLedgerView, type RunEntries } from "./ledger-view.ts";
import type { Meter } from "./meter.ts";
import { makeUpdateTiming, shortestClaimMs } from "./update-timing.ts";

/** Before its first claim, a run may use one sixteenth of what is left: eight runs that start together use half. */
const openingPart = 16;
/** A first claim is never smaller than this if that much is left: a plan of one event takes about four calls. */
const leastFirst = 4;
/** How many calls a run claims before its speed is known: as many as it sends at once by default (`--parallelism`). */
const firstWant = 8;
/** A claim is to last for two intervals, so that one late update does not stop the calls. */
const intervalsWanted = 2;
/** A run that still lacks calls asks for twice as many: from eight to the largest tier's minute in seven steps. */
const wantGrowth = 2;
/** A claim is renewed when half of it is used or its time is half over; the other half lasts while the store responds. */
const renewAt = 1 / 2;
/** A run that is alone claims at most half of what is left, so that one that joins finds as much. */
const alonePart = 1 / 2;
/** A run shorter than this enters nothing in the ledger until it ends, so a plan of a few events writes nothing. */
const quietMs = 5000;
/** A run that waits alone checks this often whether others have joined: the shortest claim, so that both soon share. */
const aloneMs = shortestClaimMs;
/** A run without a call for this long returns its claim. Most calls are shorter, so a pause between two does not count. */
const idleMs = 2000;
/** Clocks are not expected to differ by more than this: by a minute, every call in the shortest window would seem to have lapsed. */
const clockToleranceMs = 60_000;
/** How long calls wait for a store that does not respond: the time it gets to say which version it has. */
const patienceMs = 15_000;

export interface ClaimsOptions {
  readonly store: LedgerStore;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly random: () => number;
}

export type Claims = ReturnType<typeof makeClaims>;

export function makeClaims({ store, meter, clock, random }: ClaimsOptions) {
  const view = makeLedgerView(meter);
  const { service, peersAtWork } = view;
  const timing = makeUpdateTiming(peersAtWork, random);
  const { intervalMs, claimMs, gapMs, aheadMs, isFailing } = timing;
  let loading: Promise<void> | null = null;
  let isLoaded = false;
  /** Our entry is in the ledger. */
  let isEntered = false;
  let enteredAt = 0;
  let isClosed = false;
  let firstCallAt = 0;
  let activeAt = 0;
  /** How much of the claim may still be sent, how large it was, and until when it lasts. */
  let allowance = 0;
  let claimed = 0;
  let until = 0;
  let want = firstWant;
  let begunThen = 0;
  let endedThen = 0;
  let updating: Promise<void> | null = null;
  /** When the store last showed that it is there. */
  let heardAt = 0;
  let updatedAt = 0;
  /** Calls that wait, and whether only a claim is missing. */
  let waiting = 0;
  let isAsking = false;
  let timer: { readonly at: number; readonly stop: AbortController } | null = null;
  let onChange: () => void = () => undefined;

  /** How many calls may be sent without a claim, as long as no other run is known to be active. */
  function opening(now: number): number {
    return Math.floor((meter.left(now) + meter.begun()) / openingPart);
  }

  /** Whether our clock might be so far ahead that the limit only seems free. Later writes of other runs correct it. */
  function mayOnlySeemFree(now: number): boolean {
    if (!peersAtWork() || service.isSet() || meter.begun() > 0) return false;
    return meter.left(now - clockToleranceMs) < 1 && (!isEntered || now - enteredAt < patienceMs);
  }

  function mustEnter(now: number): boolean {
    if (isEntered || peersAtWork() || isAsking) return true;
    return meter.begun() > 0 && (now - firstCallAt > quietMs || meter.begun() >= opening(now) * renewAt);
  }

  function permits(now: number): boolean {
    if (!meter.hasLimits() || isFailing()) return true;
    if (updating !== null && now - heardAt >= patienceMs) return true;
    if (mayOnlySeemFree(now)) return false;
    // The window should have reset: one call finds out, and until then there is nothing to claim.
    if (meter.left(now) < 1) return !peersAtWork();
    if (isEntered || peersAtWork()) return allowance >= 1 && now < until;
    return meter.begun() < opening(now);
  }

  /** When the ledger is to be updated next; infinite if there is no reason. */
  function nextUpdate(now: number): number {
    if (updating !== null) return heardAt + patienceMs;
    if (isClosed || !meter.hasLimits() || !mustEnter(now)) return Number.POSITIVE_INFINITY;
    const hasCalled = meter.begun() > begunThen;
    let at = Number.POSITIVE_INFINITY;
    if (!isEntered || (isAsking && !mayOnlySeemFree(now)) || (hasCalled && allowance <= claimed * renewAt))
      at = updatedAt + gapMs();
    if (hasCalled || meter.ended() > endedThen) at = Math.min(at, updatedAt + intervalMs());
    if (allowance > 0 || meter.inFlight() > 0) at = Math.min(at, until - claimMs() * renewAt);
    if (waiting > 0) {
      // Others may give calls back before the window frees any, and a run that joins must be noticed.
      at = Math.min(at, updatedAt + Math.max(intervalMs(), peersAtWork() ? 0 : aloneMs));
      if (allowance < 1 && !mayOnlySeemFree(now))
        at = Math.min(at, Math.max(now + meter.wait(now).ms - aheadMs(), updatedAt + gapMs()));
    }
    return isFailing() ? Math.max(at, updatedAt + gapMs()) : at;
  }

  /** Updates now if it is time, or sets the timer. */
  function attend(): void {
    const now = clock.now();
    let at = nextUpdate(now);
    if (at <= now && updating === null) {
      updating = update();
      at = now + patienceMs;
    }
    if (at <= now || !Number.isFinite(at) || (timer !== null && timer.at <= at)) return;
    timer?.stop.abort();
    const stop = new AbortController();
    timer = { at, stop };
    void clock.sleep(Math.max(1, at - now), stop.signal).then(() => {
      if (stop.signal.aborted) return;
      timer = null;
      if (updating !== null) onChange();
      attend();
    });
  }

  async function update(): Promise<void> {
    const began = clock.now();
    heardAt = began;
    let proposal: Proposal | null = null;
    let begunMeanwhile = 0;
    try {
      await store.update((kept) => {
        heardAt = clock.now();
        proposal = propose(view.usable(kept), heardAt);
        // What is given back is given back from now on.
        allowance = Math.min(allowance, proposal.grant);
        begunMeanwhile = meter.begun();
        return proposal.data;
      });
      if (proposal !== null) accept(proposal, meter.begun() - begunMeanwhile);
      // A store that never called back has stored nothing.
      timing.ended(clock.now() - began, proposal !== null);
    } catch {
      timing.failed();
    }
    updating = null;
    updatedAt = clock.now();
    isAsking = false;
    onChange();
    attend();
  }

  interface Proposal {
    readonly grant: number;
    readonly until: number;
    /** Undefined: nothing to write. */
    readonly data: LedgerData | undefined;
    readonly begun: number;
    readonly ended: number;
  }

  function accept(proposal: Proposal, begunMeanwhile: number): void {
    ({ until } = proposal);
    claimed = proposal.grant;
    allowance = proposal.grant - begunMeanwhile;
    if (!isEntered && proposal.data !== undefined) {
      isEntered = true;
      enteredAt = clock.now();
    }
    begunThen = proposal.begun;
    endedThen = proposal.ended;
  }

  /** The next ledger, with a fair share for us. */
  function propose(ledger: LedgerData, now: number): Proposal {
    const others = view.read(ledger, now, isEntered);
    const grant = fairGrant(others, now);
    const end = now + claimMs();
    const [begun, ended] = [meter.begun(), meter.ended()];
    const isHungry = waiting > 0 || meter.inFlight() > 0 || begun > begunThen;
    const isIdle = isEntered && grant === 0 && allowance === 0 && begun === begunThen && ended === endedThen;
    const isKnown = view.own(ledger)?.hungry === isHungry && !view.hasUntimed(others, now);
    const data =
      isIdle && isKnown ? undefined : view.withOwn(ledger, others, grant + meter.inFlight(), end, isHungry, now);
    return { grant, until: end, data, begun, ended };
  }

  /** All get the same share of what is left and what is claimed, but none more than it can use soon. */
  function fairGrant(others: RunEntries, now: number): number {
    const room = meter.left(now + aheadMs());
    const left = isEntered || meter.begun() === 0 ? room : firstRoom(room);
    const begun = meter.begun() - begunThen;
    const perMs = begun / Math.max(1, now - updatedAt);
    want = Math.max(firstWant, Math.ceil(perMs * intervalsWanted * intervalMs()), isAsking ? want * wantGrowth : 0);
    if (mayOnlySeemFree(now) || (waiting === 0 && meter.inFlight() === 0 && now - activeAt > idleMs)) return 0;
    const rivals = view.rivals(others, now);
    if (rivals.count === 0) return Math.min(left, Math.max(want, Math.ceil(left * alonePart)));
    return Math.min(left, want, Math.ceil((left + rivals.claimed) / (rivals.count + 1)));
  }

  /** Others that have begun at the same moment may not have entered yet. */
  function firstRoom(room: number): number {
    return Math.max(0, Math.min(room - openingPart, Math.max(leastFirst, Math.floor(room / openingPart))));
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

  /** No run ends later because its store does not respond. */
  async function withinPatience(work: Promise<void> | null): Promise<void> {
    const done = new AbortController();
    await Promise.race([work, clock.sleep(patienceMs, done.signal)]);
    done.abort();
  }

  return {
    /** Null once the ledger is in. */
    ready(): Promise<void> | null {
      if (isLoaded) return null;
      loading ??= load();
      return loading;
    },
    /** Whether our claim allows a call now; the meter knows the limits themselves. */
    permits,
    /** Other runs use the limit at this time. */
    hasPeers: peersAtWork,
    listen(listener: () => void): void {
      onChange = listener;
    },
    /** A call begins. */
    spend(now: number): void {
      if (firstCallAt === 0) firstCallAt = now;
      activeAt = now;
      allowance = Math.max(0, allowance - 1);
      attend();
    },
    /** `lacksClaim`: the limits would let a call go. */
    wait(calls: number, lacksClaim: boolean): void {
      waiting = calls;
      isAsking ||= lacksClaim;
      attend();
    },
    /** A call ended; with its Date, if a response came. */
    ended(date: string | null, sentAt: number, now: number): void {
      service.observe(date, sentAt, now);
      activeAt = now;
      attend();
    },
    async flush(): Promise<void> {
      isClosed = true;
      timer?.stop.abort();
      await withinPatience(updating);
      if (meter.begun() === 0 || (!isEntered && !meter.hasLimits())) return;
      const leave: LedgerChange = (kept) => view.without(kept, clock.now(), isEntered);
      const leaving = isEntered ? store.update(leave) : (store.note?.(leave) ?? store.update(leave));
      await withinPatience(leaving.catch(() => undefined));
    },
  };
}
