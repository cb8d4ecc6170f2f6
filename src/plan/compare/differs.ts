import { sameValue } from "../../kinds/index.ts";
import { rootOf } from "../../model/address.ts";
import type { State } from "../../model/live.ts";
import { groupBy, isReference } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { canonicalJson } from "../fingerprint.ts";

/** Whether a document differs from what it said at the base; its position in a file does not count. */
export function differsFromBase(wish: Wish, base: Wish | undefined): boolean {
  // A file that was not changed is read once for both.
  if (wish === base) return false;
  return base === undefined || canonicalJson(meaning(wish)) !== canonicalJson(meaning(base));
}

function meaning(wish: Wish): unknown {
  const children = Object.fromEntries(Object.entries(wish.children).map(([kind, list]) => [kind, list.map(meaning)]));
  // Silencing a remark changes nothing on the service.
  const { ignore: _, ...own } = wish.own;
  return { address: wish.address, fields: wish.fields, own, children };
}

/**
 * Whether something else than a document was applied last, as far as state knows: by a run of a part, by one that failed, or from
 * uncommitted files. The revision that was last applied as a whole says nothing of these.
 */
export function differsFromState({ objects }: State): (wish: Wish) => boolean {
  const known = groupBy(Object.entries(objects), ([address]) => rootOf(address));

  function isOtherwise({ address, fields }: Wish): boolean {
    const applied = objects[address]?.applied ?? {};
    return Object.entries(fields).some(([field, value]) => {
      const before = applied[field];
      return before !== undefined && !isReference(value) && !sameValue(before, value);
    });
  }

  return (wish) => {
    const children = Object.values(wish.children).flat();
    const named = new Set(children.map(({ address }) => address));
    const managed = new Set(Object.keys(wish.children));
    // An entry of a managed list that the document no longer names.
    const surplus = (known.get(wish.address) ?? []).some(
      ([address, { kind }]) => managed.has(kind) && !named.has(address),
    );
    return surplus || [wish, ...children].some(isOtherwise);
  };
}
