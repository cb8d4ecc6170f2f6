// At the start of a run: resolves what an earlier run left open, before anything is planned.
import { kindOf } from "../kinds/index.ts";
import { type Address, sameId } from "../model/address.ts";
import { type Diagnostic, errorOf, warningOf } from "../model/diagnostic.ts";
import type { Live, StateEntry } from "../model/live.ts";
import type { Leftover } from "../model/plan.ts";
import { sentenceCase } from "../model/value.ts";
import { attributed, type Problem } from "../service/problem.ts";
import { adoptInline } from "./create/candidates.ts";
import {
  adoptCreate,
  adoptLate,
  deleteSurplus,
  isTooOld,
  reportLookalikes,
  resolveCreate,
  withParent,
} from "./create/create-recovery.ts";
import type { IntentEntry } from "./journal/journal-entry.ts";
import { type CreateAttempts, findOpenWork, lastIntent, type OpenRotation, rotatedIds } from "./journal/open-work.ts";
import { replayJournal, type StateObjects } from "./journal/replay-journal.ts";
import { listObjects, listStatus, readingOnce } from "./run/observe.ts";
import { reportNotice, reportWarning } from "./run/outcomes.ts";
import { effectTime, outliveCommand, type Run, waitUntilSettled } from "./run/run-context.ts";
import { finishRotation, liveFormer } from "./secrets/rotate-webhook.ts";

export interface Recovered {
  /** What is remembered, with what the journal adds. */
  readonly objects: StateObjects;
  /** Why nothing may be planned yet; null if nothing is in the way. */
  readonly problem: Diagnostic | null;
  /** Deletes of our own objects: first shown with the plan, and made once it is approved. */
  readonly deletes: readonly RecoveryDelete[];
  /** Rotations that only another rotation can resolve: reported by every run until then. */
  readonly unresolved: readonly Diagnostic[];
}

/** Live objects that an earlier run created and that are to be deleted. */
export interface RecoveryDelete extends Omit<Leftover, "id"> {
  readonly lives: readonly Live[];
  /** Deletes them, and nothing that was not shown. Returns what went wrong. */
  execute(): Promise<Diagnostic | null>;
}

/** Whether an earlier run left anything to be settled. */
export function hasLeftovers({ journal }: Pick<Run, "journal">): boolean {
  const { open, unconfirmed, unfinished, rotations, unresolvedRotations, unidentified } = findOpenWork(journal.entries);
  return [open, unconfirmed, unfinished, rotations, unresolvedRotations, unidentified].some(({ length }) => length > 0);
}

/**
 * Adopts what was created and finds what is to be deleted; deletes nothing by itself. `run.ids` must know every id that is remembered.
 * `leave`: a rotation that the caller continues itself.
 */
export async function recover(
  run: Run,
  remembered: Readonly<Record<Address, StateEntry>>,
  leave: (rotation: OpenRotation) => boolean = () => false,
): Promise<Recovered> {
  const { open, unfinished } = findOpenWork(run.journal.entries);
  const search = await prepareSearch(run);
  const deletes: RecoveryDelete[] = [];
  for (const intent of unfinished) {
    run.journal.close(intent.seq, "passed");
    if (intent.announced !== true) reportCutOff(run, intent, "this run compared it again");
  }
  for (const attempts of open) {
    const problem = await resolveOpenCreate(search, attempts);
    if (problem === null) continue;
    const objects = replayJournal(remembered, run.journal.entries);
    return {
      objects,
      problem: cannotRecover(run, attempts.address, creatingFailed, problem),
      deletes: [],
      unresolved: [],
    };
  }
  for (const parts of findOpenWork(run.journal.entries).unidentified) {
    // Success does not matter here: the plan finds them by name.
    await adoptInline(search, parts);
    run.journal.clear(parts.intent.seq);
  }
  for (const rotation of findOpenWork(run.journal.entries).rotations) {
    const lives = leave(rotation) ? null : await liveFormer(run, rotation);
    // If they cannot be listed, the rotation waits for the next run.
    if (lives !== null) deletes.push(deleteFormer(run, rotation, lives));
  }
  // Settling the open ones may have left others unconfirmed.
  for (const found of findOpenWork(run.journal.entries).unconfirmed) {
    const attempts = withParent(run, found);
    if (attempts === null) {
      clearUnconfirmed(run, found);
      continue;
    }
    const surplus = await adoptLate(search, attempts);
    if (surplus !== null && surplus.length > 0) deletes.push(deleteLate(run, attempts, surplus));
    // A create that is too old is reported once and then forgotten.
    else if (surplus !== null || isTooOld(run, attempts)) clearUnconfirmed(run, attempts);
  }
  const unresolved = await findUnresolved(run, leave);
  return { objects: replayJournal(remembered, run.journal.entries), problem: null, deletes, unresolved };
}

/** The sink has the old or the new secret and cannot be asked, so both webhooks stay until a third replaces them. */
async function findUnresolved(run: Run, leave: (rotation: OpenRotation) => boolean): Promise<readonly Diagnostic[]> {
  const unresolved: Diagnostic[] = [];
  for (const rotation of findOpenWork(run.journal.entries).unresolvedRotations) {
    const { kind, seq, fields } = rotation.intent;
    const listed = await listObjects(run, kindOf(kind), null);
    const ids = rotatedIds(rotation);
    const live = listed.ok ? ids.filter((id) => listed.lives.some((each) => sameId(each.id, id))) : ids;
    // Somebody deleted them all.
    if (live.length === 0) run.journal.clear(seq);
    else if (!leave(rotation)) unresolved.push(unresolvedRotation(String(fields.url ?? ""), live));
  }
  return unresolved;
}

export function unresolvedRotation(url: string, ids: readonly string[]): Diagnostic {
  const message = `A rotation of ${url} was cut off while the new secret was being stored, so it is not known whether the secret of ${ids.join(" or of ")} is stored.`;
  const hint = `Run \`ticketing webhooks rotate ${url}\` again: a new webhook, whose secret is stored, replaces ${ids.length === 1 ? "it" : "them"}.`;
  return warningOf("rotation-unfinished", message, hint);
}

/** Waits once until everything that earlier runs sent must be visible, and returns a run that reads each list only once. */
async function prepareSearch(run: Run): Promise<Run> {
  const { open, unconfirmed } = findOpenWork(run.journal.entries);
  const now = run.clock.now();
  // An announced operation may have been sent at any time until the run ended.
  const sent = open.map((each) => (lastIntent(each).announced === true ? now : effectTime(run, lastIntent(each).at)));
  const since = Math.max(...sent, ...unconfirmed.map((each) => Math.min(each.since, now)));
  const [first] = [...open, ...unconfirmed];
  if (first === undefined) return run;
  await waitUntilSettled(run, since, first.address, cutOff);
  const search = { ...run, service: readingOnce(run.service) };
  const kinds = [...open, ...unconfirmed].map(({ intents: [intent] }) => kindOf(intent.kind));
  const searched = kinds.filter((kind) => kind.steps.length > 0);
  // One is searched for by its name; many are found in the whole list. If that fails, each search says why.
  if (searched.length > 1) for (const kind of new Set(searched)) await listStatus(search, kind, "DRAFT");
  return search;
}

/** A create that was never closed. null: it is settled, one way or the other. */
async function resolveOpenCreate(run: Run, found: CreateAttempts): Promise<Problem | null> {
  const attempts = withParent(run, found);
  if (attempts === null) {
    closeAll(run, found.intents, "unsent");
    return null;
  }
  const { intents } = attempts;
  const last = lastIntent(attempts);
  const options = { wait: "none", wanted: true, reason: cutOff } as const;
  const resolved = await resolveCreate(run, attempts, options);
  if (resolved.outcome === "unknown") return resolved.problem;
  if (resolved.outcome === "parent-gone") {
    closeAll(run, intents, "passed");
    return null;
  }
  if (resolved.outcome === "absent") {
    closeAll(run, intents, "absent");
    if (last.announced !== true) reportCutOff(run, last, "the service does not list it");
    return null;
  }
  if (resolved.keep !== null) {
    // An earlier attempt may have created another one: the last loop of `recover` searches for it.
    closeAll(run, intents.slice(0, -1), "absent");
    const problem = await adoptCreate(run, attempts, resolved.keep);
    if (problem === null) reportCutOff(run, last, "it exists, and this run continued with it");
    return problem;
  }
  if (resolved.outcome === "lookalikes") {
    closeAll(run, intents, "passed");
    reportLookalikes(run, attempts.address, resolved.lives, resolved.why);
  } else {
    // Useless without its secret: the last loop of `recover` deletes it, like one that shows up late.
    closeAll(run, intents, "absent");
  }
  return null;
}

function deleteLate(run: Run, attempts: CreateAttempts, surplus: readonly Live[]): RecoveryDelete {
  const { address, intents } = attempts;
  return {
    address,
    lives: surplus,
    why: kindOf(intents[0].kind).secret
      ? "an earlier run created it, and its secret was lost"
      : "an earlier run created it a second time, because the response to its first call was lost",
    async execute() {
      for (const intent of intents) await outliveCommand(run, intent);
      // The prompt may have been open for a while.
      const found = await adoptLate(run, attempts);
      if (found === null) {
        return cannotRecover(
          run,
          address,
          "what an earlier run left has changed since the plan was shown, so it was left alone.",
          null,
        );
      }
      const shown = found.filter(({ id }) => surplus.some((each) => sameId(each.id, id)));
      const problem = await deleteSurplus(run, attempts, shown);
      if (problem !== null)
        return cannotRecover(run, address, "what an earlier run left could not be deleted.", problem);
      if (shown.length === found.length) clearUnconfirmed(run, attempts);
      return null;
    },
  };
}

/** The new webhook is there and its secret stored; those that it replaces are deleted once it works. */
function deleteFormer(run: Run, rotation: OpenRotation, lives: readonly Live[]): RecoveryDelete {
  return {
    address: rotation.intent.address,
    lives,
    why: "its rotation is not finished",
    once: "a test event has reached the webhook that replaces it",
    async execute() {
      await continueRotation(run, rotation);
      return null;
    },
  };
}

async function continueRotation(run: Run, rotation: OpenRotation): Promise<void> {
  const { address } = rotation.intent;
  const ended = await finishRotation(run, rotation, { untested: false });
  if (ended.end === "finished" || ended.end === "void") {
    const how = ended.end === "finished" ? "is finished" : "was given up: the new webhook is gone";
    reportNotice(run, "recovered", address, `The rotation of ${run.called(address)}, begun earlier, ${how}.`);
    return;
  }
  reportWarning(
    run,
    "rotation-unfinished",
    address,
    `The rotation of ${run.called(address)} is not finished, and the old webhook is still there. ${ended.error.message}`,
    `${ended.error.code === "not-sent" ? "Start `ticketing sandbox --deliver-outside` in another terminal" : "Make sure that its receiver is up, responds with 2xx and has the new secret"}, then run \`ticketing webhooks rotate ${String(rotation.intent.fields.url ?? "")}\` again.`,
  );
}

function closeAll(run: Run, intents: readonly IntentEntry[], how: "absent" | "passed" | "unsent"): void {
  for (const intent of intents) run.journal.close(intent.seq, how);
}

/** An object that was adopted meanwhile is settled, and stays. */
function clearUnconfirmed(run: Run, { address }: CreateAttempts): void {
  const { unconfirmed } = findOpenWork(run.journal.entries);
  const intents = unconfirmed.filter((each) => each.address === address).flatMap((each) => each.intents);
  for (const intent of intents) run.journal.clear(intent.seq);
}

const doing: Readonly<Record<IntentEntry["verb"], string>> = {
  create: "creating",
  update: "changing",
  delete: "deleting",
  publish: "publishing",
  unpublish: "unpublishing",
  archive: "archiving",
  "sold-out": "closing the sale of",
};

function reportCutOff(run: Run, intent: IntentEntry, what: string): void {
  const message = `An earlier run was cut off while ${doing[intent.verb]} ${run.called(intent.address)}: ${what}.`;
  reportNotice(run, "recovered", intent.address, message);
}

const cutOff = "An earlier run was cut off";
const creatingFailed = "an earlier run was cut off while creating it, and looking for it failed.";

function cannotRecover(run: Run, address: Address, what: string, problem: Problem | null): Diagnostic {
  const message = `${sentenceCase(run.called(address))}: ${what}${problem === null ? "" : ` ${attributed(problem)}`}`;
  return { ...errorOf("cannot-recover", message, problem?.hint ?? "Run the command again."), address };
}
