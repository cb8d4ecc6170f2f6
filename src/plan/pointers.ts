// Entries that are to name something else before what they name goes.
import { kindOf } from "../kinds/index.ts";
import type { Address } from "../model/address.ts";
import type { Edit } from "../model/change.ts";
import type { EventCase } from "./case.ts";
import { heirOf, isGoing, namedBy, ownEdit, wishedTarget } from "./references.ts";

/** An entry that must name another object, or nobody, before the one that it names, or may name, goes. */
export interface Pointer {
  readonly id: string;
  readonly address: Address;
  readonly plural: string;
  /** The field of the body that names. */
  readonly field: string;
  /** The address of the object that goes. */
  readonly because: Address;
  /** The address of the object that is to be named; null: none. */
  readonly target: Address | null;
}

export function pointersOf(event: EventCase): Map<string, Pointer> {
  const pointers = new Map<string, Pointer>();
  for (const going of event.children) {
    for (const naming of isGoing(going) ? namedBy(event, going) : []) {
      const { live, managed, referrer, certain, address } = naming;
      if (managed?.change?.action === "delete" || isShownEdit(ownEdit(naming))) continue;
      const target = certain ? (heirOf(event, going) ?? undefined) : wishedTarget(event, naming);
      // What is certain counts more than what may be.
      if (target === undefined || (!certain && pointers.has(live.id))) continue;
      const { plural } = kindOf(referrer.kind);
      pointers.set(live.id, {
        id: live.id,
        address: managed?.address ?? address,
        plural,
        field: referrer.policy.sentAs,
        because: going.address,
        target,
      });
    }
  }
  return pointers;
}

function isShownEdit(edit: Edit | undefined): boolean {
  return edit !== undefined && edit.unreadable !== true;
}
