// Where a review counts: only where no merge since says anything else. A comment may be older than the last commit of its branch, and
// what that took back was not reviewed; nor is a review good for what a later merge took back.
import type { Kind } from "../../kinds/define.ts";
import { isInFamily, sentName } from "../../kinds/index.ts";
import { type Address, rootOf } from "../../model/address.ts";
import { type Change, isWhole } from "../../model/plan.ts";
import type { Project, Wish, wishesByAddress } from "../../model/wish.ts";
import { canonicalJson } from "../fingerprint.ts";

/** What one comment, or one plan, lists. */
export interface MergedReview {
  readonly digests: ReadonlySet<string>;
  /** The files as its merge and each newer one left them; none: it counts whatever they say. */
  readonly merged: readonly FilesAtMerge[];
}

export interface FilesAtMerge {
  readonly project: Project;
  /** They have no errors: what they do not say, they do not want. */
  readonly isWhole: boolean;
  readonly wishAt: ReturnType<typeof wishesByAddress>;
}

/** Digests that a review lists. */
export type ReviewedDigests = Pick<ReadonlySet<string>, "has">;

export function reviewedWhere(
  reviews: readonly MergedReview[],
  isSame: (files: FilesAtMerge) => boolean,
): ReviewedDigests {
  return { has: (digest) => reviews.some(({ digests, merged }) => digests.has(digest) && merged.every(isSame)) };
}

/** An object with what is to become of it. */
export interface ReviewedPlace {
  readonly address: Address;
  readonly kind: Kind;
  readonly wish: Wish | null;
  readonly change: Pick<Change, "action" | "edits" | "transition"> | null;
}

/** Whether these files want the same of a field; without a path, of the status or of the whole object. */
export function wantsSame(files: FilesAtMerge, { address, kind, wish, change }: ReviewedPlace, path?: string): boolean {
  const { project, isWhole: isAll, wishAt } = files;
  const then = wishAt(address);
  if (change?.action === "delete") {
    if (then !== undefined) return then.own.status === "DELETED";
    if (!isAll) return true;
    if (address === rootOf(address)) return isInFamily(address) || project.webhooksManaged;
    return wishAt(rootOf(address))?.children[kind.name] !== undefined;
  }
  if (then === undefined || wish === null) return !isAll;
  const said = (one: Wish): unknown => {
    if (path !== undefined) return wantedValue(one, sentName(kind, path.slice(1)));
    if (change === null || !isWhole(change)) return one.own.status;
    return one.own.timeless ?? [{ ...one.fields, venueId: wantedValue(one, "venueId") }, one.own.status];
  };
  if (!isAll && (said(then) === undefined || (path === undefined && change !== null && isWhole(change)))) return true;
  return canonicalJson([said(then)]) === canonicalJson([said(wish)]);
}

/** The same of everything that the change is about. */
export function wantsSameOfAll(files: FilesAtMerge, place: ReviewedPlace): boolean {
  const { change } = place;
  if (change === null) return true;
  const paths = isWhole(change) ? [] : change.edits.filter(({ sentAlong }) => !sentAlong).map(({ path }) => path);
  const isSame = paths.every((path) => wantsSame(files, place, path));
  return isSame && ((!isWhole(change) && change.transition === null) || wantsSame(files, place));
}

/** Which venue a name means is not known before the service was asked. */
function wantedValue({ fields, own }: Wish, name: string): unknown {
  return name === "venueId" && own.venue !== undefined ? own.venue : fields[name];
}
