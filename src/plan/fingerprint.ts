import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { type Address, rootOf } from "../model/address.ts";
import type { Change, Edit, Plan } from "../model/plan.ts";
import { groupBy } from "../model/value.ts";
import type { StatusWish, Wish } from "../model/wish.ts";

/** JSON with sorted keys: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)) ?? "null";
}

/** A plan can be large: sorting its keys and leaving the rest to the system is several times faster than building the text. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const record = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(record).sort()) {
    const item = sortKeys(record[key]);
    // This one name would otherwise change what the copy is, and go unseen.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  return copy;
}

/** Names one thing that a plan would do, the same in every run: no ids, no values from before. */
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

/** A new object is reviewed as a whole: what the files say of it, whatever is live. */
export function wishDigest(action: "create" | "replace", { address, fields, own }: Wish): string {
  return shortSha(canonicalJson([address, action, fields, own.status ?? null]));
}

/**
 * What is reviewed of a change: the whole object, or each field and the status. What is only sent along is not, and what is due
 * by time was reviewed with its phase.
 */
export function digestsOf(change: Pick<Change, "action" | "edits" | "digest" | "origin">): readonly string[] {
  const { action, edits, digest, origin } = change;
  const whole = digest === undefined || origin === "phase" ? [] : [digest];
  if (action === "create" || action === "replace" || action === "delete") return whole;
  const own = edits.filter((edit) => !edit.sentAlong && edit.origin !== "phase");
  return [...own.map((edit) => edit.digest), ...whole];
}

/** One digest for an event or webhook and all below it, by its address: for where there is no room for each. */
export function eventDigests(changes: readonly Change[]): ReadonlyMap<Address, string> {
  const events = groupBy(changes, ({ address }) => rootOf(address));
  return new Map(
    Array.from(events, ([address, all]) => [address, shortSha(JSON.stringify(["all", all.flatMap(digestsOf).sort()]))]),
  );
}

/** Everything that whoever has read this plan has seen. */
export function reviewedDigests({ changes, held = [] }: Pick<Plan, "changes" | "held">): ReadonlySet<string> {
  return new Set([...changes, ...held].flatMap(digestsOf));
}

type Unsealed = Omit<Plan, "fingerprint" | "signature">;

/** Over everything in the plan: flip any byte that means something and it differs. */
export function fingerprintOf(plan: Unsealed): string {
  const { fingerprint: _, signature: __, ...sealed } = plan as Plan;
  return `sha256:${hash("sha256", canonicalJson(sealed), "hex")}`;
}

/** Proof that the plan was made by somebody who holds the plan key. */
export function signatureOf(fingerprint: string, planKey: string): string {
  return `hmac-sha256:${createHmac("sha256", planKey).update(fingerprint).digest("hex")}`;
}

export function isSignedWith(plan: Plan, planKey: string): boolean {
  const wanted = Buffer.from(signatureOf(plan.fingerprint, planKey));
  const given = Buffer.from(plan.signature ?? "");
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** The plan with its fingerprint, and its signature if there is a plan key. */
export function seal(plan: Unsealed, planKey: string | null): Plan {
  const fingerprint = fingerprintOf(plan);
  return { ...plan, fingerprint, ...(planKey === null ? {} : { signature: signatureOf(fingerprint, planKey) }) };
}
