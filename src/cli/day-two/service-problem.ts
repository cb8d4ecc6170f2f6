import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Problem } from "../../service/problem.ts";

/** A refusal or failure of the service as every other problem; `scope` is what the call needs of the key. */
export function explainProblem(problem: Problem, scope: string): Diagnostic {
  const details = problem.details
    .map(({ field, message }) => ` ${field === "" ? "" : `${field}: `}${message}`)
    .join("");
  const request = problem.requestId === null ? "" : ` (request ${problem.requestId})`;
  const forbidden = problem.status === 403;
  const hints = [forbidden ? scopeHint(scope) : "", problem.hint ?? ""].filter((hint) => hint !== "");
  return {
    code: forbidden && problem.code === "SCOPE_REQUIRED" ? "scope-missing" : problem.code,
    severity: "error",
    message: `${problem.message}${details}${request}`,
    ...(hints.length === 0 ? {} : { hint: hints.join(" ") }),
  };
}

/** What to do about a key that may not do this. */
export function scopeHint(scope: string): string {
  return `Give the key the scope ${scope} in the organizer dashboard (Settings, API Keys), or use one that has it.`;
}
