// Lines of a report on a terminal: indented, wrapped, and never beginning with anything that acts on who reads them.
import { formatCount } from "../../model/value.ts";
import { displayWidth, padEnd } from "../text/display-width.ts";
import { becomes, type DiffLine, type Line, plainText, type Span } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { wrapPieces } from "../text/wrap.ts";
import { makePaint, type Paint, type Tinted, type Tone } from "./paint.ts";

export interface Page {
  readonly columns: number;
  readonly paint: Paint;
}

// Narrower than this, a value does not stand beside its label but goes on below it.
const narrowest = 28;

/** One paragraph: `hang` is how far its further lines are indented. */
export function paragraph(page: Page, pieces: readonly Tinted[], indent: number, hang = indent): readonly string[] {
  const lines = wrapPieces(pieces, page.columns - hang, page.columns - indent);
  return lines.map((line, index) => " ".repeat(index === 0 ? indent : hang) + page.paint(disarm(withoutEnd(line))));
}

/** A word in double quotes is a name or a text; what is around it are our words. */
export function tint(spans: readonly Span[]): readonly Tinted[] {
  return spans.map((span) => ({ tone: span.role, text: span.role === "name" ? `"${span.text}"` : span.text }));
}

/** What is said about one object, with its labels in one column. */
export function objectLines(page: Page, lines: readonly Line[], indent: number): readonly string[] {
  const labels = lines.map((line) => (line.type === "field" ? displayWidth(line.label) : 0));
  const width = Math.max(0, ...labels) + 2;
  const room = page.columns - indent - width >= narrowest;
  return lines.flatMap((line) => objectLine(page, line, indent, room ? width : 0));
}

function objectLine(page: Page, line: Line, indent: number, labelWidth: number): readonly string[] {
  switch (line.type) {
    case "field":
      return fieldLines(page, line, indent, labelWidth);
    case "text": {
      const legend = line.lines.some((one) => one.mark === "~")
        ? [piece("quiet", " [-words that go-] {+words that come+}")]
        : [];
      return [
        ...paragraph(page, [piece("word", `${line.label}:`), ...legend, ...tint(line.remark)], indent, indent + 4),
        ...line.lines.flatMap((one) => diffLine(page, one, indent + 2)),
      ];
    }
    case "note":
      return paragraph(page, tint(line.spans), indent, indent + 2);
    case "names":
      return paragraph(page, namePieces(line), indent, indent);
    case "blocked":
      return blockedLines(page, line, indent);
  }
}

// Both sides of an edit stand on one line, or each on its own.
function fieldLines(
  page: Page,
  line: Extract<Line, { type: "field" }>,
  indent: number,
  labelWidth: number,
): readonly string[] {
  const label = piece("word", labelWidth === 0 ? `${line.label}: ` : padEnd(`${line.label}:`, labelWidth));
  const hang = indent + (labelWidth === 0 ? 4 : labelWidth);
  const arrow = line.spans.indexOf(becomes);
  const width = indent + displayWidth(label.text) + displayWidth(plainText(line.spans));
  if (arrow === -1 || width <= page.columns) return paragraph(page, [label, ...tint(line.spans)], indent, hang);
  return [
    ...paragraph(page, [label, ...tint(line.spans.slice(0, arrow))], indent, hang),
    ...paragraph(page, [piece("word", "→ "), ...tint(line.spans.slice(arrow + 1))], hang, hang + 2),
  ];
}

function diffLine(page: Page, line: DiffLine, indent: number): readonly string[] {
  const inside = line.spans.map((span): Tinted => {
    if (line.mark === "~" && span.role === "before") return piece("before", `[-${span.text}-]`);
    if (line.mark === "~" && span.role === "after") return piece("after", `{+${span.text}+}`);
    return piece(span.role, span.text);
  });
  const tone = line.spans.length === 1 ? (line.spans[0]?.role ?? "value") : "change";
  return paragraph(page, [piece(tone, `${line.mark} `), ...inside], indent, indent + 2);
}

function namePieces(line: Extract<Line, { type: "names" }>): readonly Tinted[] {
  const names = line.names.map((name, index) =>
    piece("value", `${index === 0 ? "" : " "}${name}${isLast(line, index) ? "" : ","}`),
  );
  const more = line.more === 0 ? [] : [piece("quiet", ` and ${formatCount(line.more)} more`)];
  return [...names, ...more, piece("word", line.tail)];
}

function isLast(line: Extract<Line, { type: "names" }>, index: number): boolean {
  return index === line.names.length - 1;
}

function blockedLines(page: Page, line: Extract<Line, { type: "blocked" }>, indent: number): readonly string[] {
  const head = [piece("blocked", "blocked"), piece("word", ` by ${line.code}: `)];
  const [first = [], ...others] = line.messages;
  return [
    ...messageLines(page, head, first, indent),
    ...others.flatMap((message) => messageLines(page, [piece("word", "and: ")], message, indent + 2)),
    ...paragraph(page, [piece("heading", "fix: "), piece("prose", line.hint)], indent, indent + 2),
  ];
}

/** A message may go on in further lines, such as a list of candidates. */
export function messageLines(
  page: Page,
  head: readonly Tinted[],
  message: readonly string[],
  indent: number,
): readonly string[] {
  const [first = "", ...further] = message;
  return [
    ...paragraph(page, [...head, piece("prose", first)], indent, indent + 2),
    ...further.flatMap((text) => paragraph(page, [piece("prose", text.trimStart())], indent + 4, indent + 6)),
  ];
}

export function piece(tone: Tone, text: string): Tinted {
  return { tone, text };
}

function withoutEnd(line: readonly Tinted[]): readonly Tinted[] {
  const last = line.at(-1);
  return last === undefined ? line : [...line.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

// The log of a workflow takes a line that begins with two colons for a command, whatever spaces stand before it.
function disarm(line: readonly Tinted[]): readonly Tinted[] {
  const [first, ...rest] = line;
  if (first === undefined || !/^\s*::/.test(line.map((one) => one.text).join(""))) return line;
  return [{ ...first, text: first.text.replace(":", "\\u{3a}") }, ...rest];
}

/** Our own words with data in them, in lines that fit. */
export function renderSentence(text: string, options: { readonly columns: number; readonly color: boolean }): string {
  const page: Page = { columns: Math.max(40, Math.min(options.columns, 120)), paint: makePaint(options.color) };
  return `${paragraph(page, [piece("word", safeText(text))], 0, 2).join("\n")}\n`;
}
