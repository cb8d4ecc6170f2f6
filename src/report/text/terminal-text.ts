// Text on a terminal: colored, indented, wrapped, and never beginning with anything that affects its reader.
import pc from "picocolors";
import { type Diagnostic, isCode, type Severity, type Source } from "../../model/diagnostic.ts";
import { recoveryDelete } from "../../model/plan.ts";
import { findSecret, pluralize } from "../../model/value.ts";
import type { TextSpan } from "./line.ts";
import { safeText } from "./sanitize.ts";
import { cutText, displayWidth, type FixedColumn, fittingLength, layCells, ruleOf, wrapPieces } from "./table.ts";

/** Colors repeat what symbols and words say; nothing is shown by color alone. */
export type Tone = TextSpan["role"] | "create" | "change" | "delete" | "replace" | "blocked" | "heading" | "warning";

/** Text with its tone, before it is laid out in lines. */
export interface Tinted {
  readonly text: string;
  readonly tone: Tone;
}

export interface TerminalOptions {
  readonly columns: number;
  readonly color: boolean;
  /** Completes the commands that our sentences advise. */
  readonly advise?: (text: string) => string;
}

export interface Page extends Pick<TerminalOptions, "advise"> {
  readonly columns: number;
  readonly paint: (pieces: readonly Tinted[]) => string;
}

export function makePage(options: TerminalOptions, least = 40, most = Number.POSITIVE_INFINITY): Page {
  const colors = pc.createColors(options.color);
  const paints: Readonly<Record<Tone, (text: string) => string>> = {
    word: String,
    prose: String,
    value: String,
    quiet: colors.dim,
    name: colors.bold,
    heading: colors.bold,
    before: colors.red,
    after: colors.green,
    create: colors.green,
    change: colors.yellow,
    delete: colors.red,
    replace: colors.cyan,
    blocked: (text) => colors.bold(colors.red(text)),
    warning: colors.yellow,
  };
  return {
    columns: Math.max(least, Math.min(options.columns, most)),
    paint: (pieces) => pieces.map(({ tone, text }) => paints[tone](text)).join(""),
    ...(options.advise && { advise: options.advise }),
  };
}

export function piece(tone: Tone, text: string): Tinted {
  return { tone, text };
}

/** One paragraph: `hang` is how far its further lines are indented. */
export function paragraph(page: Page, pieces: readonly Tinted[], indent: number, hang = indent): readonly string[] {
  const { advise = String } = page;
  const said = pieces.map(({ tone, text }) => piece(tone, advise(text)));
  const lines = wrapPieces(said, page.columns - hang, page.columns - indent);
  return lines.map((line, index) => " ".repeat(index === 0 ? indent : hang) + page.paint(disarm(trimLineEnd(line))));
}

function trimLineEnd(line: readonly Tinted[]): readonly Tinted[] {
  const last = line.at(-1);
  return last === undefined ? line : [...line.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

// A workflow runner treats a log line that begins with two colons as a command, even after spaces.
function disarm(line: readonly Tinted[]): readonly Tinted[] {
  const [first, ...rest] = line;
  if (first === undefined || !/^\s*::/.test(line.map((one) => one.text).join(""))) return line;
  return [{ ...first, text: first.text.replace(":", "\\u{3a}") }, ...rest];
}

/** Paragraphs that have something to say, with an empty line between them. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const full = blocks.filter((lines) => lines.length > 0);
  return `${full.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The titles of columns, with the rule below them. */
export function headingLines(
  page: Page,
  columns: readonly FixedColumn[],
  titles: readonly string[],
): readonly string[] {
  return [...layCells(columns, titles).map((line) => page.paint([piece("heading", line)])), ruleOf(columns)];
}

/** Sentences read best in lines of this length, whatever is next to them; what is not broken into lines stays whole. */
function forSentences(page: Page): Page {
  return Number.isFinite(page.columns) ? { ...page, columns: Math.min(page.columns, 100) } : page;
}

/** Our own words with data in them, in lines that fit. */
export function renderSentence(text: string, options: TerminalOptions): string {
  return joinBlocks([paragraph(forSentences(makePage(options)), [piece("word", safeText(text))], 0, 2)]);
}

/** A message may continue on further lines, such as a list of candidates. */
export function messageLines(page: Page, head: readonly Tinted[], message: readonly string[], indent: number) {
  const [first = "", ...further] = message;
  return [
    ...paragraph(page, [...head, piece("prose", first)], indent, indent + 2),
    ...further.flatMap((text) => paragraph(page, [piece("prose", text.trimStart())], indent + 4, indent + 6)),
  ];
}

export function fixLines(page: Page, hint: string | null | undefined, indent: number): readonly string[] {
  if (hint === null || hint === undefined) return [];
  return paragraph(page, [piece("heading", "fix: "), piece("prose", safeText(hint))], indent, indent + 2);
}

export const severityTones: Readonly<Record<Severity, Tone>> = {
  error: "blocked",
  warning: "warning",
  info: "heading",
};

export const severityNames = { error: "error", warning: "warning", info: "notice" } as const;

/** "1 error and 2 warnings"; nothing if there are none. */
export function severityCounts(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const { length } = diagnostics.filter((one) => one.severity === severity);
    return length === 0 ? [] : [pluralize(length, severityNames[severity])];
  });
  return counts.join(", ").replace(/, ([^,]*)$/, " and $1");
}

export function sourceWords({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}

export function describePlace({ code, source, address }: Diagnostic): string | null {
  if (source !== undefined) return safeText(sourceWords(source));
  // Its sentence begins with "Apply" and names the object.
  return address === undefined || code === recoveryDelete ? null : safeText(address);
}

interface ProblemParts {
  /** What it is: the severity of a diagnostic, or how an operation ended. */
  readonly word: Tinted;
  readonly code: string;
  readonly place: readonly Tinted[];
  readonly message: readonly string[];
  readonly hint: string | null | undefined;
  readonly snippet?: readonly string[];
}

/** The one layout of all problems: `error[code] place message`, the line of the file, `fix: …`. */
export function problemLines(page: Page, { word, code, place, message, hint, snippet = [] }: ProblemParts) {
  const head = [word, piece("quiet", `[${safeText(code)}] `), ...place];
  return [...messageLines(page, head, message, 0), ...snippet, ...fixLines(page, hint, 2)];
}

/** Problems one by one, each with the line of the file if that is known, and with further places; `all`: also those not shown. */
export function diagnosticBlocks(
  wide: Page,
  diagnostics: readonly Diagnostic[],
  lineAt: LineAt = () => undefined,
  all = diagnostics,
): readonly (readonly string[])[] {
  const page = forSentences(wide);
  const snippetOf = snippetsOf(page, all, lineAt);
  return diagnostics.map((diagnostic) => {
    const { severity, code, message, hint, related = [] } = diagnostic;
    const place = describePlace(diagnostic);
    return [
      ...problemLines(page, {
        word: piece(severityTones[severity], severityNames[severity]),
        code,
        place: place === null ? [] : [piece("name", place), piece("word", " ")],
        // Lines of our own, such as candidates, are indented; any other line end is data.
        message: message.split(/\n(?= {2})/).map((line) => shortened(safeText(line))),
        hint: hint === undefined ? null : shortened(hint),
        snippet: snippetOf(diagnostic),
      }),
      ...related.flatMap((other) =>
        paragraph(page, [piece("quiet", safeText(`${other.message}: ${sourceWords(other.source)}`))], 2, 4),
      ),
    ];
  });
}

/** Quoting many pages makes a message no easier to read. The service's words come first, and last which request it was. */
function shortened(text: string): string {
  return text.length <= 4_000 ? text : `${text.slice(0, 3_800)}…${text.slice(-200)}`;
}

/** The same as a separate text. */
export function renderProblems(
  diagnostics: readonly Diagnostic[],
  { lineAt, all, ...options }: TerminalOptions & { readonly lineAt?: LineAt; readonly all?: readonly Diagnostic[] },
): string {
  return joinBlocks(diagnosticBlocks(makePage(options), diagnostics, lineAt, all));
}

/** After messages: where the first of these codes is explained. The service's own codes are not explained. */
export function explainLines(page: Page, codes: readonly string[]): readonly string[] {
  const code = codes.find(isCode);
  return code === undefined ? [] : paragraph(page, [piece("quiet", `Learn more: ticketing explain ${code}`)], 0, 2);
}

/** The first line of every output: which service a command is about. An address that cannot be used is left out. */
export function targetLine(environment: string, address: string | null, organization: string | null = null): string {
  const where =
    address === "" ? "" : ` (${address === null || address === "embedded" ? "the embedded service" : address})`;
  return safeText(`Target: ${environment}${where}${organization === null ? "" : `, organization ${organization}`}`);
}

// The line of a file that a problem is in, with a caret below the place.

/** A line of a file as it is written; undefined if it is not known. */
export type LineAt = (source: Source) => string | undefined;

/** The snippet of each of these problems; nothing where the line is not known. */
function snippetsOf(
  page: Page,
  diagnostics: readonly Diagnostic[],
  lineAt: LineAt,
): (diagnostic: Diagnostic) => readonly string[] {
  // A line that holds a secret is not shown again, not even for another problem in it.
  const secret = new Set(
    diagnostics.flatMap(({ code, source }) =>
      code === "secret-in-file" && source !== undefined ? [`${source.file}:${source.line}`] : [],
    ),
  );
  return ({ severity, source }) => {
    if (source === undefined || secret.has(`${source.file}:${source.line}`)) return [];
    const line = lineAt(source);
    // A file that cannot be read was not searched for keys.
    return line === undefined || findSecret(line) !== null || /api[-_]?key(?:env)?["']?\s*:/i.test(line)
      ? []
      : snippetLines(page, line, source, severityTones[severity]);
  };
}

// Further from the place than this, nothing can fit on a screen.
const reach = 300;

/** The line of a file with a caret below the place; as much of it as fits. */
function snippetLines(page: Page, line: string, { line: number, column }: Source, tone: Tone): readonly string[] {
  const gutter = `${String(number).padStart(5)} | `;
  const from = Math.max(0, column - 1 - reach);
  // A tab has a sign of one column, so that the caret stays below its place.
  const near = line.slice(from, column - 1 + reach).replaceAll("\t", "→");
  const { text, caret } = windowAround(near, column - 1 - from, page.columns - gutter.length);
  return [
    page.paint([piece("quiet", gutter), piece("value", text)]),
    page.paint([piece("quiet", "      | "), piece(tone, `${" ".repeat(caret)}^`)]),
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
