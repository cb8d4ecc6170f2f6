// Webhooks, from the file to judged comparisons. They are read only if the files, the base or state know some.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Account, Live } from "../../model/live.ts";
import type { Change } from "../../model/plan.ts";
import { type Comparison, differsFromBase, differsFromState, shardFilter } from "../../plan/compare.ts";
import { holdUnreviewed, judgeWebhooks, maySeeWebhooks, webhooksNotVisible } from "../../plan/judge.ts";
import type { Recall } from "../../plan/match.ts";
import { compareWebhooks } from "../../plan/webhooks.ts";
import { readWebhooks } from "../../snapshot/read-lists.ts";
import { ReadFailure } from "../../snapshot/reader.ts";
import { isFresh, type PlanInputs } from "./plan-inputs.ts";

export interface WebhookNeed {
  /** Whether the plan is about webhooks at all. */
  readonly matter: boolean;
  /** Whether they are read: not with a key that may not, unless the plan is about nothing else. */
  readonly read: boolean;
}

/** `events`: how many events the plan looks at. */
export function needOfWebhooks(inputs: PlanInputs, account: Account, events: number): WebhookNeed {
  const matter = webhooksMatter(inputs);
  return { matter, read: matter && (maySeeWebhooks(account) || isAboutWebhooks(inputs, events)) };
}

export interface WebhooksRead {
  readonly judged: readonly Comparison[];
  /** Changes that were not reviewed. */
  readonly held: readonly Change[];
  /** null: they were not read. */
  readonly unmanaged: number | null;
  /** Says that the key may not see them. */
  readonly unseen: readonly Diagnostic[];
}

export async function readPlannedWebhooks(
  inputs: PlanInputs,
  account: Account,
  need: WebhookNeed,
  remember: Recall,
  allow: readonly string[],
): Promise<WebhooksRead> {
  const { project, base, state } = inputs;
  const lives = need.read ? await readIfAllowed(inputs, account) : null;
  const compared = compareWebhooks({
    wishes: lives === null ? [] : project.webhooks,
    lives: lives ?? [],
    state,
    base: base?.webhooks ?? [],
    remember,
    resendUnreadable: inputs.options.resendUnreadable,
  });
  const { review } = inputs;
  const reviewed = compared.cases.map((self) => {
    const alone = { self, children: [], lists: {}, protected: false };
    return review === null ? { event: alone, held: null } : holdUnreviewed(alone, review);
  });
  const kept = reviewed.map(({ event }) => event.self);
  return {
    held: reviewed.flatMap(({ held }) => held?.self.change ?? []),
    judged: judgeWebhooks(kept, { allow, secretPlace: inputs.secretPlace }),
    unmanaged: lives === null ? null : compared.unmanaged,
    unseen: need.matter && lives === null ? [webhooksNotVisible(account, areAsApplied(inputs))] : [],
  };
}

/** Without a webhooks file, webhooks are read only to remove those that are known as ours. */
export function webhooksMatter({ project, base, state, options: { targets, shard } }: PlanInputs): boolean {
  if (!shardFilter(shard)("webhooks")) return false;
  if (targets.length > 0 && !targets.some((target) => target.startsWith("webhooks") || target.startsWith("*"))) {
    return false;
  }
  if (base === null) {
    return project.webhooksManaged || Object.values(state?.objects ?? {}).some((entry) => entry.kind === "webhook");
  }
  if (Object.values(state?.held ?? {}).some(({ address }) => address.startsWith("webhooks/"))) return true;
  const listed = new Map(base.webhooks.map((wish) => [wish.address, wish]));
  return (
    project.webhooks.length !== base.webhooks.length ||
    project.webhooks.some((wish) => differsFromBase(wish, listed.get(wish.address)))
  );
}

/** Without events, or asked for by name, webhooks are the plan: that they cannot be seen is an error. */
function isAboutWebhooks({ options }: PlanInputs, events: number): boolean {
  return events === 0 || options.targets.some((target) => target.startsWith("webhooks"));
}

/** null: the key may not read them, although its scopes are not shown. */
async function readIfAllowed(inputs: PlanInputs, account: Account): Promise<readonly Live[] | null> {
  const known = Object.values(inputs.state?.objects ?? {}).filter((entry) => entry.kind === "webhook");
  const fresh = known.filter((entry) => isFresh(entry.madeAt, inputs)).map((entry) => entry.id);
  try {
    return await readWebhooks(inputs.reader, fresh, { settleMs: inputs.options.settleMs, sleep: inputs.sleep });
  } catch (error) {
    const isForbidden = error instanceof ReadFailure && error.problem.status === 403;
    if (isForbidden && account.scopes === null && !isAboutWebhooks(inputs, inputs.project.events.length)) return null;
    throw error;
  }
}

/** Whether state knows every webhook of the files as it is written there, and no other. */
function areAsApplied({ project, state }: PlanInputs): boolean {
  if (state === null) return project.webhooks.length === 0;
  const listed = new Set(project.webhooks.map((wish) => wish.address));
  const differs = differsFromState(state);
  return (
    project.webhooks.every((wish) => state.objects[wish.address] !== undefined && !differs(wish)) &&
    Object.entries(state.objects).every(([address, { kind }]) => kind !== "webhook" || listed.has(address))
  );
}
