// Where a review counts: only where no later commit or merge says anything else. A comment may be older than the last commit of its
// branch: what that commit reverted was not reviewed, and neither was what a later merge reverted.
import type { Kind } from "../../kinds/define.ts";
import { isInFamily, kindOf, sentName } from "../../kinds/index.ts";
import { type Address, rootOf } from "../../model/address.ts";
import { type Change, isWhole } from "../../model/plan.ts";
import type { Project, Wish, wishesByAddress } from "../../model/wish.ts";
import { canonicalJson } from "../fingerprint.ts";
import { partsWithin } from "./digests.ts";

/** What one comment, or one plan, lists. */
export interface MergedReview {
  readonly digests: ReadonlySet<string>;
  /** The files as its merge and each newer one left them; none: it counts whatever they say. */
  readonly merged: readonly FilesAtMerge[];
}

export interface FilesAtMerge {
  readonly project: Project;
  /** What they do not say may be what cannot be read. */
  readonly hasErrors: boolean;
  readonly wishAt: ReturnType<typeof wishesByAddress>;
}

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
  readonly change: Change | null;
}

/** Whether these files want the same of a field; without a path, of the status or of the whole object. */
export function wantsSame(
  { project, hasErrors, wishAt }: FilesAtMerge,
  { address, kind, wish, change }: ReviewedPlace,
  path?: string,
): boolean {
  const isOfWhole = path === undefined && change !== null && isWhole(change);
  const then = wishAt(address);
  if (change?.action === "delete") {
    if (then !== undefined) return then.own.status === "DELETED";
    if (hasErrors) return true;
    if (address === rootOf(address)) return isInFamily(address) || project.webhooksManaged;
    return wishAt(rootOf(address))?.children[kind.name] !== undefined;
  }
  if (then === undefined || wish === null) return hasErrors;
  const said = (one: Wish): unknown => {
    if (path !== undefined) return wantedValue(one, sentName(kind, path.slice(1)));
    if (!isOfWhole) return one.own.status;
    return one.own.timeless ?? [{ ...one.fields, venueId: wantedValue(one, "venueId") }, one.own.status];
  };
  if (hasErrors && (isOfWhole || said(then) === undefined)) return true;
  return canonicalJson([said(then)]) === canonicalJson([said(wish)]);
}

interface WithDocuments {
  readonly reviewed: readonly MergedReview[];
  /** The event as the files have it: what is looked up on the service was not reviewed. */
  readonly document: (address: Address) => Wish | undefined;
}

/** The reviews that count for a field, the status or the whole of an object. */
export function reviewedOf(one: ReviewedPlace, { reviewed, document }: WithDocuments, path?: string): ReviewedDigests {
  const place = { ...one, wish: document(one.address) ?? one.wish };
  return reviewedWhere(reviewed, (files) => wantsSame(files, place, path));
}

/** Those that count for all of these changes. */
export function reviewedOfAll(all: readonly ReviewedPlace[], { reviewed, document }: WithDocuments): ReviewedDigests {
  const places = all.map((one) => ({ ...one, wish: document(one.address) ?? one.wish }));
  const isSame = (files: FilesAtMerge) => (place: ReviewedPlace) =>
    place.change === null || partsWithin(place.change).every(({ path }) => wantsSame(files, place, path));
  return reviewedWhere(reviewed, (files) => places.every(isSame(files)));
}

export function reviewedPlace(change: Change): ReviewedPlace {
  return { address: change.address, kind: kindOf(change.kind), wish: null, change };
}

/** Which venue a name means is not known before the service was asked. */
function wantedValue({ fields, own }: Wish, name: string): unknown {
  return name === "venueId" && own.venue !== undefined ? own.venue : fields[name];
}
