// An object is there and has its id: what of it was not confirmed is read, and all of it is remembered.
import type { Live } from "../model/live.ts";
import { confirmFields, hasAny } from "./confirm.ts";
import type { Task } from "./fill.ts";
import type { IntentEntry } from "./journal-entry.ts";
import { tellKeptOtherwise } from "./kept-otherwise.ts";
import { lookAt } from "./look.ts";
import { madeNow } from "./made-now.ts";
import { done, type Performed, type Run } from "./run.ts";
import { takenUnsent } from "./taken-unsent.ts";
import { endWrong, lookOnceMore } from "./wrong-value.ts";

export async function finishObject(
  run: Run,
  task: Task,
  intent: IntentEntry,
  live: Live,
  how: "done" | "adopted",
): Promise<Performed> {
  const { kind, fields } = task;
  const { address } = task.operation;
  run.ids.give(address, live.id);
  run.journal.close(intent.seq, how, { id: live.id, madeAt: madeNow(run) });
  // What was adopted was found in a list.
  if (how === "done")
    run.made.add({ address, kind, id: live.id, parentId: task.parentId, fields, at: run.clock.now() });
  const read = how === "done" ? await readBack(run, task, live) : live;
  const shown = await lookOnceMore(run, { address, kind, fields }, read);
  const { returned, wrong } = confirmFields(kind, fields, shown);
  const unsent = takenUnsent(run, address, shown);
  if (!hasAny(returned) && !hasAny(wrong) && !hasAny(unsent)) return done;
  run.journal.learn({
    address,
    kind: kind.name,
    id: live.id,
    fields: { ...unsent, ...fields },
    ...(hasAny(returned) ? { returned } : {}),
    ...(hasAny(wrong) ? { wrong: Object.keys(wrong) } : {}),
  });
  tellKeptOtherwise(run, kind, address, fields, returned);
  // What takes another's place has to come to its end: its difference is for the next plan.
  return hasAny(wrong) && task.rotation === undefined ? endWrong(address, fields, wrong) : done;
}

/** What tells most about the new object. One that lists do not show yet is not waited for. */
async function readBack(run: Run, task: Task, answer: Live): Promise<Live> {
  const { kind, fields, parentId } = task;
  if (!run.shown.wantsRead(kind, fields, answer)) return answer;
  const sight = await lookAt(run, kind, parentId, answer.id);
  if (sight.sight !== "found") return answer;
  run.shown.learn(kind, fields, answer, sight.live);
  return sight.live;
}
