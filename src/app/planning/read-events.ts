// Events, from documents to judged comparisons. Each question to the service is asked only once the responses before it
// make it necessary.
import { sandboxName } from "../../config/environment.ts";
import { type Address, idKey, type KindName } from "../../model/address.ts";
import type { LiveLists, OrderFigures } from "../../model/live.ts";
import { venueKey } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { settleEvent } from "../../plan/assemble.ts";
import {
  allComparisons,
  compareEvent,
  type EventComparison,
  type Former,
  findRemoved,
  type IsTargeted,
  limitEvent,
  unjudgedDeletions,
} from "../../plan/compare.ts";
import { type DeleteLimit, holdUnreviewed, judgeEvents, type RuleContext, withContext } from "../../plan/judge.ts";
import {
  baseUnderAddressesOfNow,
  type EventMatch,
  matchEvents,
  namesakesAmong,
  type Recall,
  recallFrom,
  resolveVenues,
} from "../../plan/match.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { makeListReader } from "../../snapshot/read-lists.ts";
import { findVenues, makeOrderReader } from "../../snapshot/read-organization.ts";
import {
  type PlanInputs,
  pinNotHere,
  venueNames,
  wantedByPlan,
  wantedElsewhere,
  wantedFormer,
  withoutLostPin,
} from "./plan-inputs.ts";
import { readFurther, readLists, readSales } from "./read-children.ts";

export interface ReadEventsInput {
  readonly inputs: PlanInputs;
  /** All that are planned, by this shard or another. */
  readonly events: readonly Wish[];
  readonly isOwn: (address: Address) => boolean;
  /** Those of the targets; and all of them. */
  readonly former: readonly Former[];
  readonly formerOfAll: readonly Former[];
  /** Documents that git shows as deleted, where nothing records what was applied. */
  readonly deleted: readonly Former[];
  readonly remember: Recall;
  readonly allow: readonly string[];
  readonly allowIn: (event: EventComparison) => readonly string[];
  readonly deletes: DeleteLimit;
  readonly isTargeted: IsTargeted;
}

/**
 * Events with nothing to do are let go as soon as they are compared: of ten thousand, what changes is kept. `held`: changes that were not
 * reviewed; `deletes`: with what other shards delete; `remember`: also of documents that moved to another file.
 */
export async function readEvents(input: ReadEventsInput) {
  const { inputs, isOwn } = input;
  const { reader, now, project } = inputs;
  // More than the client has in flight, so that it is never idle; what waits in line costs memory.
  const eventsAtOnce = 2 * (inputs.parallelism ?? 8);
  const baseByAddress = new Map((inputs.base?.events ?? []).map((wish) => [wish.address, wish]));
  const isEmbedded = inputs.target.environment === sandboxName;
  const circumstances = { isEmbedded, hasBase: inputs.base !== null };
  // Without an id, the venue may decide whether a document of another shard means an event that one of ours may mean.
  const sought = input.events.filter(
    ({ address, own }) => isOwn(address) || (own.id ?? input.remember(address).id) === null,
  );
  const [venues, found] = await Promise.all([
    findVenues(
      reader,
      [...sought, ...sought.flatMap(formerly(inputs, baseByAddress))].flatMap(({ own }) => own.venue ?? []),
    ),
    findEvents(reader, [
      ...input.events.map((wish) => {
        const base = baseByAddress.get(wish.address);
        const wanted = wantedByPlan(wish, input.remember, base, circumstances);
        // What any shard deletes counts for all of them, so all find it.
        return isOwn(wish.address) || wish.own.status === "DELETED" ? wanted : wantedElsewhere(wanted, wish, base);
      }),
      ...input.former.map(wantedFormer),
      ...input.deleted.map(wantedFormer),
    ]),
  ]);
  const unpinned = (wish: Wish) => (isEmbedded ? withoutLostPin(wish, found.events) : wish);
  const resolved = resolveVenues(input.events.map(unpinned), venues);
  const planned = new Map(resolved.wishes.map((wish) => [wish.address, wish]));
  const isNew = firstSeen(inputs, baseByAddress);
  const matches = matchEvents({
    // A document that is not planned this time still has its live event: no other document may mean that one.
    wishes: project.events.map((wish) => planned.get(wish.address) ?? unpinned(wish)),
    lives: found.events,
    remember: input.remember,
    baseOf: (address) => baseByAddress.get(address),
    isFirstSeen: isNew,
    gone: input.formerOfAll,
    renamesToo: true,
    now,
  });
  const remember = rememberMatched(inputs, input.events, matches);
  const readList = makeListReader(reader, { settleMs: inputs.options.settleMs, sleep: inputs.sleep });
  const namesakes = namesakesAmong(found.events);

  const own = resolved.wishes.filter((wish) => isOwn(wish.address));
  const orderReader = makeOrderReader(reader);
  const orders = new Map<string, OrderFigures | undefined>();
  const rules: RuleContext = {
    allow: input.allow,
    allowIn: input.allowIn,
    secretPlace: "kept",
    ordersOf: (id) => orders.get(id),
  };
  const judging = { ...rules, now, remember, deletes: null };

  let done = 0;
  const compared = await concurrentMap(own, eventsAtOnce, async (whole) => {
    const match = matches.get(whole.address) ?? { live: null, block: null };
    const lists = await readLists(readList, whole, match, remember, inputs);
    const wish = isEmbedded ? withoutLostPinsBelow(whole, lists) : whole;
    const { resendUnreadable } = inputs.options;
    const venueBlock = resolved.blocks.get(wish.address);
    const { event, diagnostics } = compareEvent({ wish, match, lists, remember, resendUnreadable, venueBlock });
    inputs.onProgress(++done, own.length);
    const settled = event && settleEvent(event, input.isTargeted, remember);
    if (event && settled) {
      const remarks = judgeEvents([event], judging).remarks.flat();
      return { event: null, diagnostics, settled: { event: settled, remarks } };
    }
    return { event: event?.self.live === null ? { ...event, namesakes: namesakes(wish) } : event, diagnostics };
  });
  const surroundings = {
    lives: found.events,
    taken: new Set([...matches.values()].flatMap((match) => match.live?.id ?? [])),
    contested: contestedBy(
      // A document that was not looked for, and is not new, has a live event that was not read.
      project.events.filter((wish) => planned.has(wish.address) || isNew(wish.address)),
      matches,
    ),
    names: new Set(project.events.map((wish) => wish.fields.name)),
    remember,
    now,
  };
  const meantBy = new Map([...matches].map(([address, { live }]) => [live === null ? "" : idKey(live.id), address]));
  // A document that moved to another key, and with it what is remembered of it, belongs to the shard of that key.
  const isOwnFormer = ({ id, address }: Former) => isOwn(meantBy.get(idKey(id ?? "-")) ?? address);
  const former = input.former.filter(isOwnFormer);
  const removed = findRemoved({ former, ...surroundings });

  const all = [...compared.flatMap(({ event }) => event ?? []), ...removed.events];
  const informed = await concurrentMap(all, eventsAtOnce, async (event) => {
    const further = await readFurther(event, readList, rules);
    const id = event.self.live?.id;
    if (id !== undefined) orders.set(id, await readSales(further, rules, orderReader));
    return further;
  });
  // First what is looked at, then what forbids it: an entry that is left alone still names what it names.
  const limited = informed.map((event) => limitEvent(event, input.isTargeted));
  const { review } = inputs;
  const reviewed = limited.map((event) => (review === null ? { event, held: null } : holdUnreviewed(event, review)));
  const kept = reviewed.map(({ event }) => event);
  const others = findRemoved({ former: input.former.filter((one) => !isOwnFormer(one)), ...surroundings }).events;
  const deletedElsewhere = [
    ...others,
    ...resolved.wishes.flatMap((wish) => {
      const match = matches.get(wish.address);
      if (wish.own.status !== "DELETED" || isOwn(wish.address) || match === undefined) return [];
      return compareEvent({ wish, match, lists: {}, remember, resendUnreadable: false }).event ?? [];
    }),
  ].map((event) => {
    const limited = limitEvent(event, input.isTargeted);
    return review === null ? limited : holdUnreviewed(limited, review).event;
  });
  const elsewhere = deletedElsewhere.filter(({ self }) => self.change?.action === "delete").length;
  const deletes = { ...input.deletes, elsewhere };
  const judged = judgeEvents(kept, { ...judging, deletes });
  const named = venueNames(reader, inputs.state);
  const explained = (event: EventComparison) => withContext(event, named, orders.get(event.self.live?.id ?? ""));

  // What a document means that is not planned this time is remembered under its former address until it is.
  const held = new Set([...matches].map(([address, { live }]) => (planned.has(address) ? null : live?.id)));
  const heldAddresses = new Set(former.flatMap(({ address, id }) => (id !== null && held.has(id) ? address : [])));
  const matchedOpen = [...matches.values()].filter(({ live }) => live !== null && live.status !== "ARCHIVED").length;
  const open = judged.events.map((event, index) => ({ event: explained(event), remarks: judged.remarks[index] ?? [] }));
  const wished = compared.flatMap(({ event, settled = null }) =>
    event === null ? (settled ?? []) : (open.shift() ?? []),
  );
  const inOrder = [...wished, ...open];
  return {
    events: inOrder.map(({ event }) => event),
    held: reviewed.flatMap(({ held }) =>
      held === null ? [] : allComparisons(explained(held)).flatMap(({ change }) => change ?? []),
    ),
    diagnostics: [
      ...input.events
        .filter((wish) => isOwn(wish.address) && unpinned(wish) !== wish)
        .map((wish) => pinNotHere(wish, project.settings)),
      ...resolved.diagnostics.filter(({ address = "" }) => isOwn(address)),
      ...compared.flatMap(({ diagnostics }) => diagnostics),
      ...removed.diagnostics,
      ...unjudgedDeletions(findRemoved({ former: input.deleted, ...surroundings })),
      ...inOrder.flatMap(({ remarks }) => remarks),
    ],
    forgotten: removed.forgotten.filter((address) => !heldAddresses.has(address)),
    unmanaged:
      found.total === null ? null : Math.max(0, found.total - matchedOpen - removed.events.length - others.length),
    deletes,
    remember,
  };
}

/** Works on all items, at most `atOnce` at a time. Results in the order of the items. */
async function concurrentMap<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  async function worker(): Promise<void> {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/** The earlier document, if it names another venue: without state, only it knows the name of the venue that the event leaves. */
function formerly({ state }: PlanInputs, bases: ReadonlyMap<string, Wish>): (wish: Wish) => readonly Wish[] {
  return ({ address, own: { venue } }) => {
    const former = state?.venues === undefined ? bases.get(address) : undefined;
    if (former?.own.venue === undefined) return [];
    return venue !== undefined && venueKey(venue) === venueKey(former.own.venue) ? [] : [former];
  };
}

function rememberMatched(
  { state, base, comparedWith, earlier }: PlanInputs,
  events: readonly Wish[],
  matches: ReadonlyMap<string, EventMatch>,
): Recall {
  const meant = [...matches].flatMap(([address, { live }]) => (live === null ? [] : [[address, live] as const]));
  const underAddressesOfNow = (project: Project | null) =>
    project && [...baseUnderAddressesOfNow(project.events, meant), ...project.webhooks];
  const formerly = underAddressesOfNow(base);
  const revision = comparedWith === base ? formerly : underAddressesOfNow(comparedWith);
  return recallFrom(state, formerly, events, { revision, earlier: earlier?.events ?? null });
}

function withoutLostPinsBelow(wish: Wish, lists: LiveLists): Wish {
  const children = Object.entries(wish.children).map(([kind, entries]) => [
    kind,
    entries.map((entry) => withoutLostPin(entry, lists[kind as KindName] ?? [])),
  ]);
  return { ...wish, children: Object.fromEntries(children) };
}

/** Live events that documents may mean, by id. */
function contestedBy(wishes: readonly Wish[], matches: ReadonlyMap<string, EventMatch>) {
  const contested = new Map<string, readonly Wish[]>();
  for (const wish of wishes) {
    for (const { id } of matches.get(wish.address)?.candidates ?? [])
      contested.set(id, [...(contested.get(id) ?? []), wish]);
  }
  return contested;
}

/** Git, or a state that knows other events, would know a document that was applied before. */
function firstSeen({ base, state }: PlanInputs, bases: ReadonlyMap<string, Wish>): (address: string) => boolean {
  const objects = state?.objects ?? {};
  const remembersEvents = Object.values(objects).some((entry) => entry.kind === "event");
  return (address) => (base === null ? remembersEvents && objects[address] === undefined : !bases.has(address));
}
