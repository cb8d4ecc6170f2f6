// What to make of the objects that were found after a create that nobody confirmed.
import type { Live } from "../model/live.ts";

export type Verdict =
  | { readonly verdict: "absent" }
  | { readonly verdict: "adopt"; readonly keep: Live; readonly surplus: readonly Live[] }
  | { readonly verdict: "too-many"; readonly found: readonly Live[] };

/** `found` is in order of age, the oldest first; `attempts` is how often we asked for one. */
export function judgeCandidates(found: readonly Live[], attempts: number): Verdict {
  const [keep, ...surplus] = found;
  if (keep === undefined) return { verdict: "absent" };
  if (found.length > attempts) return { verdict: "too-many", found };
  if (!surplus.every(mayBeDeleted)) return { verdict: "too-many", found };
  return { verdict: "adopt", keep, surplus };
}

/** Of our own making, and of no consequence to anybody yet: a draft, or nothing sold. */
export function mayBeDeleted(live: Live): boolean {
  if (live.status !== null) return live.status === "DRAFT";
  const { quantity } = live.fields;
  return live.remaining === null || typeof quantity !== "number" || live.remaining === quantity;
}
