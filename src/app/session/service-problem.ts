// A problem of the service as a diagnostic: the one place where its text becomes ours.
import { statSync } from "node:fs";
import { relative } from "node:path";
import { type AnyCode, type Diagnostic, errorOf, serviceCode } from "../../model/diagnostic.ts";
import { safeText } from "../../report/text.ts";
import { asSentence, describeDetails, type Problem } from "../../service/problem.ts";
import type { World } from "../world.ts";

/** Piece by piece on one line: only our own messages may go on in further lines. */
export function problemDiagnostic(problem: Problem, resumable = false): Diagnostic {
  const goOn = resumable ? "What was read so far is kept: run the same command again to continue." : "";
  return diagnosticOf(problem, problem.code, [problem.hint ?? "", goOn]);
}

/** The same, if it is known which scope the call needs of the key. */
export function explainProblem(problem: Problem, scope: string): Diagnostic {
  const forbidden = problem.status === 403;
  const code = forbidden && problem.code === "SCOPE_REQUIRED" ? "scope-missing" : problem.code;
  return diagnosticOf(problem, code, [forbidden ? scopeHint(scope) : "", problem.hint ?? ""]);
}

/** What to do about a key that may not do this. */
export function scopeHint(scope: string): string {
  return `Give the key the scope ${scope} in the organizer dashboard (Settings, API Keys), or use one that has it.`;
}

function diagnosticOf(problem: Problem, code: AnyCode, hints: readonly string[]): Diagnostic {
  const details = describeDetails(problem).map((each) => ` ${asSentence(safeText(each))}`);
  const message = safeText(problem.message);
  const request = problem.requestId === null ? "" : ` (request ${safeText(problem.requestId)})`;
  const hint = hints
    .filter((each) => each !== "")
    .map(safeText)
    .join(" ");
  return {
    code: serviceCode(safeText(code)),
    severity: "error",
    message: `${details.length === 0 ? message : asSentence(message)}${details.join("")}${request}`,
    ...(hint === "" ? {} : { hint }),
  };
}

/** The same message from every command if the folder that -C names does not exist. */
export function noSuchFolder(world: World, directory: string): Diagnostic | null {
  if (isFolder(directory)) return null;
  const shown = relative(world.cwd, directory) || directory;
  return errorOf(
    "no-such-folder",
    `There is no folder ${shown}.`,
    "Name the project's folder with -C, or run the command in it.",
  );
}

/** A path through a file, in a cycle of links, or too long, is not a folder either. */
function isFolder(directory: string): boolean {
  try {
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}
