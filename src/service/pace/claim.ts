// The calls that one run may send of a shared limit: how many, until when, and when and how many it asks for next.
import type { LedgerData } from "./ledger.ts";
import type { LedgerView, RunEntries } from "./ledger-view.ts";
import type { Meter } from "./meter.ts";

// How often the shared ledger is updated, and how long a claim lasts: both follow from how long the store takes.

/**
 * A run at work updates every twenty times as long as an update takes, so that the store spends a twentieth of its time on it; at
 * most once a second, and often enough that others learn within one claim what was not used.
 */
const intervalsPerUpdate = 20;
const shortestIntervalMs = 1000;
const longestIntervalMs = 10_000;
/** A claim lasts for three intervals, so that one update may fail and the next still renews it; five seconds in a fast store. */
const intervalsPerClaim = 3;
const shortestClaimMs = 5000;
/** If room is scarce, updates to get more of it are at least this far apart: four a second, however fast the store is. */
const shortestGapMs = 250;
/** Each gap is multiplied by a random factor from 0.75 to 1.25, so that runs do not all update at the same moment. */
const leastGapPart = 0.75;
const gapSpread = 0.5;
/** A request is in the store after two updates at most: one in flight, and our own. */
const updatesAhead = 2;
/** A store that fails is tried again after two seconds, then after twice as long each time, up to half a minute. */
const firstBackoffMs = 2000;
const longestBackoffMs = 30_000;
/** The weight of the latest update in the mean of how long they take: one slow update does not slow down the next ten. */
const newestPart = 0.3;

export type UpdateTiming = ReturnType<typeof makeUpdateTiming>;

export function makeUpdateTiming(hasPeers: () => boolean, random: () => number) {
  let updateMs = 0;
  let failures = 0;

  function intervalMs(): number {
    return Math.min(Math.max(updateMs * intervalsPerUpdate, shortestIntervalMs), longestIntervalMs);
  }

  return {
    /** How often a run at work updates. */
    intervalMs,
    claimMs: () => Math.max(shortestClaimMs, intervalsPerClaim * intervalMs()),
    /** How long after an update the next one may come. */
    gapMs(): number {
      if (failures > 0) return Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
      const gap = hasPeers() ? Math.max(shortestGapMs, updatesAhead * updateMs) : shortestGapMs;
      return gap * (leastGapPart + random() * gapSpread);
    },
    /** How far ahead room is claimed: until the next update can be in the store. */
    aheadMs: () => shortestGapMs + updatesAhead * updateMs,
    isFailing: () => failures > 0,
    /** Before the first update: how long one will probably take. */
    expect(ms: number): void {
      updateMs = ms;
    },
    /** An update came to its end; `kept`: it is in the store. */
    ended(ms: number, kept: boolean): void {
      failures = kept ? 0 : failures + 1;
      updateMs = updateMs === 0 ? ms : updateMs * (1 - newestPart) + ms * newestPart;
    },
    failed(): void {
      failures++;
    },
  };
}

// What is claimed.

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
export const patienceMs = 15_000;

/** How many calls may be sent without a claim, as long as no other run is known to be active. */
function opening(meter: Meter, now: number): number {
  return Math.floor((meter.left(now) + meter.begun()) / openingPart);
}

/** Others that have begun at the same moment may not have entered yet. */
function firstRoom(room: number): number {
  return Math.max(0, Math.min(room - openingPart, Math.max(leastFirst, Math.floor(room / openingPart))));
}

/** All get the same share of what is left and what is claimed, but none more than it can use soon. */
function fairShare(left: number, want: number, rivals: ReturnType<LedgerView["rivals"]>): number {
  if (rivals.count === 0) return Math.min(left, Math.max(want, Math.ceil(left * alonePart)));
  return Math.min(left, want, Math.ceil((left + rivals.claimed) / (rivals.count + 1)));
}

export function makeClaim(meter: Meter, view: LedgerView, timing: UpdateTiming) {
  const { peersAtWork } = view;
  const { intervalMs, claimMs, gapMs, aheadMs } = timing;
  /** Our entry is in the ledger. */
  let isEntered = false;
  let enteredAt = 0;
  let firstCallAt = 0;
  let activeAt = 0;
  /** How much of the claim may still be sent, how large it was, and until when it lasts. */
  let allowance = 0;
  let claimed = 0;
  let until = 0;
  let want = firstWant;
  let begunThen = 0;
  let endedThen = 0;
  let updatedAt = 0;
  /** Calls that wait, and whether only a claim is missing. */
  let waiting = 0;
  let isAsking = false;

  /** Whether our clock might be so far ahead that the limit only seems free. Later writes of other runs correct it. */
  function mayOnlySeemFree(now: number): boolean {
    if (!peersAtWork() || view.service.isSet() || meter.begun() > 0) return false;
    return meter.left(now - clockToleranceMs) < 1 && (!isEntered || now - enteredAt < patienceMs);
  }

  function mustEnter(now: number): boolean {
    if (isEntered || peersAtWork() || isAsking) return true;
    return meter.begun() > 0 && (now - firstCallAt > quietMs || meter.begun() >= opening(meter, now) * renewAt);
  }

  /** While calls wait. */
  function nextForWaiting(now: number): number {
    // Others may give calls back before the window frees any, and a run that joins must be noticed.
    const at = updatedAt + Math.max(intervalMs(), peersAtWork() ? 0 : aloneMs);
    if (allowance >= 1 || mayOnlySeemFree(now)) return at;
    return Math.min(at, Math.max(now + meter.wait(now).ms - aheadMs(), updatedAt + gapMs()));
  }

  function fairGrant(others: RunEntries, now: number): number {
    const room = meter.left(now + aheadMs());
    const left = isEntered || meter.begun() === 0 ? room : firstRoom(room);
    const perMs = (meter.begun() - begunThen) / Math.max(1, now - updatedAt);
    want = Math.max(firstWant, Math.ceil(perMs * intervalsWanted * intervalMs()), isAsking ? want * wantGrowth : 0);
    if (mayOnlySeemFree(now) || (waiting === 0 && meter.inFlight() === 0 && now - activeAt > idleMs)) return 0;
    return fairShare(left, want, view.rivals(others, now));
  }

  /** The next ledger, with a fair share for us. What is given back is given back from now on. No `data`: there is nothing to write. */
  function propose(ledger: LedgerData, now: number) {
    const others = view.read(ledger, now, isEntered);
    const grant = fairGrant(others, now);
    const end = now + claimMs();
    const [begun, ended] = [meter.begun(), meter.ended()];
    const isHungry = waiting > 0 || meter.inFlight() > 0 || begun > begunThen;
    const isIdle = isEntered && grant === 0 && allowance === 0 && begun === begunThen && ended === endedThen;
    const isKnown = view.own(ledger)?.hungry === isHungry && !view.hasUntimed(others, now);
    const data =
      isIdle && isKnown ? undefined : view.withOwn(ledger, others, grant + meter.inFlight(), end, isHungry, now);
    allowance = Math.min(allowance, grant);
    return { grant, until: end, data, begun, ended };
  }

  return {
    isEntered: () => isEntered,
    permits(now: number): boolean {
      if (mayOnlySeemFree(now)) return false;
      // The window should have reset: one call finds out, and until then there is nothing to claim.
      if (meter.left(now) < 1) return !peersAtWork();
      if (isEntered || peersAtWork()) return allowance >= 1 && now < until;
      return meter.begun() < opening(meter, now);
    },
    /** When the ledger is to be updated next; infinite if there is no reason. */
    nextUpdate(now: number): number {
      if (!mustEnter(now)) return Number.POSITIVE_INFINITY;
      const hasCalled = meter.begun() > begunThen;
      const isUsed = hasCalled && allowance <= claimed * renewAt;
      let at = Number.POSITIVE_INFINITY;
      if (!isEntered || (isAsking && !mayOnlySeemFree(now)) || isUsed) at = updatedAt + gapMs();
      if (hasCalled || meter.ended() > endedThen) at = Math.min(at, updatedAt + intervalMs());
      if (allowance > 0 || meter.inFlight() > 0) at = Math.min(at, until - claimMs() * renewAt);
      if (waiting > 0) at = Math.min(at, nextForWaiting(now));
      return timing.isFailing() ? Math.max(at, updatedAt + gapMs()) : at;
    },
    propose,
    /** It is stored. */
    accept(proposal: ReturnType<typeof propose>, now: number): void {
      ({ until, grant: claimed, begun: begunThen, ended: endedThen } = proposal);
      allowance = claimed - (meter.begun() - begunThen);
      if (!isEntered && proposal.data !== undefined) {
        isEntered = true;
        enteredAt = now;
      }
    },
    /** An update has ended, stored or not. */
    updated(now: number): void {
      updatedAt = now;
      isAsking = false;
    },
    spend(now: number): void {
      if (firstCallAt === 0) firstCallAt = now;
      activeAt = now;
      allowance = Math.max(0, allowance - 1);
    },
    wait(calls: number, lacksClaim: boolean): void {
      waiting = calls;
      isAsking ||= lacksClaim;
    },
    ended(now: number): void {
      activeAt = now;
    },
  };
}
