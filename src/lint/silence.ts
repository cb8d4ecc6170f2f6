import type { Address } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { silencingOf } from "../model/silencing.ts";
import type { Wish } from "../model/wish.ts";

/** Without what the objects ignore and can be silenced. An event's `ignore` counts for everything below it as well. */
export function silence(found: readonly Diagnostic[], wishes: readonly Wish[]): readonly Diagnostic[] {
  if (found.length === 0) return found;
  const ignored = new Map<Address, readonly string[]>();
  for (const wish of wishes) collect(wish, [], ignored);
  if (ignored.size === 0) return found;
  return found.filter(
    ({ address, code }) =>
      address === undefined || !ignored.get(address)?.includes(code) || silencingOf(code) !== "silenced",
  );
}

function collect(wish: Wish, inherited: readonly string[], ignored: Map<Address, readonly string[]>): void {
  const own = wish.own.ignore ?? [];
  const codes = own.length === 0 ? inherited : [...inherited, ...own];
  if (codes.length > 0) ignored.set(wish.address, codes);
  for (const list of Object.values(wish.children)) {
    for (const child of list) collect(child, codes, ignored);
  }
}
