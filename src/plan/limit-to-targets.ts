// `--target`: what is not named keeps its case and loses its change.
import type { Address } from "../model/address.ts";
import { isReference } from "../model/value.ts";
import type { Case, EventCase } from "./case.ts";
import type { IsTargeted } from "./targets.ts";

export function limitEvent(event: EventCase, isTargeted: IsTargeted): EventCase {
  const named = namedBy(event.children.filter((child) => child.change !== null && isTargeted(child.address)));
  const children = event.children.map((child) =>
    child.change?.action === "create" && named.has(child.address) ? child : limitCase(child, isTargeted),
  );
  const isNeeded = event.self.change?.action === "create" && children.some((child) => child.change !== null);
  const self = limitCase(event.self, isTargeted);
  return { ...event, self: isNeeded && self.change === null ? asDraft(event.self) : self, children };
}

/** What these name: an entry cannot be made before the performer whom it names. */
function namedBy(cases: readonly Case[]): ReadonlySet<Address> {
  return new Set(
    cases.flatMap(({ wish }) =>
      Object.values(wish?.fields ?? {}).flatMap((value) => (isReference(value) ? [value.$id] : [])),
    ),
  );
}

/** What is to be made below an event that is not there needs the event; but a part of it is nothing to publish. */
function asDraft(self: Case): Case {
  return self.change === null ? self : { ...self, change: { ...self.change, transition: { from: null, to: "DRAFT" } } };
}

export function limitCase(one: Case, isTargeted: IsTargeted): Case {
  return one.change === null || isTargeted(one.address) ? one : { ...one, change: null };
}
