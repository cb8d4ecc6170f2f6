import type { FieldPolicy, Kind } from "./define.ts";

const known = new WeakMap<object, readonly (readonly [string, FieldPolicy])[]>();

/** The fields of a kind with their policies; made once, because it is asked for every object. */
export function fieldEntries(kind: Kind): readonly (readonly [string, FieldPolicy])[] {
  let entries = known.get(kind);
  if (entries === undefined) {
    entries = Object.entries(kind.fields);
    known.set(kind, entries);
  }
  return entries;
}
