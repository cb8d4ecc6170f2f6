// Events, from documents to judged cases. Each question to the service is asked only once the answers before it make it needed.
import { sandboxName } from "../../config/environment.ts";
import { fieldEntries, kindOf, sameValue } from "../../kinds/index.ts";
import { distinctIds, type KindName, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live, LiveLists, OrderFigures, State } from "../../model/live.ts";
import { isReference } from "../../model/value.ts";
import type { Settings, Wish } from "../../model/wish.ts";
import {
  compareEvent,
  type EventComparison,
  type Former,
  findRemoved,
  furtherLists,
  type IsTargeted,
  judgeReferences,
  limitEvent,
} from "../../plan/compare.ts";
import {
  blockVenue,
  judgeEvent,
  judgeMistakes,
  type RuleContext,
  remarksOn,
  salesNeed,
  soldOfEvent,
  withContext,
} from "../../plan/judge.ts";
import {
  baseUnderAddressesOfNow,
  type EventMatch,
  matchEvents,
  namesakesAmong,
  type Recall,
  recallFrom,
  resolveVenues,
} from "../../plan/match.ts";
import { findEvents, type WantedEvent } from "../../snapshot/find-events.ts";
import { makeListReader, type ReadList } from "../../snapshot/read-lists.ts";
import { findVenues, makeOrderReader, type OrderReader } from "../../snapshot/read-organization.ts";
import { isFresh, type PlanInputs } from "./plan-inputs.ts";

/** Works on all items, so many at once and no more: what waits in line costs memory. Results in the order of the items. */
export async function concurrentMap<Item, Result>(
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

// Orders are read only as far as a planned change needs them: first how many there are, then what they are of.

/** So many orders are read only for the number that a message names; above it, the message says "some". */
const worthCounting = 1000;

/** What the verdicts on this event need to know of its orders; undefined: nothing. */
export async function readSales(
  event: EventComparison,
  court: Omit<RuleContext, "ordersOf">,
  reader: OrderReader,
): Promise<OrderFigures | undefined> {
  const id = event.self.live?.id;
  if (id === undefined) return undefined;
  let orders: OrderFigures | undefined;
  const need = () => salesNeed(event, { ...court, ordersOf: () => orders });
  const first = need();
  if (first === null) return undefined;
  // Where a quantity proves sales, only the items of orders can say more.
  const isProven = soldOfEvent(event.lists.ticket, undefined).any === true;
  if (first === "number" || !isProven) orders = await reader.total(id);
  const left = need();
  if (left === null || orders?.total === null || orders?.tickets !== undefined) return orders;
  if (left === "number" && (orders?.total ?? 0) > worthCounting) return orders;
  const many = (orders?.total ?? 0) > worthCounting;
  return reader.byTicket(
    id,
    many ? (part) => salesNeed(event, { ...court, ordersOf: () => part }) !== "verdict" : undefined,
  );
}

export interface ReadEventsInput {
  readonly inputs: PlanInputs;
  readonly events: readonly Wish[];
  /** Those of the targets; and all of them. */
  readonly former: readonly Former[];
  readonly formerOfAll: readonly Former[];
  readonly remember: Recall;
  readonly allow: readonly string[];
  readonly isTargeted: IsTargeted;
}

export interface ReadEvents {
  readonly events: readonly EventComparison[];
  readonly diagnostics: readonly Diagnostic[];
  readonly forgotten: readonly string[];
  readonly unmanaged: number | null;
  /** What is remembered, also of documents that moved to another file. */
  readonly remember: Recall;
}

/** More than the client ever has under way, so that it is never idle. */
const eventsAtOnce = 64;

export async function readEvents(input: ReadEventsInput): Promise<ReadEvents> {
  const { inputs, former } = input;
  const { reader, now } = inputs;
  const baseByAddress = new Map((inputs.base?.events ?? []).map((wish) => [wish.address, wish]));
  const [venues, found] = await Promise.all([
    findVenues(
      reader,
      input.events.map((wish) => wish.own.venue).filter((query) => query !== undefined),
    ),
    findEvents(reader, [
      ...input.events.map((wish) => wantedEvent(wish, baseByAddress.get(wish.address), input.remember, inputs)),
      ...former.map(wantedFormer),
    ]),
  ]);
  const isEmbedded = inputs.target.environment === sandboxName;
  const unpinned = (wish: Wish) => (isEmbedded ? (withoutLostPins([wish], found.events)[0] ?? wish) : wish);
  const resolved = resolveVenues(input.events.map(unpinned), venues, isEmbedded);
  const planned = new Map(resolved.wishes.map((wish) => [wish.address, wish]));
  const isNew = firstSeen(inputs, baseByAddress);
  const matches = matchEvents({
    // A document that is not planned this time still has its live event: nobody else may mean that one.
    wishes: inputs.project.events.map((wish) => planned.get(wish.address) ?? unpinned(wish)),
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
  const orderReader = makeOrderReader(reader);
  const orders = new Map<string, OrderFigures | undefined>();
  const court: RuleContext = { allow: input.allow, secretSink: true, ordersOf: (id) => orders.get(id) };
  const allVenues = [...venues.values()].flat();

  const namesakes = namesakesAmong(found.events);

  let done = 0;
  const compared = await concurrentMap(resolved.wishes, eventsAtOnce, async (whole) => {
    const match = matches.get(whole.address) ?? { live: null, block: null };
    const lists = await readLists(readList, whole, match, remember, inputs);
    const wish = isEmbedded ? withoutLostPinsBelow(whole, lists) : whole;
    const { event, diagnostics } = compareEvent({
      wish,
      match,
      lists,
      remember,
      resendUnreadable: inputs.options.resendUnreadable,
    });
    inputs.onProgress(++done, resolved.wishes.length);
    const venueBlock = resolved.blocks.get(wish.address);
    if (event === null) return { event, diagnostics };
    const known = event.self.live === null ? { ...event, namesakes: namesakes(wish) } : event;
    return { event: venueBlock === undefined ? known : blockVenue(known, wish, venueBlock), diagnostics };
  });
  const taken = new Set([...matches.values()].map((match) => match.live?.id).filter((id) => id !== undefined));
  const names = new Set(inputs.project.events.map((wish) => wish.fields.name));
  const contested = contestedBy(
    inputs.project.events,
    matches,
    (wish) => planned.has(wish.address) || isNew(wish.address),
  );
  const removed = findRemoved({ former, lives: found.events, taken, contested, names, now });
  // What a document means that is not planned this time is remembered under its former address until it is.
  const held = new Set([...matches].map(([address, { live }]) => (planned.has(address) ? null : live?.id)));
  const isHeld = (address: string) =>
    former.some((one) => one.address === address && one.id !== null && held.has(one.id));
  const all = [...compared.map(({ event }) => event).filter((event) => event !== null), ...removed.events];
  const judged = await concurrentMap(all, eventsAtOnce, async (event) => {
    const informed = await readFurther(event, readList, court);
    const id = event.self.live?.id;
    const known = await readSales(informed, court, orderReader);
    if (id !== undefined) orders.set(id, known);
    // First what is looked at, then what forbids it: an entry that is left alone still names what it names.
    const context = { now, orders: known, remember };
    const mistaken = judgeMistakes(limitEvent(informed, input.isTargeted), context);
    const withBlocks = judgeReferences(judgeEvent(mistaken, court));
    return {
      event: withContext(withBlocks, allVenues, known),
      remarks: remarksOn(withBlocks, context),
    };
  });
  const matchedOpen = [...matches.values()].filter(
    (match) => match.live !== null && match.live.status !== "ARCHIVED",
  ).length;
  return {
    events: judged.map(({ event }) => event),
    diagnostics: [
      ...(isEmbedded
        ? input.events
            .filter((wish) => unpinned(wish) !== wish)
            .map((wish) => pinNotHere(wish, inputs.project.settings))
        : []),
      ...resolved.diagnostics,
      ...compared.flatMap(({ diagnostics }) => diagnostics),
      ...removed.diagnostics,
      ...judged.flatMap(({ remarks }) => remarks),
    ],
    forgotten: removed.forgotten.filter((address) => !isHeld(address)),
    unmanaged: found.total === null ? null : Math.max(0, found.total - matchedOpen - removed.events.length),
    remember,
  };
}

function rememberMatched(
  { state, base }: PlanInputs,
  events: readonly Wish[],
  matches: ReadonlyMap<string, EventMatch>,
): Recall {
  const meant = [...matches].flatMap(([address, { live }]) => (live === null ? [] : [[address, live] as const]));
  const documents = baseUnderAddressesOfNow(base?.events ?? [], meant);
  return recallFrom(state, [...documents, ...(base?.webhooks ?? [])], events);
}

/** The embedded sandbox never holds what is live elsewhere: there a plain `id` that is not found pins nothing. */
function withoutLostPins(wishes: readonly Wish[], lives: readonly Live[]): readonly Wish[] {
  return wishes.map((wish) => {
    const { id, ...own } = wish.own;
    return id === undefined || lives.some((live) => sameId(live.id, id)) ? wish : { ...wish, own };
  });
}

function withoutLostPinsBelow(wish: Wish, lists: LiveLists): Wish {
  const children = Object.entries(wish.children).map(([kind, entries]) => [
    kind,
    withoutLostPins(entries, lists[kind as KindName] ?? []),
  ]);
  return { ...wish, children: Object.fromEntries(children) };
}

function pinNotHere(wish: Wish, { defaultEnvironment, environments }: Settings): Diagnostic {
  // Without environments in the project file there is no name that an id could be pinned under.
  const others = Object.keys(environments).filter((name) => name !== sandboxName);
  const name = others.find((each) => each === defaultEnvironment) ?? others[0];
  const hint =
    name === undefined
      ? {}
      : { hint: `Write \`id: { ${name}: ${wish.own.id} }\` to pin it in that environment alone.` };
  return {
    code: "pin-not-here",
    severity: "info",
    message: `'${wish.name}' is pinned to the id ${wish.own.id}, which the sandbox does not hold: here it is found by its name and start, or made.`,
    ...hint,
    address: wish.address,
    source: wish.places.id ?? wish.source,
  };
}

/** Live events that documents may mean. One that was not looked for, and is not new, has a live event that was not read. */
function contestedBy(
  wishes: readonly Wish[],
  matches: ReadonlyMap<string, EventMatch>,
  counts: (wish: Wish) => boolean,
): ReadonlyMap<string, readonly Wish[]> {
  const contested = new Map<string, readonly Wish[]>();
  for (const wish of wishes.filter(counts)) {
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

function wantedEvent(wish: Wish, base: Wish | undefined, remember: Recall, inputs: PlanInputs): WantedEvent {
  const pins = [wish.own.id, base?.own.id].filter((id) => id !== undefined);
  const ids = [wish.own.id, remember(wish.address).id, base?.own.id].filter((id) => typeof id === "string");
  const names = [wish.fields.name, wish.own.renamedFrom, base?.fields.name].filter((name) => typeof name === "string");
  const starts = [wish.fields.dateTime, base?.fields.dateTime].filter((start) => typeof start === "string");
  const pinned = wish.own.id !== undefined;
  return {
    ids: distinctIds(ids),
    pins,
    names: pinned && inputs.target.environment !== sandboxName ? [] : [...new Set(names)],
    starts: [...new Set(starts)],
    fields: Object.keys(wish.fields),
    expected: ids.length > 0 || base !== undefined ? "live" : inputs.base === null ? "unknown" : "new",
    archivedToo: true,
    // The id that state holds would have found it under any name.
    renamesToo:
      wish.own.new !== true &&
      wish.own.status !== "DELETED" &&
      wish.own.status !== "ARCHIVED" &&
      remember(wish.address).id === null,
  };
}

function wantedFormer(former: Former): WantedEvent {
  return {
    ids: former.id === null ? [] : [former.id],
    names: former.name === null || former.id !== null ? [] : [former.name],
    starts: former.start === null ? [] : [former.start],
    fields: [],
    expected: "live",
    archivedToo: false,
  };
}

async function readLists(
  readList: ReadList,
  wish: Wish,
  match: EventMatch,
  remember: Recall,
  inputs: PlanInputs,
): Promise<LiveLists> {
  const live = match.live;
  if (live === null || wish.own.status === "DELETED") return {};
  // Nothing of an archived event can be changed: where state vouches that its document was not edited, its lists need no look.
  if (live.status === "ARCHIVED" && inputs.base === null && isAsRemembered(wish, inputs.state)) return {};
  const kinds = Object.keys(wish.children) as KindName[];
  const referred = referredKinds(wish);
  const lists = await Promise.all(
    [...kinds, ...referred].map(async (kind): Promise<[KindName, readonly Live[]]> => {
      const wishes = wish.children[kind] ?? [];
      const fields = [...new Set(wishes.flatMap((child) => Object.keys(child.fields)))];
      const fresh = wishes.map((child) => remember(child.address)).filter((memory) => isFresh(memory.madeAt, inputs));
      // Made with its event, and a run that was cut off right then knows none of their ids.
      const atLeast = kindOf(kind).inline && isFresh(remember(wish.address).madeAt, inputs) ? wishes.length : 0;
      return [
        kind,
        await readList({ eventId: live.id, kind, fields, fresh: fresh.map((memory) => memory.id ?? ""), atLeast }),
      ];
    }),
  );
  return Object.fromEntries(lists);
}

/** Whether state remembers all that the document lists, as it lists it, and nothing more. */
function isAsRemembered(wish: Wish, state: State | null): boolean {
  const objects = state?.objects ?? {};
  if (objects[wish.address] === undefined) return false;
  return Object.entries(wish.children).every(([kind, children]) => {
    const list = `${wish.address}/${kindOf(kind as KindName).plural}/`;
    const remembered = Object.keys(objects).filter((address) => address.startsWith(list));
    return (
      remembered.length === children.length &&
      children.every((child) => {
        const entry = objects[child.address];
        return Object.entries(child.fields).every(
          ([field, value]) => entry !== undefined && (isReference(value) || sameValue(entry.applied[field], value)),
        );
      })
    );
  });
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

/** Lists that a planned change makes it necessary to know. */
async function readFurther(event: EventComparison, readList: ReadList, court: RuleContext): Promise<EventComparison> {
  const id = event.self.live?.id;
  if (id === undefined) return event;
  let lists = event.lists;
  async function add(kind: KindName): Promise<void> {
    const lives = await readList({ eventId: id as string, kind, fields: [], fresh: [], atLeast: 0 });
    lists = { ...lists, [kind]: lives };
  }
  for (const kind of furtherLists(event)) await add(kind);
  if (lists.ticket === undefined && salesNeed({ ...event, lists }, court) !== null) await add("ticket");
  return lists === event.lists ? event : { ...event, lists };
}
