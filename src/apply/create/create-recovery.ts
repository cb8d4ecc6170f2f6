// What became of an unconfirmed create, whether its response or its whole run was lost. Used by the retry within a run, the recheck at its
// end, and recovery in the next run. What is found is adopted; it is deleted only if it is provably ours: created during our attempts, and
// of no use to anyone yet. Ticket types within a new event are adopted by candidates.ts, which deletes none.
import type { Kind } from "../../kinds/define.ts";
import { childKinds, kindOf, kindOfAddress, parentAddress } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { formatCount, sentenceCase } from "../../model/value.ts";
import { isGone, type Problem } from "../../service/problem.ts";
import { ordersPath } from "../../service/records.ts";
import type { IntentEntry } from "../journal/journal-entry.ts";
import { type CreateAttempts, lastIntent } from "../journal/open-work.ts";
import { listObjects, observe } from "../run/observe.ts";
import { recheckHint, reportRecovery, reportWarning, serviceTime } from "../run/outcomes.ts";
import { done, endedWith, type OperationResult, type Run, waitUntilSettled } from "../run/run-context.ts";
import { deleteOurs } from "../run/transition.ts";
import { confirmCreated } from "../update/confirm.ts";
import { adoptInline, findCandidates, type SearchOptions } from "./candidates.ts";

export type CreateResolution =
  | { readonly outcome: "absent" }
  /**
   * `keep` is the one to adopt; null if the object is no longer wanted, or its secret is lost. `surplus` was provably
   * created by our own attempts, too, and is to be deleted.
   */
  | { readonly outcome: "found"; readonly keep: Live | null; readonly surplus: readonly Live[] }
  /** `lives` may be ours or somebody else's: a person has to decide. `keep` is certainly ours. */
  | {
      readonly outcome: "lookalikes";
      readonly keep: Live | null;
      readonly lives: readonly Live[];
      readonly why: string | null;
      /** They fit in all but their name. */
      readonly differInName: boolean;
    }
  | { readonly outcome: "parent-gone"; readonly problem: Problem }
  | { readonly outcome: "unknown"; readonly problem: Problem };

export interface ResolveOptions extends SearchOptions {
  /** Whether the address still lacks its object; if not, everything that is found is surplus. */
  readonly wanted: boolean;
}

export async function resolveCreate(
  run: Run,
  attempts: CreateAttempts,
  how: ResolveOptions,
): Promise<CreateResolution> {
  const found = await findCandidates(run, attempts, how);
  if (!found.ok) return { outcome: isGone(found.problem) ? "parent-gone" : "unknown", problem: found.problem };
  const lookalikes = how.wanted
    ? found.differentlyNamed.filter((live) => otherTimeThan(run, attempts, live) === null)
    : [];
  const why = "under a different name";
  if (lookalikes.length > 0) return { outcome: "lookalikes", keep: null, lives: lookalikes, why, differInName: true };
  return judgeCandidates(run, attempts, found.lives, how.wanted);
}

/** An announced create may belong to a parent that was announced, too. null: the parent was not created, so neither was this. */
export function withParent(run: Pick<Run, "ids">, attempts: CreateAttempts): CreateAttempts | null {
  const { address, intents } = attempts;
  const parent = parentAddress(address);
  if (parent === null || intents.every(({ parentId }) => parentId !== null)) return attempts;
  const parentId = run.ids.of(parent);
  if (parentId === undefined) return null;
  const [first, ...rest] = intents.map((intent) => ({ ...intent, parentId: intent.parentId ?? parentId }));
  return first === undefined ? null : { ...attempts, intents: [first, ...rest] };
}

/** After an hour, an attempt proves nothing: a similar object may be somebody else's. */
export function isTooOld(run: Run, attempts: CreateAttempts): boolean {
  return run.clock.now() - lastIntent(attempts).at > 60 * 60 * 1000;
}

/** `lives` is in order of age, the oldest first. */
export async function judgeCandidates(
  run: Run,
  attempts: CreateAttempts,
  lives: readonly Live[],
  wanted: boolean,
): Promise<CreateResolution> {
  if (lives.length === 0) return { outcome: "absent" };
  const { intents } = attempts;
  const keep = wanted ? await chooseOne(run, kindOf(intents[0].kind), lives) : null;
  const surplus = lives.filter((live) => live !== keep);
  if (lives.length > intents.length || (surplus.length > 0 && isTooOld(run, attempts))) {
    return { outcome: "lookalikes", keep: null, lives, why: null, differInName: false };
  }
  for (const live of surplus) {
    const why = await whyNotOurs(run, attempts, live.id);
    if (why !== null) return { outcome: "lookalikes", keep, lives: [live], why, differInName: false };
  }
  return { outcome: "found", keep, surplus };
}

/** The oldest; of objects with a secret, the one whose secret was stored, because the others are useless. */
async function chooseOne(run: Run, kind: Kind, lives: readonly Live[]): Promise<Live | null> {
  if (!kind.secret) return lives[0] ?? null;
  for (const live of lives) if ((await run.sink?.holds(live.id)) === true) return live;
  return null;
}

/** The service may stamp records by a different clock than the one in its headers. */
const serverSkewMs = 60_000;
/** If the service never shows its time, ours has to be enough. */
const ownSkewMs = 5 * 60_000;

/** A create takes effect within its call, and the client waits no longer than this, connecting included. */
const longestCallMs = 130_000;

/**
 * Why it is not certain that we created a live object and that it matters to no one yet: only then may it be deleted.
 * null: it is certain. The object is read right before, for this.
 */
async function whyNotOurs(run: Run, attempts: CreateAttempts, id: string): Promise<string | null> {
  const [first] = attempts.intents;
  const kind = kindOf(first.kind);
  const observed = await observe(run, kind, first.parentId, id);
  if (observed.outcome === "unknown") return "it could not be read";
  // What is gone needs no proof.
  if (observed.outcome === "gone") return null;
  const { live } = observed;
  const status = live.status ?? live.otherStatus ?? "DRAFT";
  if (status !== "DRAFT") return `it is ${status}`;
  const otherTime = otherTimeThan(run, attempts, live);
  if (otherTime !== null) return otherTime;
  return (await isUnsold(run, kind, live)) ? null : "some of it may be sold";
}

/** Why the attempts cannot have created it, by the creation time that the service shows; null if they can. */
function otherTimeThan(run: Run, attempts: CreateAttempts, { createdAt = "" }: Live): string | null {
  const [first] = attempts.intents;
  const last = lastIntent(attempts);
  const made = Date.parse(createdAt);
  const earliest = first.date === null ? first.at - ownSkewMs : Date.parse(first.date) - serverSkewMs;
  if (made < earliest) return "it was created before the first call was sent";
  const latest = latestOf(last.at, last.date) + longestCallMs + run.settleTime.ms();
  // A time in the future comes from some other clock: it proves nothing.
  const now = latestOf(run.clock.now(), run.service.serverDate?.toISOString() ?? null);
  return made > latest && made <= now ? "it was created after the last call" : null;
}

/** The service's time is known only from its latest response, and a run may wait before its next call, so our own clock counts, too. */
function latestOf(at: number, date: string | null): number {
  return Math.max(at + ownSkewMs, date === null ? 0 : Date.parse(date) + serverSkewMs);
}

async function isUnsold(run: Run, kind: Kind, live: Live): Promise<boolean> {
  const lives = kind.sold ? [live] : [];
  for (const part of childKinds(kind.name).filter(({ sold }) => sold)) {
    const listed = await listObjects(run, part, live.id);
    if (!listed.ok) return false;
    lives.push(...listed.lives);
  }
  const sold = lives.map(soldCount);
  if (sold.some((each) => each !== null && each !== 0)) return false;
  return sold.every((each) => each === 0) || hasNoOrders(run, live.parentId ?? live.id);
}

/** Stricter than `soldByInventory`, because something is deleted: if nothing remains, all of it counts as sold. */
function soldCount({ fields, remaining }: Live): number | null {
  return remaining === null || typeof fields.quantity !== "number" ? null : fields.quantity - remaining;
}

async function hasNoOrders(run: Run, eventId: string): Promise<boolean> {
  const response = await run.service.request("GET", ordersPath(eventId), { query: { take: 1 } });
  return response.ok && Array.isArray(response.data) && (response.meta?.total ?? response.data.length) === 0;
}

/** Deletes what `resolveCreate` has just proved to be ours. null: all of it is deleted. */
export async function deleteSurplus(
  run: Run,
  { address, intents: [first] }: CreateAttempts,
  surplus: readonly Live[],
): Promise<Problem | null> {
  const kind = kindOf(first.kind);
  for (const { id } of surplus) {
    const problem = await deleteOurs(run, kind, address, first.parentId, id);
    if (problem !== null) return problem;
    const what = kind.secret
      ? `was created as ${id}, but its secret was lost with the response, so it was deleted`
      : `was created a second time as ${id} after a lost response; the duplicate was deleted`;
    reportRecovery(run, address, what);
  }
  return null;
}

/** The id of a created object is known: reads whatever the response did not confirm, and remembers all of it. */
export async function finishCreate(
  run: Run,
  intent: IntentEntry,
  live: Live,
  how: "done" | "adopted",
): Promise<OperationResult> {
  const { address, fields } = intent;
  const kind = kindOf(intent.kind);
  const madeAt = how === "adopted" && intent.date !== null ? intent.date : serviceTime(run);
  run.ids.give(address, live.id);
  run.journal.close(intent.seq, how, { id: live.id, madeAt });
  // After a crash, there is no way to find out whether this sink has the secret.
  if (kind.secret && run.journal.entries.some((entry) => entry.type === "hand" && entry.seq === intent.seq))
    await run.journal.flush();
  const shown = how === "done" ? await readBack(run, intent, kind, live) : live;
  const confirmed = await confirmCreated(run, { address, kind, fields }, shown);
  // A rotation must be finished: any difference is left to the next plan.
  return intent.rotation === undefined ? confirmed : done;
}

/** Waits for an object that no list shows yet only if nothing else shows what the service stored. */
async function readBack(run: Run, intent: IntentEntry, kind: Kind, response: Live): Promise<Live> {
  const { address, fields, parentId } = intent;
  if (!run.responses.wantsRead(kind, fields, response)) return response;
  const since = run.clock.now();
  let observed = await observe(run, kind, parentId, response.id);
  const isPartial = Object.keys(fields).some((field) => response.fields[field] === undefined);
  if (observed.outcome === "gone" && isPartial && !kind.endpoints.get) {
    await waitUntilSettled(run, since, address, "No list shows the new object yet");
    observed = await observe(run, kind, parentId, response.id);
  }
  if (observed.outcome !== "found") return response;
  run.responses.learn(kind, fields, response, observed.live);
  return observed.live;
}

/** Adopts a created object outside of its operation, together with what was created inline. */
export async function adoptCreate(run: Run, attempts: CreateAttempts, live: Live): Promise<Problem | null> {
  const intent = lastIntent(attempts);
  await finishCreate(run, intent, live, "adopted");
  return adoptInline(run, { intent, parentId: live.id });
}

/** A create that was not found may show up late: it is adopted if it is still wanted. Returns the duplicates to delete; null: it stays unconfirmed. */
export async function adoptLate(run: Run, attempts: CreateAttempts): Promise<readonly Live[] | null> {
  const { address } = attempts;
  const wanted = run.ids.of(address) === undefined;
  const reason = "A create was not confirmed earlier";
  const resolved = await resolveCreate(run, attempts, { wait: "settled", wanted, reason });
  if (resolved.outcome === "unknown") return null;
  if (resolved.outcome === "absent" || resolved.outcome === "parent-gone") return [];
  if (resolved.keep !== null) {
    await adoptCreate(run, attempts, resolved.keep);
    reportRecovery(run, address, "showed up late after a lost response; it was adopted");
  }
  if (resolved.outcome === "found") return resolved.surplus;
  reportLookalikes(run, address, resolved.lives, resolved.why);
  return null;
}

/** True if nothing is unconfirmed now. */
export async function recheck(run: Run, attempts: CreateAttempts): Promise<boolean> {
  const surplus = await adoptLate(run, attempts);
  if (surplus === null) return false;
  // Objects of an earlier run are deleted only after a plan has shown them: the next one does.
  if (surplus.length > 0 && attempts.intents[0].run !== run.journal.run) return false;
  return (await deleteSurplus(run, attempts, surplus)) === null;
}

/** Nothing is published while part of it is unconfirmed: a duplicate may still show up. */
export async function refuseWhileUnconfirmed(run: Run, address: Address): Promise<OperationResult | null> {
  for (const attempts of run.unconfirmed.within(address)) {
    if (await recheck(run, attempts)) continue;
    const message = `It is not published while ${run.called(attempts.address)} is unconfirmed.`;
    return endedWith("skipped", "part-unconfirmed", message, recheckHint);
  }
  return null;
}

/** At the end of a run. */
export async function recheckAll(run: Run): Promise<void> {
  try {
    await Promise.all(run.unconfirmed.all().map((attempts) => recheck(run, attempts)));
  } catch {
    // The journal could not be written, so nothing was deleted: the next run checks again.
  }
}

export function reportLookalikes(run: Run, address: Address, lives: readonly Live[], why: string | null): void {
  const ids = lives.map(({ id }) => id).join(", ");
  reportWarning(
    run,
    "late-lookalikes",
    address,
    `${sentenceCase(run.called(address))}: creating it was never confirmed, and ${lives.length === 1 ? "an object looks" : `${formatCount(lives.length)} objects look`} like it: ${ids}${why === null ? "" : ` (${why})`}.`,
    kindOfAddress(address).fields.id === undefined
      ? "In the dashboard, delete those that you do not want; `ticketing plan` shows what is live."
      : "In the dashboard, delete those that you do not want, or pin the right one with `id:`.",
  );
}
