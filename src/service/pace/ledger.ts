// The ledger between runs: without it, a run that starts right after another would think the whole limit free.
import type { Tier } from "./tier.ts";

export interface LedgerData {
  readonly version: 1;
  readonly tier: Tier | null;
  /** The limits that were known; under others the calls below were never counted. */
  readonly limits: readonly number[];
  /** Calls of ours in the last hour: [second since the epoch, how many]. */
  readonly calls: readonly (readonly [second: number, count: number])[];
  /** Calls of others, as far as they were seen. */
  readonly others: readonly (readonly [second: number, count: number])[];
}

/** Keeps one ledger per service and organization. What it loads may be missing or damaged: then nothing is known. */
export interface LedgerStore {
  load(): Promise<unknown>;
  save(data: LedgerData): Promise<void>;
}

export function readLedger(value: unknown): LedgerData | null {
  if (typeof value !== "object" || value === null || !("version" in value) || value.version !== 1) return null;
  const { tier, limits, calls, others } = value as Record<string, unknown>;
  return {
    version: 1,
    tier: tier === "free" || tier === "pro" || tier === "enterprise" ? tier : null,
    limits: Array.isArray(limits) ? limits.filter((each) => Number.isFinite(each)) : [],
    calls: pairs(calls),
    others: pairs(others),
  };
}

function pairs(value: unknown): readonly (readonly [number, number])[] {
  if (!Array.isArray(value)) return [];
  const good = value.filter(
    (each): each is [number, number] =>
      Array.isArray(each) && Number.isFinite(each[0]) && Number.isFinite(each[1]) && each[1] > 0 && each[1] <= 100_000,
  );
  return good.slice(-7200).sort((one, other) => one[0] - other[0]);
}
