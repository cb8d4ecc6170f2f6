import { asSentence } from "./as-sentence.ts";
import type { Problem } from "./problem.ts";
import type { Method } from "./transport.ts";

/** A problem that stayed however often the call was sent: which call it was, how often, and that it may pass. */
export function afterTries(problem: Problem, method: Method, path: string, tries: number): Problem {
  if (tries < 2) return problem;
  const { status, hint } = problem;
  const [call] = path.split("?");
  const answered = status === null ? "" : `; the last answer was ${status}`;
  return {
    ...problem,
    message: `${asSentence(problem.message)} ${method} ${call} was tried ${tries} times${answered}.`,
    hint: status !== null && status >= 500 ? withLater(hint) : hint,
  };
}

const later = "Try again in a minute: the command looks first and does only what is still missing.";

/** The service's own hint comes first; ours fills in where it does not say so already. */
function withLater(hint: string | null): string {
  if (hint === null) return later;
  return hint.includes(later) ? hint : `${asSentence(hint)} ${later}`;
}
