// Whether what a saved plan saw is still so: fields, statuses, lists, and what the rules say.
import { sameValue } from "../../kinds/canonical.ts";
import type { Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import { parentAddress } from "../../kinds/of-address.ts";
import { type Address, decodeSegment } from "../../model/address.ts";
import type { Change } from "../../model/change.ts";
import type { Live } from "../../model/live.ts";
import type { Plan, Seen } from "../../model/plan.ts";
import type { Case, EventCase } from "../../plan/case.ts";
import { judgeCase, judgeEvent } from "../../plan/judge.ts";
import type { OrderReader } from "../../snapshot/read-orders.ts";
import { readSales } from "../planning/read-sales.ts";
import type { SeenAgain } from "./read-seen.ts";

/** What differs from what the plan saw, one sentence each. */
export function differencesOf(plan: Plan, again: SeenAgain): readonly string[] {
  return plan.seen.flatMap((seen) => {
    const live = again.lives.get(seen.address) ?? null;
    if (seen.id === null) return [...foundAlready(seen, live), ...newcomers(seen, again)];
    if (live === null) return [`${seen.address} is not there any more`];
    return [...fieldDifferences(seen, live), ...listDifferences(seen, again)];
  });
}

function foundAlready({ address }: Seen, live: Live | null): readonly string[] {
  if (live === null) return [];
  return [`${address} is there already (${live.id}${live.status === "ARCHIVED" ? ", ARCHIVED" : ""})`];
}

/** A new plan would ask which of the two is meant. */
function newcomers({ address }: Seen, again: SeenAgain): readonly string[] {
  const live = again.newcomers.get(address);
  return live === undefined
    ? []
    : [`another event with the name of ${address}, or with its start and venue, has come up since (${live.id})`];
}

function fieldDifferences(seen: Seen, live: Live): readonly string[] {
  const kind: Kind = kindOf(seen.kind);
  const status = seen.status !== null && live.status !== null && seen.status !== live.status;
  const fields = Object.entries(seen.fields).filter(([field, value]) => {
    const policy = kind.fields[field];
    // Sales alone bring a ticket type to nothing remaining.
    if (policy?.role === "value" && policy.change === "sold-out") return false;
    const shown = live.fields[field];
    return shown !== undefined && !sameValue(shown, value);
  });
  return [
    ...(status ? [`${seen.address} is ${live.status} and was ${seen.status}`] : []),
    ...fields.map(([field]) => `\`${field}\` of ${seen.address} has another value`),
  ];
}

function listDifferences(seen: Seen, again: SeenAgain): readonly string[] {
  const lists = again.lists.get(seen.address) ?? {};
  return Object.entries(seen.lists ?? {}).flatMap(([name, ids]) => {
    const kind = kindOf(name as Seen["kind"]);
    const now = (lists[kind.name] ?? []).map((live) => live.id).sort();
    return sameValue(now, [...ids].sort()) ? [] : [`the ${kind.plural} of ${seen.address} are not the same any more`];
  });
}

export interface Retrial {
  readonly secretSink: boolean;
  readonly orders: OrderReader;
}

/** Changes that the plan allowed and that would be blocked now, one sentence each. */
export async function newVerdicts(plan: Plan, again: SeenAgain, retrial: Retrial): Promise<readonly string[]> {
  const allowed = plan.changes.filter((change) => change.blockedBy.length === 0);
  const judged: Case[] = [];
  for (const seen of plan.seen) {
    if (seen.kind !== "event") continue;
    const event = eventCase(seen, allowed, again);
    const court = { allow: seen.allow, secretSink: retrial.secretSink };
    const orders = await readSales(event, court, retrial.orders);
    const { self, children } = judgeEvent(event, { ...court, ordersOf: () => orders });
    judged.push(self, ...children);
  }
  for (const change of allowed.filter((each) => each.kind === "webhook")) {
    const one = caseOf(change, again);
    const none = { count: 0, any: false };
    const allow = plan.seen.find((seen) => seen.address === change.address)?.allow ?? [];
    const facts = {
      change,
      live: one.live,
      event: null,
      sold: none,
      eventSold: none,
      secretSink: retrial.secretSink,
      name: one.name,
    };
    judged.push(judgeCase(one, facts, allow));
  }
  return judged.flatMap((one) => one.change?.blockedBy.map((block) => block.message) ?? []);
}

function eventCase(seen: Seen, allowed: readonly Change[], again: SeenAgain): EventCase {
  const own = allowed.find((change) => change.address === seen.address);
  const below = allowed.filter((change) => parentAddress(change.address) === seen.address);
  const bare: Case = {
    kind: kindOf("event"),
    address: seen.address,
    wish: null,
    live: again.lives.get(seen.address) ?? null,
    name: nameIn(seen.address),
    change: null,
    unknown: [],
  };
  return {
    self: own === undefined ? bare : caseOf(own, again),
    children: below.map((change) => caseOf(change, again)),
    lists: again.lists.get(seen.address) ?? {},
    protected: false,
  };
}

function caseOf(change: Change, again: SeenAgain): Case {
  return {
    kind: kindOf(change.kind),
    address: change.address,
    wish: null,
    live: again.lives.get(change.address) ?? null,
    name: change.context?.name ?? nameIn(change.address),
    change,
    unknown: [],
  };
}

function nameIn(address: Address): string {
  return decodeSegment(address.slice(address.lastIndexOf("/") + 1));
}
