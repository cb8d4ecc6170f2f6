// What will block a phase once tickets are sold. Nothing blocks it while people write it, and at its time it is too late to read.
import { soldKind } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import { type RiskCode, riskCodes } from "../../model/diagnostic.ts";
import type { OrderFigures } from "../../model/live.ts";
import type { ComingPhase } from "../../model/wish.ts";
import { compareInTime } from "../compare/compare-event.ts";
import { allComparisons, type EventComparison } from "../compare/comparison.ts";
import { recallFrom } from "../match/recall.ts";
import { judgeEvents, type RuleContext } from "./judge-events.ts";

/** `accepted`: what the files and the flags accept. */
export function blockedOnceSold(
  { at, around: [before, then] }: ComingPhase,
  accepted: Pick<RuleContext, "allow" | "allowIn">,
): readonly RiskCode[] {
  if (before.own.status !== "PUBLISHED") return [];
  // What a phase accepts counts for its end as well.
  const allow = [...(before.own.allow ?? []), ...(then.own.allow ?? [])];
  const event = compareInTime({ ...then, own: { ...then.own, allow } }, before);
  if (event === null) return [];
  const blocksIf = (orders: OrderFigures) => {
    const context = { ...accepted, now: Date.parse(at), remember: recallFrom(null, null), deletes: null };
    const secretPlace = { fate: "kept", host: null } as const;
    const { events } = judgeEvents([event], { ...context, secretPlace, ordersOf: () => orders });
    return events.flatMap(allComparisons).flatMap(({ change }) => (change?.blockedBy ?? []).map(({ code }) => code));
  };
  const anyway = new Set(blocksIf(ordersFor(new Map())));
  const codes = new Set(blocksIf(ordersFor(oneOfEach(event))));
  return riskCodes.filter((code) => codes.has(code) && !anyway.has(code));
}

/** One ticket of each type that is on sale before the phase. */
function oneOfEach({ lists }: EventComparison): ReadonlyMap<string, number> {
  const onSale = (lists[soldKind.name] ?? []).filter(({ fields }) => fields.published === true);
  return new Map(onSale.map(({ id }) => [idKey(id), 1]));
}

function ordersFor(sold: ReadonlyMap<string, number>): OrderFigures {
  return { total: sold.size, tickets: { completed: sold, notCanceled: sold, refunded: new Map() } };
}
