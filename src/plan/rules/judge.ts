// Rules and risks: a pass of its own over changes that are already known.
import type { Facts, Verdict } from "../../kinds/define.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live, OrderFigures, Sold } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import { withBlocks } from "../compare/compare-object.ts";
import type { Comparison, EventComparison } from "../compare/comparison.ts";
import { soldOfEvent, soldOfTicket } from "./sold.ts";

export interface RuleContext {
  /** Risks accepted for the project or on the command line. */
  readonly allow: readonly string[];
  readonly secretSink: boolean;
  readonly ordersOf: (eventId: string) => OrderFigures | undefined;
}

/** The same event with every forbidden change marked. */
export function judgeEvent(event: EventComparison, court: RuleContext): EventComparison {
  const allow = allowedFor(event, court);
  const factsOf = factsWithin(event, court);
  function judged(one: Comparison): Comparison {
    return judgeComparison(one, factsOf(one), allow, protectionOf(event, one));
  }
  return { ...event, self: judged(event.self), children: event.children.map(judged) };
}

export function judgeComparison(
  one: Comparison,
  facts: Facts | null,
  allow: readonly string[],
  more: readonly Block[] = [],
): Comparison {
  if (one.change === null || facts === null) return one;
  const all = verdictsOf(one, facts);
  const accepted = all.filter((verdict) => verdict.risk && allow.includes(verdict.code));
  const verdicts = all.filter((verdict) => !accepted.includes(verdict));
  const blocks = [...verdicts.map(({ code, message, hint }) => ({ code, message, hint })), ...more];
  const change = blocks.length === 0 ? one.change : withBlocks(one.change, blocks);
  return { ...one, change, ...(accepted.length === 0 ? {} : { accepted }) };
}

/** A risk that was accepted is still told: whoever reviews the plan has to know. */
export function acceptedRisks(one: Comparison): readonly Diagnostic[] {
  const source = one.wish?.source;
  return (one.accepted ?? []).map(({ code, message }) => ({
    code,
    severity: "info",
    message: `Accepted: ${message}`,
    address: one.address,
    ...(source === undefined || one.change?.source === null ? {} : { source }),
  }));
}

export function allowedFor(event: EventComparison, court: Pick<RuleContext, "allow">): readonly string[] {
  return [...court.allow, ...(event.self.wish?.own.allow ?? [])];
}

/** What is still to be known of sales: whether a verdict holds at all, or only the number that its message names. */
export type SalesNeed = "verdict" | "number" | null;

/** Asked before orders are read. */
export function salesNeed(event: EventComparison, court: RuleContext): SalesNeed {
  let need: SalesNeed = null;
  const factsOf = factsWithin(event, court);
  for (const one of [event.self, ...event.children]) {
    const facts = factsOf(one);
    if (facts === null || one.live === null) continue;
    const calm = verdictsOf(one, { ...facts, sold: least(facts.sold), eventSold: least(facts.eventSold) });
    const stormy = verdictsOf(one, { ...facts, sold: most(facts.sold), eventSold: most(facts.eventSold) });
    if (codes(calm) !== codes(stormy)) return "verdict";
    if (stormy.some((verdict, index) => verdict.message !== calm[index]?.message)) need = "number";
  }
  return need;
}

function least({ count, any }: Sold): Sold {
  if (count !== null) return { count, any };
  return any === true ? { count: 1, any } : { count: 0, any: false };
}

function most({ count, any }: Sold): Sold {
  if (count !== null) return { count, any };
  return any === false ? { count: 0, any } : { count: Number.MAX_SAFE_INTEGER, any: true };
}

/** What the rules may know of each object of an event. The sales of the whole are summed once, not for every ticket type again. */
function factsWithin(event: EventComparison, court: RuleContext): (one: Comparison) => Facts | null {
  const live = event.self.live;
  const orders = live === null ? undefined : court.ordersOf(live.id);
  const eventSold = live === null ? { count: 0, any: false } : soldOfEvent(event.lists.ticket, orders);
  return (one) => {
    if (one.change === null || one.change.blockedBy.length > 0) return null;
    return {
      change: one.change,
      live: one.live,
      event: live,
      sold: one.kind.name === event.self.kind.name ? eventSold : soldOfCase(one.live, orders),
      eventSold,
      secretSink: court.secretSink,
      name: one.name,
    };
  };
}

function soldOfCase(live: Live | null, orders: OrderFigures | undefined): Sold {
  return live === null ? { count: 0, any: false } : soldOfTicket(live, orders);
}

function verdictsOf(one: Comparison, facts: Facts): readonly Verdict[] {
  return one.kind.rules.map((rule) => rule(facts)).filter((verdict) => verdict !== null);
}

function codes(verdicts: readonly Verdict[]): string {
  return verdicts.map((verdict) => verdict.code).join(" ");
}

function protectionOf(event: EventComparison, one: Comparison): readonly Block[] {
  if (!event.protected || one.change === null) return [];
  const { action, transition } = one.change;
  const leaves = transition?.from === "PUBLISHED" && transition.to !== "PUBLISHED";
  const archived = transition?.to === "ARCHIVED" && transition.from !== null;
  if (action !== "delete" && !leaves && !archived) return [];
  return [
    {
      code: "protected",
      message: `'${event.self.name}' is protected: nothing of it is deleted, unpublished or archived.`,
      hint: "Remove `protected: true` from the document first, in a change of its own.",
    },
  ];
}

// A branch gone wrong or a moved folder looks like "delete everything": no such plan goes through by itself.

export interface DeleteLimit {
  readonly maxDeletes: number;
  /** Given on the command line: the person has counted. */
  readonly stated: boolean;
  /** Events the project has or had. */
  readonly events: number;
}

export function judgeDeletes(events: readonly EventComparison[], limit: DeleteLimit): readonly EventComparison[] {
  const block = tooMany(events, limit);
  if (block === null) return events;
  return events.map((event) => {
    const change = event.self.change;
    if (change === null || change.action !== "delete") return event;
    return { ...event, self: { ...event.self, change: withBlocks(change, [block]) } };
  });
}

/** A limit that somebody raised is still told, like every risk that is accepted. */
export function raisedLimit(events: readonly EventComparison[], limit: DeleteLimit): readonly Diagnostic[] {
  const block = tooMany(events, limit);
  return block === null ? [] : [{ code: block.code, severity: "info", message: `Accepted: ${block.message}` }];
}

function tooMany(events: readonly EventComparison[], limit: DeleteLimit): Block | null {
  const count = events.filter((event) => event.self.change?.action === "delete").length;
  const overLimit = count > limit.maxDeletes;
  const overHalf = !limit.stated && count >= 3 && count * 2 > limit.events;
  if (!overLimit && !overHalf) return null;
  const why = overLimit
    ? `more than the ${limit.maxDeletes} that are allowed at once`
    : `over half of the project's ${limit.events}`;
  return {
    code: "too-many-deletes",
    message: `${formatCount(count)} events would be deleted: ${why}.`,
    hint: `Check that no file was moved or lost. If it is meant, pass --max-deletes ${count}.`,
  };
}
