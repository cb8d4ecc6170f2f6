// One operation, from its placeholders to its end.
import type { Operation } from "../model/operation.ts";
import { changeObject } from "./change-object.ts";
import { dropObject } from "./drop-object.ts";
import { fillOperation, type Task } from "./fill.ts";
import { lookAgainAt } from "./look-again.ts";
import { makeObject } from "./make-object.ts";
import { moveObject } from "./move-object.ts";
import { lookAgain } from "./problem-outcome.ts";
import { ended, type Performed, type Run } from "./run.ts";
import { nameOf, tellRecovery } from "./words.ts";

export async function perform(run: Run, operation: Operation): Promise<Performed> {
  const filled = fillOperation(operation, run.ids);
  if (!filled.ok) {
    return ended("skipped", "no-id", `It needs the id of ${nameOf(filled.missing)}, which is not known.`, lookAgain);
  }
  const { task } = filled;
  if (task.id === null) return makeOrClear(run, task);
  switch (operation.verb) {
    case "create":
      return makeOrClear(run, task);
    case "update":
      return changeObject(run, task, task.id);
    case "delete":
      return dropObject(run, task, task.id);
    case "publish":
      return (await holdBack(run, task)) ?? moveObject(run, task, task.id);
    case "unpublish":
    case "archive":
    case "sold-out":
      return moveObject(run, task, task.id);
  }
}

/**
 * A service where names are unique refuses the one that is to take another's place. Its name was good until now, so a refusal of the
 * name can mean nothing else; any other refusal leaves the former one where it is.
 */
async function makeOrClear(run: Run, task: Task): Promise<Performed> {
  const made = await makeObject(run, task);
  const { operation, kind } = task;
  if (made.result !== "failed" || operation.clearing === undefined) return made;
  const isTaken = made.error.status === 409 || made.about?.includes(kind.identity.label) === true;
  if (!isTaken) return made;
  tellRecovery(run, operation.address, "cannot stand beside the former one of its name: the former one goes first");
  for (const call of operation.clearing) {
    const cleared = await perform(run, { id: operation.id, needs: [], because: operation.because, ...call });
    if (cleared.result !== "done") return cleared;
  }
  return makeObject(run, task);
}

/** Nothing becomes public while anything of it is in doubt: a late twin may still come. */
async function holdBack(run: Run, task: Task): Promise<Performed | null> {
  for (const doubt of run.doubts.within(task.operation.address)) {
    if (await lookAgainAt(run, doubt)) continue;
    return ended("skipped", "in-doubt", `It is not published while ${nameOf(doubt.address)} is in doubt.`, lookAgain);
  }
  return null;
}
