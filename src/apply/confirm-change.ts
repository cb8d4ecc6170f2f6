// After a PATCH that the service accepted: what it did not confirm is read, and what it did not do is told, once.
import { sameValue } from "../kinds/canonical.ts";
import type { Live } from "../model/live.ts";
import { cannotClear, emptied } from "./clearing.ts";
import { type Confirmation, confirmFields, isConfirmed } from "./confirm.ts";
import type { Task } from "./fill.ts";
import { intendTask } from "./intend.ts";
import type { Fields } from "./journal-entry.ts";
import { tellKeptOtherwise } from "./kept-otherwise.ts";
import { lookAt } from "./look.ts";
import { done, type Performed, type Run } from "./run.ts";
import { waitUntilSettled } from "./wait.ts";

export async function confirmChange(
  run: Run,
  task: Task,
  id: string,
  sent: Fields,
  answer: Live | null,
): Promise<Performed> {
  const { kind } = task;
  const { address } = task.operation;
  let confirmation = confirmFields(kind, sent, await readBack(run, task, id, sent, answer));
  if (isStale(run, task, confirmation)) {
    await waitUntilSettled(run, run.clock.now(), address, "The service shows the former value");
    confirmation = confirmFields(kind, sent, await readNow(run, task, id, answer));
  }
  if (confirmation.uncleared.length > 0) {
    const second = await clearWithText(run, task, id, pick(sent, confirmation.uncleared));
    if (!second) return cannotClear(confirmation.uncleared);
  }
  if (isConfirmed({ ...confirmation, uncleared: [] })) return done;
  run.journal.learn({
    address,
    kind: kind.name,
    id,
    fields: pick(sent, Object.keys(confirmation.returned)),
    returned: confirmation.returned,
  });
  tellKeptOtherwise(run, kind, address, sent, confirmation.returned);
  return done;
}

async function readBack(run: Run, task: Task, id: string, sent: Fields, answer: Live | null): Promise<Live | null> {
  const { kind } = task;
  const certain = answer !== null && isConfirmed(confirmFields(kind, sent, answer));
  if (certain && !run.shown.wantsRead(kind, sent, answer)) return answer;
  if (!certain || run.shown.wantsRead(kind, sent, answer)) {
    const sight = await lookAt(run, kind, task.parentId, id);
    if (sight.sight === "found") {
      run.shown.learn(kind, sent, answer, sight.live);
      return sight.live;
    }
  }
  return answer;
}

async function readNow(run: Run, task: Task, id: string, answer: Live | null): Promise<Live | null> {
  const sight = await lookAt(run, task.kind, task.parentId, id);
  return sight.sight === "found" ? sight.live : answer;
}

/** A field that shows exactly what it was before may only be slow to show. */
function isStale(run: Run, task: Task, { returned, uncleared }: Confirmation): boolean {
  const edits = run.editsOf(task.operation.because);
  const shown = Object.entries(returned);
  return (
    uncleared.length > 0 ||
    shown.some(([field, value]) => edits.some((edit) => edit.path === `/${field}` && sameValue(edit.before, value)))
  );
}

/** Null was accepted and changed nothing: an empty text may do. */
async function clearWithText(run: Run, task: Task, id: string, fields: Fields): Promise<boolean> {
  const variant = emptied(task.kind, fields);
  if (variant === null) return false;
  const { seq } = await intendTask(run, task, variant);
  const answer = await run.service.request("PATCH", task.path, { body: variant });
  run.journal.close(seq, answer.ok ? "done" : "passed");
  const sight = await lookAt(run, task.kind, task.parentId, id);
  return sight.sight === "found" && confirmFields(task.kind, fields, sight.live).uncleared.length === 0;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => names.includes(field)));
}
