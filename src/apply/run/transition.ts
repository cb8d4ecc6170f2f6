// Calls without a body: publish, unpublish, archive, sold out, delete. Never repeated blindly: the object is read first.
import type { Kind } from "../../kinds/define.ts";
import { listPath, readRecord } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { type Operation, statusAfter, type Verb } from "../../model/plan.ts";
import { asSentence, sentenceCase } from "../../model/value.ts";
import { attributed, type Problem } from "../../service/problem.ts";
import type { FieldValues, IntentEntry } from "../journal/journal-entry.ts";
import { observe } from "./observe.ts";
import { joinHints, notDone, reportNotice, stillUnchanged, unsure } from "./outcomes.ts";
import {
  done,
  endedWith,
  mostAttempts,
  type NotDone,
  type OperationResult,
  type Run,
  waitUntilSettled,
} from "./run-context.ts";
import { closeByEffect, type ObjectTask, sendIntent, type Task, writeIntent, writeTaskIntent } from "./task.ts";

export async function executeTransition(run: Run, task: ObjectTask): Promise<OperationResult> {
  const { kind, operation } = task;
  for (let attempt = 1; ; attempt++) {
    const sent = await sendIntent(run, await writeTaskIntent(run, task, fieldsAfter(kind, operation.verb)));
    if (sent.end === "accepted") {
      const shown = readRecord(kind, sent.data, task.parentId);
      return shown !== null && isReached(kind, operation.verb, shown) === true ? done : confirmMove(run, task);
    }
    const { problem } = sent;
    if (sent.end === "unsent") return notDone(problem);
    const reached = await readUntilSettled(run, task, problem);
    const end = closeByEffect(run, sent, reached ?? (problem.class === "refused" && countsAsDone(run, task, problem)));
    if (end === "adopted") return done;
    if (end === "refused") return fallBack(run, task, problem);
    if (end !== "passed") return unsure(end, "The call was sent, but reading the status failed.");
    if (attempt === mostAttempts) return stillUnchanged(attempt, problem);
  }
}

/** True, false, null if the service does not show it, or the problem of reading it. */
type Reached = boolean | null | Problem;

async function readUntilSettled(run: Run, task: ObjectTask, problem: Problem): Promise<Reached> {
  const since = run.clock.now();
  const first = await readReached(run, task);
  // A refusal is final; after a lost response the effect may still come.
  if (first !== false || problem.class === "refused") return first;
  const waited = await waitUntilSettled(run, since, task.operation.address, problem);
  return waited ? readReached(run, task) : problem;
}

async function readReached(run: Run, task: ObjectTask): Promise<Reached> {
  const observed = await observe(run, task.kind, task.parentId, task.id);
  if (observed.outcome === "unknown") return observed.problem;
  const { kind, operation } = task;
  if (observed.outcome === "found") return isReached(kind, operation.verb, observed.live);
  // An archived event is hidden from the marketplace; some services hide it from this read, too.
  return statusAfter[operation.verb] === "ARCHIVED" ? null : false;
}

async function confirmMove(run: Run, task: ObjectTask): Promise<OperationResult> {
  const since = run.clock.now();
  let reached = await readReached(run, task);
  if (
    reached === false &&
    (await waitUntilSettled(run, since, task.operation.address, "The service still shows the old status"))
  ) {
    reached = await readReached(run, task);
  }
  if (reached !== false) return done;
  const { kind, id, operation } = task;
  const wrong = kind.steps.length > 0 ? ["status"] : Object.keys(fieldsAfter(kind, operation.verb));
  run.journal.learn({ address: operation.address, kind: kind.name, id, fields: {}, wrong });
  return endedWith(
    "failed",
    "not-reached",
    `The service accepted "${operation.verb}", but the object has not changed.`,
    "Check it in the dashboard, then run `ticketing apply` again.",
  );
}

/** Whether a refused call counts as done although the service does not show it. */
function countsAsDone(run: Run, task: ObjectTask, problem: Problem): boolean {
  // After an unconfirmed attempt of ours, a refusal means "it is so already".
  if (wasTried(run, task)) return true;
  if (!mayBeSoAlready(task.kind, task.operation.verb, problem)) return false;
  reportUnconfirmed(run, task, problem);
  return true;
}

/** Whether this run, or an interrupted one, has sent the same before without a confirmation. */
function wasTried(run: Run, { id, operation: { verb } }: ObjectTask): boolean {
  const seqs = new Set(
    run.journal.entries.flatMap((entry) =>
      entry.type === "intent" && entry.verb === verb && entry.id === id ? [entry.seq] : [],
    ),
  );
  return run.journal.entries.some((entry) => entry.type === "close" && entry.how === "passed" && seqs.has(entry.seq));
}

/**
 * The service does not show whether it is so, and a refusal of a call without a body has one likely reason: it already
 * is. A missing scope, or a field that the refusal names, is a different reason.
 */
function mayBeSoAlready(kind: Kind, verb: Verb, { status, code, details }: Problem): boolean {
  const names = Object.keys(fieldsAfter(kind, verb));
  if (names.length === 0 || code === "SCOPE_REQUIRED") return false;
  const isAboutState = details.every(({ field }) => field === "" || field === "status" || names.includes(field));
  return (status === 400 || status === 403 || status === 409 || status === 422) && isAboutState;
}

function reportUnconfirmed(run: Run, { operation }: Task, problem: Problem): void {
  const { address, verb } = operation;
  const message = `${sentenceCase(run.called(address))}: the service refused "${verb}" (${asSentence(problem.message).replace(/\.$/, "")}) and does not show whether that had already been done; it counts as done.`;
  reportNotice(
    run,
    "unconfirmed",
    address,
    message,
    "If the change is not there, make it in the dashboard: the call is not sent again.",
  );
}

async function fallBack(run: Run, task: ObjectTask, problem: Problem): Promise<OperationResult> {
  const { operation } = task;
  let before: Verb | null = null;
  for (const verb of operation.fallback ?? []) {
    const { fallback: _, ...rest } = operation;
    const step: Operation = { ...rest, verb };
    const path = task.path.slice(0, task.path.lastIndexOf("/") + 1) + verb;
    const performed = await executeTransition(run, { ...task, operation: step, path });
    if (performed.result !== "done")
      return before === null ? afterBoth(problem, performed, verb) : halfway(performed, operation.verb, before);
    before = verb;
  }
  return operation.fallback === undefined ? notDone(problem) : done;
}

/** Neither the call nor the first step of its fallback: what the service said about each may be the reason. */
function afterBoth(problem: Problem, ended: NotDone, step: Verb): OperationResult {
  const message = `${attributed(problem)} So the run tried to ${step} it first: ${ended.error.message}`;
  return { ...ended, error: { ...ended.error, message, hint: joinHints(problem.hint, ended.error.hint) } };
}

/** The first step of a fallback has taken effect, and the one after it has not. */
function halfway(ended: NotDone, verb: Verb, before: Verb): OperationResult {
  const { message, hint } = ended.error;
  const now = `It was ${before.replace(/e?$/, "ed")} first, so it is ${statusAfter[before]} now and no longer on the marketplace.`;
  const back = `To ${verb} it, run \`ticketing apply\` again; if that is refused too, remove \`status\` from the file and ${verb} it in the dashboard. To sell it again, set \`status: PUBLISHED\` and apply.`;
  return { ...ended, error: { ...ended.error, message: `${asSentence(message)} ${now}`, hint: joinHints(hint, back) } };
}

/** Whether the object is as the call was to make it; null if the service does not show it. */
export function isReached(kind: Kind, verb: Verb, live: Live): boolean | null {
  if (kind.steps.length > 0) return live.status === null ? null : live.status === statusAfter[verb];
  const [field] = Object.keys(fieldsAfter(kind, verb));
  const shown = field === undefined ? undefined : live.fields[field];
  return typeof shown === "boolean" ? shown : null;
}

/** It has left the marketplace, although the plan keeps it there: some services reset an event to DRAFT when it is changed. */
export function isWithdrawn(run: Run, address: Address, live: Live | null): boolean {
  return run.staysPublished(address) && live !== null && live.status !== null && live.status !== "PUBLISHED";
}

/** The fields that a separate call makes true. */
export function fieldsAfter(kind: Kind, verb: Verb): FieldValues {
  const names = Object.entries(kind.fields).filter(([, policy]) => policy.role === "value" && policy.change === verb);
  return Object.fromEntries(names.map(([field]) => [field, true]));
}

// Deletes. An object that is already gone counts as deleted, no matter by whom.

export async function executeDelete(run: Run, task: Task): Promise<OperationResult> {
  const failed = await sendDelete(run, task.kind, await writeTaskIntent(run, task));
  if (failed === null) return done;
  return failed.isCertain ? notDone(failed.problem) : unsure(failed.problem, "The call was sent, but not confirmed.");
}

/** Deletes what we created ourselves; recorded like every other call. null: it is deleted. */
export async function deleteOurs(
  run: Run,
  kind: Kind,
  address: Address,
  parentId: string | null,
  id: string,
): Promise<Problem | null> {
  const path = `${listPath(kind, parentId)}/${id}`;
  const call = { address, kind: kind.name, verb: "delete", method: "DELETE", path, parentId, id, fields: {} } as const;
  const failed = await sendDelete(run, kind, await writeIntent(run, call));
  return failed?.problem ?? null;
}

/** null: it is gone. `isCertain`: the object is still there. */
async function sendDelete(
  run: Run,
  kind: Kind,
  intent: IntentEntry,
): Promise<{ readonly problem: Problem; readonly isCertain: boolean } | null> {
  const since = run.clock.now();
  const sent = await sendIntent(run, intent);
  if (sent.end === "accepted") return null;
  const { problem } = sent;
  if (sent.end === "unsent") return { problem, isCertain: true };
  const isLost = problem.class === "ambiguous";
  if (isLost && !(await waitUntilSettled(run, since, intent.address, problem))) return { problem, isCertain: false };
  const observed = await observe(run, kind, intent.parentId, intent.id ?? "");
  if (closeByEffect(run, sent, observed.outcome === "gone") === "adopted") return null;
  return { problem, isCertain: !isLost || observed.outcome === "found" };
}
