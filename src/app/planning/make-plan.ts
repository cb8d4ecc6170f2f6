// The walk from wishes to plan: what is read depends on what is known, what is decided is decided by the pure rooms.
import type { KindName } from "../../model/address.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Account, Live } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import type { Wish } from "../../model/wish.ts";
import { type Assembled, assemblePlan } from "../../plan/assemble.ts";
import {
  type Comparison,
  differsFromBase,
  differsFromState,
  type EventComparison,
  eventFilter,
  formerEvents,
  targetFilter,
  unknownTargets,
} from "../../plan/compare.ts";
import {
  allowedFor,
  checkAccount,
  checkReadScopes,
  checkWriteScopes,
  judgeDeletes,
  maySeeWebhooks,
  type RuleContext,
  raisedLimit,
  remarksOnPlanned,
  unreadableRemarks,
  webhookRemarks,
  webhooksNotVisible,
} from "../../plan/judge.ts";
import { recallFrom } from "../../plan/match.ts";
import { compareWebhooks, judgeWebhook } from "../../plan/webhooks.ts";
import { type Patience, readWebhooks } from "../../snapshot/read-lists.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { ReadFailure } from "../../snapshot/reader.ts";
import { isFresh, type PlanInputs } from "./plan-inputs.ts";
import { readEvents } from "./read-events.ts";

/** A plan that plans nothing, because something must be put right first. */
export function emptyPlan(
  inputs: Pick<PlanInputs, "target" | "version" | "now" | "planKey"> & { client: { counts: { reads: number } } },
  account: Account | null,
  diagnostics: readonly Diagnostic[],
): MadePlan {
  const assembled = assemblePlan({
    events: [],
    webhooks: [],
    diagnostics,
    target: { ...inputs.target, organization: account === null ? null : account.organization },
    version: inputs.version,
    now: inputs.now,
    isTargeted: () => true,
    allowFor: () => [],
    unmanaged: null,
    compared: null,
    reads: inputs.client.counts.reads,
    estimateSeconds: () => 0,
    planKey: inputs.planKey,
    sealed: true,
    forgotten: null,
    baseRevision: null,
    remember: recallFrom(null, []),
    lastDiagnostics: () => [],
  });
  return { ...assembled, forgotten: [], account };
}

/** The kinds that must be read for these wishes. */
export function neededKinds(
  events: readonly Wish[],
  someAreRemoved: boolean,
  webhooks: boolean,
): ReadonlySet<KindName> {
  const kinds = new Set<KindName>();
  if (events.length > 0 || someAreRemoved) kinds.add("event");
  for (const wish of events) for (const kind of Object.keys(wish.children)) kinds.add(kind as KindName);
  if (webhooks) kinds.add("webhook");
  return kinds;
}

export interface MadePlan extends Assembled {
  /** Addresses that state need not remember any longer. */
  readonly forgotten: readonly string[];
  readonly account: Account | null;
  /** The plan as people are to see it, where that is not all that it says. */
  readonly shown?: Plan;
  /** Ids of everything that was read: none of it is made by an apply of this plan. */
  readonly known?: () => readonly string[];
}

export async function makePlan(inputs: PlanInputs): Promise<MadePlan> {
  const { project, base, state, options, now } = inputs;
  if (hasErrors(inputs.remarks)) return emptyPlan(inputs, null, inputs.remarks);
  const account = await readAccount(inputs.reader);
  const concerns = checkAccount(account, inputs.organizationPin, state, inputs.serverNow() ?? now);
  const isTargeted = targetFilter(options.targets);
  const isLookedAt = eventFilter(options.targets);
  const baseEvents = base?.events ?? [];
  const isToBePlanned = plannedWith(inputs);
  const events = project.events.filter((wish) => isLookedAt(wish.address) && isToBePlanned(wish));
  const formerOfAll = formerEvents(project.events, state, base?.events ?? null);
  const former = formerOfAll.filter((one) => isLookedAt(one.address));
  const looksAtWebhooks = webhooksMatter(inputs);
  const needsWebhooks =
    looksAtWebhooks && (maySeeWebhooks(account) || isAboutWebhooks(options.targets, events.length + former.length));
  const scopes = checkReadScopes(account, neededKinds(events, former.length > 0, needsWebhooks));
  if (hasErrors([...concerns, ...scopes]))
    return emptyPlan(inputs, account, [...inputs.remarks, ...concerns, ...scopes]);

  const known = recallFrom(state, [...baseEvents, ...(base?.webhooks ?? [])], events);
  const allow = [...project.settings.allow, ...options.allow];
  const looked = await readEvents({ inputs, events, former, formerOfAll, remember: known, allow, isTargeted });
  const { remember } = looked;
  const usual = {
    maxDeletes: project.settings.maxDeletes,
    stated: false,
    events: project.events.length + former.length,
  };
  const limit = options.maxDeletes === null ? usual : { ...usual, maxDeletes: options.maxDeletes, stated: true };
  const judgedEvents = judgeDeletes(looked.events, limit);

  const lives = needsWebhooks ? await webhooksIfAllowed(inputs, account) : null;
  const webhooks = compareWebhooks({
    wishes: lives === null ? [] : project.webhooks,
    lives: lives ?? [],
    state,
    base: base?.webhooks ?? [],
    remember,
    resendUnreadable: options.resendUnreadable,
  });
  const unseen = looksAtWebhooks && lives === null ? [webhooksNotVisible(account, areAsApplied(inputs))] : [];
  const court: RuleContext = { allow, secretSink: inputs.secretSink !== null, ordersOf: () => undefined };
  const judgedWebhooks = webhooks.cases.map((one) => judgeWebhook(one, court));

  const aimless = unknownTargets(options.targets, [
    ...project.events.flatMap((wish) => [wish, ...Object.values(wish.children).flat()]).map((wish) => wish.address),
    ...judgedEvents.flatMap(casesOf).map((one) => one.address),
    ...[...project.webhooks, ...webhooks.cases].map((one) => one.address),
  ]);
  const planned = events.map((wish) => wish.address);
  const remarks = remarksOnPlanned(inputs.remarks, planned);
  if (aimless.length > 0) return emptyPlan(inputs, account, [...remarks, ...concerns, ...aimless]);
  const whole = base === null && options.targets.length === 0;
  const diagnostics: readonly Diagnostic[] = [
    ...remarks.filter((remark) => !isKnownBetter(remark, looked.diagnostics)),
    ...concerns,
    ...unseen,
    ...looked.diagnostics,
    ...(judgedEvents === looked.events ? raisedLimit(looked.events, usual) : []),
    ...unreadableRemarks([...judgedEvents.flatMap(casesOf), ...judgedWebhooks]),
    ...webhookRemarks(judgedWebhooks, inputs),
  ];
  const assembled = assemblePlan({
    events: judgedEvents,
    webhooks: judgedWebhooks,
    diagnostics,
    target: { ...inputs.target, organization: account.organization },
    version: inputs.version,
    now,
    isTargeted,
    allowFor: (event) => (event === null ? allow : allowedFor(event, { allow })),
    unmanaged:
      unseen.length > 0
        ? null
        : unmanagedCount(
            whole ? looked.unmanaged : null,
            lives === null ? null : webhooks.unmanaged,
            project.events.length > 0,
          ),
    compared:
      base === null && unseen.length === 0
        ? null
        : {
            base: base === null ? null : (inputs.baseName ?? "the base"),
            events: events.length,
            ofEvents: project.events.filter((wish) => isLookedAt(wish.address)).length,
            removed: former.length,
            webhooks: lives !== null,
            ...(unseen.length > 0 ? { webhooksUnseen: true as const } : {}),
          },
    reads: inputs.client.counts.reads,
    estimateSeconds: inputs.estimateSeconds,
    planKey: inputs.planKey,
    sealed: inputs.sealed !== false,
    forgotten: inputs.savable === true ? looked.forgotten : null,
    baseRevision: inputs.baseRevision ?? null,
    remember,
    lastDiagnostics: (operations) => [...checkWriteScopes(account, operations), ...inputs.budget(operations.length)],
  });
  return { ...assembled, forgotten: looked.forgotten, account };
}

/**
 * A remark on the files that weighs more beside what is live is told once, with its full weight. Whether a ticket type is
 * born sold out, files alone can only guess.
 */
function isKnownBetter({ code, address }: Diagnostic, others: readonly Diagnostic[]): boolean {
  if (code === "born-sold-out") return true;
  return address !== undefined && others.some((other) => other.code === code && other.address === address);
}

/** Without events, or asked for by name, webhooks are the plan: what cannot be seen of them is an error. */
function isAboutWebhooks(targets: readonly string[], events: number): boolean {
  return events === 0 || targets.some((target) => target.startsWith("webhooks"));
}

/** null: the key may not read them, and did not say so of itself. */
async function webhooksIfAllowed(inputs: PlanInputs, account: Account): Promise<readonly Live[] | null> {
  try {
    return await readWebhooks(inputs.reader, freshWebhooks(inputs), patienceOf(inputs));
  } catch (error) {
    const isForbidden = error instanceof ReadFailure && error.problem.status === 403;
    if (
      !isForbidden ||
      account.scopes !== null ||
      isAboutWebhooks(inputs.options.targets, inputs.project.events.length)
    )
      throw error;
    return null;
  }
}

/** Whether state knows every webhook of the files as it is written there, and no other. */
function areAsApplied({ project, state }: PlanInputs): boolean {
  if (state === null) return project.webhooks.length === 0;
  const listed = new Set(project.webhooks.map((wish) => wish.address));
  const isOtherwise = differsFromState(state);
  return (
    project.webhooks.every((wish) => state.objects[wish.address] !== undefined && !isOtherwise(wish)) &&
    Object.entries(state.objects).every(([address, { kind }]) => kind !== "webhook" || listed.has(address))
  );
}

function freshWebhooks(inputs: PlanInputs): readonly string[] {
  const known = Object.values(inputs.state?.objects ?? {}).filter((entry) => entry.kind === "webhook");
  return known.filter((entry) => isFresh(entry.madeAt, inputs)).map((entry) => entry.id);
}

function patienceOf({ options, sleep }: PlanInputs): Patience {
  return { settleMs: options.settleMs, sleep };
}

function plannedWith({ base, sinceLast, state }: PlanInputs): (wish: Wish) => boolean {
  if (base === null) return () => true;
  const former = new Map(base.events.map((wish) => [wish.address, wish]));
  const isOtherwise = sinceLast === true && state !== null ? differsFromState(state) : () => false;
  return (wish) => differsFromBase(wish, former.get(wish.address)) || isOtherwise(wish);
}

/** Without a webhooks file, webhooks are looked at only to remove those that are known as ours. */
function webhooksMatter({ project, base, state, options }: PlanInputs): boolean {
  if (
    options.targets.length > 0 &&
    !options.targets.some((target) => target.startsWith("webhooks") || target.startsWith("*"))
  )
    return false;
  if (base !== null) {
    const listed = new Map(base.webhooks.map((wish) => [wish.address, wish]));
    return (
      project.webhooks.length !== base.webhooks.length ||
      project.webhooks.some((wish) => differsFromBase(wish, listed.get(wish.address)))
    );
  }
  return project.webhooksManaged || Object.values(state?.objects ?? {}).some((entry) => entry.kind === "webhook");
}

function casesOf(event: EventComparison): readonly Comparison[] {
  return [event.self, ...event.children];
}

/** Beside events that were not counted, a count of webhooks alone would look as if there were no others. */
function unmanagedCount(events: number | null, webhooks: number | null, hasEvents: boolean): number | null {
  if (events === null && (hasEvents || webhooks === null)) return null;
  return (events ?? 0) + (webhooks ?? 0);
}
