// Deletes: what is gone is gone, whoever did it.
import type { Task } from "./fill.ts";
import { intendTask } from "./intend.ts";
import { lookAt } from "./look.ts";
import { notDone, unsure } from "./problem-outcome.ts";
import { done, type Performed, type Run } from "./run.ts";
import { waitUntilSettled } from "./wait.ts";

export async function dropObject(run: Run, task: Task, id: string): Promise<Performed> {
  const { kind, parentId, operation } = task;
  const { seq } = await intendTask(run, task);
  const since = run.clock.now();
  const answer = await run.service.request("DELETE", task.path);
  if (answer.ok) {
    run.journal.close(seq, "done");
    return done;
  }
  const { problem } = answer;
  if (problem.class === "throttled" || problem.class === "not-sent") {
    run.journal.close(seq, "unsent");
    return notDone(problem);
  }
  if (problem.class === "ambiguous" && !(await waitUntilSettled(run, since, operation.address, problem.message))) {
    return unsure(problem, "It was sent and not confirmed.");
  }
  const sight = await lookAt(run, kind, parentId, id);
  if (sight.sight === "gone") {
    run.journal.close(seq, "adopted");
    return done;
  }
  run.journal.close(seq, problem.class === "refused" ? "refused" : "passed");
  if (sight.sight === "unknown" && problem.class === "ambiguous")
    return unsure(problem, "It was sent and not confirmed.");
  return notDone(problem);
}
