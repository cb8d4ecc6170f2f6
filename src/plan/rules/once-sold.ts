// What will block a phase once tickets are sold. Nothing blocks it yet when it is written, and when it is due, a warning comes too late.
import { soldKind } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import type { OrderFigures } from "../../model/live.ts";
import { type Change, onceSoldCodes, type PlannedPhase } from "../../model/plan.ts";
import { type ComingPhase, dayIn, ownRisks, risksAccepted, type Settings } from "../../model/wish.ts";
import { compareInTime } from "../compare/compare-event.ts";
import { allComparisons, type EventComparison, mapEvent } from "../compare/comparison.ts";
import { recallFrom } from "../match/recall.ts";
import { judgeEvents } from "./judge-events.ts";

/** `changes`: what the phase itself does; others may begin or end with it. `flags`: risks accepted on the command line. */
export function blockedOnceSold(
  { at, address, around: [before, then] }: ComingPhase,
  changes: readonly Change[],
  { settings, flags }: { readonly settings: Pick<Settings, "allow" | "timezone">; readonly flags: readonly string[] },
): NonNullable<PlannedPhase["blockedOnceSold"]> {
  if (changes.length === 0 || before.own.status !== "PUBLISHED") return [];
  const compared = compareInTime(then, before);
  if (compared === null) return [];
  const own = new Map(changes.map((change) => [change.address, change]));
  const event = mapEvent(compared, (one) => ({ ...one, change: own.get(one.address) ?? null }));
  // What is accepted today may no longer be then; what a phase accepts counts for its end as well.
  const day = dayIn(settings.timezone, Date.parse(at));
  const inDocument = [...(before.own.allow ?? []), ...(then.own.allow ?? [])];
  const allow = [
    ...flags,
    ...[null, address].flatMap((each) => risksAccepted(settings.allow, each, day)),
    ...ownRisks({ address, own: { allow: inDocument } }, day),
  ];
  const blocksIf = (orders: OrderFigures) => {
    const context = { allow, now: Date.parse(at), remember: recallFrom(null, null), deletes: null };
    const secretPlace = { fate: "kept", host: null } as const;
    const { events } = judgeEvents([event], { ...context, secretPlace, ordersOf: () => orders });
    return events.flatMap(allComparisons).flatMap(({ change }) => (change?.blockedBy ?? []).map(({ code }) => code));
  };
  const codes = new Set(blocksIf(ordersFor(oneOfEach(event))));
  const found = onceSoldCodes.filter((code) => codes.has(code));
  if (found.length === 0) return found;
  const anyway = new Set(blocksIf(ordersFor(new Map())));
  return found.filter((code) => !anyway.has(code));
}

/** One ticket of each type that is on sale before the phase. */
function oneOfEach({ lists }: EventComparison): ReadonlyMap<string, number> {
  const onSale = (lists[soldKind.name] ?? []).filter(({ fields }) => fields.published === true);
  return new Map(onSale.map(({ id }) => [idKey(id), 1]));
}

function ordersFor(sold: ReadonlyMap<string, number>): OrderFigures {
  return { total: sold.size, tickets: { completed: sold, notCanceled: sold, refunded: new Map() } };
}
