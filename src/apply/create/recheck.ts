// Looking once more for what was sent, not confirmed and not found. A late twin of ours is taken, or taken back.
import { kindOf } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../service/problem.ts";
import { findAttempted, waitUntilSettled } from "../run/observe.ts";
import { capital, nameOf, reportRecovery, reportWarning } from "../run/outcomes.ts";
import { deleteOurs, whyNotOurs } from "../run/remove.ts";
import type { Run } from "../run/run.ts";
import type { UnconfirmedCreate } from "../run/unconfirmed-creates.ts";
import { confirmFields, hasAny } from "../update/confirm.ts";

// What to make of the objects that were found after a create that nobody confirmed.

export type RecheckResult =
  | { readonly verdict: "absent" }
  | { readonly verdict: "adopt"; readonly keep: Live; readonly surplus: readonly Live[] }
  | { readonly verdict: "too-many"; readonly found: readonly Live[] };

/** `found` is in order of age, the oldest first; `attempts` is how often we asked for one. */
export function judgeCandidates(found: readonly Live[], attempts: number): RecheckResult {
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

/** Later than this, what looks like ours may as well be somebody's own work: it is told, and left alone. */
export const oursForMs = 60 * 60 * 1000;

/** Looks, and takes back what is ours. True where nothing is in doubt any more, for now. */
export async function recheck(run: Run, doubt: UnconfirmedCreate): Promise<boolean> {
  const twins = await findTwins(run, doubt);
  return twins !== null && (await removeTwins(run, doubt, twins)) === null;
}

/** What is ours and too many; where nothing was made of it yet, the oldest is adopted. null: it stays in doubt. */
export async function findTwins(run: Run, doubt: UnconfirmedCreate): Promise<readonly Live[] | null> {
  const first = doubt.intents[0];
  if (first === undefined) return [];
  const { address } = doubt;
  if (!(await waitUntilSettled(run, doubt.since, address, "A call was not confirmed earlier"))) return null;
  const kind = kindOf(first.kind);
  const found = await findAttempted(
    run,
    kind,
    first.parentId,
    first.fields,
    (id) => run.ids.isTaken(id) || doubt.known.has(id),
  );
  if (!found.ok) return found.problem.status === 404 || found.problem.status === 410 ? [] : null;
  if (found.lives.length === 0) return [];
  const old = run.clock.now() - first.at > oursForMs;
  if (old || found.lives.length > doubt.intents.length || !found.lives.every(mayBeDeleted)) {
    tellLookalikes(run, doubt, found.lives);
    return null;
  }
  let twins = found.lives;
  if (run.ids.of(address) === undefined && !kind.secret) {
    const [late, ...rest] = twins;
    if (late !== undefined) {
      run.ids.give(address, late.id);
      const { returned } = confirmFields(kind, first.fields, late);
      const shapes = hasAny(returned) ? { returned } : {};
      run.journal.learn({ address, kind: kind.name, id: late.id, fields: first.fields, ...shapes });
      reportRecovery(run, address, "showed up late after a lost answer: adopted it");
    }
    twins = rest;
  }
  for (const twin of twins) {
    const why = await whyNotOurs(run, { first, last: doubt.intents.at(-1) ?? first }, kind, twin.id);
    if (why === null) continue;
    tellLookalikes(run, doubt, [twin], why);
    return null;
  }
  return twins;
}

/** null: all are gone. */
export async function removeTwins(run: Run, doubt: UnconfirmedCreate, twins: readonly Live[]): Promise<Problem | null> {
  const first = doubt.intents[0];
  if (first === undefined) return null;
  const kind = kindOf(first.kind);
  for (const twin of twins) {
    const problem = await deleteOurs(run, kind, doubt.address, first.parentId, twin.id);
    if (problem !== null) return problem;
    const what = kind.secret
      ? `was made by a call that was not confirmed (${twin.id}), and its secret was lost: removed it`
      : `had a late twin (${twin.id}) after a lost answer: removed the twin`;
    reportRecovery(run, doubt.address, what);
  }
  return null;
}

function tellLookalikes(run: Run, doubt: UnconfirmedCreate, found: readonly Live[], why?: string): void {
  const ids = found.map((each) => each.id).join(", ");
  reportWarning(
    run,
    "late-lookalikes",
    doubt.address,
    `${capital(nameOf(doubt.address))}: a call of an earlier run was never confirmed, and now there is something that looks like it: ${ids}${why === undefined ? "" : ` (${why})`}.`,
    "If nobody made it on purpose, delete it in the dashboard.",
  );
}
