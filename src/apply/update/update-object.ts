// The PATCH protocol: after anything but a clear response the object is read, and only what is still missing is sent. What
// was accepted is read back, and what the service did not do is reported once.
import type { Form, Kind } from "../../kinds/define.ts";
import { readRecord, sameValue } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../service/problem.ts";
import { type FieldValues, isEmpty } from "../journal/journal-entry.ts";
import { formOf } from "../run/compare-live.ts";
import { observe, waitUntilSettled } from "../run/observe.ts";
import { notDone, recheckHint, unsure } from "../run/outcomes.ts";
import { done, endedWith, type OperationResult, type Run } from "../run/run.ts";
import { type Task, writeTaskIntent } from "../run/task.ts";
import {
  type Confirmation,
  confirmFields,
  failWrongValue,
  hasAny,
  isConfirmed,
  missingOf,
  pick,
  reportNormalized,
} from "./confirm.ts";

const mostAttempts = 3;

export async function executeUpdate(run: Run, task: Task, id: string): Promise<OperationResult> {
  let sent: FieldValues = task.fields;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const { seq } = await writeTaskIntent(run, task, sent);
    const response = await run.service.request("PATCH", task.path, { body: sent });
    if (response.ok) {
      run.journal.close(seq, "done");
      const live = readRecord(task.kind, response.data, task.parentId);
      return confirmUpdate(run, task, id, sent, sameId(live?.id, id) ? live : null);
    }
    const { problem } = response;
    if (problem.class === "throttled" || problem.class === "not-sent") {
      run.journal.close(seq, "unsent");
      return notDone(problem);
    }
    const observed = await observe(run, task.kind, task.parentId, id);
    if (observed.outcome === "unknown" && problem.class !== "refused") {
      return unsure(observed.problem, "It was sent, but reading it back failed.");
    }
    const missing = observed.outcome === "found" ? missingOf(task.kind, sent, observed.live) : sent;
    if (!hasAny(missing)) {
      // Whatever the service answered: it is as wished.
      run.journal.close(seq, "adopted");
      return done;
    }
    run.journal.close(seq, problem.class === "refused" ? "refused" : "passed");
    if (problem.class === "refused") {
      const mayBeAboutValues = problem.status === 400 || problem.status === 409 || problem.status === 422;
      return observed.outcome !== "unknown" && mayBeAboutValues && clearedFields(sent).length > 0
        ? clearApart(run, task, id, sent)
        : notDone(problem);
    }
    learnPartial(run, task, id, sent, missing);
    sent = missing;
  }
  return endedWith("unsure", "not-confirmed", `It was sent ${mostAttempts} times and does not show.`, recheckHint);
}

/** Part of it took effect before the response was lost. */
function learnPartial(run: Run, task: Task, id: string, sent: FieldValues, missing: FieldValues): void {
  const fields = pick(
    sent,
    Object.keys(sent).filter((field) => !(field in missing)),
  );
  if (hasAny(fields)) run.journal.learn({ address: task.operation.address, kind: task.kind.name, id, fields });
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
  task: Task,
  id: string,
  fields: FieldValues,
  body: FieldValues = fields,
): Promise<PartSent> {
  const { seq } = await writeTaskIntent(run, task, fields);
  const response = await run.service.request("PATCH", task.path, { body });
  if (response.ok) {
    run.journal.close(seq, "done");
    const live = readRecord(task.kind, response.data, task.parentId);
    return { end: "accepted", live: sameId(live?.id, id) ? live : null };
  }
  const { problem } = response;
  if (problem.class === "refused") {
    run.journal.close(seq, "refused");
    return { end: "refused", problem };
  }
  if (problem.class !== "ambiguous") {
    run.journal.close(seq, "unsent");
    return { end: "open", result: notDone(problem) };
  }
  const observed = await observe(run, task.kind, task.parentId, id);
  if (observed.outcome === "found" && !hasAny(missingOf(task.kind, fields, observed.live))) {
    run.journal.close(seq, "adopted");
    return { end: "accepted", live: observed.live };
  }
  run.journal.close(seq, "passed");
  return { end: "open", result: unsure(problem, "It was sent and not confirmed.") };
}

// Clearing: null, or an empty text if the service does not accept null.

const texts: ReadonlySet<Form> = new Set<Form>(["text", "markup", "url"]);

function clearedFields(fields: FieldValues): readonly string[] {
  return Object.keys(fields).filter((field) => isEmpty(fields[field]));
}

/** The same with empty texts instead of null; null if no text is among them. */
function withEmptyTexts(kind: Kind, fields: FieldValues): FieldValues | null {
  const cleared = clearedFields(fields).filter((field) => texts.has(formOf(kind, field)));
  if (cleared.length === 0) return null;
  return { ...fields, ...Object.fromEntries(cleared.map((field) => [field, ""])) };
}

/** A PATCH that clears fields was refused: which of them cannot be cleared is found out one by one, after the other changes. */
async function clearApart(run: Run, task: Task, id: string, sent: FieldValues): Promise<OperationResult> {
  const cleared = clearedFields(sent);
  const emptied = withEmptyTexts(task.kind, sent);
  if (emptied !== null) {
    const whole = await sendPart(run, task, id, sent, emptied);
    if (whole.end === "accepted") return confirmUpdate(run, task, id, sent, whole.live);
    if (whole.end === "open") return whole.result;
  }
  const rest = pick(
    sent,
    Object.keys(sent).filter((field) => !cleared.includes(field)),
  );
  if (hasAny(rest)) {
    const part = await sendPart(run, task, id, rest);
    // So the refusal was not about clearing, or not about that alone.
    if (part.end === "refused") return notDone(part.problem);
    if (part.end === "open") return part.result;
  }
  const accepted: string[] = [];
  const refused: string[] = [];
  for (const field of cleared) {
    // A single one was refused already.
    const part = cleared.length === 1 ? null : await clearOne(run, task, id, pick(sent, [field]));
    if (part?.end === "open") return part.result;
    (part?.end === "accepted" ? accepted : refused).push(field);
  }
  const landed = pick(sent, [...Object.keys(rest), ...accepted]);
  return confirmUpdate(run, task, id, landed, null, pick(sent, refused));
}

async function clearOne(run: Run, task: Task, id: string, fields: FieldValues): Promise<PartSent> {
  const part = await sendPart(run, task, id, fields);
  const emptied = withEmptyTexts(task.kind, fields);
  return part.end === "refused" && emptied !== null ? sendPart(run, task, id, fields, emptied) : part;
}

/** Null was accepted and changed nothing: an empty text may do. Gives the object as it is then. */
async function clearWithText(
  run: Run,
  task: Task,
  id: string,
  fields: FieldValues,
  before: Live | null,
): Promise<Live | null> {
  const emptied = withEmptyTexts(task.kind, fields);
  if (emptied === null) return before;
  const names = Object.keys(fields).filter((field) => emptied[field] === "");
  const all = await sendPart(run, task, id, pick(fields, names), pick(emptied, names));
  if (all.end === "refused" && names.length > 1) {
    for (const name of names) await sendPart(run, task, id, pick(fields, [name]), pick(emptied, [name]));
  }
  return readNow(run, task, id, before);
}

function cannotClear(fields: readonly string[]): OperationResult {
  const names = fields.map((field) => `\`${field}\``).join(", ");
  const one = fields.length === 1;
  return endedWith(
    "failed",
    "cannot-clear",
    `The service does not let ${names} be cleared.`,
    `Set ${one ? "it to another value" : "them to other values"}, remove ${one ? "it" : "them"} from the file, or clear ${one ? "it" : "them"} in the dashboard.`,
  );
}

/** `sent` was accepted; `refused` are fields that the service did not let be cleared. */
async function confirmUpdate(
  run: Run,
  task: Task,
  id: string,
  sent: FieldValues,
  response: Live | null,
  refused: FieldValues = {},
): Promise<OperationResult> {
  const { kind } = task;
  const { address } = task.operation;
  const about = { address, kind: kind.name, id };
  let live = await readBack(run, task, id, sent, response);
  let confirmation = confirmFields(kind, sent, live);
  if (isStale(run, task, confirmation)) {
    await waitUntilSettled(run, run.clock.now(), address, "The service shows the former value");
    live = await readNow(run, task, id, live);
    confirmation = confirmFields(kind, sent, live);
  }
  const { returned, wrong } = confirmation;
  const unclear = pick(sent, confirmation.uncleared);
  if (hasAny(unclear)) live = await clearWithText(run, task, id, unclear, live);
  if (hasAny(returned)) {
    run.journal.learn({ ...about, fields: pick(sent, Object.keys(returned)), returned });
    reportNormalized(run, kind, address, sent, returned);
  }
  const uncleared = [...Object.keys(refused), ...confirmFields(kind, unclear, live).uncleared];
  if (uncleared.length > 0) {
    // A field that is not shown at all is remembered as null.
    const shown = Object.fromEntries(uncleared.map((name) => [name, live?.fields[name] ?? null]));
    run.journal.learn({ ...about, fields: {}, uncleared: shown });
  }
  if (hasAny(wrong)) {
    run.journal.learn({ ...about, fields: {}, wrong: Object.keys(wrong) });
    return failWrongValue(address, sent, wrong);
  }
  return uncleared.length === 0 ? done : cannotClear(uncleared);
}

async function readBack(
  run: Run,
  { kind, parentId }: Task,
  id: string,
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

async function readNow(run: Run, { kind, parentId }: Task, id: string, before: Live | null): Promise<Live | null> {
  const observed = await observe(run, kind, parentId, id);
  return observed.outcome === "found" ? observed.live : before;
}

/** A field that shows exactly what it was before, or a value that is not ours, may only be slow to show. */
function isStale(run: Run, task: Task, { returned, wrong, uncleared }: Confirmation): boolean {
  if (uncleared.length > 0 || hasAny(wrong)) return true;
  return run
    .editsOf(task.operation.because)
    .some(({ path, before }) => path.slice(1) in returned && sameValue(before, returned[path.slice(1)] ?? null));
}
