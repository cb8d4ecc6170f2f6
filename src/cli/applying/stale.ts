// Whether what a saved plan saw is still so: fields, statuses, lists, names, and what the rules say. The plan may come from
// anybody: what it accepts must be shown by it or written in the files, and what it shows must be what is live.
import { sameValue } from "../../kinds/canonical.ts";
import type { Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import { parentAddress } from "../../kinds/of-address.ts";
import { sentName } from "../../kinds/sent-name.ts";
import { type Address, decodeSegment } from "../../model/address.ts";
import type { Block, Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { idKey, sameId } from "../../model/id.ts";
import type { Live } from "../../model/live.ts";
import type { Mention, Plan, Seen } from "../../model/plan.ts";
import type { State } from "../../model/state.ts";
import { sameName } from "../../plan/alterations.ts";
import type { Case, EventCase } from "../../plan/case.ts";
import { judgeCase, judgeEvent } from "../../plan/judge.ts";
import { type Referrer, referrersOf } from "../../plan/references.ts";
import { rewrittenUrls, wishedUrl } from "../../plan/rewritten-url.ts";
import { type DeleteLimit, judgeDeletes } from "../../plan/too-many-deletes.ts";
import type { OrderReader } from "../../snapshot/read-orders.ts";
import { readSales } from "../planning/read-sales.ts";
import type { SeenAgain } from "./read-seen.ts";

interface Sight {
  readonly again: SeenAgain;
  readonly changes: ReadonlyMap<Address, Change>;
  /** What state knows an object by, where it was applied by us. */
  readonly nameOfId: (id: string) => string | undefined;
}

/** What differs from what the plan saw, one sentence each. */
export function differencesOf(plan: Plan, again: SeenAgain, state: State | null): readonly string[] {
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const sight: Sight = {
    again,
    changes,
    nameOfId(id) {
      const entry = byId.get(idKey(id));
      const name = entry?.applied[kindOf(entry.kind).identity.label];
      return typeof name === "string" ? name : undefined;
    },
  };
  return plan.seen.flatMap((seen) => {
    const live = again.lives.get(seen.address) ?? null;
    if (seen.id === null) return [...foundAlready(seen, live), ...newcomers(seen, again)];
    if (live === null) return [`${seen.address} is not there any more`];
    const change = changes.get(seen.address);
    const open = change !== undefined && change.blockedBy.length === 0 ? change : null;
    return [
      ...fieldDifferences(seen, live),
      ...listDifferences(seen, again),
      ...(open === null ? [] : [...shownDifferences(open, live, sight), ...mentionDifferences(open, seen, sight)]),
    ];
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
  const status = live.status !== null && seen.status !== live.status && kind.steps.length > 0;
  const fields = Object.entries(seen.fields).filter(([field, value]) => {
    const policy = kind.fields[field];
    // Sales alone bring a ticket type to nothing remaining.
    if (policy?.role === "value" && policy.change === "sold-out") return false;
    const shown = live.fields[field];
    return shown !== undefined && !sameValue(shown, value);
  });
  return [
    ...(status ? [`${seen.address} is ${live.status} and was ${seen.status ?? "not known to be"}`] : []),
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

/** Whoever approves goes by the name, and by what a field is said to have been. */
function shownDifferences(change: Change, live: Live, sight: Sight): readonly string[] {
  const { address, context, edits } = change;
  const parent = parentAddress(address) ?? "";
  const above = sight.again.lives.get(parent) ?? null;
  const hidden = edits.filter(
    (edit) => edit.unreadable === true && live.fields[sentName(kindOf(change.kind), edit.path.slice(1))] !== undefined,
  );
  return [
    ...(isCalled(live, context?.name, change, sight) ? [] : [`${address} goes by another name`]),
    ...(above === null || isCalled(above, context?.eventName, sight.changes.get(parent), sight)
      ? []
      : [`the event of ${address} goes by another name`]),
    ...hidden.map((edit) => `the service shows \`${edit.path.slice(1)}\` of ${address}, and did not before`),
  ];
}

/** By the name that is live, the one that it is given, or the one that the service keeps in another shape. */
function isCalled(live: Live, name: string | undefined, change: Change | undefined, { nameOfId }: Sight): boolean {
  const { label } = kindOf(live.kind).identity;
  const shown = live.fields[label] ?? live.id;
  const given = change?.edits.find((edit) => edit.path === `/${label}`)?.after;
  const url = wishedUrl(name);
  return (
    name === undefined ||
    sameName(shown, name) ||
    given === name ||
    nameOfId(live.id) === name ||
    (url !== null && rewrittenUrls([shown])(shown)(url))
  );
}

/** Entries that name what goes: each is known, and is to name what takes its place. */
function mentionDifferences(change: Change, seen: Seen, { changes, again }: Sight): readonly string[] {
  const lists = again.lists.get(parentAddress(seen.address) ?? "") ?? {};
  if (change.action !== "delete" && change.action !== "replace") return [];
  return referrersOf(seen.kind).flatMap((referrer) =>
    (lists[referrer.kind] ?? []).flatMap((entry) => {
      const mention = seen.mentions?.find(({ id }) => sameId(id, entry.id));
      const shown = entry.fields[referrer.policy.sentAs];
      const names = sameId(shown, seen.id);
      const what = `the entry ${entry.id} of ${parentAddress(seen.address)}`;
      if (names && (mention === undefined || !isCaredFor(mention, referrer, change, changes)))
        return [`${what} names ${seen.address}`];
      if (!names && shown !== undefined && mention?.target !== undefined)
        return [`${what} does not name ${seen.address}`];
      return [];
    }),
  );
}

function isCaredFor(
  { address, target }: Mention,
  { field }: Referrer,
  going: Change,
  changes: ReadonlyMap<Address, Change>,
): boolean {
  if (target === undefined) {
    const own = changes.get(address);
    return own?.action === "delete" || own?.edits.some(({ path }) => path === `/${field}`) === true;
  }
  if (going.action === "replace") return target === going.address;
  return target !== null && target !== going.address && sameName(nameIn(target), nameIn(going.address));
}

/** What is judged by, besides what is live. */
export interface Retrial {
  readonly secretSink: boolean;
  readonly orders: OrderReader;
  /** Risks that the files or this command accept for an address, whatever the plan says. */
  readonly allowFor: (address: Address) => readonly string[];
  readonly isProtected: (address: Address) => boolean;
  readonly deletes: DeleteLimit;
}

/** Changes that the plan allowed and that would be blocked now, one sentence each. */
export async function newVerdicts(plan: Plan, again: SeenAgain, retrial: Retrial): Promise<readonly string[]> {
  const allowed = plan.changes.filter((change) => change.blockedBy.length === 0);
  const byAddress = new Map(allowed.map((change) => [change.address, change]));
  const byParent = groupBy(allowed, ({ address }) => parentAddress(address) ?? "");
  const events: EventCase[] = [];
  for (const seen of plan.seen) {
    if (seen.kind !== "event") continue;
    const isProtected = seen.protected === true || retrial.isProtected(seen.address);
    const event = eventCase(seen, byAddress.get(seen.address), byParent.get(seen.address) ?? [], again, isProtected);
    const court = { allow: seen.allow, secretSink: retrial.secretSink };
    const orders = await readSales(event, court, retrial.orders);
    events.push(judgeEvent(event, { ...court, ordersOf: () => orders }));
  }
  const webhooks = allowed
    .filter((each) => each.kind === "webhook")
    .map((change) => judgedWebhook(change, plan, again, retrial));
  const told = new Set(plan.diagnostics.map(({ code, address }) => `${code} ${address ?? ""}`));
  const counted = told.has("too-many-deletes ") ? events : judgeDeletes(events, retrial.deletes);
  const judged = [...counted.flatMap(({ self, children }) => [self, ...children]), ...webhooks];
  return judged.flatMap((one) => [
    ...(one.change?.blockedBy ?? []).map((block) => block.message),
    ...(one.accepted ?? [])
      .filter(({ code }) => !told.has(`${code} ${one.address}`) && !retrial.allowFor(one.address).includes(code))
      .map(unaccepted),
  ]);
}

function unaccepted({ code, message }: Block): string {
  return `${message.replace(/\.$/, "")}, and neither the plan nor the files say that \`${code}\` is accepted`;
}

function judgedWebhook(change: Change, plan: Plan, again: SeenAgain, { secretSink }: Retrial): Case {
  const one = caseOf(change, again);
  const none = { count: 0, any: false };
  const allow = plan.seen.find((seen) => seen.address === change.address)?.allow ?? [];
  const facts = { change, live: one.live, event: null, sold: none, eventSold: none, secretSink, name: one.name };
  return judgeCase(one, facts, allow);
}

function eventCase(
  seen: Seen,
  own: Change | undefined,
  below: readonly Change[],
  again: SeenAgain,
  isProtected: boolean,
): EventCase {
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
    protected: isProtected,
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
  return decodeSegment(address.slice(address.lastIndexOf("/") + 1)).replace(/#\d+$/, "");
}
