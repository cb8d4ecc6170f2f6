// Which live event each document means, and which have lost their document.
import { sandboxName } from "../../config/environment.ts";
import { isFamilyHead } from "../../kinds/index.ts";
import { type Address, idKey, rootOf } from "../../model/address.ts";
import { venueKey } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import {
  compareEvent,
  type EventComparison,
  type Former,
  findRemoved,
  type IsTargeted,
  unjudgedDeletions,
} from "../../plan/compare.ts";
import type { DeleteLimit } from "../../plan/judge.ts";
import {
  baseUnderAddressesOfNow,
  type EventMatch,
  matchEvents,
  newRemarks,
  type Recall,
  recallFrom,
  resolveVenues,
  venuesMadeUp,
} from "../../plan/match.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { findVenues } from "../../snapshot/read-organization.ts";
import {
  type PlanInputs,
  pinNotHere,
  pinnedElsewhere,
  wantedByPlan,
  wantedElsewhere,
  wantedFormer,
  withoutLostPin,
} from "./plan-inputs.ts";

export interface PlannedEvents {
  readonly inputs: PlanInputs;
  /** All that are planned, by this shard or another. */
  readonly events: readonly Wish[];
  readonly isOwn: (address: Address) => boolean;
  /** Those that the targets name, and below, all of them. */
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

/** What is live, and which document means which of it. */
export type Meant = Awaited<ReturnType<typeof findMeant>>;

export async function findMeant(input: PlannedEvents) {
  const { inputs, isOwn } = input;
  const { reader, project } = inputs;
  const baseByAddress = new Map((inputs.base?.events ?? []).map((wish) => [wish.address, wish]));
  const circumstances = { isEmbedded: isEmbedded(inputs), hasBase: inputs.base !== null };
  // Without an id, the venue may decide whether another shard's document means an event that one of ours may mean, too.
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
        // A delete by any shard counts for all of them, so all find it.
        return isOwn(wish.address) || wish.own.status === "DELETED" ? wanted : wantedElsewhere(wanted, wish, base);
      }),
      ...input.former.map(wantedFormer),
      ...input.deleted.map(wantedFormer),
    ]),
  ]);
  const unpinned = (wish: Wish) => (isEmbedded(inputs) ? withoutLostPin(wish, found.events) : wish);
  const resolved = resolveVenues(input.events.map(unpinned), venues);
  /** The documents that are planned, with the ids of their venues. */
  const planned = new Map(resolved.wishes.map((wish) => [wish.address, wish]));
  const wasNeverApplied = neverApplied(inputs, baseByAddress);
  const matches = matchEvents({
    // A document that is not planned this time still has its live event: no other document may mean that one.
    wishes: project.events.map((wish) => planned.get(wish.address) ?? unpinned(wish)),
    lives: found.events,
    remember: input.remember,
    baseOf: (address) => baseByAddress.get(address),
    wasNeverApplied,
    gone: input.formerOfAll,
    renamesToo: true,
    now: inputs.now,
  });
  const own = input.events.filter((wish) => isOwn(wish.address));
  const lostPins = own.filter((wish) => unpinned(wish) !== wish);
  const isVenueNew = ({ address, fields }: Wish) =>
    isOwn(address) && matches.get(address)?.live?.fields.venueId !== fields.venueId;
  const madeUp = resolved.wishes.filter(isVenueNew).flatMap(({ address }) => resolved.madeUp.get(address) ?? []);
  const { environment } = inputs.target;
  return {
    found,
    planned,
    venueBlocks: resolved.blocks,
    matches,
    wasNeverApplied,
    remember: rememberMatched(inputs, input.events, matches, venues),
    diagnostics: [
      ...lostPins.map((wish) => pinNotHere(wish, project.settings)),
      ...(isEmbedded(inputs) ? [] : own.flatMap((wish) => pinnedElsewhere(wish, project.settings, environment))),
      ...newRemarks(isEmbedded(inputs) ? [] : own, ({ address }) => matches.get(address)?.live ?? null, input.remember),
      ...venuesMadeUp(isEmbedded(inputs) ? madeUp : []),
      ...resolved.diagnostics.filter(({ address = "" }) => isOwn(address)),
    ],
  };
}

export function isEmbedded({ target }: PlanInputs): boolean {
  return target.environment === sandboxName;
}

export function findGone(input: PlannedEvents, { found, planned, matches, wasNeverApplied, remember }: Meant) {
  const { isOwn } = input;
  const { project, now } = input.inputs;
  const surroundings = {
    lives: found.events,
    matchedIds: new Set([...matches.values()].flatMap((match) => match.live?.id ?? [])),
    contested: contestedBy(
      // A document that was neither planned nor new has a live event that was not read.
      project.events.filter((wish) => planned.has(wish.address) || wasNeverApplied(wish.address)),
      matches,
    ),
    names: new Set(project.events.map((wish) => wish.fields.name)),
    remember,
    now,
  };
  const meantBy = new Map([...matches].map(([address, { live }]) => [live === null ? "" : idKey(live.id), address]));
  // A document that moved to another key belongs to the shard of that key, together with what is remembered of it.
  const isOwnFormer = ({ id, address }: Former) => isOwn(meantBy.get(idKey(id ?? "-")) ?? address);
  const former = input.former.filter(isOwnFormer);
  const own = findRemoved({ former, ...surroundings });
  const ofOthers = findRemoved({ former: input.former.filter((one) => !isOwnFormer(one)), ...surroundings });
  const elsewhere = ofOthers.events;
  // An event meant by a document that is not planned this time stays remembered under its former address until it is.
  const meantUnplanned = new Set([...matches].map(([address, { live }]) => (planned.has(address) ? null : live?.id)));
  const keptAddresses = new Set(
    former.flatMap(({ address, id }) => (id !== null && meantUnplanned.has(id) ? address : [])),
  );
  // What a blocked document may mean is asked about, not left alone.
  const meant = [...matches.values()].flatMap(({ live, candidates = [] }) => (live === null ? candidates : [live]));
  const open = meant.filter(({ status }) => status !== "ARCHIVED");
  const deleted = [...own.events, ...elsewhere].flatMap(({ self }) => self.live ?? []);
  const managed = new Set([...open, ...deleted].map(({ id }) => idKey(id))).size;
  return {
    own,
    elsewhere,
    /** Of all shards; and documents of this one whose event no other document means now. */
    moved: own.moved + ofOthers.moved,
    removed: former.length - own.moved,
    forgotten: own.forgotten.filter((address) => !keptAddresses.has(address)),
    unmanaged: found.total === null ? null : Math.max(0, found.total - managed),
    diagnostics: [...own.diagnostics, ...unjudgedDeletions(findRemoved({ former: input.deleted, ...surroundings }))],
  };
}

/** For other shards: a delete by any of them counts for all. */
export function wishedGoneElsewhere(
  { isOwn }: PlannedEvents,
  { planned, matches, remember }: Meant,
): EventComparison[] {
  return [...planned.values()].flatMap((wish) => {
    const match = matches.get(wish.address);
    if (wish.own.status !== "DELETED" || isOwn(wish.address) || match === undefined) return [];
    return compareEvent({ wish, match, lists: {}, remember }).event ?? [];
  });
}

/**
 * The earlier document, if it names another venue: without state, only it knows the name of the venue that the event leaves; and a venue
 * by its id may be the one that was named before.
 */
function formerly({ state }: PlanInputs, bases: ReadonlyMap<string, Wish>): (wish: Wish) => readonly Wish[] {
  return ({ address, own: { venue } }) => {
    const former = state?.venues === undefined || venue === undefined ? bases.get(address) : undefined;
    if (former?.own.venue === undefined) return [];
    return venue !== undefined && venueKey(venue) === venueKey(former.own.venue) ? [] : [former];
  };
}

function rememberMatched(
  { state, base, comparedWith, earlier }: PlanInputs,
  events: readonly Wish[],
  matches: ReadonlyMap<string, EventMatch>,
  venues: Parameters<typeof resolveVenues>[1],
): Recall {
  const meant = [...matches].flatMap(([address, { live }]) => (live === null ? [] : [[address, live] as const]));
  const underAddressesOfNow = (project: Project | null) =>
    project && [...baseUnderAddressesOfNow(resolveVenues(project.events, venues).wishes, meant), ...project.webhooks];
  const formerly = underAddressesOfNow(base);
  const revision = comparedWith === base ? formerly : underAddressesOfNow(comparedWith);
  const recall = recallFrom(state, formerly, events, { revision, earlier: earlier ?? null });
  const meantBy = new Map(meant.map(([address, { id }]) => [idKey(id), address]));
  const reassigned = new Set(
    events.flatMap(({ address, parent }) => {
      const id = parent === null ? recall(address).id : null;
      return id !== null && (meantBy.get(idKey(id)) ?? address) !== address ? address : [];
    }),
  );
  if (reassigned.size === 0) return recall;
  return (address, liveId) => ({ ...recall(address, liveId), reassigned: reassigned.has(rootOf(address)) });
}

/** Live events that documents may mean, by id. */
function contestedBy(
  wishes: readonly Wish[],
  matches: ReadonlyMap<string, EventMatch>,
): ReadonlyMap<string, readonly Wish[]> {
  const contested = new Map<string, readonly Wish[]>();
  for (const wish of wishes) {
    for (const { id } of matches.get(wish.address)?.candidates ?? [])
      contested.set(id, [...(contested.get(id) ?? []), wish]);
  }
  return contested;
}

/** Git, or a state that knows other events, would know a document that was applied before. */
export function neverApplied(
  { base, state }: Pick<PlanInputs, "base" | "state">,
  bases: ReadonlyMap<string, Wish>,
): (address: string) => boolean {
  const objects = state?.objects ?? {};
  const remembersEvents = Object.values(objects).some(({ kind }) => isFamilyHead(kind));
  return (address) => (base === null ? remembersEvents && objects[address] === undefined : !bases.has(address));
}
