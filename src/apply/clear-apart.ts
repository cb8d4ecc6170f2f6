// A PATCH that empties fields was refused. Which of them the service does not let be emptied is found out one by one, and what
// else was to be changed must not wait for that.
import { clearedFields, emptied, pick } from "./clearing.ts";
import { confirmChange } from "./confirm-change.ts";
import type { Task } from "./fill.ts";
import type { Fields } from "./journal-entry.ts";
import { notDone } from "./problem-outcome.ts";
import type { Performed, Run } from "./run.ts";
import { type PartSent, sendPart } from "./send-part.ts";

export async function clearApart(run: Run, task: Task, id: string, sent: Fields): Promise<Performed> {
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

async function clearOne(run: Run, task: Task, id: string, fields: Fields): Promise<PartSent> {
  const part = await sendPart(run, task, id, fields);
  const text = emptied(task.kind, fields);
  return part.end === "refused" && text !== null ? sendPart(run, task, id, fields, text) : part;
}
