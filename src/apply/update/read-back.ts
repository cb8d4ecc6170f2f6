// After a PATCH that the service accepted: what it did not confirm is read, and what it did not do is told, once.
import { readRecord, sameValue } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { observe, waitUntilSettled } from "../run/observe.ts";
import { notDone, unsure } from "../run/outcomes.ts";
import { done, type OperationResult, type Run } from "../run/run.ts";
import { type Task, writeTaskIntent } from "../run/task.ts";
import { cannotClear, emptied, pick } from "./clearing.ts";
import {
  type Confirmation,
  confirmFields,
  failWrongValue,
  hasAny,
  isConfirmed,
  missingOf,
  reportNormalized,
} from "./confirm.ts";

// One PATCH with some of the fields of an operation, to its end.

export type PartSent =
  /** `live`: what the answer shows of the object. */
  | { readonly end: "accepted"; readonly live: Live | null }
  | { readonly end: "refused"; readonly problem: Problem }
  /** It was not sent, or nobody knows: the operation ends with it. */
  | { readonly end: "open"; readonly performed: OperationResult };

/** `fields` is what it comes to, `body` how it is said. */
export async function sendPart(
  run: Run,
  task: Task,
  id: string,
  fields: FieldValues,
  body: FieldValues = fields,
): Promise<PartSent> {
  const { seq } = await writeTaskIntent(run, task, fields);
  const answer = await run.service.request("PATCH", task.path, { body });
  if (answer.ok) {
    run.journal.close(seq, "done");
    const live = readRecord(task.kind, answer.data, task.parentId);
    return { end: "accepted", live: sameId(live?.id, id) ? live : null };
  }
  const { problem } = answer;
  if (problem.class === "refused") {
    run.journal.close(seq, "refused");
    return { end: "refused", problem };
  }
  if (problem.class !== "ambiguous") {
    run.journal.close(seq, "unsent");
    return { end: "open", performed: notDone(problem) };
  }
  const sight = await observe(run, task.kind, task.parentId, id);
  if (sight.sight === "found" && Object.keys(missingOf(task.kind, fields, sight.live)).length === 0) {
    run.journal.close(seq, "adopted");
    return { end: "accepted", live: sight.live };
  }
  run.journal.close(seq, "passed");
  return { end: "open", performed: unsure(problem, "It was sent and not confirmed.") };
}

/** `sent` was accepted; `refused` are fields that the service did not let be emptied. */
export async function confirmChange(
  run: Run,
  task: Task,
  id: string,
  sent: FieldValues,
  answer: Live | null,
  refused: FieldValues = {},
): Promise<OperationResult> {
  const { kind } = task;
  const { address } = task.operation;
  let live = await readBack(run, task, id, sent, answer);
  let confirmation = confirmFields(kind, sent, live);
  if (isStale(run, task, confirmation)) {
    await waitUntilSettled(run, run.clock.now(), address, "The service shows the former value");
    live = await readNow(run, task, id, live);
    confirmation = confirmFields(kind, sent, live);
  }
  if (confirmation.uncleared.length > 0) {
    live = await clearWithText(run, task, id, pick(sent, confirmation.uncleared), live);
  }
  const { returned, wrong } = confirmation;
  if (hasAny(returned)) {
    run.journal.learn({ address, kind: kind.name, id, fields: pick(sent, Object.keys(returned)), returned });
    reportNormalized(run, kind, address, sent, returned);
  }
  const uncleared = [
    ...Object.keys(refused),
    ...confirmFields(kind, pick(sent, confirmation.uncleared), live).uncleared,
  ];
  if (uncleared.length > 0) {
    run.journal.learn({ address, kind: kind.name, id, fields: {}, uncleared: shownOf(live, uncleared) });
  }
  if (hasAny(wrong)) {
    run.journal.learn({ address, kind: kind.name, id, fields: {}, wrong: Object.keys(wrong) });
    return failWrongValue(address, sent, wrong);
  }
  return uncleared.length === 0 ? done : cannotClear(uncleared);
}

async function readBack(
  run: Run,
  task: Task,
  id: string,
  sent: FieldValues,
  answer: Live | null,
): Promise<Live | null> {
  const { kind } = task;
  const certain = answer !== null && isConfirmed(confirmFields(kind, sent, answer));
  if (certain && !run.responses.wantsRead(kind, sent, answer)) return answer;
  const sight = await observe(run, kind, task.parentId, id);
  if (sight.sight !== "found") return answer;
  run.responses.learn(kind, sent, answer, sight.live);
  return sight.live;
}

async function readNow(run: Run, task: Task, id: string, before: Live | null): Promise<Live | null> {
  const sight = await observe(run, task.kind, task.parentId, id);
  return sight.sight === "found" ? sight.live : before;
}

/** A field that shows exactly what it was before, or a value that is not ours, may only be slow to show. */
function isStale(run: Run, task: Task, { returned, wrong, uncleared }: Confirmation): boolean {
  const edits = run.editsOf(task.operation.because);
  const shown = Object.entries(returned);
  return (
    uncleared.length > 0 ||
    hasAny(wrong) ||
    shown.some(([field, value]) => edits.some((edit) => edit.path === `/${field}` && sameValue(edit.before, value)))
  );
}

/** Null was accepted and changed nothing: an empty text may do. Gives the object as it is then. */
async function clearWithText(
  run: Run,
  task: Task,
  id: string,
  fields: FieldValues,
  before: Live | null,
): Promise<Live | null> {
  const texts = emptied(task.kind, fields);
  if (texts === null) return before;
  const names = Object.keys(fields).filter((field) => texts[field] === "");
  const all = await sendPart(run, task, id, pick(fields, names), pick(texts, names));
  if (all.end === "refused" && names.length > 1) {
    for (const name of names) await sendPart(run, task, id, pick(fields, [name]), pick(texts, [name]));
  }
  return readNow(run, task, id, before);
}

/** What is not shown at all is remembered as null: nobody can tell. */
function shownOf(live: Live | null, names: readonly string[]): FieldValues {
  return Object.fromEntries(names.map((name) => [name, live?.fields[name] ?? null]));
}
