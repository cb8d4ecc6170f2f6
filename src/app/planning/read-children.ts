// The lists of one event, and its orders: each read only if the documents or a planned change need it.
import { areOfTypes, fieldEntries, isInFamily, kindOf, soldKind } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import { orHalt } from "../../model/diagnostic.ts";
import type { Account, Live, LiveLists, OrderFigures } from "../../model/live.ts";
import { isReference } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import {
  differsFromState,
  type EventComparison,
  furtherLists,
  isAsRemembered,
  listDiffersFromBase,
  type listsLeftOpen,
  openAddresses,
  shardFilter,
} from "../../plan/compare.ts";
import {
  holdUnreviewed,
  judgeWebhooks,
  maySeeWebhooks,
  ordersToRead,
  type RuleContext,
  salesNeed,
  webhooksNotRead,
} from "../../plan/judge.ts";
import type { EventMatch, Recall } from "../../plan/match.ts";
import { compareWebhooks } from "../../plan/webhooks.ts";
import { isGone } from "../../service/problem.ts";
import type { ReadList } from "../../snapshot/find-events.ts";
import { type OrderReader, readWebhooks } from "../../snapshot/read-organization.ts";
import { attemptRead } from "../../snapshot/reader.ts";
import type { PlanInputs } from "./plan-inputs.ts";

/** The lists that a document manages, those that its entries refer to, and those that an earlier run left open. */
export async function readLists(
  readList: ReadList,
  wish: Wish,
  { live }: EventMatch,
  inputs: PlanInputs,
  left: ReturnType<typeof listsLeftOpen>,
): Promise<LiveLists> {
  if (live === null || wish.own.status === "DELETED") return {};
  // An archived event cannot be changed: if state shows that its document was not edited, its lists need not be read.
  if (live.status === "ARCHIVED" && inputs.base === null && isAsRemembered(wish, inputs.state)) return {};
  const others = [...referredKinds(wish), ...left(wish.address, live.id)];
  const kinds = new Set([...(Object.keys(wish.children) as KindName[]), ...others]);
  const lists = Promise.all(
    [...kinds].map(async (kind) => {
      const wishes = wish.children[kind] ?? [];
      const fields = [...new Set(wishes.flatMap((child) => Object.keys(child.fields)))];
      // Created with their event: a run that was cut off right then knows none of their ids.
      const least = kindOf(kind).inline ? wishes.length : 0;
      return [kind, await readList({ eventId: live.id, kind, fields, least })] as const;
    }),
  );
  const read = await attemptRead(() => lists);
  // A service that hides an archived event from its id hides its lists, too.
  return !read.ok && live.status === "ARCHIVED" && isGone(read.problem) ? {} : Object.fromEntries(orHalt(read).value);
}

/** Kinds that entries of this document name although it does not manage them. */
function referredKinds(wish: Wish): readonly KindName[] {
  const named = new Set<KindName>();
  for (const child of Object.values(wish.children).flat()) {
    for (const [, policy] of fieldEntries(kindOf(child.kind))) {
      if (policy.role !== "reference" || wish.children[policy.to] !== undefined) continue;
      if (isReference(child.fields[policy.sentAs])) named.add(policy.to);
    }
  }
  return [...named];
}

/** Adds the lists that a planned change makes it necessary to know. */
export async function readFurther(
  event: EventComparison,
  readList: ReadList,
  rules: RuleContext,
): Promise<EventComparison> {
  const eventId = event.self.live?.id;
  if (eventId === undefined) return event;
  let lists = event.lists;
  for (const kind of furtherLists(event)) lists = { ...lists, [kind]: await read(kind) };
  if (lists[soldKind.name] === undefined && salesNeed({ ...event, lists }, rules) !== null) {
    const sold = await attemptRead(() => read(soldKind.name));
    // A key that may not see ticket types may see orders, which say it as well.
    if (sold.ok || sold.problem.status !== 403) lists = { ...lists, [soldKind.name]: orHalt(sold).value };
  }
  return lists === event.lists ? event : { ...event, lists };

  function read(kind: KindName) {
    return readList({ eventId: eventId as string, kind, fields: [] });
  }
}

/** What the verdicts on this event need to know about its orders: first how many there are, then their items. */
export async function readSales(
  event: EventComparison,
  rules: Omit<RuleContext, "ordersOf">,
  reader: OrderReader,
): Promise<OrderFigures | undefined> {
  const id = event.self.live?.id;
  if (id === undefined) return undefined;
  let orders: OrderFigures | undefined;
  let next = ordersToRead(event, rules, orders);
  if (next?.read === "total") {
    orders = await reader.total(id);
    next = ordersToRead(event, rules, orders);
  }
  if (next?.read !== "items") return orders;
  const figures = await reader.byTicket(id, next.isEnough);
  const types = event.lists[soldKind.name] ?? [];
  // Guests may have registered without a ticket type.
  const isKnown = types.length === 0 || !figures.tickets || areOfTypes(figures.tickets, types);
  return isKnown ? figures : { ...figures, tickets: null };
}

// Webhooks, from the file to judged comparisons. They are read only if the files, the base or state know some.

interface WebhookNeed {
  /** Whether the plan is about webhooks at all. */
  readonly matter: boolean;
  /** Whether they are read: not with a key that may not, unless the plan is about nothing else. */
  readonly read: boolean;
}

export function needOfWebhooks(inputs: PlanInputs, account: Account, events: number): WebhookNeed {
  const matter = webhooksMatter(inputs);
  return { matter, read: matter && (maySeeWebhooks(account) || isAboutWebhooks(inputs, events)) };
}

/** `held`: changes that were not reviewed; `unmanaged`: null if they were not read; `unread`: says that the key may not see them. */
export async function readPlannedWebhooks(
  inputs: PlanInputs,
  account: Account,
  need: WebhookNeed,
  remember: Recall,
  allow: readonly string[],
) {
  const { project, base, state } = inputs;
  const lives = need.read ? await readIfAllowed(inputs, account) : null;
  const compared = compareWebhooks({
    wishes: lives === null ? [] : project.webhooks,
    lives: lives ?? [],
    state,
    base: base?.webhooks ?? [],
    remember,
    resendUnreadable: inputs.flags.resendUnreadable === true,
  });
  const reviewed = compared.cases.map((self) =>
    holdUnreviewed({ self, children: [], lists: {}, protected: false }, inputs.review),
  );
  const kept = reviewed.map(({ event }) => event.self);
  return {
    held: reviewed.flatMap(({ held }) => held?.self.change ?? []),
    judged: judgeWebhooks(kept, { allow, secretPlace: inputs.secretPlace }),
    unmanaged: lives === null ? null : compared.unmanaged,
    unread: need.matter && lives === null ? [webhooksNotRead(account, areAsApplied(inputs))] : [],
  };
}

/** How `--target` names webhooks. Everything that is not an event is planned by a single shard: the one this name hashes to. */
export const webhookList = "webhooks";

/** None: everything. */
export function allTargets({ flags: { target = [] }, use }: PlanInputs): readonly string[] {
  return target.length > 0 && use.alsoWebhooks === true ? [...target, webhookList] : target;
}

/** Without a webhooks file, webhooks are read only to remove those that are known as ours. */
export function webhooksMatter(inputs: PlanInputs): boolean {
  const { project, base, comparedWith, sinceLast, state, flags } = inputs;
  const targets = allTargets(inputs);
  if (!shardFilter(flags.shard ?? null)(webhookList)) return false;
  if (targets.length > 0 && !targets.some((target) => target.startsWith(webhookList) || target.startsWith("*")))
    return false;
  if (base === null) {
    return project.webhooksManaged || !Object.keys(state?.objects ?? {}).every(isInFamily);
  }
  if (!openAddresses(state).every(isInFamily)) return true;
  if (sinceLast === true && !areAsApplied(inputs)) return true;
  return [base, comparedWith ?? base].some(({ webhooks }) => listDiffersFromBase(project.webhooks, webhooks));
}

/** Without events, or asked for by name, webhooks are the plan: that they cannot be seen is an error. */
function isAboutWebhooks({ flags }: PlanInputs, events: number): boolean {
  return events === 0 || flags.target?.some((target) => target.startsWith(webhookList)) === true;
}

/** null: the key may not read them, although its scopes are not shown. */
async function readIfAllowed(inputs: PlanInputs, account: Account): Promise<readonly Live[] | null> {
  const read = await attemptRead(() => readWebhooks(inputs.reader));
  const isForbidden = !read.ok && read.problem.status === 403;
  if (isForbidden && account.scopes === null && !isAboutWebhooks(inputs, inputs.project.events.length)) return null;
  return orHalt(read).value;
}

/** Whether state knows every webhook of the files as it is written there, and no other. */
function areAsApplied({ project, state }: PlanInputs): boolean {
  if (state === null) return project.webhooks.length === 0;
  const listed = new Set(project.webhooks.map((wish) => wish.address));
  const differs = differsFromState(state);
  return (
    project.webhooks.every((wish) => state.objects[wish.address] !== undefined && !differs(wish)) &&
    Object.keys(state.objects).every((address) => isInFamily(address) || listed.has(address))
  );
}
