// Which live object each address stands for, as far as it is known.
import type { Address } from "../model/address.ts";
import { idKey } from "../model/id.ts";
import type { Plan } from "../model/plan.ts";
import type { StateEntry } from "../model/state.ts";

export interface Ids {
  of(address: Address): string | undefined;
  give(address: Address, id: string): void;
  /** True for what was live before this run and for what has been given to an address: it is not to be mistaken for ours. */
  isTaken(id: string): boolean;
}

export function makeIds(known: Iterable<string>): Ids {
  const byAddress = new Map<Address, string>();
  const taken = new Set(Array.from(known, idKey));
  return {
    of: (address) => byAddress.get(address),
    give(address, id) {
      byAddress.set(address, id);
      taken.add(idKey(id));
    },
    isTaken: (id) => taken.has(idKey(id)),
  };
}

/** Ids that the plan found; addresses that are yet to be made have none. */
export function givePlannedIds(ids: Ids, plan: Plan, remembered: Readonly<Record<Address, StateEntry>>): void {
  const toCome = new Set(plan.operations.flatMap((each) => (each.verb === "create" ? [each.address] : [])));
  function give(address: Address, id: string | null): void {
    if (id !== null && !toCome.has(address)) ids.give(address, id);
  }
  for (const [address, entry] of Object.entries(remembered)) give(address, entry.id);
  for (const seen of plan.seen) give(seen.address, seen.id);
  for (const change of plan.changes) give(change.address, change.id);
}
