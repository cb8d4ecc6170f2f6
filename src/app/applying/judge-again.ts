// What the rules say today about the changes a saved plan allows. A risk counts as accepted only if the plan shows it or the files accept it.
import { isFamilyHead, isInFamily, kindOf, kindOfAddress, parentAddress, readRecord } from "../../kinds/index.ts";
import { type Address, idKey, type KindName, nameInAddress, rootOf } from "../../model/address.ts";
import { hasEnded, type Live, type LiveLists } from "../../model/live.ts";
import type { Block, Change, Observed, Plan } from "../../model/plan.ts";
import { groupBy, type SecretPlace, type Value } from "../../model/value.ts";
import { dayIn, lapsedOn } from "../../model/wish.ts";
import { allComparisons, type Comparison, type EventComparison, referrersOf } from "../../plan/compare.ts";
import {
  acceptedByFiles,
  acceptedRisks,
  judgeEvents,
  judgeWebhooks,
  raisedLimit,
  tooManyDeletes,
} from "../../plan/judge.ts";
import { groupByName, namesakesAmong, plainName, recallFrom } from "../../plan/match.ts";
import { findEvents, makeListReader } from "../../snapshot/find-events.ts";
import { type OrderReader, readWebhooks } from "../../snapshot/read-organization.ts";
import type { Reader } from "../../snapshot/reader.ts";
import { limitOfDeletes, type PlanFlags } from "../planning/plan-inputs.ts";
import { readSales } from "../planning/read-children.ts";
import type { Session } from "../session/open-session.ts";

/**
 * `reasons`: changes the plan allowed that would be blocked now, one sentence each. `accepted`: the accepted risks in the rules' own words;
 * those in a plan file were written by its author.
 */
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
) {
  const wishes = new Map(project.events.map((wish) => [wish.address, wish]));
  const allowed = plan.changes.filter((change) => change.blockedBy.length === 0);
  const byAddress = new Map(allowed.map((change) => [change.address, change]));
  const byParent = groupBy(allowed, ({ address }) => parentAddress(address) ?? "");
  const allowIn = new Map(plan.observed.map((observed) => [observed.address, observed.allow]));

  const events: EventComparison[] = [];
  for (const { kind, address, allow, protected: wasProtected } of plan.observed) {
    if (!isFamilyHead(kind)) continue;
    const event: EventComparison = {
      self: comparisonOf(address, byAddress.get(address) ?? null, again),
      children: (byParent.get(address) ?? []).map((change) => comparisonOf(change.address, change, again)),
      lists: again.lists.get(address) ?? {},
      protected: wasProtected === true || (wishes.get(address)?.own ?? state?.objects[address])?.protected === true,
    };
    const orders = await readSales(event, { allow, secretPlace }, orderReader);
    const remember = recallFrom(null, null);
    const context = { allow, secretPlace, ordersOf: () => orders, now: 0, remember, deletes: null };
    events.push(...judgeEvents([event], context).events);
  }
  const webhooks = allowed
    .filter(({ address }) => !isInFamily(address))
    .flatMap((change) => {
      const allow = allowIn.get(change.address) ?? [];
      return judgeWebhooks([comparisonOf(change.address, change, again)], { allow, secretPlace });
    });

  const removed = plan.changes.filter(
    ({ action, kind, address }) => action === "delete" && isFamilyHead(kind) && !wishes.has(address),
  );
  // Deletes that other shards plan were counted when this plan was made.
  const limit = limitOfDeletes(project, flags, removed.length);
  const shown = new Set(plan.diagnostics.map(({ code, address }) => `${code} ${address ?? ""}`));
  const limitRaised = plan.diagnostics.some(({ code }) => code === "too-many-deletes");
  const tooMany = limitRaised ? null : tooManyDeletes(events, limit);
  const judged = [...events.flatMap(allComparisons), ...webhooks];
  const today = dayIn(project.settings.timezone, now);
  const accepted = acceptedByFiles(project, today);
  const whyUnaccepted = ({ code, message }: Block, address: Address): readonly string[] => {
    const event = rootOf(address);
    const wish = wishes.get(event);
    const given = [accepted.everywhere, flags.allow ?? [], accepted.of(event, wish)];
    if (given.some((allow) => allow.includes(code))) return [];
    const until = lapsedOn([...project.settings.allow, ...(wish?.own.allow ?? [])], event, code, today);
    const what = message.replace(/\.$/, "");
    if (until !== undefined && until >= dayIn(project.settings.timezone, Date.parse(plan.createdAt)))
      return [`${what}, and the files accept \`${code}\` only until ${until}`];
    if (shown.has(`${code} ${address}`)) return [];
    return [`${what}, and neither the plan nor the files say that \`${code}\` is accepted`];
  };
  const reasons = judged.flatMap(({ address, change, accepted: risks = [] }) => [
    ...(change?.blockedBy ?? []).map((block) => block.message),
    ...risks.flatMap((risk) => whyUnaccepted(risk, address)),
  ]);
  return {
    reasons: tooMany === null ? reasons : [...reasons, tooMany.message],
    accepted: [...(limitRaised ? raisedLimit(events, limit) : []), ...judged.flatMap(acceptedRisks)],
  };
}

function comparisonOf(address: Address, change: Change | null, again: Reread): Comparison {
  return {
    kind: kindOfAddress(address),
    address,
    wish: null,
    live: again.lives.get(address) ?? null,
    name: change?.context?.name ?? nameIn(address),
    change,
    obstacles: [],
    unknown: [],
  };
}

// Everything that a saved plan observed, read once more.

export interface Reread {
  /** What each address that the plan observed is now; null: not live. */
  readonly lives: ReadonlyMap<Address, Live | null>;
  /** New events with the name, or the start and venue, of one that is to be created; by the address of the latter. */
  readonly newcomers: ReadonlyMap<Address, Live>;
  readonly lists: ReadonlyMap<Address, LiveLists>;
  /** Whether an id that state holds for an address that is to be created is live. */
  readonly isLive: (id: string) => boolean;
}

/** `remembered`: the ids that state holds for addresses that are to be created. */
export async function readObserved(
  reader: Reader,
  plan: Plan,
  now: number,
  remembered: ReadonlyMap<Address, string>,
): Promise<Reread> {
  const lives = new Map<Address, Live | null>();
  const lists = new Map<Address, LiveLists>();
  const met = new Set<string>();
  const readList = makeListReader(reader);
  const byEvent = groupBy(plan.observed, (observed) => parentAddress(observed.address) ?? "");
  const leaving = new Set(
    plan.changes.filter(({ action }) => action === "delete" || action === "replace").map(({ address }) => address),
  );

  async function rereadEvent(observed: Observed): Promise<void> {
    // An event to be created may already exist under another name: only its id shows it.
    const id = observed.id ?? remembered.get(observed.address);
    if (id === undefined) return;
    const record = await reader.one(`/events/${id}`);
    const live = record === null ? null : readRecord(kindOfAddress(observed.address), record, null);
    if (observed.id === null) {
      if (live !== null) met.add(idKey(live.id));
      return;
    }
    const children = byEvent.get(observed.address) ?? [];
    // Entries that may refer to a deleted object are read, whatever the file says about them.
    const referring = children
      .filter(({ address }) => leaving.has(address))
      .flatMap(({ kind }) => referrersOf(kind).map((referrer) => referrer.kind));
    const kinds = [...Object.keys(observed.lists ?? {}), ...children.map(({ kind }) => kind), ...referring];
    const read: Record<KindName, readonly Live[]> = {};
    for (const kind of live === null ? [] : (new Set(kinds) as ReadonlySet<KindName>)) {
      const fields = children.filter((each) => each.kind === kind).flatMap((each) => Object.keys(each.fields));
      const list = await readList({ eventId: observed.id, kind, fields: [...new Set(fields)] });
      for (const each of list) met.add(idKey(each.id));
      read[kind] = list;
    }
    lives.set(observed.address, live);
    lists.set(observed.address, read);
    for (const { address, kind, id: childId } of children) {
      lives.set(address, (childId !== null && read[kind]?.find((each) => each.id === childId)) || null);
    }
  }

  await Promise.all(plan.observed.filter(({ kind }) => isFamilyHead(kind)).map(rereadEvent));
  const newcomers = await findNew(reader, plan, lives, now);
  const hooks = plan.observed.filter(({ address }) => !isInFamily(address));
  const webhooks = hooks.length === 0 ? [] : await readWebhooks(reader);
  for (const live of webhooks) met.add(idKey(live.id));
  for (const { kind, address, id, fields } of hooks) {
    const { label } = kindOf(kind).identity;
    const found = webhooks.find((live) => (id === null ? live.fields[label] === fields[label] : live.id === id));
    lives.set(address, found ?? null);
  }
  return { lives, newcomers, lists, isLive: (id) => met.has(idKey(id)) };
}

/** Somebody else may have created it meanwhile. Sets those that are equal, and returns those that may be meant. */
async function findNew(reader: Reader, plan: Plan, lives: Map<Address, Live | null>, now: number) {
  const wanted = plan.observed.filter(({ kind, id }) => isFamilyHead(kind) && id === null);
  const { events } = await findEvents(
    reader,
    wanted.map((observed) => ({
      ids: [],
      names: textList(observed.fields.name),
      starts: textList(observed.fields.dateTime),
      fields: ["name", "dateTime"],
      expected: "unknown" as const,
      // As in a plan: a document that says it is new never means an archived or a renamed event.
      archivedToo: observed.new !== true,
      renamesToo: observed.new !== true,
    })),
  );
  const newcomers = new Map<Address, Live>();
  const venues = new Map(
    plan.operations.flatMap(({ address, verb, body }) => (verb === "create" ? [[address, body?.venueId]] : [])),
  );
  const byName = groupByName(events);
  const namesakesOf = namesakesAmong(events);
  for (const observed of wanted) {
    const known = new Set(observed.namesakes?.map(idKey));
    const equal = textList(observed.fields.name)
      .flatMap((name) => byName.get(plainName(name)) ?? [])
      .filter((live) => !known.has(idKey(live.id)) && (live.status !== "ARCHIVED" || observed.new !== true))
      .find((live) => isStarting(live, observed.fields.dateTime));
    lives.set(observed.address, equal ?? null);
    if (equal !== undefined || observed.new === true) continue;
    const venueId = venues.get(observed.address);
    const fields = { ...observed.fields, ...(typeof venueId === "string" ? { venueId } : {}) };
    const sharing = new Set(namesakesOf({ fields }).filter((id) => !known.has(idKey(id))));
    const other = events.find((live) => sharing.has(live.id) && live.status !== "ARCHIVED" && !hasEnded(live, now));
    if (other !== undefined) newcomers.set(observed.address, other);
  }
  return newcomers;
}

/** If the start is hidden, the name decides: a duplicate event is worse than a new plan. Archived events are exempt. */
function isStarting({ fields, status }: Live, start: Value | undefined): boolean {
  return fields.dateTime === start || (fields.dateTime === undefined && status !== "ARCHIVED");
}

function textList(value: Value | undefined): readonly string[] {
  return typeof value === "string" ? [value] : [];
}

export function nameIn(address: Address): string {
  return nameInAddress(address).replace(/#\d+$/, "");
}
