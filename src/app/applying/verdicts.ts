// What the rules say today about the changes that a saved plan allowed. What it accepts must be shown by it or written in the
// files: a plan file cannot speak for them.
import { kindOf, parentAddress } from "../../kinds/index.ts";
import { type Address, rootOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Block, Change, Plan } from "../../model/plan.ts";
import { groupBy, type SecretPlace } from "../../model/value.ts";
import { dayIn } from "../../model/wish.ts";
import { allComparisons, type Comparison, type EventComparison } from "../../plan/compare.ts";
import {
  acceptedByFiles,
  acceptedRisks,
  judgeEvents,
  judgeWebhooks,
  raisedLimit,
  tooManyDeletes,
} from "../../plan/judge.ts";
import { recallFrom } from "../../plan/match.ts";
import type { OrderReader } from "../../snapshot/read-organization.ts";
import type { PlanFlags } from "../planning/plan-session.ts";
import { readSales } from "../planning/read-children.ts";
import type { Session } from "../session/open-session.ts";
import { nameIn } from "./differences.ts";
import type { Reread } from "./reread.ts";

export interface NewVerdicts {
  /** Changes that the plan allowed and that would be blocked now, one sentence each. */
  readonly reasons: readonly string[];
  /** The risks that are accepted, in the words of the rules: those of a plan file are its author's. */
  readonly accepted: readonly Diagnostic[];
}

export async function newVerdicts(
  plan: Plan,
  again: Reread,
  { project, state }: Session,
  flags: PlanFlags,
  {
    orderReader,
    secretPlace,
    now,
  }: { readonly orderReader: OrderReader; readonly secretPlace: SecretPlace; readonly now: number },
): Promise<NewVerdicts> {
  const wishes = new Map(project.events.map((wish) => [wish.address, wish]));
  const allowed = plan.changes.filter((change) => change.blockedBy.length === 0);
  const byAddress = new Map(allowed.map((change) => [change.address, change]));
  const byParent = groupBy(allowed, ({ address }) => parentAddress(address) ?? "");
  const allowIn = new Map(plan.seen.map((seen) => [seen.address, seen.allow]));

  const events: EventComparison[] = [];
  for (const { kind, address, allow, protected: wasProtected } of plan.seen) {
    if (kind !== "event") continue;
    const event: EventComparison = {
      self: comparisonOf(address, byAddress.get(address) ?? null, again),
      children: (byParent.get(address) ?? []).map((change) => comparisonOf(change.address, change, again)),
      lists: again.lists.get(address) ?? {},
      protected: wasProtected === true || (wishes.get(address)?.own ?? state?.objects[address])?.protected === true,
    };
    const orders = await readSales(event, { allow, secretPlace }, orderReader);
    const context = {
      allow,
      secretPlace,
      ordersOf: () => orders,
      now: 0,
      remember: recallFrom(null, null),
      deletes: null,
    };
    events.push(...judgeEvents([event], context).events);
  }
  const webhooks = allowed
    .filter((change) => change.kind === "webhook")
    .flatMap((change) => {
      const allow = allowIn.get(change.address) ?? [];
      return judgeWebhooks([comparisonOf(change.address, change, again)], { allow, secretPlace });
    });

  const removed = plan.changes.filter(
    ({ action, kind, address }) => action === "delete" && kind === "event" && !wishes.has(address),
  );
  const limit = {
    maxDeletes: flags.maxDeletes ?? project.settings.maxDeletes,
    stated: flags.maxDeletes !== undefined,
    events: wishes.size + removed.length,
    // Those that other shards plan were counted when this plan was made.
    elsewhere: 0,
  };
  const shown = new Set(plan.diagnostics.map(({ code, address }) => `${code} ${address ?? ""}`));
  const limitRaised = shown.has("too-many-deletes ");
  const tooMany = limitRaised ? null : tooManyDeletes(events, limit);
  const judged = [...events.flatMap(allComparisons), ...webhooks];
  const accepted = acceptedByFiles(project.settings, dayIn(project.settings.timezone, now));
  const isAccepted = (code: string, address: Address) =>
    shown.has(`${code} ${address}`) ||
    [accepted.everywhere, flags.allow ?? [], accepted.of(rootOf(address), wishes.get(rootOf(address)))].some((allow) =>
      allow.includes(code),
    );
  const reasons = judged.flatMap(({ address, change, accepted: risks = [] }) => [
    ...(change?.blockedBy ?? []).map((block) => block.message),
    ...risks.filter(({ code }) => !isAccepted(code, address)).map(unaccepted),
  ]);
  return {
    reasons: tooMany === null ? reasons : [...reasons, tooMany.message],
    accepted: [...(limitRaised ? raisedLimit(events, limit) : []), ...judged.flatMap(acceptedRisks)],
  };
}

function unaccepted({ code, message }: Block): string {
  return `${message.replace(/\.$/, "")}, and neither the plan nor the files say that \`${code}\` is accepted`;
}

/** Without a change, it is an event. */
function comparisonOf(address: Address, change: Change | null, again: Reread): Comparison {
  return {
    kind: kindOf(change?.kind ?? "event"),
    address,
    wish: null,
    live: again.lives.get(address) ?? null,
    name: change?.context?.name ?? nameIn(address),
    change,
    obstacles: [],
    unknown: [],
  };
}
