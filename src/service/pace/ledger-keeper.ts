// Carries the ledger from run to run. It only saves time and refusals: when the store fails, the calls still go.
import type { Clock } from "../clock.ts";
import { type LedgerStore, readLedger } from "./ledger.ts";
import type { Meter } from "./meter.ts";

export interface LedgerKeeper {
  /** Null once the earlier ledger is in. */
  ready(): Promise<void> | null;
  /** A call ended. */
  touch(): void;
  flush(): Promise<void>;
}

const everyMs = 2000;

export function keepLedger(store: LedgerStore, meter: Meter, clock: Clock): LedgerKeeper {
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
      // A ledger that cannot be read is a ledger that says nothing.
    }
    loaded = true;
  }

  function save(): Promise<void> {
    dirty = false;
    savedAt = clock.now();
    const data = meter.dump(savedAt);
    saving = saving.then(() => store.save(data)).catch(() => {});
    return saving;
  }

  return {
    ready() {
      if (loaded) return null;
      loading ??= load();
      return loading;
    },
    touch() {
      dirty = true;
      if (clock.now() - savedAt > everyMs) void save();
    },
    async flush() {
      await (dirty ? save() : saving);
    },
  };
}
