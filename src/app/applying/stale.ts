// Whether what a saved plan saw is still so: fields, statuses, lists, names, and what the rules say. The plan may come from
// anybody: what it accepts must be shown by it or written in the files, and what it shows must be what is live.
import type { Kind } from "../../kinds/define.ts";
import { kindOf, parentAddress, readRecord, sameValue, sentName } from "../../kinds/index.ts";
import { type Address, decodeSegment, idKey, type KindName, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live, LiveLists, State } from "../../model/live.ts";
import type { Block, Change, Mention, Observed, Plan } from "../../model/plan.ts";
import { groupBy, type Value } from "../../model/value.ts";
import type { Project } from "../../model/wish.ts";
import { sameName } from "../../plan/alterations.ts";
import { type Comparison, type EventComparison, type Referrer, referrersOf } from "../../plan/compare.ts";
import {
  acceptedRisks,
  type DeleteLimit,
  judgeComparison,
  judgeDeletes,
  judgeEvent,
  raisedLimit,
} from "../../plan/judge.ts";
import { alikeUrls, groupByName, hasEnded, namesakesAmong, plainName } from "../../plan/match.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { makeListReader, readWebhooks } from "../../snapshot/read-lists.ts";
import type { OrderReader } from "../../snapshot/read-organization.ts";
import type { Reader } from "../../snapshot/reader.ts";
import { readSales } from "../planning/read-events.ts";

interface Sight {
  readonly again: Reread;
  readonly changes: ReadonlyMap<Address, Change>;
  /** What state knows an object by, where it was applied by us. */
  readonly nameOfId: (id: string) => string | undefined;
  /** Whether the document of an event wants it to absorb fees; undefined: it does not say. */
  readonly wishedFees: (address: Address) => unknown;
}

/** What an apply knows by itself, without the plan. */
export interface OwnKnowledge {
  readonly state: State | null;
  readonly project: Pick<Project, "events">;
}

/** What differs from what the plan saw, one sentence each. */
export function differencesOf(plan: Plan, again: Reread, { state, project }: OwnKnowledge): readonly string[] {
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const fees = new Map(project.events.map(({ address, fields }) => [address, fields.absorbFees]));
  const sight: Sight = {
    wishedFees: (address) => fees.get(address),
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

function foundAlready({ address }: Observed, live: Live | null): readonly string[] {
  if (live === null) return [];
  return [`${address} is there already (${live.id}${live.status === "ARCHIVED" ? ", ARCHIVED" : ""})`];
}

/** A new plan would ask which of the two is meant. */
function newcomers({ address }: Observed, again: Reread): readonly string[] {
  const live = again.newcomers.get(address);
  return live === undefined
    ? []
    : [`another event with the name of ${address}, or with its start and venue, has come up since (${live.id})`];
}

function fieldDifferences(seen: Observed, live: Live): readonly string[] {
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

function listDifferences(seen: Observed, again: Reread): readonly string[] {
  const lists = again.lists.get(seen.address) ?? {};
  return Object.entries(seen.lists ?? {}).flatMap(([name, ids]) => {
    const kind = kindOf(name as Observed["kind"]);
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
    ...(isCalled(live, context?.name ?? nameIn(address), change, sight) ? [] : [`${address} goes by another name`]),
    ...(above === null || isCalled(above, context?.eventName ?? nameIn(parent), sight.changes.get(parent), sight)
      ? []
      : [`the event of ${address} goes by another name`]),
    ...(areFeesTrue(change, above ?? live, sight) ? [] : [`the event of ${address} does not bear fees as it says`]),
    ...hidden.map((edit) => `the service shows \`${edit.path.slice(1)}\` of ${address}, and did not before`),
  ];
}

/** By the name that is live, the one that it is given, or the one that the service keeps in another shape. */
function isCalled(live: Live, name: string, change: Change | undefined, { nameOfId }: Sight): boolean {
  const { label } = kindOf(live.kind).identity;
  const shown = live.fields[label] ?? live.id;
  const given = change?.edits.find((edit) => edit.path === `/${label}`)?.after;
  return (
    sameName(shown, name) ||
    given === name ||
    nameOfId(live.id) === name ||
    alikeUrls([shown], [name]).some((alike) => alike.length > 0)
  );
}

/** Who bears the fees decides what a price means to buyers; where a plan leaves the event alone, its document may say otherwise. */
function areFeesTrue({ address, context }: Change, event: Live, { changes, wishedFees }: Sight): boolean {
  if (context?.absorbFees === undefined) return true;
  const root = parentAddress(address) ?? address;
  const told = [feesOf(changes.get(root), event), wishedFees(root)].filter((fees) => typeof fees === "boolean");
  return told.length === 0 || told.includes(context.absorbFees);
}

/** Whether an event will absorb fees, by its change and by what is live; undefined: neither tells. */
function feesOf(change: Change | undefined, event: Live | null): Value | undefined {
  return change?.edits.find(({ path }) => path === "/absorbFees")?.after ?? event?.fields.absorbFees;
}

/**
 * The plan as people are to see it where anybody may have written it: what a venue is called and how much is sold was not read
 * again, so the id is shown and no number; fees and prices are shown as far as they are known.
 */
export function withoutHearsay(plan: Plan, again: Reread): Plan {
  const byAddress = new Map(plan.changes.map((change) => [change.address, change]));
  const byParent = groupBy(plan.changes, ({ address }) => parentAddress(address) ?? "");
  const changes = plan.changes.map((change) => {
    if (change.context === undefined) return change;
    const { names: _, sold: __, absorbFees, prices, ...context } = change.context;
    const root = parentAddress(change.address) ?? change.address;
    const fees = feesOf(byAddress.get(root), again.lives.get(root) ?? null) ?? absorbFees;
    const known = new Set(
      [
        ...(byParent.get(change.address) ?? []).map(({ context: own, edits }) => [
          own?.name,
          edits.find(({ path }) => path === "/price")?.after,
        ]),
        ...(again.lists.get(change.address)?.ticket ?? []).map(({ fields }) => [fields.name, fields.price]),
      ].map((pair) => JSON.stringify(pair)),
    );
    return {
      ...change,
      context: {
        ...context,
        ...(absorbFees === undefined || typeof fees !== "boolean" ? {} : { absorbFees: fees }),
        ...(prices === undefined
          ? {}
          : { prices: prices.filter(({ name, price }) => known.has(JSON.stringify([name, price]))) }),
      },
    };
  });
  return { ...plan, changes };
}

/** Entries that name what goes: each is known, and is to name what takes its place. */
function mentionDifferences(change: Change, seen: Observed, { changes, again }: Sight): readonly string[] {
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
export interface RuleInput {
  readonly secretSink: boolean;
  readonly orders: OrderReader;
  /** Risks that the files or this command accept for an address, whatever the plan says. */
  readonly allowFor: (address: Address) => readonly string[];
  readonly isProtected: (address: Address) => boolean;
  readonly deletes: DeleteLimit;
}

export interface NewVerdicts {
  /** Changes that the plan allowed and that would be blocked now, one sentence each. */
  readonly reasons: readonly string[];
  /** The risks that are accepted, in the words of the rules: those of a plan file are its author's. */
  readonly accepted: readonly Diagnostic[];
}

export async function newVerdicts(plan: Plan, again: Reread, retrial: RuleInput): Promise<NewVerdicts> {
  const allowed = plan.changes.filter((change) => change.blockedBy.length === 0);
  const byAddress = new Map(allowed.map((change) => [change.address, change]));
  const byParent = groupBy(allowed, ({ address }) => parentAddress(address) ?? "");
  const events: EventComparison[] = [];
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
  const reasons = judged.flatMap((one) => [
    ...(one.change?.blockedBy ?? []).map((block) => block.message),
    ...(one.accepted ?? [])
      .filter(({ code }) => !told.has(`${code} ${one.address}`) && !retrial.allowFor(one.address).includes(code))
      .map(unaccepted),
  ]);
  const raised = told.has("too-many-deletes ") ? raisedLimit(events, retrial.deletes) : [];
  return { reasons, accepted: [...raised, ...judged.flatMap(acceptedRisks)] };
}

function unaccepted({ code, message }: Block): string {
  return `${message.replace(/\.$/, "")}, and neither the plan nor the files say that \`${code}\` is accepted`;
}

function judgedWebhook(change: Change, plan: Plan, again: Reread, { secretSink }: RuleInput): Comparison {
  const one = caseOf(change, again);
  const none = { count: 0, any: false };
  const allow = plan.seen.find((seen) => seen.address === change.address)?.allow ?? [];
  const facts = { change, live: one.live, event: null, sold: none, eventSold: none, secretSink, name: one.name };
  return judgeComparison(one, facts, allow);
}

function eventCase(
  seen: Observed,
  own: Change | undefined,
  below: readonly Change[],
  again: Reread,
  isProtected: boolean,
): EventComparison {
  const bare: Comparison = {
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

function caseOf(change: Change, again: Reread): Comparison {
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

// Everything that a saved plan saw, read once more.

export interface Reread {
  /** What each address that the plan saw is now; null: not there. */
  readonly lives: ReadonlyMap<Address, Live | null>;
  /** What came up since under the name, or at the start and venue, of an event that is to be made, by the address of that. */
  readonly newcomers: ReadonlyMap<Address, Live>;
  /** By the address of the event. */
  readonly lists: ReadonlyMap<Address, LiveLists>;
  /** Whether an id was met, asked about what state holds for addresses that are to be made. */
  readonly isLive: (id: string) => boolean;
}

export interface RereadRequest {
  readonly plan: Plan;
  readonly now: number;
  /** What state holds for addresses that are to be made, by address. */
  readonly remembered: ReadonlyMap<Address, string>;
}

export async function readObserved(reader: Reader, { plan, now, remembered }: RereadRequest): Promise<Reread> {
  const lives = new Map<Address, Live | null>();
  const lists = new Map<Address, LiveLists>();
  const readList = makeListReader(reader, { settleMs: 0, sleep: async () => undefined });
  const events = plan.seen.filter((seen) => seen.kind === "event");
  const byEvent = groupBy(plan.seen, (seen) => parentAddress(seen.address) ?? "");
  const going = new Set(plan.changes.flatMap((one) => (isLeaving(one.action) ? [one.address] : [])));
  await Promise.all(
    events.map(async (seen) => {
      if (seen.id === null) return;
      lives.set(seen.address, await readEvent(reader, seen.id));
      const below = byEvent.get(seen.address) ?? [];
      // What may name something that goes is looked at, whatever the file says of it.
      const naming = below
        .filter((each) => going.has(each.address))
        .flatMap((each) => referrersOf(each.kind).map((referrer) => referrer.kind));
      const kinds = new Set([
        ...Object.keys(seen.lists ?? {}),
        ...below.map((each) => each.kind),
        ...naming,
      ] as KindName[]);
      const read: Record<KindName, readonly Live[]> = {};
      for (const kind of kinds) {
        const fields = below.filter((each) => each.kind === kind).flatMap((each) => Object.keys(each.fields));
        if (lives.get(seen.address) === null) continue;
        read[kind] = await readList({ eventId: seen.id, kind, fields: [...new Set(fields)], fresh: [], atLeast: 0 });
      }
      lists.set(seen.address, read);
      for (const each of below) {
        const found = read[each.kind]?.find((live) => live.id === each.id);
        lives.set(each.address, each.id === null ? null : (found ?? null));
      }
    }),
  );
  const newcomers = await findNew(reader, plan, lives, now);
  const hooks = plan.seen.filter((seen) => seen.kind === "webhook");
  const webhooks = hooks.length === 0 ? [] : await readWebhooks(reader);
  for (const seen of hooks) {
    const found = webhooks.find((live) =>
      seen.id === null ? live.fields.url === seen.fields.url : live.id === seen.id,
    );
    lives.set(seen.address, found ?? null);
  }
  const found = new Set(await liveIds(reader, events, remembered));
  for (const list of lists.values()) for (const live of Object.values(list).flat()) found.add(idKey(live.id));
  for (const live of webhooks) found.add(idKey(live.id));
  return { lives, newcomers, lists, isLive: (id) => found.has(idKey(id)) };
}

function isLeaving(action: Change["action"]): boolean {
  return action === "delete" || action === "replace";
}

/** An event that is to be made may be there under another name: only its id tells. */
async function liveIds(
  reader: Reader,
  events: readonly Observed[],
  remembered: ReadonlyMap<Address, string>,
): Promise<readonly string[]> {
  const ids = events.flatMap(({ address, id }) => (id === null ? (remembered.get(address) ?? []) : []));
  const lives = await Promise.all(ids.map((id) => readEvent(reader, id)));
  return lives.flatMap((live) => (live === null ? [] : [idKey(live.id)]));
}

async function readEvent(reader: Reader, id: string): Promise<Live | null> {
  const record = await reader.one(`/events/${id}`);
  return record === null ? null : readRecord(kindOf("event"), record, null);
}

/** What was to be made may have been made by somebody else meanwhile. Gives those that may be meant and are not equal. */
async function findNew(
  reader: Reader,
  plan: Plan,
  lives: Map<Address, Live | null>,
  now: number,
): Promise<ReadonlyMap<Address, Live>> {
  const wanted = plan.seen.filter((seen) => seen.kind === "event" && seen.id === null);
  const found = await findEvents(
    reader,
    wanted.map((seen) => ({
      ids: [],
      names: texts(seen.fields.name),
      starts: texts(seen.fields.dateTime),
      fields: ["name", "dateTime"],
      expected: "unknown" as const,
      archivedToo: archivedToo(seen),
      renamesToo: seen.new !== true,
    })),
  );
  const newcomers = new Map<Address, Live>();
  const venues = new Map(
    plan.operations.flatMap(({ address, verb, body }) => (verb === "create" ? [[address, body?.venueId]] : [])),
  );
  const byName = groupByName(found.events);
  const namesakesOf = namesakesAmong(found.events);
  for (const seen of wanted) {
    const { name, dateTime } = seen.fields;
    const known = new Set(seen.namesakes?.map(idKey));
    const alike = (typeof name === "string" ? (byName.get(plainName(name)) ?? []) : []).filter(
      (live) => !known.has(idKey(live.id)),
    );
    const meant = alike.filter((live) => live.status !== "ARCHIVED" || archivedToo(seen));
    const equal = meant.find((live) => isStarting(live, dateTime));
    lives.set(seen.address, equal ?? null);
    const venueId = venues.get(seen.address);
    const fields = { ...seen.fields, ...(typeof venueId === "string" ? { venueId } : {}) };
    const sharing = new Set(namesakesOf({ fields }).filter((id) => !known.has(idKey(id))));
    const other = found.events.find(
      (live) => sharing.has(live.id) && live.status !== "ARCHIVED" && !hasEnded(live, now),
    );
    if (equal === undefined && other !== undefined && seen.new !== true) newcomers.set(seen.address, other);
  }
  return newcomers;
}

/** As in a plan: a document that says it is new never means an archived event. */
function archivedToo(seen: Observed): boolean {
  return seen.new !== true;
}

/** Where the start is hidden, the name has to do: a second one is worse than a plan that is made anew. Not so among archived ones. */
function isStarting({ fields, status }: Live, start: Value | undefined): boolean {
  return fields.dateTime === start || (fields.dateTime === undefined && status !== "ARCHIVED");
}

function texts(value: Value | undefined): readonly string[] {
  return typeof value === "string" ? [value] : [];
}
