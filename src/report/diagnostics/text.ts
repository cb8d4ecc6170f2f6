// Problems for the terminal: place, line and caret, one sentence, the fix; and one sentence at the end.
import type { Diagnostic, Severity, Source } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import { makePaint, type Tone } from "../formats/paint.ts";
import { type Page, paragraph, piece } from "../formats/text-lines.ts";
import { cutText, displayWidth, fittingLength } from "../text/display-width.ts";
import { safeText } from "../text/sanitize.ts";
import { type DiagnosticsReport, diagnosticsSentence, type LineAt } from "./report.ts";

// The same mistake in many places is told a few times in full; of the others the place says enough.

export interface FoldedDiagnostics {
  readonly told: readonly Diagnostic[];
  readonly folded: readonly Fold[];
}

export interface Fold {
  /** The first one, which is told in full. */
  readonly like: Diagnostic;
  readonly places: readonly Source[];
}

const few = 5;
const toldOfMany = 2;

export function foldDiagnostics(diagnostics: readonly Diagnostic[]): FoldedDiagnostics {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.source === undefined) continue;
    const key = likeness(diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  const hidden = new Set<Diagnostic>();
  const folded: Fold[] = [];
  for (const group of groups.values()) {
    const [like] = group;
    if (group.length <= few || like === undefined) continue;
    const others = group.slice(toldOfMany);
    for (const other of others) hidden.add(other);
    folded.push({ like, places: others.flatMap(({ source }) => source ?? []) });
  }
  return { told: diagnostics.filter((diagnostic) => !hidden.has(diagnostic)), folded };
}

/** Messages name the object; what is wrong and what to do about it is the same where the fix is. */
function likeness({ severity, code, hint, message }: Diagnostic): string {
  return JSON.stringify([severity, code, hint ?? message]);
}

// Further from the place than this, nothing can fit on a screen.

const reach = 300;

/** The line of a file with a caret below the place; as much of it as fits. */
export function snippetLines(page: Page, line: string, { line: number, column }: Source, tone: Tone): string[] {
  const gutter = `${String(number).padStart(5)} | `;
  const width = page.columns - gutter.length;
  const from = Math.max(0, column - 1 - reach);
  const { text, caret } = windowAround(line.slice(from, column - 1 + reach), column - 1 - from, width);
  return [
    page.paint([piece("quiet", gutter), piece("value", text)]),
    page.paint([piece("quiet", `${" ".repeat(5)} | `), piece(tone, `${" ".repeat(caret)}^`)]),
  ];
}

/** The part of a line around an offset that fits the width, and how far the offset is from its start. */
function windowAround(line: string, offset: number, width: number): { readonly text: string; readonly caret: number } {
  const text = safeText(line);
  const caret = displayWidth(safeText(line.slice(0, offset)));
  const whole = displayWidth(text);
  // Half of the width before the caret, unless the line is nearly at its end.
  const start = Math.max(0, Math.min(caret - Math.floor(width / 2), whole - width));
  if (start === 0) return { text: cutText(text, width).trimEnd(), caret };
  const rest = text.slice(fittingLength(text, start + 1));
  return { text: cutText(`…${rest}`, width).trimEnd(), caret: caret - (whole - displayWidth(rest)) + 1 };
}

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
        piece(tones[severity], severity),
        piece("quiet", `[${code}] `),
        ...(source === undefined ? [] : [piece("name", safeText(placeOf(source))), piece("word", " ")]),
        piece("prose", safeText(shortened(message))),
      ],
      0,
      2,
    ),
    ...(source === undefined || line === undefined ? [] : snippetLines(page, line, source, tones[severity])),
    ...(hint === undefined
      ? []
      : paragraph(page, [piece("heading", "fix: "), piece("prose", safeText(shortened(hint)))], 2, 4)),
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
    piece("quiet", `[${like.code}]`),
    piece("word", ` ${formatCount(places.length)} more like `),
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
