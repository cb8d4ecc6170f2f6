// The calls that follow from what a plan shows and saw, and from nothing else. A plan is made with it, and a saved plan is
// held against it: a call that does not follow from the changes somebody read is not made.
import { kindOf, kinds } from "../kinds/index.ts";
import { parentAddress } from "../kinds/of-address.ts";
import type { Change } from "../model/change.ts";
import { groupBy } from "../model/group-by.ts";
import type { Operation } from "../model/operation.ts";
import type { Plan, Seen } from "../model/plan.ts";
import { type Draft, numberDrafts } from "./draft.ts";
import { eventOperations } from "./event-operations.ts";
import { heldBack } from "./hold-back.ts";
import { type EventSubject, type Subject, subjectOf } from "./subject.ts";
import { webhookOperations } from "./webhook-operations.ts";

/** Webhooks first, so that no sale of a new event goes untold; what goes for good comes last. */
export function deriveOperations({ changes, seen }: Pick<Plan, "changes" | "seen">): readonly Operation[] {
  const events = eventSubjects(changes, seen);
  const blocked = new Set(changes.filter((change) => change.blockedBy.length > 0).map((change) => change.address));
  for (const event of events) for (const address of heldBack(event)) blocked.add(address);
  const hooks = webhookOperations(topSubjects("webhook", changes, seen));
  const staying: Draft[] = [];
  const going: Draft[] = [];
  for (const event of events)
    (event.self.change?.action === "delete" ? going : staying).push(...eventOperations(event));
  return numberDrafts([...hooks.making, ...staying, ...hooks.removing, ...going], blocked);
}

function eventSubjects(changes: readonly Change[], seen: readonly Seen[]): readonly EventSubject[] {
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
    // What is left was seen because others name it.
    return { self, children: [...children, ...Array.from(below.values(), (one) => subjectOf(one, null))] };
  });
}

function topSubjects(kind: Seen["kind"], changes: readonly Change[], seen: readonly Seen[]): readonly Subject[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  return seen.filter((one) => one.kind === kind).map((one) => subjectOf(one, byAddress.get(one.address) ?? null));
}

/** What is referred to comes before what refers to it. */
function rankOf({ kind }: Change): number {
  return kinds.indexOf(kindOf(kind) as unknown as (typeof kinds)[number]);
}
