// Rules and risks: a pass of its own over changes that are already known.
import type { Facts, Verdict } from "../kinds/define.ts";
import type { Block } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Live } from "../model/live.ts";
import type { OrderFigures, Sold } from "../model/sales.ts";
import type { Case, EventCase } from "./case.ts";
import { withBlocks } from "./compare.ts";
import { soldOfEvent, soldOfTicket } from "./sold.ts";

export interface Court {
  /** Risks accepted for the project or on the command line. */
  readonly allow: readonly string[];
  readonly secretSink: boolean;
  readonly ordersOf: (eventId: string) => OrderFigures | undefined;
}

/** The same event with every forbidden change marked. */
export function judgeEvent(event: EventCase, court: Court): EventCase {
  const allow = allowedFor(event, court);
  function judged(one: Case): Case {
    return judgeCase(one, factsOf(one, event, court), allow, protectionOf(event, one));
  }
  return { ...event, self: judged(event.self), children: event.children.map(judged) };
}

export function judgeCase(one: Case, facts: Facts | null, allow: readonly string[], more: readonly Block[] = []): Case {
  if (one.change === null || facts === null) return one;
  const all = verdictsOf(one, facts);
  const accepted = all.filter((verdict) => verdict.risk && allow.includes(verdict.code));
  const verdicts = all.filter((verdict) => !accepted.includes(verdict));
  const blocks = [...verdicts.map(({ code, message, hint }) => ({ code, message, hint })), ...more];
  const change = blocks.length === 0 ? one.change : withBlocks(one.change, blocks);
  return { ...one, change, ...(accepted.length === 0 ? {} : { accepted }) };
}

/** A risk that was accepted is still told: whoever reviews the plan has to know. */
export function acceptedRisks(one: Case): readonly Diagnostic[] {
  const source = one.wish?.source;
  return (one.accepted ?? []).map(({ code, message }) => ({
    code,
    severity: "info",
    message: `Accepted: ${message}`,
    address: one.address,
    ...(source === undefined || one.change?.source === null ? {} : { source }),
  }));
}

export function allowedFor(event: EventCase, court: Pick<Court, "allow">): readonly string[] {
  return [...court.allow, ...(event.self.wish?.own.allow ?? [])];
}

/** What is still to be known of sales: whether a verdict holds at all, or only the number that its message names. */
export type SalesNeed = "verdict" | "number" | null;

/** Asked before orders are read. */
export function salesNeed(event: EventCase, court: Court): SalesNeed {
  let need: SalesNeed = null;
  for (const one of [event.self, ...event.children]) {
    const facts = factsOf(one, event, court);
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

export function factsOf(one: Case, event: EventCase, court: Court): Facts | null {
  if (one.change === null || one.change.blockedBy.length > 0) return null;
  const live = event.self.live;
  const orders = live === null ? undefined : court.ordersOf(live.id);
  const eventSold = live === null ? { count: 0, any: false } : soldOfEvent(event.lists.ticket, orders);
  return {
    change: one.change,
    live: one.live,
    event: live,
    sold: one.kind.name === event.self.kind.name ? eventSold : soldOfCase(one.live, orders),
    eventSold,
    secretSink: court.secretSink,
    name: one.name,
  };
}

function soldOfCase(live: Live | null, orders: OrderFigures | undefined): Sold {
  return live === null ? { count: 0, any: false } : soldOfTicket(live, orders);
}

function verdictsOf(one: Case, facts: Facts): readonly Verdict[] {
  return one.kind.rules.map((rule) => rule(facts)).filter((verdict) => verdict !== null);
}

function codes(verdicts: readonly Verdict[]): string {
  return verdicts.map((verdict) => verdict.code).join(" ");
}

function protectionOf(event: EventCase, one: Case): readonly Block[] {
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
