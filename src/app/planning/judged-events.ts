// Events, from documents to judged comparisons. Each question is put to the service only when earlier responses require it.
import { type Address, rootOf, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { LiveLists, OrderFigures, State } from "../../model/live.ts";
import type { Block, Change } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import { type ComingPhase, familyOf, mapChildren, type Wish, whyDatesLeft } from "../../model/wish.ts";
import { unchangedEvent } from "../../plan/assemble.ts";
import {
  allComparisons,
  compareEvent,
  compareWithBase,
  type EventComparison,
  formerEvents,
  limitEvent,
  listsLeftOpen,
} from "../../plan/compare.ts";
import { holdUnreviewed, judgeEvents, type RuleContext, withContext } from "../../plan/judge.ts";
import { type EventMatch, namesakesAmong } from "../../plan/match.ts";
import { makeListReader } from "../../snapshot/find-events.ts";
import { makeOrderReader, type OrderReader } from "../../snapshot/read-organization.ts";
import { findGone, findMeant, isEmbedded, type Meant, type PlannedEvents, wishedGoneElsewhere } from "./find-meant.ts";
import { type PlanInputs, venueNames, withoutLostPin } from "./plan-inputs.ts";
import { readFurther, readLists, readSales } from "./read-children.ts";

/**
 * Events with nothing to do are dropped as soon as they are compared, to save memory. `held`: changes that were not reviewed; `deletes`:
 * with what other shards delete; `remember`: also of documents that moved to another file.
 */
export async function judgePlannedEvents(input: PlannedEvents) {
  const { inputs } = input;
  const { reader, review } = inputs;
  const meant = await findMeant(input);
  const { remember } = meant;
  const readList = makeListReader(reader);
  const orderReader = makeOrderReader(reader);
  const orders = new Map<string, OrderFigures | undefined>();
  const rules: RuleContext = {
    allow: input.allow,
    allowIn: input.allowIn,
    whyDateLeft: whyDatesLeft(inputs.project),
    secretPlace: { fate: "kept", host: null },
    ordersOf: (id) => orders.get(id),
  };
  const judging = { ...rules, now: inputs.now, remember, deletes: null };
  const compared = await compareOwn(input, meant, { readList, orderReader, judging });
  const gone = findGone(input, meant);

  const all = [...compared.flatMap(({ event }) => event ?? []), ...gone.own.events];
  const informed = await concurrentMap(all, eventsAtOnce(inputs), async (event) => {
    const further = await readFurther(event, readList, rules);
    const id = event.self.live?.id;
    if (id !== undefined) orders.set(id, await readSales(further, rules, orderReader));
    return further;
  });
  // Rules run only after targets and reviews have limited the changes; an entry that is left out still counts as a reference.
  const asReviewed = (event: EventComparison) => holdUnreviewed(limitEvent(event, input.isTargeted), review);
  const reviewed = informed.map(asReviewed);
  const deletedElsewhere = [...gone.elsewhere, ...wishedGoneElsewhere(input, meant)].map(
    (each) => asReviewed(each).event,
  );
  const elsewhere = deletedElsewhere.filter(({ self }) => self.change?.action === "delete").length;
  const deletes = { ...input.deletes, events: input.deletes.events - gone.moved, elsewhere };
  const judged = judgeEvents(
    reviewed.map(({ event }) => event),
    { ...judging, deletes },
  );
  const named = venueNames(reader, inputs.state);
  const explained = (event: EventComparison) => withContext(event, named, orders.get(event.self.live?.id ?? ""));
  const open = judged.events.map((event, index) => ({
    event: explained(event),
    remarks: judged.remarks[index] ?? [],
  }));
  const wished = compared.flatMap(({ event, settled = null }) =>
    event === null ? (settled ?? []) : (open.shift() ?? []),
  );
  const inOrder = [...wished, ...open];
  return {
    events: inOrder.map(({ event }) => event),
    held: reviewed.flatMap(({ held }) => (held === null ? [] : changesIn(explained(held)))),
    diagnostics: [
      ...meant.diagnostics,
      ...compared.flatMap(({ diagnostics }) => diagnostics),
      ...gone.diagnostics,
      // Events usually disappear from the sandbox because it was reset, which is nothing to warn about.
      ...inOrder
        .flatMap(({ remarks }) => remarks)
        .filter(({ code }) => !isEmbedded(inputs) || code !== "deleted-outside"),
    ],
    againstBase: changesAgainstBase(input, meant),
    ahead: new Map(compared.flatMap(({ ahead }) => ahead)),
    archived: new Set([...meant.matches].flatMap(([one, { live }]) => (live?.status === "ARCHIVED" ? one : []))),
    forgotten: [...gone.forgotten, ...compared.flatMap(({ stale }) => stale)],
    unmanaged: gone.unmanaged,
    removed: gone.removed,
    deletes,
    remember,
  };
}

/** What the checkout changes compared with its base, by the documents alone; only if that is to be reviewed. */
function changesAgainstBase(input: PlannedEvents, { planned, remember }: Meant): readonly Change[] {
  const { inputs, isOwn, isTargeted } = input;
  const { project, comparedWith, use, reader, state } = inputs;
  if (comparedWith === null || use.reviewed !== undefined) return [];
  // What was searched for is already judged, and another document of its name may describe the same event.
  const known = new Set([...input.formerOfAll, ...input.deleted, ...project.webhooks].map(({ address }) => address));
  const names = new Set(project.events.map(({ fields }) => fields.name));
  const gone = [
    ...formerEvents(project, null, comparedWith.events).flatMap(({ wish }) =>
      wish === null || names.has(wish.fields.name) ? [] : wish,
    ),
    ...comparedWith.webhooks,
  ].filter(({ address }) => !known.has(address));
  const named = venueNames(reader, state);
  return [
    ...[...planned.values(), ...project.webhooks].map((wish) =>
      compareWithBase(wish, remember(wish.address).base ?? null),
    ),
    ...gone.map((base) => compareWithBase(null, base)),
  ]
    .flatMap((event) => (event === null ? [] : allComparisons(withContext(event, named, undefined))))
    .flatMap(({ change, obstacles, address }) => {
      if (change === null || obstacles.length > 0 || !isTargeted(address) || !isOwn(rootOf(address))) return [];
      return { ...change, id: remember(address).id };
    });
}

/** More than the client has in flight, so that it is never idle; queued ones cost memory. */
function eventsAtOnce({ flags: { parallelism = 8 } }: PlanInputs): number {
  return 2 * parallelism;
}

interface Means {
  readonly readList: ReturnType<typeof makeListReader>;
  readonly orderReader: OrderReader;
  readonly judging: Parameters<typeof judgeEvents>[1];
}

/** Compares the documents of this shard with what they mean. Those with nothing to do are finished at once. */
async function compareOwn(
  { inputs, isOwn, isTargeted }: PlannedEvents,
  { found, planned, venueBlocks, matches, remember }: Meant,
  means: Means,
) {
  const { readList, judging } = means;
  const coming = groupBy(looksAhead(inputs) ? inputs.project.upcoming : [], ({ address }) => address);
  const merged = groupBy(inputs.comparedWith?.upcoming ?? [], ({ address }) => address);
  const isForReview = inputs.comparedWith !== null && inputs.use.reviewed === undefined;
  const meansAhead = isForReview ? means : { ...means, ...readsNothing };
  const namesakes = namesakesAmong(found.events);
  const own = [...planned.values()].filter((wish) => isOwn(wish.address));
  const { resendUnreadable = false } = inputs.flags;
  const left = listsLeftOpen(inputs.state);
  const recorded = groupBy(Object.keys(inputs.state?.objects ?? {}), rootOf);
  let done = 0;
  return concurrentMap(own, eventsAtOnce(inputs), async (whole) => {
    const match = matches.get(whole.address) ?? { live: null, block: null };
    const lists = await readLists(readList, whole, match, inputs, left);
    const wish = isEmbedded(inputs) ? withoutLostPinsBelow(whole, lists) : whole;
    const venueBlock = venueBlocks.get(wish.address);
    const { event, ...found } = compareEvent({ wish, match, lists, remember, resendUnreadable, venueBlock });
    const phases = coming.get(wish.address)?.filter(({ fields }) => fields.length > 0) ?? [];
    const before = isForReview ? (merged.get(wish.address) ?? []) : phases;
    const { mistakes, ahead } =
      match.live === null
        ? nothingAhead
        : await blocksAhead([phases, before], event, { wish, match, lists, remember }, meansAhead);
    inputs.onProgress(++done, own.length);
    const diagnostics = [...found.diagnostics, ...mistakes];
    const stale = staleRecords(wish, match, lists, recorded.get(wish.address) ?? [], inputs.state);
    const settled = event && unchangedEvent(event, isTargeted, remember);
    if (event && settled) {
      const remarks = judgeEvents([event], judging).remarks.flat();
      return { event: null, diagnostics, ahead, stale, settled: { event: settled, remarks } };
    }
    const compared = event?.self.live === null ? { ...event, namesakes: namesakes(wish) } : event;
    return { event: compared, diagnostics, ahead, stale };
  });
}

/** Records in state of an event and its entries that no longer exist: entries that the document does not name either, or, with status DELETED, the event. */
function staleRecords(
  wish: Wish,
  { live, block }: EventMatch,
  lists: LiveLists,
  recorded: readonly Address[],
  state: State | null,
): readonly Address[] {
  if (block !== null) return [];
  if (live === null && wish.own.status === "DELETED") return recorded.filter((address) => address === wish.address);
  const named = new Set(familyOf(wish).map(({ address }) => address));
  const isOther = live === null || !sameId(live.id, state?.objects[wish.address]?.id);
  return recorded.filter((address) => {
    const { kind = "", id = "" } = state?.objects[address] ?? {};
    return !named.has(address) && (isOther || lists[kind]?.every((one) => !sameId(one.id, id)) === true);
  });
}

/** For phases to come: lists and orders that the plan has not read count as empty, because looking ahead is worth neither a call nor a failed plan. */
const noOrders: OrderFigures = {
  total: 0,
  tickets: { completed: new Map(), notCanceled: new Map(), refunded: new Map() },
};
const readsNothing: Pick<Means, "readList" | "orderReader"> = {
  readList: async () => [],
  orderReader: { total: async () => noOrders, byTicket: async () => noOrders },
};

/** Phases to come are judged only for people who read the plan: an apply does not depend on them. */
function looksAhead({ use: { purpose, reviewed = null } }: PlanInputs): boolean {
  return reviewed === null && (purpose === "show" || purpose === "save");
}

interface Ahead {
  /** Mistakes in what phases say. They must be corrected before the merge: once a phase begins, they do not stop it. */
  readonly mistakes: readonly Diagnostic[];
  readonly ahead: readonly (readonly [ComingPhase, ReadonlyMap<Address, readonly Block[]>])[];
}

const nothingAhead: Ahead = { mistakes: [], ahead: [] };

/**
 * What would block each phase to come, as things are now, by the address of what it changes. Without what is blocked before the phase
 * as well, be it `now` or by an earlier phase: that is not the doing of this one, and is reported there.
 */
async function blocksAhead(
  [phases, merged]: readonly [own: readonly ComingPhase[], merged: readonly ComingPhase[]],
  now: EventComparison | null,
  input: Parameters<typeof compareEvent>[0],
  { readList, orderReader, judging }: Means,
): Promise<Ahead> {
  let sold: OrderFigures | undefined;
  // What somebody has typed on the service says nothing about a price in the files.
  const hasDrifted = ({ change }: EventComparison["self"]) => change?.edits.some(({ origin }) => origin === "drift");
  const all = now === null ? [] : allComparisons(now);
  const drifted = new Set(all.flatMap((one) => (hasDrifted(one) ? one.address : [])));
  const blocksOf = async (event: EventComparison | null) => {
    if (event === null) return [];
    const further = await readFurther(event, readList, judging);
    sold ??= await readSales(further, judging, orderReader);
    const judged = judgeEvents([further], { ...judging, ordersOf: () => sold });
    const remarks = judged.remarks.flat();
    return judged.events.flatMap(allComparisons).flatMap(({ address, change }) =>
      (change?.blockedBy ?? []).map((block) => {
        const mistake = remarks.find(({ severity, message }) => severity === "error" && message === block.message);
        return { address, block, mistake, id: `${address} ${block.code}` };
      }),
    );
  };
  let [earlier, latest, instant] = [
    [] as Awaited<ReturnType<typeof blocksOf>>,
    phases.length === 0 ? [] : await blocksOf(now),
    "",
  ];
  const mistakes: Diagnostic[] = [];
  const ahead: Ahead["ahead"][number][] = [];
  for (const phase of phases) {
    const [before, then] = phase.around;
    // What a phase accepts counts for its end as well.
    const allow = [...(before.own.allow ?? []), ...(then.own.allow ?? [])];
    // All that begins or ends at one instant happens at once.
    if (phase.at !== instant) [earlier, instant] = [latest, phase.at];
    latest = await blocksOf(compareEvent({ ...input, wish: { ...then, own: { ...then.own, allow } } }).event);
    const known = new Set(earlier.map(({ id }) => id));
    const found = latest.filter(({ id }) => !known.has(id));
    const isNew = (address: Address) =>
      !drifted.has(address) && merged.every((other) => valuesAround(other, address) !== valuesAround(phase, address));
    mistakes.push(...found.flatMap(({ address, mistake }) => (mistake && isNew(address) ? mistake : [])));
    const own = groupBy(
      found.filter(({ address, mistake }) => mistake === undefined || !isNew(address)),
      ({ address }) => address,
    );
    ahead.push([phase, new Map([...own].map(([address, all]) => [address, all.map(({ block }) => block)]))]);
  }
  return { mistakes, ahead };
}

/** One object before a phase and after it starts: equal in two revisions that describe both alike. */
function valuesAround({ at, around }: ComingPhase, address: Address): string {
  return JSON.stringify([at, around.map((wish) => familyOf(wish).find((one) => one.address === address)?.fields)]);
}

/** Works on all items, at most `atOnce` at a time; after a failure no further one is begun. Results in the order of the items. */
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
      results[index] = await work(items[index] as Item).catch((error) => {
        next = items.length;
        throw error;
      });
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

function changesIn(event: EventComparison): readonly Change[] {
  return allComparisons(event).flatMap(({ change }) => change ?? []);
}

function withoutLostPinsBelow(wish: Wish, lists: LiveLists): Wish {
  return { ...wish, children: mapChildren(wish, (entry, kind) => withoutLostPin(entry, lists[kind] ?? [])) };
}
