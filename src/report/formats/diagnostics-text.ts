// What checking the files brought up, for the terminal: place, line and caret, one sentence, the fix; and one sentence at the end.
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import { formatCount, groupBy, listSome, pluralize } from "../../model/value.ts";
import {
  describePlace,
  diagnosticLines,
  explainLines,
  joinBlocks,
  makePage,
  type Page,
  paragraph,
  piece,
  severityNames,
  severityTones,
  type TerminalOptions,
} from "../text/page.ts";
import { safeText, sanitize } from "../text/sanitize.ts";
import { type LineAt, snippetsOf } from "../text/snippet.ts";

/** The one value that every format is made from. */
export interface DiagnosticsReport {
  readonly ok: boolean;
  /** The first line of the text: which environment the files were read for. */
  readonly target: string;
  readonly files: number;
  readonly events: number;
  readonly webhooks: number;
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Notices that are left out, because --verbose was not given. */
  readonly hidden: number;
  /** Warnings count as errors. */
  readonly strict: boolean;
}

export interface DiagnosticsTextOptions extends TerminalOptions {
  readonly lineAt: LineAt;
  /** Every problem in full, however often it is there. */
  readonly full?: boolean;
}

export function renderDiagnosticsText(report: DiagnosticsReport, options: DiagnosticsTextOptions): string {
  const page = makePage(options, 40, 100);
  const snippetOf = snippetsOf(page, report.diagnostics, options.lineAt);
  const { shown, folds } = options.full ? { shown: report.diagnostics, folds: [] } : fold(report.diagnostics);
  return joinBlocks([
    paragraph(page, [piece("heading", safeText(report.target))], 0, 2),
    ...shown.map((diagnostic) => blockOf(page, diagnostic, snippetOf(diagnostic))),
    ...folds.map((group) => foldLines(page, group)),
    explainLines(
      page,
      shown.map(({ code }) => code),
    ),
    paragraph(page, [piece("heading", diagnosticsSentence(report))], 0, 2),
  ]);
}

/** How it went, in one sentence. */
export function diagnosticsSentence({ ok, strict, ...report }: DiagnosticsReport): string {
  const count = (severity: Severity) => report.diagnostics.filter((one) => one.severity === severity).length;
  const found = (["error", "warning", "info"] as const).flatMap((severity) =>
    count(severity) === 0 ? [] : [pluralize(count(severity), severityNames[severity])],
  );
  const webhooks = report.webhooks === 0 ? "" : ` and ${pluralize(report.webhooks, "webhook")}`;
  const checked = `${pluralize(report.events, "event")}${webhooks} in ${pluralize(report.files, "file")}`;
  const more = report.hidden === 0 ? "" : ` (${pluralize(report.hidden, "more notice")} with --verbose)`;
  const verdict = strict && !ok && count("error") === 0 ? " With --strict, warnings count as errors." : "";
  return `${found.join(", ").replace(/, ([^,]*)$/, " and $1") || "No problems"}: ${checked}${more}.${verdict}`;
}

const fewAlike = 5;
const shownOfMany = 2;

/** The same mistake in many places is shown twice in full; of the others the place says enough. */
function fold(diagnostics: readonly Diagnostic[]) {
  // Messages name the object; what is wrong and what to do about it is the same where the fix is.
  const alike = groupBy(
    diagnostics.filter(({ source }) => source !== undefined),
    ({ severity, code, hint, message }) => JSON.stringify([severity, code, hint ?? message]),
  );
  const folds = [...alike.values()].filter((group) => group.length > fewAlike);
  const hidden = new Set(folds.flatMap((group) => group.slice(shownOfMany)));
  return { shown: diagnostics.filter((diagnostic) => !hidden.has(diagnostic)), folds };
}

const mostPlaces = 60;

function foldLines(page: Page, [like, ...alike]: readonly Diagnostic[]): readonly string[] {
  if (like === undefined) return [];
  const others = alike.slice(shownOfMany - 1).map((other) => describePlace(other) ?? "");
  const head = [
    piece(severityTones[like.severity], severityNames[like.severity]),
    piece("quiet", `[${like.code}]`),
    piece("word", ` ${formatCount(others.length)} more like `),
    piece("name", describePlace(like) ?? ""),
    piece("word", " (--verbose shows each)"),
  ];
  return [...paragraph(page, head, 0, 2), ...paragraph(page, [piece("name", listSome(others, mostPlaces))], 2)];
}

function blockOf(page: Page, diagnostic: Diagnostic, snippet: readonly string[]): readonly string[] {
  const { message, hint, related = [] } = diagnostic;
  const short = {
    ...diagnostic,
    message: shortened(message),
    ...(hint === undefined ? {} : { hint: shortened(hint) }),
  };
  return [
    ...diagnosticLines(page, short, snippet),
    ...related.flatMap((other) =>
      paragraph(
        page,
        [
          piece(
            "quiet",
            safeText(`${other.message}: ${other.source.file}:${other.source.line}:${other.source.column}`),
          ),
        ],
        2,
        4,
      ),
    ),
  ];
}

/** On one line: a line end in it is data. A message that quotes a text of many pages is no easier to read with all of it. */
function shortened(text: string): string {
  return sanitize(text.length <= 2_000 ? text : `${text.slice(0, 2_000)}…`);
}
