// One PATCH with some of the fields of an operation, to its end.
import { readRecord } from "../kinds/read-record.ts";
import { sameId } from "../model/id.ts";
import type { Live } from "../model/live.ts";
import type { Problem } from "../service/problem.ts";
import type { Task } from "./fill.ts";
import { intendTask } from "./intend.ts";
import type { Fields } from "./journal-entry.ts";
import { lookAt } from "./look.ts";
import { missingOf } from "./missing.ts";
import { notDone, unsure } from "./problem-outcome.ts";
import type { Performed, Run } from "./run.ts";

export type PartSent =
  /** `live`: what the answer shows of the object. */
  | { readonly end: "accepted"; readonly live: Live | null }
  | { readonly end: "refused"; readonly problem: Problem }
  /** It was not sent, or nobody knows: the operation ends with it. */
  | { readonly end: "open"; readonly performed: Performed };

/** `fields` is what it comes to, `body` how it is said. */
export async function sendPart(
  run: Run,
  task: Task,
  id: string,
  fields: Fields,
  body: Fields = fields,
): Promise<PartSent> {
  const { seq } = await intendTask(run, task, fields);
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
  const sight = await lookAt(run, task.kind, task.parentId, id);
  if (sight.sight === "found" && Object.keys(missingOf(task.kind, fields, sight.live)).length === 0) {
    run.journal.close(seq, "adopted");
    return { end: "accepted", live: sight.live };
  }
  run.journal.close(seq, "passed");
  return { end: "open", performed: unsure(problem, "It was sent and not confirmed.") };
}
