// The PATCH protocol: after anything but a clear response the object is read, and only what is still missing is sent.
// Accepted changes are read back, and what the service did not do is reported once.
import type { Form, Kind } from "../../kinds/define.ts";
import { readRecord, sameValue } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { isCleared } from "../../model/value.ts";
import { attributed, type Problem } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import {
  type Confirmation,
  confirmFields,
  formOf,
  hasAny,
  isConfirmed,
  isFormerValue,
  missingOf,
  pick,
} from "../run/compare-live.ts";
import { observe } from "../run/observe.ts";
import {
  failWithdrawn,
  failWrongValue,
  joinHints,
  notDone,
  outcomeError,
  reportNormalized,
  stillUnchanged,
  unsure,
} from "../run/outcomes.ts";
import { done, endedWith, mostAttempts, type OperationResult, type Run, waitUntilSettled } from "../run/run-context.ts";
import { closeByEffect, type ObjectTask, sendIntent, writeTaskIntent } from "../run/task.ts";
import { isWithdrawn } from "../run/transition.ts";
import { isIgnored, stillApplied } from "./confirm.ts";

export async function executeUpdate(run: Run, task: ObjectTask): Promise<OperationResult> {
  let fields: FieldValues = task.fields;
  for (let attempt = 1; ; attempt++) {
    const sent = await sendIntent(run, await writeTaskIntent(run, task, fields), fields);
    if (sent.end === "accepted") return confirmUpdate(run, task, fields, liveIn(sent.data, task));
    const { problem } = sent;
    if (sent.end === "unsent") return notDone(problem);
    // Reads may lag. Sending again what they do not show yet does no harm, but on the last attempt it must not be reported as lost.
    if (attempt === mostAttempts && problem.class !== "refused")
      await waitUntilSettled(run, run.clock.now(), task.operation.address, problem);
    const observed = await observe(run, task.kind, task.parentId, task.id);
    const missing = observed.outcome === "found" ? missingOf(task.kind, fields, observed.live) : fields;
    const end = closeByEffect(run, sent, observed.outcome === "unknown" ? observed.problem : !hasAny(missing));
    if (end === "adopted") return observed.outcome === "found" ? confirmStatus(run, task, observed.live) : done;
    if (end === "refused") return afterRefusal(run, task, fields, problem, observed.outcome !== "unknown");
    if (end !== "passed") return unsure(end, "The call was sent, but reading the object back failed.");
    learnPartial(run, task, fields, missing);
    if (attempt === mostAttempts) return stillUnchanged(attempt, problem);
    fields = missing;
  }
}

/** `isKnown`: the object could be looked up, and nothing of it was changed. */
async function afterRefusal(run: Run, task: ObjectTask, fields: FieldValues, problem: Problem, isKnown: boolean) {
  const mayBeAboutValues = problem.status === 400 || problem.status === 409 || problem.status === 422;
  if (!mayBeAboutValues) return notDone(problem);
  if (isKnown && clearedFields(fields).length > 0) return clearApart(run, task, fields, problem);
  return notDone(withNameHint(task, fields, problem));
}

/** Where names are unique, two objects cannot swap names with one call each; only people can choose a temporary name. */
function withNameHint({ kind }: ObjectTask, fields: FieldValues, problem: Problem): Problem {
  const { label } = kind.identity;
  const named = problem.details.flatMap(({ field }) => (field === "" ? [] : field));
  if (!(label in fields) || (named.length > 0 && !named.includes(label))) return problem;
  const advice = `If the service allows this ${label} only once and another ${kind.words.one} has it, change that one first. If two are to swap, give one of them a temporary ${label}, apply, then write its final ${label} and apply again.`;
  return { ...problem, hint: joinHints(problem.hint, advice) };
}

/** The object as a response shows it, if it does. */
function liveIn(record: unknown, { kind, parentId, id }: ObjectTask): Live | null {
  const live = readRecord(kind, record, parentId);
  return sameId(live?.id, id) ? live : null;
}

/** Part of it took effect before the response was lost. */
function learnPartial(run: Run, task: ObjectTask, sent: FieldValues, missing: FieldValues): void {
  const fields = pick(
    sent,
    Object.keys(sent).filter((field) => !(field in missing)),
  );
  if (hasAny(fields)) run.journal.learn({ address: task.operation.address, kind: task.kind.name, id: task.id, fields });
}

type PartSent =
  /** `live`: what the response shows of the object. */
  | { readonly end: "accepted"; readonly live: Live | null }
  | { readonly end: "refused"; readonly problem: Problem }
  /** It was not sent, or is not confirmed: the operation ends with it. */
  | { readonly end: "open"; readonly result: OperationResult };

/** One PATCH with some of the fields of an operation. `fields` is what they become, `body` how that is written. */
async function sendPart(
  run: Run,
  task: ObjectTask,
  fields: FieldValues,
  body: FieldValues = fields,
): Promise<PartSent> {
  const sent = await sendIntent(run, await writeTaskIntent(run, task, fields), body);
  if (sent.end === "accepted") return { end: "accepted", live: liveIn(sent.data, task) };
  const { problem } = sent;
  if (sent.end === "unsent") return { end: "open", result: notDone(problem) };
  if (problem.class === "refused") {
    closeByEffect(run, sent, false);
    return { end: "refused", problem };
  }
  const observed = await observe(run, task.kind, task.parentId, task.id);
  const live = observed.outcome === "found" ? observed.live : null;
  const end = closeByEffect(run, sent, live !== null && !hasAny(missingOf(task.kind, fields, live)));
  if (end === "adopted") return { end: "accepted", live };
  return { end: "open", result: unsure(problem, "The call was sent, but not confirmed.") };
}

// Clearing: null, or an empty text if the service does not accept null.

const texts: ReadonlySet<Form> = new Set<Form>(["text", "markup", "url"]);

function clearedFields(fields: FieldValues): readonly string[] {
  return Object.keys(fields).filter((field) => isCleared(fields[field]));
}

/** The same with empty texts instead of null; null if no text is among them. */
function withEmptyTexts(kind: Kind, fields: FieldValues): FieldValues | null {
  const cleared = clearedFields(fields).filter((field) => texts.has(formOf(kind, field)));
  if (cleared.length === 0) return null;
  return { ...fields, ...Object.fromEntries(cleared.map((field) => [field, ""])) };
}

/** A PATCH that clears fields was refused: each of them is tried separately, after the other changes. */
async function clearApart(run: Run, task: ObjectTask, sent: FieldValues, why: Problem): Promise<OperationResult> {
  const cleared = clearedFields(sent);
  const emptied = withEmptyTexts(task.kind, sent);
  if (emptied !== null) {
    const whole = await sendPart(run, task, sent, emptied);
    if (whole.end === "accepted") return confirmUpdate(run, task, sent, whole.live);
    if (whole.end === "open") return whole.result;
  }
  const rest = pick(
    sent,
    Object.keys(sent).filter((field) => !cleared.includes(field)),
  );
  if (hasAny(rest)) {
    const part = await sendPart(run, task, rest);
    // So the refusal was not about clearing, or not about that alone.
    if (part.end === "refused") return notDone(part.problem);
    if (part.end === "open") return part.result;
  }
  const accepted: string[] = [];
  const refused: string[] = [];
  // A single one was refused already; together, only one of several may have been.
  let problem = cleared.length === 1 ? why : null;
  for (const field of cleared) {
    const part = cleared.length === 1 ? null : await clearOne(run, task, pick(sent, [field]));
    if (part?.end === "open") return part.result;
    if (part?.end === "refused") problem = part.problem;
    (part?.end === "accepted" ? accepted : refused).push(field);
  }
  const landed = pick(sent, [...Object.keys(rest), ...accepted]);
  return confirmUpdate(run, task, landed, null, { fields: pick(sent, refused), problem });
}

async function clearOne(run: Run, task: ObjectTask, fields: FieldValues): Promise<PartSent> {
  const part = await sendPart(run, task, fields);
  const emptied = withEmptyTexts(task.kind, fields);
  return part.end === "refused" && emptied !== null ? sendPart(run, task, fields, emptied) : part;
}

/** null was accepted and changed nothing: an empty text may work. Returns the object as it is then. */
async function clearWithText(
  run: Run,
  task: ObjectTask,
  fields: FieldValues,
  before: Live | null,
): Promise<Live | null> {
  const emptied = withEmptyTexts(task.kind, fields);
  if (emptied === null) return before;
  const names = Object.keys(fields).filter((field) => emptied[field] === "");
  const all = await sendPart(run, task, pick(fields, names), pick(emptied, names));
  if (all.end === "refused" && names.length > 1)
    for (const name of names) await sendPart(run, task, pick(fields, [name]), pick(emptied, [name]));
  return readNow(run, task, before);
}

/** `problem`: how the service refused it; null if it accepted the call, and kept the value. */
function cannotClear(fields: readonly string[], problem: Problem | null): OperationResult {
  const names = fields.map((field) => `\`${field}\``).join(", ");
  const one = fields.length === 1;
  const message = `The service does not let ${names} be cleared.`;
  const hint = `Set ${one ? "it to a different value" : "them to different values"}, remove ${one ? "it" : "them"} from the file, or clear ${one ? "it" : "them"} in the dashboard.`;
  if (problem === null) return endedWith("failed", "cannot-clear", message, hint);
  const error = outcomeError(problem, `${message} ${attributed(problem)}`);
  return { result: "failed", error: { ...error, code: "cannot-clear", hint: joinHints(problem.hint, hint) } };
}

/** `sent` was accepted; `refused.fields` are those that the service did not allow to be cleared. */
async function confirmUpdate(
  run: Run,
  task: ObjectTask,
  sent: FieldValues,
  response: Live | null,
  refused: { readonly fields: FieldValues; readonly problem: Problem | null } = { fields: {}, problem: null },
): Promise<OperationResult> {
  const { kind } = task;
  const { address } = task.operation;
  const about = { address, kind: kind.name, id: task.id };
  let live = await readUpdated(run, task, sent, response);
  let confirmation = confirmFields(kind, sent, live);
  const isOff = isWithdrawn(run, address, live);
  if (isOff || isStale(run, task, confirmation)) {
    const why = isOff ? "The event is no longer published" : "The service shows the former value";
    await waitUntilSettled(run, run.clock.now(), address, why);
    live = withResponse(run, task, sent, response, await readNow(run, task, live));
    confirmation = withIgnored(run, task, sent, confirmFields(kind, sent, live));
  }
  const { returned, wrong } = confirmation;
  const unclear = pick(sent, confirmation.uncleared);
  if (hasAny(unclear)) live = await clearWithText(run, task, unclear, live);
  if (hasAny(returned)) {
    run.journal.learn({ ...about, fields: pick(sent, Object.keys(returned)), returned });
    reportNormalized(run, kind, address, sent, returned);
  }
  const uncleared = [...Object.keys(refused.fields), ...confirmFields(kind, unclear, live).uncleared];
  if (uncleared.length > 0) {
    // A field that is not shown at all is remembered as null.
    const shown = Object.fromEntries(uncleared.map((name) => [name, live?.fields[name] ?? null]));
    run.journal.learn({ ...about, fields: {}, uncleared: shown });
  }
  if (hasAny(wrong)) {
    const fields = stillApplied(run, kind, address, wrong);
    run.journal.learn({ ...about, fields, wrong: Object.keys(wrong).filter((field) => !(field in fields)) });
    return failWrongValue(run, address, sent, wrong);
  }
  return uncleared.length === 0 ? confirmStatus(run, task, live) : cannotClear(uncleared, refused.problem);
}

function confirmStatus(run: Run, { operation: { address }, kind, id }: ObjectTask, live: Live | null): OperationResult {
  if (live === null || !isWithdrawn(run, address, live)) return done;
  // Our own call did that: the next run must not report it as drift.
  run.journal.learn({ address, kind: kind.name, id, fields: {}, wrong: ["status"] });
  return failWithdrawn(run, address, live);
}

async function readUpdated(
  run: Run,
  { kind, parentId, id }: ObjectTask,
  sent: FieldValues,
  response: Live | null,
): Promise<Live | null> {
  const certain = response !== null && isConfirmed(confirmFields(kind, sent, response));
  if (certain && !run.responses.wantsRead(kind, sent, response)) return response;
  const observed = await observe(run, kind, parentId, id);
  if (observed.outcome !== "found") return response;
  run.responses.learn(kind, sent, response, observed.live);
  return observed.live;
}

async function readNow(run: Run, { kind, parentId, id }: ObjectTask, before: Live | null): Promise<Live | null> {
  const observed = await observe(run, kind, parentId, id);
  return observed.outcome === "found" ? observed.live : before;
}

/** The response showed what was sent, but a read still shows the old value: the read lags. */
function withResponse(run: Run, task: ObjectTask, sent: FieldValues, response: Live | null, read: Live | null) {
  if (response === null || read === null) return read;
  const late = run.editsOf(task.operation.because).flatMap(({ path, before }) => {
    const field = path.slice(1);
    const shown = read.fields[field] ?? null;
    const value = sent[field];
    // That a field was cleared only a read can show: a service may ignore it and repeat what was sent.
    if (value === undefined || isCleared(value)) return [];
    const isLate = isFormerValue(formOf(task.kind, field), value, shown, before);
    return isLate && isConfirmed(confirmFields(task.kind, pick(sent, [field]), response)) ? field : [];
  });
  return { ...read, fields: { ...read.fields, ...pick(response.fields, late) } };
}

/** Where the former value is still shown after the wait, the service may have ignored the change: that is no form of its own. */
function withIgnored(run: Run, { kind, operation }: ObjectTask, sent: FieldValues, seen: Confirmation): Confirmation {
  const about = { address: operation.because, kind, fields: sent };
  const shown = Object.entries(seen.returned);
  const ignored = shown.flatMap(([field, value]) => (isIgnored(run, about, field, value) ? field : []));
  const returned = Object.fromEntries(shown.filter(([field]) => !ignored.includes(field)));
  return { ...seen, returned, wrong: { ...seen.wrong, ...pick(seen.returned, ignored) } };
}

/** A field that shows exactly what it was before, or a value that is not ours, may only be slow to show. */
function isStale(run: Run, task: ObjectTask, { returned, wrong, uncleared }: Confirmation): boolean {
  if (uncleared.length > 0 || hasAny(wrong)) return true;
  return run
    .editsOf(task.operation.because)
    .some(({ path, before }) => path.slice(1) in returned && sameValue(before, returned[path.slice(1)] ?? null));
}
