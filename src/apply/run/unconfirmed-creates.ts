// Creates that were sent, not confirmed and not found: they may still show up late.
import type { Address } from "../../model/address.ts";
import type { CreateAttempts } from "../journal/open-work.ts";

export interface UnconfirmedCreates {
  add(attempts: CreateAttempts): void;
  all(): readonly CreateAttempts[];
  /** Those of this object and of anything below it. */
  within(address: Address): readonly CreateAttempts[];
}

export function makeUnconfirmedCreates(): UnconfirmedCreates {
  const byAddress = new Map<Address, CreateAttempts>();
  return {
    add(attempts) {
      const { address, intents, known } = attempts;
      const before = byAddress.get(address);
      byAddress.set(address, {
        ...attempts,
        intents: before === undefined ? intents : [...before.intents, ...intents],
        known: new Set([...(before?.known ?? []), ...known]),
      });
    },
    all: () => [...byAddress.values()],
    within: (address) =>
      [...byAddress.values()].filter((each) => each.address === address || each.address.startsWith(`${address}/`)),
  };
}

/** How long the service may take to show what it did. */
export interface Settle {
  /** Milliseconds to wait before something that is not shown counts as missing. */
  ms(): number;
  /** A list took this long to show something that was there. */
  sawLag(ms: number): void;
}

const margin = 4;

/** How much longer to wait for what the service itself says is there. */
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
