// The end of an apply for people: what was done, what was not and why, and the command that continues.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ApplyReport, Outcome } from "../model/plan.ts";
import { formatCount, pluralize } from "../model/value.ts";
import { renderPlanJson } from "./formats/plan-text.ts";
import { hintsOf, isRefused, resultWord, undoneWords, verbNames } from "./plan-view/plan-view.ts";
import { safeJson, safeSentence, safeText } from "./text/sanitize.ts";
import {
  diagnosticBlocks,
  joinBlocks,
  makePage,
  type Page,
  paragraph,
  piece,
  problemLines,
  type TerminalOptions,
} from "./text/terminal-text.ts";

/** How a run ended: the one value that text and JSON are made from. */
interface EndedRun {
  readonly report: ApplyReport;
  /** Recoveries and other remarks. */
  readonly notes: readonly Diagnostic[];
  /** What went wrong apart from the operations. */
  readonly problem: Diagnostic | null;
  /** The command that continues what is left. */
  readonly next?: string;
}

export function renderApplyText({ report, notes, next = "" }: EndedRun, options: TerminalOptions): string {
  const page = makePage(options);
  const open = report.outcomes.filter((outcome) => outcome.result !== "done");
  const causes = open.filter((outcome) => outcome.error?.code !== "needs-failed");
  const how = causes.some(isRefused) ? "Correct what the service refused, then continue with: " : "Continue with: ";
  const folds = foldSkipped(causes);
  const hints = hintsOf(folds.map(({ first }) => first));
  return joinBlocks([
    ...diagnosticBlocks(page, notes),
    ...folds.map((fold, at) => foldLines(page, report, fold, hints[at] ?? null)),
    paragraph(page, [piece("heading", resultSentence(report))], 0, 2),
    next === "" ? [] : paragraph(page, [piece("word", how), piece("heading", safeText(next))], 0, 2),
  ]);
}

interface OutcomeFold {
  readonly first: Outcome;
  count: number;
}

/** Codes of reasons that apply to the whole run. Their messages may contain times, so they are compared by code. */
const ofTheRun: ReadonlySet<string> = new Set(["interrupted", "stopped", "rate-limited-too-long"]);

/** When a run stops early, thousands of operations are skipped for one reason: they count as one, at the place of the first. */
function foldSkipped(outcomes: readonly Outcome[]): readonly OutcomeFold[] {
  const folds = new Map<unknown, OutcomeFold>();
  for (const outcome of outcomes) {
    const { result, error } = outcome;
    const code = error?.code ?? "";
    const reason = ofTheRun.has(code) ? code : JSON.stringify([code, error?.message, error?.hint]);
    const key = result === "skipped" ? reason : outcome;
    const fold = folds.get(key);
    if (fold === undefined) folds.set(key, { first: outcome, count: 1 });
    else fold.count += 1;
  }
  return [...folds.values()];
}

function foldLines(
  page: Page,
  { plan, outcomes }: ApplyReport,
  { first, count }: OutcomeFold,
  hint: string | null,
): readonly string[] {
  const { result, error } = first;
  const operation = plan.operations.find(({ id }) => id === first.operation);
  if (operation === undefined || error === undefined) return [];
  const what =
    count === 1
      ? [piece("word", `${verbNames[operation.verb]} `), piece("name", safeText(operation.address))]
      : [piece("word", `${formatCount(count)} of ${pluralize(outcomes.length, "operation")}`)];
  const request = error.requestId === null ? "" : ` (request ${error.requestId})`;
  return problemLines(page, {
    word: piece(result === "skipped" ? "warning" : "blocked", resultWord(result)),
    code: error.code,
    place: [...what, piece("word", ": ")],
    message: [`${safeSentence(error.message)}${safeText(request)}`],
    hint,
  });
}

function resultSentence({ plan, summary, outcomes, calls }: ApplyReport): string {
  const left = undoneWords(summary);
  const done = `${formatCount(summary.done)} of ${formatCount(outcomes.length)} done`;
  const limited = calls.rateLimited === 0 ? "" : `, ${formatCount(calls.rateLimited)} of them rate-limited`;
  const made = `${pluralize(calls.writes, "write")} and ${pluralize(calls.reads, "read")}${limited}`;
  const { blocked } = plan.summary;
  const skipped = blocked === 0 ? "" : ` Left out: ${pluralize(blocked, "blocked change")}.`;
  const guards = plan.guards?.filter((one) => one.held === true).length ?? 0;
  const waiting = [
    ...(plan.held === undefined ? [] : [pluralize(plan.held.length, "change")]),
    ...(guards === 0 ? [] : [pluralize(guards, "changed safeguard")]),
  ];
  const held = waiting.length === 0 ? "" : ` Held and waiting: ${waiting.join(" and ")}.`;
  return `${left.length === 0 ? "Applied" : "Not fully applied"}: ${[done, ...left].join(", ")} (${made}).${skipped}${held}`;
}

/** `earlier`: the runs of the same command before it. */
export function renderApplyJson(last: EndedRun, earlier: readonly EndedRun[] = []): string {
  return `${safeJson({ ...jsonOf(last), ...(earlier.length === 0 ? {} : { earlier: earlier.map(jsonOf) }) })}\n`;
}

function jsonOf({ report, notes, problem, next }: EndedRun): object {
  const { formatVersion, plan, outcomes, summary, calls } = report;
  return {
    formatVersion,
    plan: JSON.parse(renderPlanJson(plan)),
    outcomes,
    summary,
    calls,
    notes,
    problem,
    next: next ?? null,
  };
}
