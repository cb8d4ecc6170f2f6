// The calls for one event, in an order that never shows the public anything half done:
// unpublish, the event itself, what is new or changed below it, what goes, and publish or archive at the very end.
import type { Body, Verb } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import { createBody, patchBody } from "./bodies.ts";
import { childOperations } from "./child-operations.ts";
import type { EventSubject, OperationDraft, Subject } from "./subject.ts";

type StepDraft = Omit<OperationDraft, "needs">;

/** The calls that change an event's status: before all others, or after them. */
export function statusDrafts(
  self: Subject,
  path: string,
): { first: readonly OperationDraft[]; last: readonly StepDraft[] } {
  const transition = self.change?.transition ?? null;
  const step = self.kind.steps.find((one) => one.from === (transition?.from ?? "DRAFT") && one.to === transition?.to);
  if (step === undefined) return { first: [], last: [] };
  const drafts = step.verbs.map((verb) => ({
    address: self.address,
    ...statusCall(verb, path),
    because: self.address,
    ...(step.fallback === undefined ? {} : { fallback: step.fallback }),
  }));
  return step.place === "first"
    ? { first: drafts.map((draft) => ({ ...draft, needs: [] })), last: [] }
    : { first: [], last: drafts };
}

function statusCall(verb: Verb, path: string): Pick<OperationDraft, "verb" | "method" | "path"> {
  return verb === "delete" ? { verb, method: "DELETE", path } : { verb, method: "POST", path: `${path}/${verb}` };
}

export function eventOperations(event: EventSubject): readonly OperationDraft[] {
  const { self } = event;
  if (self.change === null && event.children.every((child) => child.change === null)) return [];
  const path = `/events/${self.id ?? `{${self.address}}`}`;
  const status = statusDrafts(self, path);
  const drafts: OperationDraft[] = [...status.first];
  const before: OperationDraft[] = [...status.first];
  const own = ownDraft(event, path, status.first);
  if (own !== null) drafts.push(own);
  if (own?.verb === "create") before.push(own);
  drafts.push(...childOperations(event, path, before));
  // Nothing is shown to the public, or closed for good, while something below it is not as wished.
  const isHeld = event.children.some((child) => (child.change?.blockedBy.length ?? 0) > 0);
  if (!isHeld) for (const step of status.last) drafts.push({ ...step, needs: [...drafts] });
  return drafts;
}

function ownDraft(event: EventSubject, path: string, needs: readonly OperationDraft[]): OperationDraft | null {
  const { kind, change, address } = event.self;
  if (change?.action === "create") {
    const body = { ...createBody(kind, event.self, (reference) => reference), ...inlineBody(event) };
    return { address, verb: "create", method: "POST", path: "/events", body, because: address, needs };
  }
  const body = change?.action === "update" ? patchBody(kind, change, event.self, (reference) => reference) : null;
  return body === null ? null : { address, verb: "update", method: "PATCH", path, body, because: address, needs };
}

/** Ticket types are made with their event: one call, and never an event without them. */
function inlineBody(event: EventSubject): Body {
  const inline = groupBy(
    event.children.filter(({ kind, change }) => kind.inline && change !== null),
    ({ kind }) => kind.plural,
  );
  return Object.fromEntries(
    Array.from(inline, ([plural, children]) => [
      plural,
      children.map((child) => createBody(child.kind, child, (reference) => reference)),
    ]),
  );
}
