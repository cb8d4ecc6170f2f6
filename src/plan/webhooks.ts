import { kindOf } from "../kinds/index.ts";
import { makeAddress, sameId } from "../model/address.ts";
import type { Live, State } from "../model/live.ts";
import type { Wish } from "../model/wish.ts";
import { blockedObject, compareObject, createObject, deleteObject, type References } from "./compare/compare-object.ts";
import type { Comparison } from "./compare/comparison.ts";
import { matchList } from "./match/match-list.ts";
import type { Recall } from "./match/recall.ts";
import { judgeComparison, type RuleContext } from "./rules/judge.ts";

const kind = kindOf("webhook");
const noReferences: References = { addressOf: () => undefined, nameOf: (address) => address };

export interface WebhookInput {
  readonly wishes: readonly Wish[];
  readonly lives: readonly Live[];
  readonly state: State | null;
  readonly base: readonly Wish[];
  readonly remember: Recall;
  readonly resendUnreadable: boolean;
}

export interface ComparedWebhooks {
  readonly cases: readonly Comparison[];
  readonly unmanaged: number;
}

export function compareWebhooks(input: WebhookInput): ComparedWebhooks {
  const { pairs, surplus } = matchList(kind, input.wishes, input.lives, input.remember);
  const cases = pairs.map((pair) => {
    if (pair.block !== null) return blockedObject(kind, pair.wish, pair.block);
    if (pair.live === null) return createObject(kind, pair.wish, noReferences, input.remember(pair.wish.address));
    const memory = input.remember(pair.wish.address, pair.live.id);
    return compareObject(kind, pair.wish, pair.live, {
      memory,
      references: noReferences,
      resendUnreadable: input.resendUnreadable,
    });
  });
  const ours = surplus.filter((live) => isOurs(live, input));
  const removals = ours.map((live) => {
    const url = String(live.fields.url ?? live.id);
    return deleteObject(
      kind,
      makeAddress(null, kind.plural, url),
      live,
      null,
      "not listed in the webhooks file any more",
    );
  });
  return { cases: [...cases, ...removals], unmanaged: surplus.length - ours.length };
}

export function judgeWebhook(one: Comparison, court: RuleContext): Comparison {
  if (one.change === null || one.change.blockedBy.length > 0) return one;
  const none = { count: 0, any: false };
  const facts = {
    change: one.change,
    live: one.live,
    event: null,
    sold: none,
    eventSold: none,
    secretSink: court.secretSink,
    name: one.name,
  };
  return judgeComparison(one, facts, court.allow);
}

function isOurs(live: Live, input: WebhookInput): boolean {
  const known = Object.values(input.state?.objects ?? {}).some(
    (entry) => entry.kind === "webhook" && sameId(entry.id, live.id),
  );
  return known || input.base.some((wish) => wish.fields.url === live.fields.url);
}
