// What was not reviewed is held: left out, together with everything that depends on it.
import { fieldEntries, sameValue, sentName } from "../../kinds/index.ts";
import { type Address, rootOf, sameId } from "../../model/address.ts";
import type { Live, StateEntry } from "../../model/live.ts";
import { type Change, type Edit, isDrift, isWhole, partOf } from "../../model/plan.ts";
import { isReference } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { namesAgain, type Recalled } from "../match/recall.ts";
import { compareInTime } from "./compare-event.ts";
import {
  allComparisons,
  type Comparison,
  type EventComparison,
  isDue,
  isReturn,
  isSetByEnd,
  isSetByTime,
  mapEvent,
  referencesIn,
} from "./comparison.ts";
import {
  agreedDigests,
  allDigest,
  digestsOf,
  documentDigest,
  editDigest,
  eventDigests,
  isAgreedTo,
  partsWithin,
  undoDigest,
  wishDigest,
} from "./digests.ts";
import {
  type MergedReview,
  type ReviewedDigests,
  reviewedOf,
  reviewedOfAll,
  reviewedPlace,
  reviewedWhere,
} from "./reviews.ts";
import { asDraft, statusToCome } from "./targets.ts";

/**
 * | mode       | what is held                                                      |
 * |------------|-------------------------------------------------------------------|
 * | off        | nothing, and nothing is said about it                             |
 * | list       | nothing: the plan is for review, and says what earlier runs held  |
 * | keep       | what earlier runs held: there is no reviewed set to compare with  |
 * | unattended | the same, and drift: a scheduled run must not decide to undo it  |
 * | compare    | what the reviewed set does not list, as an edit or a whole event, and what does not follow from it |
 *
 * All by digest. What may be drift is held, too, where `isUnknown`.
 */
export type HoldPolicy =
  | { readonly mode: "off" }
  | { readonly mode: "list"; readonly held: ReadonlySet<string> }
  | { readonly mode: "keep"; readonly held: ReadonlySet<string> }
  | { readonly mode: "unattended"; readonly held: ReadonlySet<string>; readonly isUnknown: IsUnknown }
  | {
      readonly mode: "compare";
      readonly reviewed: readonly MergedReview[];
      /** What was sent since it was reviewed: the same review does not release it again, only what follows from it. */
      readonly spent: ReadonlySet<string>;
      /** What earlier runs held. */
      readonly held: ReadonlySet<string>;
      readonly isUnknown: IsUnknown;
      readonly recorded: (address: Address) => Pick<StateEntry, "id" | "former"> | undefined;
      /** The event as the files have it: what is looked up on the service was not reviewed. */
      readonly document: (address: Address) => Wish | undefined;
      /** What the last run applied of it, as it was then. */
      readonly formerly: (address: Address) => Wish | undefined;
    };

/** Whether a scheduled run has no record of an object, and so cannot distinguish drift from an edit. */
type IsUnknown = (live: Live) => boolean;

export interface Reviewed {
  readonly event: EventComparison;
  /** The same event with nothing but what is held; null: nothing is. */
  readonly held: EventComparison | null;
}

type HoldablePart = Partial<Pick<Edit, "digest" | "origin" | "path" | "before"> & Pick<Change, "transition">>;

/** What a phase changes when it begins or ends is never held: it was reviewed with the file. */
type IsHeld = (part: HoldablePart) => boolean;

/** Which part of a change is held: all of it, or some fields and the status. */
interface HeldPart {
  readonly whole: boolean;
  readonly paths: ReadonlySet<string>;
  readonly status: boolean;
}

const nothing: HeldPart = { whole: false, paths: new Set(), status: false };

export function holdUnreviewed(compared: EventComparison, review: HoldPolicy): Reviewed {
  const isIdle = (review.mode === "list" || review.mode === "keep") && review.held.size === 0;
  if (review.mode === "off" || isIdle) return { event: compared, held: null };
  const memoryOf = ({ address, live }: Comparison) => compared.remember?.(address, live?.id);
  // Without a reviewed base, only the record of what is held shows that a phase was not reviewed.
  const isOpen = (one: Comparison) => review.mode === "list" || memoryOf(one)?.base === undefined;
  const event = mapEvent(compared, (one) => notDue(one, review.held, isOpen(one)));
  if (review.mode === "list") return { event: mapEvent(event, (one) => markHeld(one, review.held)), held: null };
  const all = allComparisons(event);
  const isAgreed = review.mode === "compare" && isEventAgreedTo(event, memoryOf(event.self)?.base, review);
  const isHeld = (part: HoldablePart, one: Comparison) => {
    const { digest, origin } = part;
    if (digest === undefined || origin === "phase") return false;
    if (review.mode === "keep") return review.held.has(digest);
    if (one.live !== null && review.isUnknown(one.live) && !isDue(part, one)) return true;
    if (review.mode === "unattended") return origin === "drift" || review.held.has(digest);
    if (isAgreed) return false;
    const counted = { ...review, reviewed: reviewedOf(one, review, part.path) };
    if (origin === "drift") return !isAgreedTo(undoDigest({ ...part, digest }), counted);
    if (counted.reviewed.has(digest) && isReturn(part, one)) return false;
    return !isAgreedTo(digest, counted) && (review.held.has(digest) || !follows(part, one, event, counted));
  };
  const parts = new Map(all.map((one) => [one.address, heldPart(one.change, (part) => isHeld(part, one))]));
  const unreviewed = new Map(parts);
  for (let before = -1; before !== countHeld(parts); ) {
    before = countHeld(parts);
    for (const one of all) parts.set(one.address, withNeeded(one, event, parts));
  }
  const side = (which: "kept" | "held") =>
    mapEvent(event, (one) => splitChange(one, parts.get(one.address) ?? nothing, which));
  // A status that only waits for something held was reviewed itself: without its digest, no later run holds it.
  const withoutDigest = (one: Comparison): Comparison => {
    const onlyWaits = parts.get(one.address)?.status === true && unreviewed.get(one.address)?.status !== true;
    if (one.change === null || !onlyWaits) return one;
    const { digest: _, ...change } = one.change;
    return { ...one, change };
  };
  const kept = mapEvent(side("kept"), (one) => withReturn(one, parts.get(one.address) ?? nothing, memoryOf(one)));
  const isPart = kept.self.change?.action === "create" && [...parts.values()].some(({ whole }) => whole);
  const held = mapEvent(side("held"), withoutDigest);
  if (!isPart) return { event: kept, held };
  // A new event is created even if part of it is held, but stays a draft.
  const self = { ...held.self, change: statusToCome(kept.self) };
  return { event: { ...kept, self: asDraft(kept.self) }, held: { ...held, self } };
}

/**
 * A review without room for every edit has one digest per event. Whether that digest covers what is left of the event, alone or, if an
 * apply was cut off or a part was blocked, together with what changed since the base and is live already.
 */
function isEventAgreedTo(event: EventComparison, base: Wish | null | undefined, review: Comparing): boolean {
  const open = allComparisons(event);
  const left = open.flatMap(({ change }) => (change === null ? [] : agreedDigests(change)));
  const counted = { ...review, reviewed: reviewedOfAll(open, review) };
  if (left.every((digest) => isAgreedTo(digest, counted))) return false;
  if (isAgreedTo(allDigest(left), counted)) return true;
  const { wish } = event.self;
  if (base == null || wish === null || left.some((digest) => review.spent.has(digest))) return false;
  const sinceBase = compareInTime(wish, base);
  const changed = sinceBase === null ? [] : allComparisons(sinceBase).flatMap(({ change }) => change ?? []);
  return isAgreedTo(allDigest([...left, ...changed.flatMap(agreedDigests)]), counted);
}

/** Changes that a review lists, at least in part, but that a later merge has reverted. */
export function revertedAmong(changes: readonly Change[], review: HoldPolicy): readonly Change[] {
  if (review.mode !== "compare") return [];
  const listed = { ...review, reviewed: reviewedWhere(review.reviewed, () => true) };
  return changes.filter((change) =>
    partsWithin(change).some(
      ({ digest, path }) => isAgreedTo(digest, listed) && !reviewedOf(reviewedPlace(change), review, path).has(digest),
    ),
  );
}

/** An edit that was held before a phase ended (or began, if `isOpen`) stays held: becoming due is not a review. */
function notDue(one: Comparison, held: ReadonlySet<string>, isOpen: boolean): Comparison {
  const { kind, wish, change } = one;
  if (held.size === 0 || change === null) return one;
  const isEnd = (field: string) => wish !== null && isSetByEnd(wish, field, sentName(kind, field));
  const asHeld = (field: string, { origin, digest = "" }: Pick<Change, "origin" | "digest">) =>
    origin === "phase" && held.has(digest) && (isOpen || isEnd(field)) ? { origin: "unapplied" as const } : {};
  const edits = change.edits.map((edit) => ({ ...edit, ...asHeld(edit.path.slice(1), edit) }));
  return { ...one, change: { ...change, ...asHeld("status", change), edits } };
}

type Comparing = Extract<HoldPolicy, { readonly mode: "compare" }>;

/**
 * Whether a change follows from what was reviewed: an interrupted run did part of it, or a phase began or ended since.
 * What somebody else created or changed does not follow; the ids in state show which objects are ours.
 */
function follows(
  part: HoldablePart,
  one: Comparison,
  event: EventComparison,
  review: Omit<Comparing, "reviewed"> & { readonly reviewed: ReviewedDigests },
): boolean {
  const { path, digest = "" } = part;
  const { wish, live, change } = one;
  const { reviewed, spent, recorded, formerly } = review;
  const isOurs = ({ address, live }: Comparison) => live !== null && sameId(recorded(address)?.id, live.id);
  const wasReplaced = (other: Comparison) =>
    other.wish !== null && isOurs(other) && reviewed.has(wishDigest("replace", other.wish));
  if (change?.action === "delete")
    return event.children.some((other) => wasReplaced(other) && sameId(recorded(other.address)?.former, live?.id));
  const isCutOff = one.live === null && Object.keys(event.remember?.(one.address).carried ?? {}).length > 0;
  if (isCutOff && wish !== null) return isAgreedTo(wishDigest("replace", wish), review);
  if (wish === null || change?.action === "create" || change?.action === "replace") return false;
  const whole = wishDigest("create", wish);
  // Of a create that was sent in full, only the status can be left, if the event waited for something below it.
  if (isOurs(one) && reviewed.has(whole) && !spent.has(path === undefined ? digest : whole)) return true;
  const field = path?.slice(1) ?? "status";
  const sent = sentName(one.kind, field);
  const named = wish.fields[sent];
  // A replacement that was cut off has cleared it.
  if (isReference(named) && namesAgain(event.remember?.(one.address, live?.id), sent, named.$id)) return true;
  if (isReference(named) && event.children.some((other) => other.address === named.$id && wasReplaced(other)))
    return true;
  const isTimed = (each: Wish) => isSetByTime(each, field, sent);
  // What a removed phase has set is reverted, unless somebody has changed it since.
  const former = formerly(one.address);
  const isLeft = ({ own, fields: { [sent]: was } }: Wish) =>
    field === "status" ? live?.status === own.status : !isReference(was) && sameValue(live?.fields[sent], was);
  if (!isTimed(wish) && !(former !== undefined && isTimed(former) && isLeft(former))) return false;
  const document = review.document(event.self.address);
  return document !== undefined && reviewed.has(documentDigest(document));
}

/** Changes of a saved plan that are not reviewed: it is applied as it is, or not at all. */
export function unreviewedAmong(changes: readonly Change[], review: HoldPolicy): readonly Change[] {
  if (review.mode === "off") return [];
  if (review.mode !== "compare")
    return changes.filter((change) => digestsOf(change).some((digest) => review.held.has(digest)));
  // A saved plan is applied as it is, whatever was merged since.
  const listed = { ...review, reviewed: reviewedWhere(review.reviewed, () => true) };
  const ofEvents = eventDigests(changes);
  const isReviewed = (change: Change) =>
    isAgreedTo(ofEvents.get(rootOf(change.address)) ?? "", listed) ||
    agreedDigests(change).every((digest) => isAgreedTo(digest, listed));
  return changes.filter((change) => !isReviewed(change));
}

function markHeld(one: Comparison, held: ReadonlySet<string>): Comparison {
  const { change } = one;
  if (change === null || !digestsOf(change).some((digest) => held.has(digest))) return one;
  const isHeld = (digest: string | undefined) =>
    digest !== undefined && held.has(digest) ? { held: true as const } : {};
  const edits = change.edits.map((edit) => ({ ...edit, ...isHeld(edit.digest) }));
  return { ...one, change: { ...change, ...isHeld(change.digest), edits } };
}

function heldPart(change: Change | null, isHeld: IsHeld): HeldPart {
  if (change === null) return nothing;
  const { edits, transition } = change;
  if (isWhole(change)) return { ...nothing, whole: isHeld(change) };
  const own = edits.filter((edit) => !edit.sentAlong);
  const paths = new Set(own.filter(isHeld).map(({ path }) => path));
  // With nothing else to send, nothing can be sent along.
  if (own.length > 0 && paths.size === own.length) for (const { path } of edits) paths.add(path);
  return { whole: false, paths, status: transition !== null && isHeld(change) };
}

function countHeld(parts: ReadonlyMap<Address, HeldPart>): number {
  let count = 0;
  for (const { whole, paths, status } of parts.values()) count += paths.size + (whole ? 1 : 0) + (status ? 1 : 0);
  return count;
}

/** Adds what depends on what is held: by reference, by parent, or by what is below it. */
function withNeeded(one: Comparison, event: EventComparison, parts: ReadonlyMap<Address, HeldPart>): HeldPart {
  const part = parts.get(one.address) ?? nothing;
  const { change, kind } = one;
  if (change === null || part.whole) return part;
  const isMissing = (address: Address) => parts.get(address)?.whole === true && actionAt(event, address) === "create";
  const isBelow = one !== event.self;
  if (change.action === "create") {
    const namesHeld = referencesIn(one.wish?.fields).some(isMissing);
    const wouldSellBoth =
      kind.inline === true && event.children.some((child) => child.kind === kind && isStaying(child, parts));
    return isBelow && (isMissing(event.self.address) || namesHeld || wouldSellBoth) ? { ...part, whole: true } : part;
  }
  if (change.action === "delete") return isBelow && isStillNamed(one, event, parts) ? { ...part, whole: true } : part;
  const namingHeld = change.edits.filter(({ path }) => {
    const named = one.wish?.fields[sentName(kind, path.slice(1))];
    return isReference(named) && isMissing(named.$id);
  });
  const paths = new Set([...part.paths, ...namingHeld.map(({ path }) => path)]);
  // Nothing is published or archived while an edit of it, or something below it, waits for a review, except by a phase that comes due.
  const isUnfinished =
    (!isDue({}, one) && change.edits.some(({ path, origin }) => paths.has(path) && origin !== "drift")) ||
    event.children.some((child) => isWaiting(child, parts));
  const isEarly = endsWork(one) && change.origin !== "phase" && isUnfinished;
  return { ...part, paths, status: part.status || isEarly };
}

function actionAt(event: EventComparison, address: Address): Change["action"] | undefined {
  return allComparisons(event).find((one) => one.address === address)?.change?.action;
}

/** One of this kind was to be deleted and stays: both would be on sale. */
function isStaying({ address, change }: Comparison, parts: ReadonlyMap<Address, HeldPart>): boolean {
  return change?.action === "delete" && change.origin !== "drift" && parts.get(address)?.whole === true;
}

/** An entry that names the object was to name another one, and that change is held. */
function isStillNamed(
  { live, kind }: Comparison,
  event: EventComparison,
  parts: ReadonlyMap<Address, HeldPart>,
): boolean {
  return event.children.some((entry) =>
    fieldEntries(entry.kind).some(([name, policy]) => {
      if (policy.role !== "reference" || policy.to !== kind.name) return false;
      const part = parts.get(entry.address) ?? nothing;
      const isLeft = part.paths.has(`/${name}`) || (part.whole && entry.live !== null);
      return isLeft && sameId(live?.id, entry.live?.fields[policy.sentAs]);
    }),
  );
}

function isWaiting(child: Comparison, parts: ReadonlyMap<Address, HeldPart>): boolean {
  const held = splitChange(child, parts.get(child.address) ?? nothing, "held").change;
  return held !== null && !isDrift(held);
}

function endsWork({ kind, change }: Comparison): boolean {
  const { from = null, to } = change?.transition ?? {};
  return kind.steps.some((step) => step.place === "last" && step.from === from && step.to === to);
}

/** The held part of a change, or the rest of it; `planned` keeps the whole. */
function splitChange(one: Comparison, part: HeldPart, side: "kept" | "held"): Comparison {
  const { change } = one;
  if (change === null || (!part.whole && part.paths.size === 0 && !part.status)) {
    return side === "kept" ? one : { ...one, change: null };
  }
  const planned = { planned: one.planned ?? change };
  if (part.whole) return { ...one, ...planned, change: side === "held" ? change : null };
  const isHeld = (each: Edit | Change) => ("path" in each ? part.paths.has(each.path) : part.status);
  return { ...one, ...planned, change: partOf(change, (each) => isHeld(each) === (side === "held")) };
}

/** If the value that is to follow a phase is held, the phase still ends, with the value that the reviewed base has after it. */
function withReturn(one: Comparison, { paths }: HeldPart, { base, earlier = [] }: Partial<Recalled> = {}): Comparison {
  const { kind, address, wish, live, planned, change } = one;
  if (base == null || wish === null || planned === undefined) return one;
  const { ended = [] } = base.own;
  const back = planned.edits.flatMap((edit): readonly Edit[] => {
    const field = sentName(kind, edit.path.slice(1));
    const [shown, after] = [live?.fields[field], base.fields[field]];
    const isEnd =
      ended.some((end) => end.field === field && end.before === shown && end.after === after) &&
      earlier.some((then) => then?.fields[field] === shown);
    if (!paths.has(edit.path) || !isEnd || after === undefined || isReference(after)) return [];
    return [{ ...edit, after, origin: "phase", digest: editDigest(address, { ...edit, after }) }];
  });
  if (back.length === 0) return one;
  const { origin: _, digest: __, ...unsent } = planned;
  const rest = change ?? { ...unsent, edits: [], transition: null };
  // With the risks that the phase accepts.
  const own = { ...wish.own, ended: [...(wish.own.ended ?? []), ...ended] };
  return { ...one, wish: { ...wish, own }, change: { ...rest, action: "update", edits: [...rest.edits, ...back] } };
}
