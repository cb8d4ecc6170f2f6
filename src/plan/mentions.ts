// Live entries that name something that goes, and what each of them is to name before that.
import type { Address } from "../model/address.ts";
import type { Edit } from "../model/change.ts";
import type { Mention } from "../model/plan.ts";
import type { EventCase } from "./case.ts";
import { heirOf, isGoing, type NamedBy, namedBy, ownEdit, wishedTarget } from "./references.ts";

/** By the address of what goes. */
export function mentionsOf(event: EventCase): ReadonlyMap<Address, readonly Mention[]> {
  const found = event.children
    .filter(isGoing)
    .map((going) => ({ going, naming: namedBy(event, going), heir: heirOf(event, going) ?? undefined }))
    .filter(({ naming }) => naming.length > 0);
  // What is certain counts more than what may be; of the rest, the first object that goes takes the entry along.
  const pointed = new Map<string, { readonly because: Address; readonly target: Address | null }>();
  for (const certain of [true, false]) {
    for (const { going, naming, heir } of found) {
      for (const one of naming) {
        if (one.certain !== certain || isSettled(one)) continue;
        const target = certain ? heir : wishedTarget(event, one);
        if (target === undefined || (!certain && pointed.has(one.live.id))) continue;
        pointed.set(one.live.id, { because: going.address, target });
      }
    }
  }
  return new Map(
    found.map(({ going, naming }) => [
      going.address,
      naming.map(({ live, managed, address }): Mention => {
        const pointer = pointed.get(live.id);
        const about = { id: live.id, address: managed?.address ?? address };
        return pointer?.because === going.address ? { ...about, target: pointer.target } : about;
      }),
    ]),
  );
}

/** Its own change takes care of what it names. */
function isSettled(one: NamedBy): boolean {
  return one.managed?.change?.action === "delete" || isShownEdit(ownEdit(one));
}

function isShownEdit(edit: Edit | undefined): boolean {
  return edit !== undefined && edit.unreadable !== true;
}
