// Digests name what is reviewed of a change: the same in every run.
import { hash } from "node:crypto";
import { type Address, rootOf } from "../../model/address.ts";
import { type Change, type Edit, type GuardChange, isWhole, type Plan } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import { type StatusWish, statementOf, type Wish } from "../../model/wish.ts";
import { canonicalJson } from "../fingerprint.ts";

/** Names one thing that a plan would do. The same in every run: it contains no ids and no previous values. */
function shortSha(json: string): string {
  return hash("sha256", json, "hex").slice(0, 12);
}

export function editDigest(address: Address, { path, after }: Pick<Edit, "path" | "after">): string {
  // A value has no keys to sort.
  return shortSha(JSON.stringify([address, path, after]));
}

export function transitionDigest(address: Address, to: StatusWish): string {
  return shortSha(JSON.stringify([address, "status", to]));
}

export function deleteDigest(address: Address): string {
  return shortSha(JSON.stringify([address, "delete"]));
}

export function guardDigest({ setting, event = "", value }: Omit<GuardChange, "digest">): string {
  return shortSha(JSON.stringify(["guard", event, setting, value]));
}

/** A new object is reviewed as a whole: what the files say about it at any time, whatever is live. */
export function wishDigest(action: "create" | "replace", { address, fields, own }: Wish): string {
  const said = own.timeless === undefined ? [fields, own.status ?? null] : [own.timeless];
  return shortSha(canonicalJson([address, action, ...said]));
}

/** What is reviewed of a change: the whole object, or each field and the status. Not what is only sent along, nor what is due: that was reviewed with its phase. */
export function digestsOf(change: ReviewedChange): readonly string[] {
  return reviewedParts(change).map(({ digest }) => digest);
}

/** The same with what is due. */
export function partDigests(change: ReviewedChange): readonly string[] {
  return partsWithin(change).map(({ digest }) => digest);
}

/** Reviewing a value for later is not agreeing to it now. */
export function laterDigest(digest: string, at: string): string {
  return shortSha(JSON.stringify(["later", digest, at]));
}

type ReviewedChange = Pick<Change, "action" | "edits" | "digest" | "origin" | "transition">;

/** A field, the status, or the whole object. */
type ReviewedPart = Pick<Edit, "digest"> &
  Partial<Pick<Edit, "origin" | "before" | "path"> & Pick<Change, "transition">>;

export function partsWithin(change: ReviewedChange): readonly ReviewedPart[] {
  const { edits, digest, origin, transition } = change;
  const own = isWhole(change) ? [] : edits.filter((edit) => !edit.sentAlong);
  const whole = digest === undefined ? [] : [{ digest, ...(origin && { origin }), transition }];
  return [...own, ...whole];
}

function reviewedParts(change: ReviewedChange): readonly ReviewedPart[] {
  return partsWithin(change).filter((part) => part.origin !== "phase");
}

/**
 * Reviewing an edit is not agreeing to undo what somebody did on the service once it was applied, and agreeing to undo
 * one value is not agreeing to undo another.
 */
export function undoDigest({ digest, transition, before = transition?.from ?? null }: ReviewedPart): string {
  return shortSha(JSON.stringify(["undo", digest, before]));
}

/** What a reader of this change agrees to. */
export function agreedDigests(change: ReviewedChange): readonly string[] {
  return reviewedParts(change).flatMap((part) =>
    part.origin === "drift" ? [part.digest, undoDigest(part)] : [part.digest],
  );
}

/** Each review can be used once. */
export function isAgreedTo(
  digest: string,
  { reviewed, spent }: Readonly<Record<"reviewed" | "spent", Pick<ReadonlySet<string>, "has">>>,
): boolean {
  return reviewed.has(digest) && !spent.has(digest);
}

/** Covers a whole document: its reviewers have also seen what its phases will do, and what they no longer do. */
export function documentDigest(wish: Wish): string {
  return shortSha(JSON.stringify(["document", wish.own.timeless ?? statementOf(wish)]));
}

/** One digest for an event or webhook and everything below it, for when there is no room for each. */
export function eventDigests(changes: readonly Change[]): ReadonlyMap<Address, string> {
  const events = groupBy(changes, ({ address }) => rootOf(address));
  return new Map(Array.from(events, ([address, all]) => [address, allDigest(all.flatMap(agreedDigests))]));
}

/** What `eventDigests` gives an event with changes of these digests. */
export function allDigest(digests: readonly string[]): string {
  return shortSha(JSON.stringify(["all", [...new Set(digests)].sort()]));
}

/** What was agreed to of the changes that were sent, and of the events of which all were; of a new event, its status too. */
export function sentDigests(changes: readonly Change[], isSent: (change: Change) => boolean): readonly string[] {
  const open = new Set(changes.filter((change) => !isSent(change)).map(({ address }) => rootOf(address)));
  const digests = changes.filter(isSent).flatMap((change) => {
    const { address, action, transition } = change;
    const status = action === "create" && transition !== null ? [transitionDigest(address, transition.to)] : [];
    return [...agreedDigests(change), ...status];
  });
  return [...digests, ...Array.from(eventDigests(changes)).flatMap(([root, digest]) => (open.has(root) ? [] : digest))];
}

/** Everything that a reader of this plan has seen. */
export function reviewedDigests(
  plan: Pick<Plan, "changes" | "held" | "documents" | "already" | "unseen" | "upcoming" | "guards">,
): ReadonlySet<string> {
  const { changes, held = [], documents = {}, already = [], unseen = [], upcoming = [], guards = [] } = plan;
  const shown = [...[...changes, ...held, ...unseen].flatMap(agreedDigests), ...guards.map(({ digest }) => digest)];
  const later = upcoming.flatMap((phase) =>
    (phase.changes ?? []).flatMap(partDigests).map((digest) => laterDigest(digest, phase.at)),
  );
  return new Set([...shown, ...Object.values(documents), ...already.flatMap(digestsOf), ...later]);
}
