// `--target`: what is not named keeps its case and loses its change.
import type { Case, EventCase } from "./case.ts";
import type { IsTargeted } from "./targets.ts";

export function limitEvent(event: EventCase, isTargeted: IsTargeted): EventCase {
  const children = event.children.map((child) => limitCase(child, isTargeted));
  const isNeeded = event.self.change?.action === "create" && children.some((child) => child.change !== null);
  const self = limitCase(event.self, isTargeted);
  return { ...event, self: isNeeded && self.change === null ? asDraft(event.self) : self, children };
}

/** What is to be made below an event that is not there needs the event; but a part of it is nothing to publish. */
function asDraft(self: Case): Case {
  return self.change === null ? self : { ...self, change: { ...self.change, transition: { from: null, to: "DRAFT" } } };
}

export function limitCase(one: Case, isTargeted: IsTargeted): Case {
  return one.change === null || isTargeted(one.address) ? one : { ...one, change: null };
}
