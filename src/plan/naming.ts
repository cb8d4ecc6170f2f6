// Whether a live entry names an object. What the service does not show is what was applied last; where nobody remembers
// that, what the document says of the entry is the best guess, and everything else stays open.
import { type Address, makeAddress } from "../model/address.ts";
import { sameId } from "../model/id.ts";
import type { Live } from "../model/live.ts";
import { isReference, type Value } from "../model/value.ts";
import type { Case, EventCase } from "./case.ts";
import { appliedTo, type Remember } from "./memory.ts";

export type Naming = "names" | "may-name" | "names-another";

/** An entry that may name something, with its case where the document manages it. */
export interface Entry {
  readonly live: Live;
  readonly managed: Case | undefined;
  /** The address that it would have; shared by those of one name. */
  readonly address: Address;
  readonly isOnlyOfItsName: boolean;
}

export interface Named {
  readonly id: string;
  /** Its own, and that of what takes its place. */
  readonly addresses: readonly Address[];
}

export function namingOf(entry: Entry, sentAs: string, named: Named, remember: Remember | undefined): Naming {
  const shown = entry.live.fields[sentAs];
  if (shown !== undefined) return sameId(shown, named.id) ? "names" : "names-another";
  const former = remember === undefined ? undefined : formerOf(entry, sentAs, remember);
  if (former !== undefined) return isMeant(former, named) ? "names" : "names-another";
  const wished = entry.managed?.wish?.fields[sentAs];
  if (isReference(wished)) return isMeant(wished.$id, named) ? "names" : "may-name";
  // An entry of ours that says nothing of it names nobody, as far as anybody here has ever said.
  const isSilent = entry.managed !== undefined && entry.managed.wish !== null && wished === undefined;
  return isSilent ? "names-another" : "may-name";
}

/** State remembers an id, a base the address; undefined: nothing. */
function formerOf({ live, managed, address, isOnlyOfItsName }: Entry, sentAs: string, remember: Remember) {
  // A base knows entries by name alone: which of several is meant, it cannot tell.
  const known = managed?.address ?? (isOnlyOfItsName ? address : "");
  return appliedTo(remember(known, live.id), sentAs);
}

function isMeant(former: Value, { id, addresses }: Named): boolean {
  return typeof former === "string" && (sameId(former, id) || addresses.includes(former));
}

export function entryOf(event: EventCase, live: Live, plural: string, label: string, lives: readonly Live[]): Entry {
  const name = live.fields[label];
  return {
    live,
    managed: event.children.find((child) => child.live?.id === live.id),
    address: makeAddress(event.self.address, plural, typeof name === "string" ? name : live.id),
    isOnlyOfItsName: lives.every((other) => other === live || other.fields[label] !== name),
  };
}
