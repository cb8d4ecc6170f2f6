// Transitions: publish, unpublish, archive, sold out. Never repeated blindly: the status is read first.
import type { Kind } from "../../kinds/define.ts";
import { readRecord } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Operation, Verb } from "../../model/plan.ts";
import type { EventStatus } from "../../model/wish.ts";
import { asSentence, type Problem } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { type Observation, observe, waitUntilSettled } from "./observe.ts";
import { capital, nameOf, notDone, recheckHint, reportNotice, unsure } from "./outcomes.ts";
import { done, endedWith, type OperationResult, type Run } from "./run.ts";
import { type Task, writeTaskIntent } from "./task.ts";

const mostAttempts = 3;

export async function executeTransition(run: Run, task: Task, id: string): Promise<OperationResult> {
  const { kind, operation } = task;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const { seq } = await writeTaskIntent(run, task, fieldsAfter(kind, operation.verb));
    const answer = await run.service.request("POST", task.path);
    if (answer.ok) {
      run.journal.close(seq, "done");
      const shown = readRecord(kind, answer.data, task.parentId);
      return shown !== null && isReached(kind, operation.verb, shown) === true ? done : confirmMove(run, task, id);
    }
    const { problem } = answer;
    if (problem.class === "throttled" || problem.class === "not-sent") {
      run.journal.close(seq, "unsent");
      return notDone(problem);
    }
    const reached = await lookUntilSettled(run, task, id, problem);
    if (reached === true) {
      run.journal.close(seq, "adopted");
      return done;
    }
    if (problem.class === "refused") {
      // After an attempt of ours that nobody confirmed, "it is so already" is what a refusal means.
      if (reached === null && wasTried(run, task, id, seq)) {
        run.journal.close(seq, "adopted");
        return done;
      }
      if (reached === null && mayBeSoAlready(kind, operation.verb, problem)) {
        run.journal.close(seq, "adopted");
        tellUnconfirmed(run, task, problem);
        return done;
      }
      run.journal.close(seq, "refused");
      return fallBack(run, task, id, problem);
    }
    if (typeof reached === "object" && reached !== null)
      return unsure(reached, "It was sent, and reading the status did not work.");
    run.journal.close(seq, "passed");
  }
  return endedWith("unsure", "not-confirmed", `It was sent ${mostAttempts} times and does not show.`, recheckHint);
}

/** True, false, null where the service does not show it, or the problem of looking. */
type Reached = boolean | null | Problem;

async function lookUntilSettled(run: Run, task: Task, id: string, problem: Problem): Promise<Reached> {
  const since = run.clock.now();
  const first = await lookOnce(run, task, id);
  // A refusal is final; after a lost answer the effect may still be on its way.
  if (first !== false || problem.class === "refused") return first;
  const waited = await waitUntilSettled(run, since, task.operation.address, problem.message);
  return waited ? lookOnce(run, task, id) : problem;
}

async function lookOnce(run: Run, task: Task, id: string): Promise<Reached> {
  const observed: Observation = await observe(run, task.kind, task.parentId, id);
  if (observed.outcome === "unknown") return observed.problem;
  return observed.outcome === "found" ? isReached(task.kind, task.operation.verb, observed.live) : false;
}

async function confirmMove(run: Run, task: Task, id: string): Promise<OperationResult> {
  const since = run.clock.now();
  let reached = await lookOnce(run, task, id);
  if (
    reached === false &&
    (await waitUntilSettled(run, since, task.operation.address, "The service shows the former status"))
  ) {
    reached = await lookOnce(run, task, id);
  }
  if (reached !== false) return done;
  return endedWith(
    "failed",
    "not-reached",
    `The service accepted '${task.operation.verb}', and the object is as it was before.`,
    "Look at it in the dashboard, then run `ticketing apply` again.",
  );
}

/** Whether this run or one that was cut off has sent the same before, without learning what became of it. */
function wasTried(run: Run, task: Task, id: string, seq: number): boolean {
  const { verb } = task.operation;
  const tried = run.journal.entries.filter(
    (entry) => entry.type === "intent" && entry.seq !== seq && entry.verb === verb && entry.id === id,
  );
  const seqs = new Set(tried.map((entry) => (entry.type === "intent" ? entry.seq : 0)));
  return run.journal.entries.some((entry) => entry.type === "close" && entry.how === "passed" && seqs.has(entry.seq));
}

/**
 * The service does not show whether it is so, and a refusal of a call without a body has one likely reason: it is. A missing scope,
 * or a field that the refusal names, is another one.
 */
function mayBeSoAlready(kind: Kind, verb: Verb, { status, code, details }: Problem): boolean {
  const names = Object.keys(fieldsAfter(kind, verb));
  if (names.length === 0 || code === "SCOPE_REQUIRED") return false;
  const isAboutState = details.every(({ field }) => field === "" || field === "status" || names.includes(field));
  return (status === 400 || status === 403 || status === 409 || status === 422) && isAboutState;
}

function tellUnconfirmed(run: Run, { operation }: Task, problem: Problem): void {
  const { address, verb } = operation;
  const message = `${capital(nameOf(address))}: the service refused '${verb}' (${asSentence(problem.message).replace(/\.$/, "")}) and does not show whether it is so already; it is taken to be.`;
  reportNotice(run, "unconfirmed", address, message, "If it is not, do it in the dashboard: it is not tried again.");
}

async function fallBack(run: Run, task: Task, id: string, problem: Problem): Promise<OperationResult> {
  const { operation } = task;
  for (const verb of operation.fallback ?? []) {
    const { fallback: _, ...rest } = operation;
    const step: Operation = { ...rest, verb };
    const path = task.path.slice(0, task.path.lastIndexOf("/") + 1) + verb;
    const performed = await executeTransition(run, { ...task, operation: step, path }, id);
    if (performed.result !== "done") return performed;
  }
  return operation.fallback === undefined ? notDone(problem) : done;
}

export const statusAfter: Partial<Record<Verb, EventStatus>> = {
  publish: "PUBLISHED",
  unpublish: "DRAFT",
  archive: "ARCHIVED",
};

/** Whether the object is where the call was to bring it; null where the service does not show it. */
export function isReached(kind: Kind, verb: Verb, live: Live): boolean | null {
  if (kind.steps.length > 0) return live.status === null ? null : live.status === statusAfter[verb];
  const [field] = Object.keys(fieldsAfter(kind, verb));
  const shown = field === undefined ? undefined : live.fields[field];
  return typeof shown === "boolean" ? shown : null;
}

/** The fields that a call of its own makes true. */
export function fieldsAfter(kind: Kind, verb: Verb): FieldValues {
  const names = Object.entries(kind.fields).filter(([, policy]) => policy.role === "value" && policy.change === verb);
  return Object.fromEntries(names.map(([field]) => [field, true]));
}
