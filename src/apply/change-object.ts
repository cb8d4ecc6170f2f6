// The PATCH protocol: after anything but a clear answer the object is read, and only what is still missing is sent.
import { readRecord } from "../kinds/read-record.ts";
import { sameId } from "../model/id.ts";
import { clearApart } from "./clear-apart.ts";
import { clearedFields } from "./clearing.ts";
import { confirmChange } from "./confirm-change.ts";
import type { Task } from "./fill.ts";
import { intendTask } from "./intend.ts";
import type { Fields } from "./journal-entry.ts";
import { lookAt } from "./look.ts";
import { missingOf } from "./missing.ts";
import { lookAgain, notDone, unsure } from "./problem-outcome.ts";
import { done, ended, type Performed, type Run } from "./run.ts";

const mostAttempts = 3;

export async function changeObject(run: Run, task: Task, id: string): Promise<Performed> {
  let sent: Fields = task.fields;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const { seq } = await intendTask(run, task, sent);
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
    const sight = await lookAt(run, task.kind, task.parentId, id);
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
  return ended("unsure", "not-confirmed", `It was sent ${mostAttempts} times and does not show.`, lookAgain);
}

function mayBeAboutValues(status: number | null): boolean {
  return status === 400 || status === 409 || status === 422;
}

/** Part of it took effect before the answer was lost. */
function rememberLanded(run: Run, task: Task, id: string, sent: Fields, missing: Fields): void {
  const landed = Object.entries(sent).filter(([field]) => !(field in missing));
  if (landed.length === 0) return;
  const { address } = task.operation;
  run.journal.learn({ address, kind: task.kind.name, id, fields: Object.fromEntries(landed) });
}
