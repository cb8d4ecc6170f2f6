// Our calls of the last hour, kept between runs: without them, a run that starts right after another would think the whole
// limit free. They only save time and refusals: if the store fails, the calls still go.
import type { Clock } from "../clock.ts";
import { type Tier, tiers } from "./rate-headers.ts";

export interface LedgerData {
  readonly version: 1;
  readonly tier: Tier | null;
  /** The limits that were known; under others the calls below were never counted. */
  readonly limits: readonly number[];
  /** Our calls in the last hour: [second since the epoch, how many]. */
  readonly calls: readonly (readonly [second: number, count: number])[];
  /** Calls of other clients, as far as they were observed. */
  readonly others: readonly (readonly [second: number, count: number])[];
}

export type LedgerChange = (kept: unknown) => LedgerData | undefined;

/** Keeps one ledger per service and organization. What it loads may be missing or damaged: then nothing is known. */
export interface LedgerStore {
  load(): Promise<unknown>;
  /** Compare and swap: writes what `change` makes of what is there now; nothing if that is undefined. */
  update(change: LedgerChange): Promise<void>;
  /** The same for what is not worth a write that others see; left out: `update` serves. */
  note?(change: LedgerChange): Promise<void>;
}

/** Twice the seconds of an hour: more entries than any ledger has. */
const mostEntries = 7200;
/** More calls than any tier allows in an hour: such a count is damage. */
const mostCalls = 5 * tiers.enterprise.hour;
/** A run that is killed forgets at most two seconds of its calls. */
const saveEveryMs = 2000;

function readLedger(value: unknown): LedgerData | null {
  if (typeof value !== "object" || value === null || !("version" in value) || value.version !== 1) return null;
  const { tier, limits, calls, others } = value as Record<string, unknown>;
  return {
    version: 1,
    tier: tier === "free" || tier === "pro" || tier === "enterprise" ? tier : null,
    limits: Array.isArray(limits) ? limits.filter((each) => Number.isFinite(each)) : [],
    calls: readEntries(calls),
    others: readEntries(others),
  };
}

function readEntries(value: unknown): LedgerData["calls"] {
  if (!Array.isArray(value)) return [];
  const good = value.filter(
    (each): each is [number, number] =>
      Array.isArray(each) &&
      Number.isFinite(each[0]) &&
      Number.isFinite(each[1]) &&
      each[1] > 0 &&
      each[1] <= mostCalls,
  );
  return good.slice(-mostEntries).sort((one, other) => one[0] - other[0]);
}

interface LedgerSource {
  load(data: LedgerData, now: number): void;
  dump(now: number): LedgerData;
}

export type LedgerKeeper = ReturnType<typeof keepLedger>;

export function keepLedger(store: LedgerStore, meter: LedgerSource, clock: Clock) {
  let loading: Promise<void> | null = null;
  let loaded = false;
  let dirty = false;
  let savedAt = clock.now();
  let saving: Promise<void> = Promise.resolve();

  async function load(): Promise<void> {
    try {
      const data = readLedger(await store.load());
      if (data !== null) meter.load(data, clock.now());
    } catch {
      // A ledger that cannot be read says nothing.
    }
    loaded = true;
  }

  function save(): Promise<void> {
    dirty = false;
    savedAt = clock.now();
    const data = meter.dump(savedAt);
    saving = saving.then(() => store.note?.(() => data) ?? store.update(() => data)).catch(() => {});
    return saving;
  }

  return {
    /** Null once the earlier ledger is in. */
    ready(): Promise<void> | null {
      if (loaded) return null;
      loading ??= load();
      return loading;
    },
    /** A call ended. */
    touch(): void {
      dirty = true;
      if (clock.now() - savedAt > saveEveryMs) void save();
    },
    async flush(): Promise<void> {
      await (dirty ? save() : saving);
    },
  };
}
