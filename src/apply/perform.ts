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
import { nameOf } from "./words.ts";

export async function perform(run: Run, operation: Operation): Promise<Performed> {
  const filled = fillOperation(operation, run.ids);
  if (!filled.ok) {
    return ended("skipped", "no-id", `It needs the id of ${nameOf(filled.missing)}, which is not known.`, lookAgain);
  }
  const { task } = filled;
  if (task.id === null) return makeObject(run, task);
  switch (operation.verb) {
    case "create":
      return makeObject(run, task);
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

/** Nothing becomes public while anything of it is in doubt: a late twin may still come. */
async function holdBack(run: Run, task: Task): Promise<Performed | null> {
  for (const doubt of run.doubts.within(task.operation.address)) {
    if (await lookAgainAt(run, doubt)) continue;
    return ended("skipped", "in-doubt", `It is not published while ${nameOf(doubt.address)} is in doubt.`, lookAgain);
  }
  return null;
}
