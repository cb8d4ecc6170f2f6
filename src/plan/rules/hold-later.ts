// What phases will do later. If that was not reviewed, it is listed as held from the start: no run ends clean then, so the base stays
// the reviewed revision, and what differs from it is held when its time comes.
import type { State } from "../../model/live.ts";
import { type Change, isWhole, type PlannedPhase, partOf } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import type { ComingPhase, Project, Wish } from "../../model/wish.ts";
import { compareInTime } from "../compare/compare-event.ts";
import { allComparisons } from "../compare/comparison.ts";
import { documentDigest, laterDigest, partDigests } from "../compare/digests.ts";
import type { HoldPolicy } from "../compare/hold.ts";
import { reviewedWhere } from "../compare/reviews.ts";

export interface LaterInput {
  readonly coming: readonly (ComingPhase & Pick<PlannedPhase, "changes">)[];
  readonly review: HoldPolicy;
  /** The checkout's own changes are what differs from it; null: unknown. */
  readonly base: Pick<Project, "events" | "upcoming"> | null;
  /** What earlier runs held. */
  readonly held: State["held"];
  /** What is planned or held now: that is listed already. */
  readonly present: readonly Change[];
}

/** The changes to come that are held. For a review, and with nothing to compare with: those that earlier runs held. */
export function heldLater({ coming, review, base, held = {}, present }: LaterInput): readonly Change[] {
  if (review.mode === "off" || coming.length === 0) return [];
  const listed = new Set(present.flatMap(partDigests));
  const isNew = (digest: string) => !listed.has(digest) && Boolean(listed.add(digest));
  const [origin, reviewed, document] =
    review.mode === "compare"
      ? (["edit", review.reviewed, review.document] as const)
      : (["unapplied", [], () => undefined] as const);
  const differs = differsLater(base);
  const merges = new Set(reviewed.flatMap(({ merged }) => merged));
  const atMerge = new Map([...merges].map((files) => [files, differsLater(files.project)]));
  return coming.flatMap((phase) => {
    const whole = document(phase.address);
    const found = whole === undefined ? null : differs(whole, phase);
    /** Without a digest: all that the phase does. */
    const isReviewed = (digest?: string) => {
      const counted = reviewedWhere(reviewed, (files) => {
        if (files.hasErrors) return true;
        const then = whole === undefined ? new Set<string>() : atMerge.get(files)?.(whole, phase);
        return then != null && (digest === undefined ? then.size === 0 : !then.has(digest));
      });
      const ofDocument = whole === undefined ? [] : [documentDigest(whole)];
      const ofPart = digest === undefined ? [] : [digest, laterDigest(digest, phase.at)];
      return [...ofDocument, ...ofPart].some((one) => counted.has(one));
    };
    if (isReviewed()) return [];
    const wasHeld = (digest: string) => held[digest] !== undefined && held[digest].drift !== true;
    const isHeld = (digest: string) => !isReviewed(digest) && (found?.has(digest) ?? wasHeld(digest));
    return (phase.changes ?? []).flatMap((change) => {
      const isOther = isWhole(change) && found?.has(change.address) === true;
      const part = partOf(
        change,
        ({ digest = "" }) => (isHeld(digest) || (isOther && !isReviewed(digest))) && isNew(digest),
      );
      return part === null ? [] : [{ ...part, origin, edits: part.edits.map((edit) => ({ ...edit, origin })) }];
    });
  });
}

/** What a document will be by then that the base would not be, by digest; null: the base does not have the document. */
function differsLater(base: LaterInput["base"]) {
  const now = new Map(base?.events.map((wish) => [wish.address, wish]));
  const later = groupBy(base?.upcoming ?? [], ({ address }) => address);
  return (document: Wish, { address, at, around: [, then] }: ComingPhase): ReadonlySet<string> | null => {
    const current = now.get(address);
    if (current === undefined) return null;
    if (current.own.timeless === document.own.timeless) return new Set();
    const event = compareInTime(then, later.get(address)?.findLast((one) => one.at <= at)?.around[1] ?? current);
    const changes = event === null ? [] : allComparisons(event).flatMap(({ change }) => change ?? []);
    return new Set(changes.flatMap((change) => [change.address, ...partDigests(change)]));
  };
}
