// Creates that were sent, not confirmed and not found: a late twin of them may still come.
import type { Address } from "../../model/address.ts";
import type { IntentEntry } from "../journal/journal-entry.ts";
import type { CreateAttempts } from "../journal/open-work.ts";

export interface UnconfirmedCreate {
  readonly address: Address;
  /** The attempts that were found absent. */
  readonly intents: readonly IntentEntry[];
  /** Ids that are not of these attempts, besides those that this run knows of. */
  readonly known: ReadonlySet<string>;
  /** When the last of them was sent, by the run's clock. */
  readonly since: number;
}

export interface UnconfirmedCreates {
  add(doubt: UnconfirmedCreate): void;
  all(): readonly UnconfirmedCreate[];
  /** Doubts about this object or anything below it. */
  within(address: Address): readonly UnconfirmedCreate[];
}

/** A doubt that an earlier run left. */
export function unconfirmedOf({ address, intents, known }: CreateAttempts): UnconfirmedCreate {
  return { address, intents, known, since: Math.max(0, ...intents.map((intent) => intent.at)) };
}

export function makeUnconfirmedCreates(): UnconfirmedCreates {
  const byAddress = new Map<Address, UnconfirmedCreate>();
  return {
    add(doubt) {
      const before = byAddress.get(doubt.address);
      byAddress.set(doubt.address, {
        ...doubt,
        intents: [...(before?.intents ?? []), ...doubt.intents],
        known: new Set([...(before?.known ?? []), ...doubt.known]),
      });
    },
    all: () => [...byAddress.values()],
    within: (address) =>
      [...byAddress.values()].filter((each) => each.address === address || each.address.startsWith(`${address}/`)),
  };
}

// How long it takes until what the service did shows in what it tells.

export interface Settle {
  /** Milliseconds to wait before something that is not shown counts as not there. */
  ms(): number;
  /** A list took so long to show something that was there. */
  sawLag(ms: number): void;
}

const margin = 4;

/** How much longer than that to look for what the service itself says is there. */
export const certainMs = 5000;

export function makeSettle(leastMs: number): Settle {
  let worst = 0;
  return {
    ms: () => Math.max(leastMs, margin * worst),
    sawLag(ms) {
      worst = Math.max(worst, ms);
    },
  };
}
