// A call that did not bring what was asked for, as the end of an operation.
import type { OutcomeError } from "../model/outcome.ts";
import { detailWords } from "../service/detail-words.ts";
import type { OwnCode, Problem } from "../service/problem.ts";
import type { Performed } from "./run.ts";

export function errorOf(problem: Problem, message = problem.message): OutcomeError {
  const details = detailWords(problem);
  return {
    code: problem.code,
    message: details.length === 0 ? message : `${message} (${details.join("; ")})`,
    hint: problem.hint,
    requestId: problem.requestId,
    status: problem.status,
  };
}

/** Nothing was done: it was refused, or never sent. */
export function notDone(problem: Problem): Performed {
  const about = problem.details.map((each) => each.field);
  return { result: stoppedBefore.has(problem.code) ? "skipped" : "failed", error: errorOf(problem), about };
}

/** Nobody said no: it was not its turn before the run came to its end. */
const stoppedBefore: ReadonlySet<string> = new Set<OwnCode>(["interrupted", "rate-limited-too-long"]);

export function unsure(problem: Problem, message: string): Performed {
  return { result: "unsure", error: { ...errorOf(problem, `${message} ${problem.message}`), hint: lookAgain } };
}

export const lookAgain = "Run `ticketing apply` again: it looks first and does only what is still missing.";
