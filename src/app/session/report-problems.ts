import { statSync } from "node:fs";
import { relative } from "node:path";
import type { LoadedSettings } from "../../config/project.ts";
import { type AnyCode, type Diagnostic, errorOf, hasErrors, serviceCode } from "../../model/diagnostic.ts";
import { asSentence } from "../../model/value.ts";
import type { Project } from "../../model/wish.ts";
import { renderProblems, safeJson, safeLine, safeText, wrapText } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import { describeDetails, type Problem } from "../../service/problem.ts";
import { openLines } from "../../system/inside-project.ts";
import { advise, type Output, type World } from "../world.ts";

/** Writes lines. For a terminal, which would break long ones within words, they are wrapped between words and indented. */
export function writeLines(out: Output, lines: readonly string[]): void {
  const text = out.isTerminal ? lines.flatMap((line) => brokenLine(line, Math.max(40, out.columns))) : lines;
  if (text.length > 0) out.write(`${text.join("\n")}\n`);
}

function brokenLine(line: string, columns: number): readonly string[] {
  const indent = line.length - line.trimStart().length;
  const [first = "", ...others] = wrapText(line.trimStart(), columns - indent - 2, columns - indent);
  return [" ".repeat(indent) + first, ...others.map((other) => " ".repeat(indent + 2) + other.trimStart())];
}

/** Reports why a command cannot work: on stderr, or for programs as JSON on stdout. Exit code 1. `all`: also those not shown. */
export function reportProblems(world: World, format: string, found: readonly Diagnostic[], all = found): number {
  const diagnostics = advise(world, found);
  if (format === "json") world.stdout.write(`${safeJson({ formatVersion: 1, ok: false, diagnostics })}\n`);
  // In a log, a sentence on one line is found by its words.
  const columns = world.stderr.isTerminal ? world.stderr.columns : Number.POSITIVE_INFINITY;
  const options = { columns, color: false, all, ...(world.directory && { lineAt: openLines(world.directory) }) };
  if (diagnostics.length > 0) world.stderr.write(renderProblems(diagnostics, options));
  return 1;
}

const slowCallMs = 2_000;

/** Reports every call (with --verbose) and every long wait. Notes never contain the key. */
export function reportCalls(world: World, verbose: boolean, also: Listener): Listener {
  function report(text: string): void {
    world.stderr.write(`${safeLine(text)}\n`);
  }
  return {
    ...also,
    onResponse(note) {
      also.onResponse?.(note);
      if (!verbose) return;
      const outcome =
        note.status === null
          ? (note.code ?? "no response")
          : `${note.status}${note.code === null ? "" : ` ${note.code}`}`;
      const again = note.attempt > 1 ? `, attempt ${note.attempt}` : "";
      report(`  ${note.method} ${note.path} ${outcome} (${Math.round(note.ms)} ms${again})`);
    },
    onWait(note) {
      also.onWait?.(note);
      if (also.onWait === undefined && (verbose || note.ms >= slowCallMs))
        writeLines(world.stderr, [safeLine(note.message)]);
    },
    onRetry(note) {
      also.onRetry?.(note);
      if (verbose) report(`  again in ${Math.round(note.delayMs)} ms: ${note.problem.message}`);
    },
  };
}

// A problem of the service as a diagnostic: the one place where its text becomes ours.

/** Each on one line: only our own messages may continue on further lines. */
export function problemDiagnostic(problem: Problem, resumable = false): Diagnostic {
  const goOn = resumable ? "What was read so far is kept: the same command continues from there." : "";
  return diagnosticOf(problem, problem.code, [problem.hint ?? "", goOn]);
}

/** The same, if it is known which scope the call needs of the key. */
export function explainProblem(problem: Problem, scope: string): Diagnostic {
  const forbidden = problem.status === 403;
  const code = forbidden && problem.code === "SCOPE_REQUIRED" ? "scope-missing" : problem.code;
  const { hint } = problem;
  // What the service's own hint says is not said twice.
  const what = hint?.includes(scope) ? "Scopes are set" : `Use an API key with the scope ${scope}: scopes are set`;
  const more = forbidden ? `${what} in the organizer dashboard (Settings, API Keys).` : "";
  return diagnosticOf(problem, code, [hint ?? "", more]);
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
  const fromHere = relative(world.cwd, directory);
  const shown = fromHere === "" || fromHere.startsWith("..") ? directory : fromHere;
  const message = `There is no folder "${shown}".`;
  const hint = "Name the project's folder with -C, or run the command in it.";
  return errorOf("no-such-folder", message, hint);
}

/** A path through a file, in a cycle of links, or too long, is not a folder either. */
function isFolder(directory: string): boolean {
  try {
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}

/**
 * A folder without a project file and without a document is most likely the wrong folder: having nothing to do there is no
 * success. If the base had documents, it is the right one, and all of them were removed.
 */
export function noProject(
  directory: string,
  loaded: LoadedSettings,
  projects: readonly (Project | null)[],
): readonly Diagnostic[] | null {
  const isEmpty = projects.every(
    (each) => each === null || each.events.length + each.ended.length + each.webhooks.length === 0,
  );
  if (loaded.found || !isEmpty || hasErrors(projects[0]?.diagnostics ?? [])) return null;
  return [
    errorOf(
      "no-project",
      `There is no project in ${directory}: no ticketing.yaml and no event files.`,
      "Go to the project's folder or name it with -C; `ticketing init` creates a new one.",
    ),
  ];
}
