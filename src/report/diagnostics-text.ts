// Problems for the terminal: place, line and caret, one sentence, the way out; and one sentence at the end.
import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import { formatCount } from "../model/money.ts";
import type { Source } from "../model/source.ts";
import type { DiagnosticsReport, LineAt } from "./diagnostics-report.ts";
import { diagnosticsSentence } from "./diagnostics-sentence.ts";
import { type Fold, foldDiagnostics } from "./fold-diagnostics.ts";
import { makePaint, type Tone } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { snippetLines } from "./snippet.ts";
import { type Page, paragraph, piece } from "./text-lines.ts";

export interface DiagnosticsTextOptions {
  readonly columns: number;
  readonly color: boolean;
  readonly lineAt: LineAt;
  /** Every problem in full, however often it is there. */
  readonly full?: boolean;
}

export function renderDiagnosticsText(report: DiagnosticsReport, options: DiagnosticsTextOptions): string {
  const page: Page = { columns: Math.max(40, Math.min(options.columns, 100)), paint: makePaint(options.color) };
  const secret = secretLines(report.diagnostics);
  const lineAt: LineAt = (source) => (secret.has(lineName(source)) ? undefined : options.lineAt(source));
  const { told, folded } = options.full
    ? { told: report.diagnostics, folded: [] }
    : foldDiagnostics(report.diagnostics);
  const blocks = [
    paragraph(page, [piece("heading", safeText(report.target))], 0, 2),
    ...told.map((diagnostic) => blockOf(page, diagnostic, lineAt)),
    ...folded.map((fold) => foldLines(page, fold)),
    paragraph(page, [piece("heading", diagnosticsSentence(report))], 0, 2),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const tones: Readonly<Record<Severity, Tone>> = { error: "blocked", warning: "warning", info: "quiet" };

function blockOf(page: Page, { code, severity, message, hint, source, related }: Diagnostic, lineAt: LineAt): string[] {
  const line = source === undefined ? undefined : lineAt(source);
  return [
    ...paragraph(
      page,
      [
        ...(source === undefined ? [] : [piece("name", safeText(placeOf(source))), piece("word", " ")]),
        piece(tones[severity], severity),
        piece("quiet", ` ${code}`),
      ],
      0,
      2,
    ),
    ...(source === undefined || line === undefined ? [] : snippetLines(page, line, source, tones[severity])),
    ...paragraph(page, [piece("prose", safeText(shortened(message)))], 2),
    ...(hint === undefined
      ? []
      : paragraph(page, [piece("heading", "way out: "), piece("prose", safeText(shortened(hint)))], 2, 4)),
    ...(related ?? []).flatMap((other) =>
      paragraph(page, [piece("quiet", safeText(`${other.message}: ${placeOf(other.source)}`))], 2, 4),
    ),
  ];
}

/** A message that quotes a text of many pages is no easier to read with all of it. */
function shortened(text: string): string {
  return text.length <= 2_000 ? text : `${text.slice(0, 2_000)}…`;
}

const mostPlaces = 60;

/** The other places of a mistake. */
function foldLines(page: Page, { like, places }: Fold): readonly string[] {
  const head = [
    piece(tones[like.severity], like.severity),
    piece("quiet", ` ${like.code}`),
    piece("word", `: ${formatCount(places.length)} more like `),
    piece("name", safeText(like.source === undefined ? "" : placeOf(like.source))),
    piece("word", " (--verbose shows each)"),
  ];
  const shown = places.slice(0, mostPlaces).map((place) => safeText(placeOf(place)));
  const more = places.length - shown.length;
  const list = more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${formatCount(more)} more`;
  return [...paragraph(page, head, 0, 2), ...paragraph(page, [piece("name", list)], 2)];
}

export function placeOf({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}

/** A line that holds a secret is not shown again, not even for another problem in it. */
function secretLines(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const { code, source } of diagnostics) {
    if (code === "secret-in-file" && source !== undefined) lines.add(lineName(source));
  }
  return lines;
}

function lineName({ file, line }: Source): string {
  return `${file}:${line}`;
}
