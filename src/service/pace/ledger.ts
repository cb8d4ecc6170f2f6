// The calls of the last hour of all runs that share a rate limit, and what active runs have claimed of it. Without it, a run
// that starts right after another would think that the whole limit is free, and two at once would use it twice. Instants are
// the service's, as far as its Date headers show them: the clocks of the runs need not agree.
import type { PaceLedger } from "../../model/outside.ts";
import { isObject } from "../../model/value.ts";
import { type Span, type Tier, tiers } from "./rate-headers.ts";

export interface LedgerData {
  readonly version: 2;
  readonly tier: Tier | null;
  /** The limits that were known; under others the calls below were never counted. */
  readonly limits: KnownLimits;
  /** The calls of runs that have ended. */
  readonly calls: Counts;
  /** Calls of other clients, as far as they were observed. */
  readonly others: Counts;
  /** The active runs, by a random name, and those that were cut off, until their calls no longer count. */
  readonly runs: Readonly<Record<string, LedgerRun>>;
}

export type KnownLimits = Readonly<Partial<Record<Span, number>>>;

/** How many calls happened when: [milliseconds since the epoch, how many]. */
export type Counts = readonly (readonly [at: number, count: number])[];

export interface LedgerRun {
  /** When it wrote this. */
  readonly at: number;
  readonly calls: Counts;
  /** How many more calls it may have sent since, or may send until `until`. A killed run counts as having sent all. */
  readonly claim: number;
  readonly until: number;
  /** It has calls to send: what is left is shared with it. */
  readonly hungry: boolean;
  /** The instants are by the service's clock, not only by its own. */
  readonly timed: boolean;
}

export type LedgerChange = (kept: unknown) => LedgerData | undefined;

/** Keeps one ledger for each service and organization. */
export type LedgerStore = PaceLedger<LedgerData>;

export const emptyLedger: LedgerData = { version: 2, tier: null, limits: {}, calls: [], others: [], runs: {} };

/** More than twice what `gatherCounts` leaves of an hour: 2,400 fine entries and 696 coarse ones. */
const mostEntries = 7200;
/** A run is forgotten after an hour: enough for one every seven seconds, all of them cut off. */
const mostRuns = 500;
/** More calls than any tier allows in an hour: such a count is damage. */
const mostCalls = 5 * tiers.enterprise.hour;

export function readLedger(value: unknown): LedgerData {
  if (!isObject(value) || value.version !== 2) return emptyLedger;
  const { tier, limits, calls, others, runs } = value;
  const entries = isObject(runs) ? Object.entries(runs).slice(0, mostRuns) : [];
  return {
    version: 2,
    tier: tier === "free" || tier === "pro" || tier === "enterprise" ? tier : null,
    limits: isObject(limits) ? readLimits(limits) : {},
    calls: readCounts(calls),
    others: readCounts(others),
    runs: Object.fromEntries(
      entries.flatMap(([name, entry]) => {
        const run = readRun(entry);
        return run === null ? [] : [[name, run]];
      }),
    ),
  };
}

function readLimits({ minute, hour }: Readonly<Record<string, unknown>>): KnownLimits {
  return { ...(isCount(minute) ? { minute } : {}), ...(isCount(hour) ? { hour } : {}) };
}

/** Calls counted under one of them count under the other; what is unknown contradicts nothing. */
export function isSameLimits(one: KnownLimits, other: KnownLimits): boolean {
  const isKnown = [one, other].every((limits) => Object.keys(limits).length > 0);
  return !isKnown || (one.minute === other.minute && one.hour === other.hour);
}

function readRun(value: unknown): LedgerRun | null {
  if (!isObject(value)) return null;
  const { at, calls, claim, until, hungry, timed } = value;
  if (!isCount(at) || !isCount(until) || !isCount(claim) || claim > mostCalls) return null;
  return { at, calls: readCounts(calls), claim, until, hungry: hungry === true, timed: timed === true };
}

function readCounts(value: unknown): Counts {
  if (!Array.isArray(value)) return [];
  const good = value.filter(
    (each): each is [number, number] =>
      Array.isArray(each) && isCount(each[0]) && isCount(each[1]) && each[1] > 0 && each[1] <= mostCalls,
  );
  return good.slice(-mostEntries).sort(byTime);
}

function isCount(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}

function byTime(one: readonly [number, number], other: readonly [number, number]): number {
  return one[0] - other[0];
}

const hourMs = 3_600_000;
/** A minute's window is counted finely; older calls matter only to the hour, where a few seconds are nothing. */
const fineMs = 120_000;
const fineGrainMs = 50;
const coarseGrainMs = 5000;

/** In order, few entries, none of more than an hour ago; each at the end of its grain, so that none lapses too soon. */
export function gatherCounts(counts: Counts, now: number): Counts {
  const sums = new Map<number, number>();
  for (const [at, count] of counts) {
    if (at <= now - hourMs) continue;
    const grain = at > now - fineMs ? fineGrainMs : coarseGrainMs;
    const slot = Math.ceil(at / grain) * grain;
    sums.set(slot, (sums.get(slot) ?? 0) + count);
  }
  return [...sums].map(([at, count]) => [at, Math.round(count * 100) / 100] as const).sort(byTime);
}

export function countsStill(run: LedgerRun, now: number): boolean {
  return Math.max(run.at, run.until) > now - hourMs;
}

/** A run that waits for the minute to pass is silent that long. */
const silentMs = 90_000;

export function isAtWork(run: LedgerRun, now: number): boolean {
  return run.at > now - silentMs;
}
