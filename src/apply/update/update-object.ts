// The PATCH protocol: after anything but a clear answer the object is read, and only what is still missing is sent.
import { readRecord } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { observe } from "../run/observe.ts";
import { notDone, recheckHint, unsure } from "../run/outcomes.ts";
import { done, endedWith, type OperationResult, type Run } from "../run/run.ts";
import { type Task, writeTaskIntent } from "../run/task.ts";
import { clearedFields, emptied, pick } from "./clearing.ts";
import { missingOf } from "./confirm.ts";
import { confirmChange, type PartSent, sendPart } from "./read-back.ts";

// A PATCH that empties fields was refused. Which of them the service does not let be emptied is found out one by one, and what
// else was to be changed must not wait for that.

export async function clearApart(run: Run, task: Task, id: string, sent: FieldValues): Promise<OperationResult> {
  const cleared = clearedFields(sent);
  const texts = emptied(task.kind, sent);
  if (texts !== null) {
    const whole = await sendPart(run, task, id, sent, texts);
    if (whole.end === "accepted") return confirmChange(run, task, id, sent, whole.live);
    if (whole.end === "open") return whole.performed;
  }
  const rest = pick(
    sent,
    Object.keys(sent).filter((field) => !cleared.includes(field)),
  );
  if (Object.keys(rest).length > 0) {
    const part = await sendPart(run, task, id, rest);
    // So the refusal was not about what is to be emptied, or not about that alone.
    if (part.end === "refused") return notDone(part.problem);
    if (part.end === "open") return part.performed;
  }
  const accepted: string[] = [];
  const refused: string[] = [];
  for (const field of cleared) {
    // With a single one there is nothing left to find out.
    const part = cleared.length === 1 ? null : await clearOne(run, task, id, pick(sent, [field]));
    if (part?.end === "open") return part.performed;
    (part?.end === "accepted" ? accepted : refused).push(field);
  }
  const landed = pick(sent, [...Object.keys(rest), ...accepted]);
  return confirmChange(run, task, id, landed, null, pick(sent, refused));
}

async function clearOne(run: Run, task: Task, id: string, fields: FieldValues): Promise<PartSent> {
  const part = await sendPart(run, task, id, fields);
  const text = emptied(task.kind, fields);
  return part.end === "refused" && text !== null ? sendPart(run, task, id, fields, text) : part;
}

const mostAttempts = 3;

export async function executeUpdate(run: Run, task: Task, id: string): Promise<OperationResult> {
  let sent: FieldValues = task.fields;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const { seq } = await writeTaskIntent(run, task, sent);
    const answer = await run.service.request("PATCH", task.path, { body: sent });
    if (answer.ok) {
      run.journal.close(seq, "done");
      const live = readRecord(task.kind, answer.data, task.parentId);
      return confirmChange(run, task, id, sent, sameId(live?.id, id) ? live : null);
    }
    const { problem } = answer;
    if (problem.class === "throttled" || problem.class === "not-sent") {
      run.journal.close(seq, "unsent");
      return notDone(problem);
    }
    const sight = await observe(run, task.kind, task.parentId, id);
    if (sight.sight === "unknown") {
      if (problem.class === "refused") run.journal.close(seq, "refused");
      return problem.class === "refused"
        ? notDone(problem)
        : unsure(sight.problem, "It was sent, and reading it again did not work.");
    }
    const missing = sight.sight === "gone" ? sent : missingOf(task.kind, sent, sight.live);
    if (sight.sight === "found" && Object.keys(missing).length === 0) {
      // Whatever the service answered: it is as wished.
      run.journal.close(seq, "adopted");
      return done;
    }
    run.journal.close(seq, problem.class === "refused" ? "refused" : "passed");
    if (problem.class === "refused") {
      const cleared = clearedFields(sent);
      return cleared.length > 0 && mayBeAboutValues(problem.status)
        ? clearApart(run, task, id, sent)
        : notDone(problem);
    }
    rememberLanded(run, task, id, sent, missing);
    sent = missing;
  }
  return endedWith("unsure", "not-confirmed", `It was sent ${mostAttempts} times and does not show.`, recheckHint);
}

function mayBeAboutValues(status: number | null): boolean {
  return status === 400 || status === 409 || status === 422;
}

/** Part of it took effect before the answer was lost. */
function rememberLanded(run: Run, task: Task, id: string, sent: FieldValues, missing: FieldValues): void {
  const landed = Object.entries(sent).filter(([field]) => !(field in missing));
  if (landed.length === 0) return;
  const { address } = task.operation;
  run.journal.learn({ address, kind: task.kind.name, id, fields: Object.fromEntries(landed) });
}
