// Keys are counted across files: a file by itself does not know what others call their events.
import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";

export interface EventKeys {
  /** How many events have each key so far. */
  readonly counts: ReadonlyMap<string, number>;
  /** Two events with one key are reported at both places, the first one once. */
  add(wish: Wish, problems: Diagnostic[]): void;
}

export function makeEventKeys(): EventKeys {
  const counts = new Map<string, number>();
  const firsts = new Map<string, Source>();
  /** The same keys without case, as each was first written. */
  const spellings = new Map<string, { readonly key: string; readonly source: Source }>();

  function addFirst(key: string, source: Source, problems: Diagnostic[]): void {
    firsts.set(key, source);
    const twin = spellings.get(key.toLowerCase());
    if (twin === undefined) spellings.set(key.toLowerCase(), { key, source });
    // Files whose names differ only in case are reported already.
    else if (twin.source.file === source.file || twin.source.file.toLowerCase() !== source.file.toLowerCase())
      problems.push(duplicateKey(`The keys ${twin.key} and ${key} differ only in case.`, key, 1, source, twin.source));
  }

  return {
    counts,
    add(wish, problems) {
      const key = wish.own.key ?? "";
      const source = wish.places.key ?? wish.source;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const first = firsts.get(key);
      if (first === undefined) {
        addFirst(key, source, problems);
        return;
      }
      const message = `Two events have the key ${key}.`;
      if (count === 2) problems.push(duplicateKey(message, key, 1, first, source));
      problems.push(duplicateKey(message, key, count, source, first));
    },
  };
}

function duplicateKey(message: string, key: string, nth: number, source: Source, other: Source): Diagnostic {
  const hint = "Give one of them another `key` (by default, the key is the file's name).";
  return {
    ...errorAt("duplicate-key", source, message, hint),
    address: makeAddress(null, kindOf("event").plural, key, nth),
    related: [{ message: "the other one", source: other }],
  };
}
