// A problem of the service in the words and the form of every other problem: the one place where its text becomes ours.
import type { Diagnostic } from "../model/diagnostic.ts";
import { safeText } from "../report/safe-text.ts";
import { asSentence } from "../service/as-sentence.ts";
import { detailWords } from "../service/detail-words.ts";
import type { Problem } from "../service/problem.ts";

/** Piece by piece on one line: only our own messages may go on in further lines. */
export function problemDiagnostic(problem: Problem, resumable = false): Diagnostic {
  const goOn = resumable ? "What was read so far is kept: run the same command again to go on." : "";
  return diagnosticOf(problem, problem.code, [problem.hint ?? "", goOn]);
}

/** The same, where it is known which scope the call needs of the key. */
export function explainProblem(problem: Problem, scope: string): Diagnostic {
  const forbidden = problem.status === 403;
  const code = forbidden && problem.code === "SCOPE_REQUIRED" ? "scope-missing" : problem.code;
  return diagnosticOf(problem, code, [forbidden ? scopeHint(scope) : "", problem.hint ?? ""]);
}

/** What to do about a key that may not do this. */
export function scopeHint(scope: string): string {
  return `Give the key the scope ${scope} in the organizer dashboard (Settings, API Keys), or use one that has it.`;
}

function diagnosticOf(problem: Problem, code: string, hints: readonly string[]): Diagnostic {
  const details = detailWords(problem).map((each) => ` ${asSentence(safeText(each))}`);
  const message = safeText(problem.message);
  const request = problem.requestId === null ? "" : ` (request ${safeText(problem.requestId)})`;
  const hint = hints
    .filter((each) => each !== "")
    .map(safeText)
    .join(" ");
  return {
    code: safeText(code),
    severity: "error",
    message: `${details.length === 0 ? message : asSentence(message)}${details.join("")}${request}`,
    ...(hint === "" ? {} : { hint }),
  };
}
