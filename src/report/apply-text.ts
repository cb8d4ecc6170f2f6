// The end of an apply for people: what was done, what was not and why, and the one command that goes on.
import type { Diagnostic } from "../model/diagnostic.ts";
import { formatCount } from "../model/money.ts";
import type { ApplyReport, Outcome, OutcomeError } from "../model/outcome.ts";
import { foldSkipped, type OutcomeFold } from "./fold-skipped.ts";
import { makePaint, type Tone } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { type Page, paragraph, piece } from "./text-lines.ts";
import { verbWords } from "./verb-words.ts";

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
      : [paragraph(page, [piece("word", "Go on with: "), piece("heading", safeText(options.goOn))], 0, 2)]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
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
    piece("word", `: ${verbWords[operation.verb]} `),
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
      : paragraph(page, [piece("heading", "way out: "), piece("prose", safeText(error.hint))], 4, 6)),
  ];
}

function noteLines(page: Page, note: Diagnostic): readonly string[] {
  const word = note.severity === "info" ? "note" : note.severity;
  return [
    ...paragraph(page, [piece("heading", `${word}: `), piece("prose", safeText(note.message))], 0, 4),
    ...(note.hint === undefined
      ? []
      : paragraph(page, [piece("heading", "way out: "), piece("prose", safeText(note.hint))], 4, 6)),
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
