// What must not go ahead while something beside it is blocked: half of a move or of a rename hurts more than none of it.
import type { Address } from "../model/address.ts";
import type { EventSubject, Subject } from "./subject.ts";

/** Addresses of changes that wait although nothing forbids them by themselves. */
export function heldBack(event: EventSubject): readonly Address[] {
  const changed = event.children.filter((child) => child.change !== null);
  // A programme on the new date, or more tickets for the new room, while the event itself stays where it is.
  if (isBlocked(event.self)) return changed.map((child) => child.address);
  return changed.filter((child) => replacesWhatStays(child, event)).map((child) => child.address);
}

/** A new ticket type beside one that was to go and cannot: both would be on sale. */
function replacesWhatStays(child: Subject, event: EventSubject): boolean {
  if (child.change?.action !== "create" || !child.kind.inline) return false;
  return event.children.some(
    (other) => other.kind === child.kind && other.change?.action === "delete" && isBlocked(other),
  );
}

function isBlocked(one: Subject): boolean {
  return (one.change?.blockedBy.length ?? 0) > 0;
}
