// What shows that a plan is the one that was made.
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { Plan } from "../model/plan.ts";

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
    // This one name would otherwise change the prototype of the copy, unnoticed.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  return copy;
}

type Unsealed = Omit<Plan, "fingerprint" | "signature">;

/** Over everything in the plan: flip any byte that means something and it differs. */
export function fingerprintOf(plan: Unsealed): string {
  const { fingerprint: _, signature: __, ...sealed } = plan as Plan;
  return `sha256:${hash("sha256", canonicalJson(sealed), "hex")}`;
}

/** Proof that the plan was made by a holder of the plan key. */
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
