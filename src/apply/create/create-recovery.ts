// What an unconfirmed create turned into. Its response was lost, or its whole run: the retry within a run, the recheck at
// its end and the recovery by the next run all ask here. Only ticket types within a new event are found elsewhere
// (inline-tickets.ts): whatever is below a new event is ours, so they are paired by name and need no proof.
import type { Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { sentenceCase } from "../../model/value.ts";
import { isGone, type Problem, problemOf } from "../../service/problem.ts";
import type { FieldValues, IntentEntry } from "../journal/journal-entry.ts";
import { type CreateAttempts, lastIntent } from "../journal/open-work.ts";
import { resembles } from "../run/compare-live.ts";
import { listObjects, listStatus, type Observations, observe, waitUntilSettled } from "../run/observe.ts";
import { describeAddress, reportRecovery, reportWarning, serviceTime } from "../run/outcomes.ts";
import { deleteOurs, whyNotOurs } from "../run/remove.ts";
import { certainMs, done, type OperationResult, pollMs, type Run } from "../run/run-context.ts";
import { confirmCreated } from "../update/confirm.ts";
import { adoptInline } from "./inline-tickets.ts";

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
    }
  | { readonly outcome: "parent-gone"; readonly problem: Problem }
  | { readonly outcome: "unknown"; readonly problem: Problem };

export interface ResolveOptions {
  /** `settled`: wait for the settle time. `shown`: wait until it shows, because the service says that it exists. `none`: do not wait. */
  readonly wait: "settled" | "shown" | "none";
  /** Whether the address still lacks its object; if not, all that is found is surplus. */
  readonly wanted: boolean;
  /** Shown to people as the reason for the wait. */
  readonly reason: string;
}

export async function resolveCreate(
  run: Run,
  attempts: CreateAttempts,
  options: ResolveOptions,
): Promise<CreateResolution> {
  const found = await findCandidates(run, attempts, options);
  if (!found.ok) return { outcome: isGone(found.problem) ? "parent-gone" : "unknown", problem: found.problem };
  return judgeCandidates(run, attempts, found.lives, options.wanted);
}

/** After an hour an attempt proves nothing: an object that looks like ours may be somebody else's work. */
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
  const kind = kindOf(intents[0].kind);
  const keep = wanted ? await chooseOne(run, kind, lives) : null;
  const surplus = lives.filter((live) => live !== keep);
  if (lives.length > intents.length || (surplus.length > 0 && isTooOld(run, attempts))) {
    return { outcome: "lookalikes", keep: null, lives, why: null };
  }
  for (const live of surplus) {
    const why = await whyNotOurs(run, { first: intents[0], last: lastIntent(attempts) }, kind, live.id);
    if (why !== null) return { outcome: "lookalikes", keep, lives: [live], why };
  }
  return { outcome: "found", keep, surplus };
}

/** The oldest; of objects with a secret the one whose secret was stored, because the others are of no use. */
async function chooseOne(run: Run, kind: Kind, lives: readonly Live[]): Promise<Live | null> {
  if (!kind.secret) return lives[0] ?? null;
  for (const live of lives) if ((await run.sink?.holds(live.id)) === true) return live;
  return null;
}

const stopped = problemOf("not-sent", "interrupted", "The run was stopped before it could be looked for.", null);

async function findCandidates(run: Run, attempts: CreateAttempts, options: ResolveOptions): Promise<Observations> {
  if (options.wait === "none") return searchOnce(run, attempts);
  if (options.wait === "settled") {
    const waited = await waitUntilSettled(run, attempts.since, attempts.address, options.reason);
    return waited ? searchOnce(run, attempts) : { ok: false, problem: stopped };
  }
  const since = run.clock.now();
  for (let searches = 0; ; searches++) {
    const found = await searchOnce(run, attempts);
    const waited = run.clock.now() - since;
    // A first search that waited for the rate limit says nothing about the list.
    if (found.ok && found.lives.length > 0 && searches > 0) run.settleTime.sawLag(waited);
    if (!found.ok || found.lives.length > 0 || waited >= run.settleTime.ms() + certainMs) return found;
    await run.clock.sleep(pollMs, run.signal);
    if (run.signal?.aborted === true) return { ok: false, problem: stopped };
  }
}

/** Not live before the first attempt, not given to another address, of the same identity, and no shown time, number, id or set differs. */
async function searchOnce(run: Run, { intents: [first], known }: CreateAttempts): Promise<Observations> {
  const { fields, parentId } = first;
  const kind = kindOf(first.kind);
  const isCandidate = (live: Live) =>
    !run.ids.isTaken(live.id) && !known.has(idKey(live.id)) && resembles(kind, fields, live);
  const listed =
    kind.steps.length === 0
      ? await listObjects(run, kind, parentId)
      : await listNew(run, kind, fields[kind.identity.label], isCandidate);
  if (!listed.ok) return listed;
  const found: Live[] = [];
  for (const live of listed.lives.filter(isCandidate)) {
    const whole = await readWhole(run, kind, live, fields);
    if (!whole.ok) return whole;
    found.push(...whole.lives.filter(isCandidate));
  }
  return { ok: true, lives: found };
}

/** A search is only a shortcut: services search in different ways, so what it does not find is looked up in the list. */
async function listNew(
  run: Run,
  kind: Kind,
  label: unknown,
  isCandidate: (live: Live) => boolean,
): Promise<Observations> {
  const search = typeof label === "string" ? await listStatus(run, kind, "DRAFT", label) : null;
  return search?.ok === true && search.lives.some(isCandidate) ? search : listStatus(run, kind, "DRAFT");
}

/** A list may show less of an object than the object itself does. */
async function readWhole(run: Run, kind: Kind, live: Live, fields: FieldValues): Promise<Observations> {
  if (!kind.endpoints.get || Object.keys(fields).every((field) => live.fields[field] !== undefined)) {
    return { ok: true, lives: [live] };
  }
  const observed = await observe(run, kind, live.parentId, live.id);
  if (observed.outcome === "unknown") return { ok: false, problem: observed.problem };
  return { ok: true, lives: observed.outcome === "found" ? [observed.live] : [] };
}

/** Deletes what `resolveCreate` has just proved to be ours. null: all of it is gone. */
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
      ? `was created as ${id}, but its secret was lost with the response: deleted it`
      : `was created a second time as ${id} after a lost response: deleted the duplicate`;
    reportRecovery(run, address, what);
  }
  return null;
}

/** The object of a create is known: whatever the response did not confirm is read, and all of it is remembered. */
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
  const shown = how === "done" ? await readBack(run, intent, kind, live) : live;
  const confirmed = await confirmCreated(run, { address, kind, fields }, shown);
  // A rotation has to come to its end: the difference is for the next plan.
  return intent.rotation === undefined ? confirmed : done;
}

/** An object that lists do not show yet is waited for only if nothing else shows what the service made of it. */
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

/** Adopts a create without the operation that asked for it. What was made along with it is adopted too. */
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
    reportRecovery(run, address, "showed up late after a lost response: adopted it");
  }
  if (resolved.outcome === "found") return resolved.surplus;
  reportLookalikes(run, attempts, resolved.lives, resolved.why);
  return null;
}

/** Before a publish and at the end of a run. True if nothing is unconfirmed now. */
export async function recheck(run: Run, attempts: CreateAttempts): Promise<boolean> {
  const surplus = await adoptLate(run, attempts);
  if (surplus === null) return false;
  // Objects of an earlier run are deleted only after a plan has shown them: the next one does.
  if (surplus.length > 0 && attempts.intents[0].run !== run.journal.run) return false;
  return (await deleteSurplus(run, attempts, surplus)) === null;
}

export function reportLookalikes(
  run: Run,
  { address }: CreateAttempts,
  lives: readonly Live[],
  why: string | null,
): void {
  const ids = lives.map(({ id }) => id).join(", ");
  reportWarning(
    run,
    "late-lookalikes",
    address,
    `${sentenceCase(describeAddress(address))}: creating it was never confirmed, and ${lives.length === 1 ? "an object looks" : `${lives.length} objects look`} like it: ${ids}${why === null ? "" : ` (${why})`}.`,
    "Delete those you do not want in the dashboard, or pin the right one with `id:`.",
  );
}
