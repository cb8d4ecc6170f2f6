// The calls that follow from what a plan shows and saw, and from nothing else. A plan is made with it, and a saved plan is
// held against it: a call that does not follow from the changes somebody read is not made.
import { kindOf, kinds, parentAddress } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Change, Observed, Operation, Plan, Summary } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import { webhookOperations } from "./child-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { type EventSubject, numberDrafts, type OperationDraft, type Subject, subjectOf } from "./subject.ts";

// Changes that must wait while a related one is blocked: half of a move or of a rename is worse than none.

/** Addresses of changes that wait although nothing forbids them by themselves. */
function heldBack(event: EventSubject): readonly Address[] {
  const changed = event.children.filter((child) => child.change !== null);
  // A program on the new date, or more tickets for the new room, while the event itself stays where it is.
  if (isBlocked(event.self)) return changed.map((child) => child.address);
  /** Kinds of which one was to go and cannot. */
  const staying = new Set(
    changed.filter((child) => child.change?.action === "delete" && isBlocked(child)).map((child) => child.kind),
  );
  // A new ticket type beside one that was to go and cannot: both would be on sale.
  return changed
    .filter((child) => child.change?.action === "create" && child.kind.inline && staying.has(child.kind))
    .map((child) => child.address);
}

function isBlocked(one: Subject): boolean {
  return (one.change?.blockedBy.length ?? 0) > 0;
}

/** Webhooks first, so that every sale of a new event is notified; deletions last. */
export function deriveOperations({ changes, seen }: Pick<Plan, "changes" | "seen">): readonly Operation[] {
  const events = eventSubjects(changes, seen);
  const blocked = new Set(changes.filter((change) => change.blockedBy.length > 0).map((change) => change.address));
  for (const event of events) for (const address of heldBack(event)) blocked.add(address);
  const hooks = webhookOperations(topSubjects("webhook", changes, seen));
  const staying: OperationDraft[] = [];
  const going: OperationDraft[] = [];
  for (const event of events)
    (event.self.change?.action === "delete" ? going : staying).push(...eventOperations(event));
  return numberDrafts([...hooks.making, ...staying, ...hooks.removing, ...going], blocked);
}

function eventSubjects(changes: readonly Change[], seen: readonly Observed[]): readonly EventSubject[] {
  const parents = (address: string) => parentAddress(address) ?? "";
  const changesBelow = groupBy(changes, ({ address }) => parents(address));
  const seenBelow = groupBy(seen, ({ address }) => parents(address));
  return topSubjects("event", changes, seen).map((self) => {
    const below = new Map(seenBelow.get(self.address)?.map((one) => [one.address, one]));
    const changed = [...(changesBelow.get(self.address) ?? [])].sort((one, other) => rankOf(one) - rankOf(other));
    const children = changed.flatMap((change) => {
      const one = below.get(change.address);
      below.delete(change.address);
      return one === undefined ? [] : [subjectOf(one, change)];
    });
    // The others were observed only because something names them.
    return { self, children: [...children, ...Array.from(below.values(), (one) => subjectOf(one, null))] };
  });
}

function topSubjects(
  kind: Observed["kind"],
  changes: readonly Change[],
  seen: readonly Observed[],
): readonly Subject[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  return seen.filter((one) => one.kind === kind).map((one) => subjectOf(one, byAddress.get(one.address) ?? null));
}

/** An object comes before those that refer to it. */
function rankOf({ kind }: Change): number {
  return kinds.indexOf(kindOf(kind) as unknown as (typeof kinds)[number]);
}

/** Counts what would be done: a change that is blocked counts as blocked and as nothing else. */
export function summarize(
  changes: readonly Change[],
  operations: readonly Operation[],
  unchanged: number,
  unmanaged: number | null,
): Summary {
  const open = changes.filter((change) => change.blockedBy.length === 0);
  const actions = (action: Change["action"]) => open.filter((change) => change.action === action).length;
  const verbs = (verb: Operation["verb"]) => operations.filter((operation) => operation.verb === verb).length;
  return {
    create: actions("create"),
    update: actions("update"),
    replace: actions("replace"),
    delete: actions("delete"),
    publish: verbs("publish"),
    unpublish: verbs("unpublish"),
    archive: verbs("archive"),
    soldOut: verbs("sold-out"),
    unchanged,
    blocked: changes.length - open.length,
    unmanaged,
  };
}
