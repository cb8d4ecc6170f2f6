// Whether a live entry names an object. What the service does not show is what was applied last; where nobody remembers
// that, what the document says of the entry is the best guess, and everything else stays open.
import type { Address } from "../model/address.ts";
import { idKey, sameId } from "../model/id.ts";
import type { Live } from "../model/live.ts";
import { isReference, type Value } from "../model/value.ts";
import type { Case } from "./case.ts";
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

/** The entries of a list by what they name. */
export interface NamingEntries {
  /** Those that name this object, or may do so, in the order of the list. */
  that(named: Named): readonly { readonly entry: Entry; readonly naming: Exclude<Naming, "names-another"> }[];
}

export function namingEntries(
  entries: readonly Entry[],
  sentAs: string,
  remember: Remember | undefined,
): NamingEntries {
  /** By an id or an address. */
  const sure = new Map<string, number[]>();
  /** Those that may name any object. */
  const open: number[] = [];
  for (const [index, entry] of entries.entries()) {
    const known = knownTarget(entry, sentAs, remember);
    if (known === undefined) open.push(index);
    else if (typeof known === "string") {
      const same = sure.get(idKey(known));
      if (same === undefined) sure.set(idKey(known), [index]);
      else same.push(index);
    }
  }
  return {
    that(named) {
      const meant = [named.id, ...named.addresses].flatMap((target) => sure.get(idKey(target)) ?? []);
      const indexes = open.length === 0 ? meant : [...open, ...meant];
      return [...new Set(indexes)]
        .sort((one, other) => one - other)
        .flatMap((index) => {
          const entry = entries[index] as Entry;
          const naming = namingOf(entry, sentAs, named, remember);
          return naming === "names-another" ? [] : [{ entry, naming }];
        });
    },
  };
}

/** What an entry names for certain: an id or an address, or nothing of the kind; undefined where it may name anything. */
function knownTarget(entry: Entry, sentAs: string, remember: Remember | undefined): Value | undefined {
  const shown = entry.live.fields[sentAs];
  if (shown !== undefined) return shown;
  const former = remember === undefined ? undefined : formerOf(entry, sentAs, remember);
  return former ?? (isSilent(entry, sentAs) ? null : former);
}

/** An entry of ours that says nothing of it names nobody, as far as anybody here has ever said. */
function isSilent({ managed }: Entry, sentAs: string): boolean {
  return managed !== undefined && managed.wish !== null && managed.wish.fields[sentAs] === undefined;
}

function namingOf(entry: Entry, sentAs: string, named: Named, remember: Remember | undefined): Naming {
  const shown = entry.live.fields[sentAs];
  if (shown !== undefined) return sameId(shown, named.id) ? "names" : "names-another";
  const former = remember === undefined ? undefined : formerOf(entry, sentAs, remember);
  if (former !== undefined) return isMeant(former, named) ? "names" : "names-another";
  const wished = entry.managed?.wish?.fields[sentAs];
  if (isReference(wished)) return isMeant(wished.$id, named) ? "names" : "may-name";
  return isSilent(entry, sentAs) ? "names-another" : "may-name";
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
