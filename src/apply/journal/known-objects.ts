// What is remembered while a journal is replayed, found by address, by id, and by what it is below: state may hold sixty thousand
// objects, and a journal may delete or rename a thousand of them.
import { type Address, rootOf } from "../../model/address.ts";
import type { StateEntry } from "../../model/live.ts";

export interface KnownObjects {
  /** What is remembered now. */
  readonly objects: Readonly<Record<Address, StateEntry>>;
  set(address: Address, entry: StateEntry): void;
  /** The address that remembers this live object. */
  addressOf(id: string): Address | undefined;
  remove(address: Address): void;
  /** Forgets an object and everything below it. */
  forget(address: Address): void;
}

interface Index {
  readonly byId: Map<string, Address>;
  readonly byRoot: Map<Address, Set<Address>>;
}

export function knownObjects(before: Readonly<Record<Address, StateEntry>>): KnownObjects {
  const objects: Record<Address, StateEntry> = { ...before };
  // Most journals only create and change what is there: then it is not needed.
  let index: Index | null = null;

  function indexed(): Index {
    if (index === null) {
      index = { byId: new Map(), byRoot: new Map() };
      for (const [address, { id }] of Object.entries(objects)) add(index, address, id);
    }
    return index;
  }

  function add({ byId, byRoot }: Index, address: Address, id: string): void {
    if (objects[byId.get(id) ?? ""]?.id !== id) byId.set(id, address);
    const root = rootOf(address);
    const below = byRoot.get(root);
    if (below === undefined) byRoot.set(root, new Set([address]));
    else below.add(address);
  }

  function remove(address: Address): void {
    delete objects[address];
    index?.byRoot.get(rootOf(address))?.delete(address);
  }

  return {
    objects,
    set(address, entry) {
      objects[address] = entry;
      if (index !== null) add(index, address, entry.id);
    },
    addressOf(id) {
      const address = indexed().byId.get(id);
      if (address === undefined || objects[address]?.id === id) return address;
      // It was remembered twice, and one of the two is gone.
      return Object.keys(objects).find((each) => objects[each]?.id === id);
    },
    remove,
    forget(address) {
      for (const each of indexed().byRoot.get(rootOf(address)) ?? []) {
        if (each === address || each.startsWith(`${address}/`)) remove(each);
      }
    },
  };
}
