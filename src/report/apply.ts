// The end of an apply for people: what was done, what was not and why, and the one command that goes on.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ApplyReport, Outcome, OutcomeError } from "../model/plan.ts";
import { formatCount } from "../model/value.ts";
import { makePaint, type Tone } from "./formats/paint.ts";
import { renderPlanJson } from "./formats/plan-json.ts";
import { type Page, paragraph, piece } from "./formats/text-lines.ts";
import { verbNames } from "./plan-view/messages.ts";
import { safeJson, safeText } from "./text/sanitize.ts";

// When a run stops early, thousands of operations are left out for one reason, and people need to read it once.

export interface OutcomeFold {
  readonly first: Outcome;
  readonly count: number;
}

/** Reasons that are the run's and not the operation's: their words may differ by the second in which they were found. */
const ofTheRun: ReadonlySet<string> = new Set(["interrupted", "stopped", "rate-limited-too-long"]);

/** Skipped ones with the same reason count as one, where the first of them stood; all others stay by themselves. */
export function foldSkipped(outcomes: readonly Outcome[]): readonly OutcomeFold[] {
  const folds: { first: Outcome; count: number }[] = [];
  const byReason = new Map<string, { count: number }>();
  for (const outcome of outcomes) {
    const reason = reasonOf(outcome);
    const known = reason === null ? undefined : byReason.get(reason);
    if (known !== undefined) {
      known.count += 1;
      continue;
    }
    const fold = { first: outcome, count: 1 };
    folds.push(fold);
    if (reason !== null) byReason.set(reason, fold);
  }
  return folds;
}

function reasonOf({ result, error }: Outcome): string | null {
  if (result !== "skipped" || error === undefined) return null;
  return ofTheRun.has(error.code) ? error.code : JSON.stringify([error.code, error.message, error.hint]);
}

export interface ApplyTextOptions {
  readonly columns: number;
  readonly color: boolean;
  /** Recoveries and other remarks. */
  readonly notes: readonly Diagnostic[];
  /** The command that goes on. */
  readonly goOn: string;
}

export function renderApplyText(report: ApplyReport, options: ApplyTextOptions): string {
  const page: Page = { columns: Math.max(40, options.columns), paint: makePaint(options.color) };
  const open = report.outcomes.filter((outcome) => outcome.result !== "done");
  const causes = open.filter((outcome) => outcome.error?.code !== "needs-failed");
  const blocks = [
    ...options.notes.map((note) => noteLines(page, note)),
    ...foldSkipped(causes).map((fold) => foldLines(page, report, fold)),
    paragraph(page, [piece("heading", sentenceOf(report))], 0, 2),
    ...(open.length === 0
      ? []
      : [paragraph(page, [piece("word", goOnWords(causes)), piece("heading", safeText(options.goOn))], 0, 2)]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The same command again would be blocked where the service refuses what the file asks for. */
function goOnWords(causes: readonly Outcome[]): string {
  const isRefused = causes.some(({ error }) => error?.code === "cannot-clear");
  return isRefused ? "Change the file first, as said above; then go on with: " : "Go on with: ";
}

const tones: Readonly<Record<Exclude<Outcome["result"], "done">, Tone>> = {
  failed: "blocked",
  unsure: "blocked",
  skipped: "warning",
};

function foldLines(page: Page, report: ApplyReport, { first, count }: OutcomeFold): readonly string[] {
  const { error } = first;
  if (count === 1 || first.result === "done" || error === undefined) return outcomeLines(page, report, first);
  const head = [
    piece(tones[first.result], first.result),
    piece("word", `: ${formatCount(count)} of ${formatCount(report.outcomes.length)}`),
    piece("quiet", ` (${safeText(error.code)})`),
  ];
  return [...paragraph(page, head, 0, 4), ...errorLines(page, error)];
}

function outcomeLines(page: Page, report: ApplyReport, outcome: Outcome): readonly string[] {
  const operation = report.plan.operations.find(({ id }) => id === outcome.operation);
  const { error } = outcome;
  if (outcome.result === "done" || operation === undefined || error === undefined) return [];
  const head = [
    piece(tones[outcome.result], outcome.result),
    piece("word", `: ${verbNames[operation.verb]} `),
    piece("name", safeText(operation.address)),
    piece("quiet", ` (${safeText(error.code)})`),
  ];
  return [...paragraph(page, head, 0, 4), ...errorLines(page, error)];
}

function errorLines(page: Page, error: OutcomeError): readonly string[] {
  const request = error.requestId === null ? "" : ` (request ${error.requestId})`;
  return [
    ...paragraph(page, [piece("prose", safeText(`${error.message}${request}`))], 4, 6),
    ...(error.hint === null
      ? []
      : paragraph(page, [piece("heading", "fix: "), piece("prose", safeText(error.hint))], 4, 6)),
  ];
}

function noteLines(page: Page, note: Diagnostic): readonly string[] {
  const word = note.severity === "info" ? "notice" : note.severity;
  return [
    ...paragraph(
      page,
      [piece("heading", word), piece("quiet", `[${note.code}] `), piece("prose", safeText(note.message))],
      0,
      4,
    ),
    ...(note.hint === undefined
      ? []
      : paragraph(page, [piece("heading", "fix: "), piece("prose", safeText(note.hint))], 2, 4)),
  ];
}

function sentenceOf({ plan, summary, outcomes, calls }: ApplyReport): string {
  const more = (
    [
      ["failed", summary.failed],
      ["unsure", summary.unsure],
      ["skipped", summary.skipped],
    ] as const
  )
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${formatCount(count)} ${word}`);
  const done = `${formatCount(summary.done)} of ${formatCount(outcomes.length)} done`;
  const throttled = calls.rateLimited === 0 ? "" : `, ${formatCount(calls.rateLimited)} of them asked to come later`;
  const callWords = `${counted(calls.writes, "write")} and ${counted(calls.reads, "read")}${throttled}`;
  const blocked = plan.summary.blocked;
  const left =
    blocked === 0 ? "" : ` Left out: ${formatCount(blocked)} blocked ${blocked === 1 ? "change" : "changes"}.`;
  return `${more.length === 0 ? "Applied" : "Not all applied"}: ${[done, ...more].join(", ")} (${callWords}).${left}`;
}

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** The report with recoveries and other remarks under `notes`. */
export function renderApplyJson(report: ApplyReport, notes: readonly Diagnostic[]): string {
  const { formatVersion, plan, outcomes, summary, calls } = report;
  return `${safeJson({ formatVersion, plan: JSON.parse(renderPlanJson(plan)), outcomes, summary, calls, notes })}\n`;
}
