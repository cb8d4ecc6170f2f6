// A plan for the terminal: the target, a block per event, remarks, order and cost, and one sentence at the end.
import { type Plan, planErrors } from "../../model/plan.ts";
import { compareText, formatCount } from "../../model/value.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import { boxesOf, codesIn, type Part, type PlanView, type Section, shardWords, tones } from "../plan-view/plan-view.ts";
import {
  becomes,
  type DiffLine,
  markWords,
  plainText,
  type ReportLine,
  type TextSpan,
  wordsLegend,
} from "../text/line.ts";
import { safeJson, wholeJson } from "../text/sanitize.ts";
import { displayWidth, padEnd } from "../text/table.ts";
import {
  diagnosticBlocks,
  explainLines,
  fixLines,
  joinBlocks,
  type LineAt,
  makePage,
  messageLines,
  type Page,
  paragraph,
  piece,
  type TerminalOptions,
  type Tinted,
  targetLine,
} from "../text/terminal-text.ts";

interface PlanTextOptions extends TerminalOptions {
  /** Every call, and long texts and lists in full. */
  readonly verbose: boolean;
  readonly skipBlocked?: boolean;
  /** No changes, only how many there are; but all of a plan that cannot be applied. */
  readonly brief?: boolean;
  /** The lines of the files that were planned, shown below the remarks about them. */
  readonly lineAt?: LineAt | undefined;
}

export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  const view = buildPlanView(plan, { full: options.verbose, skipBlocked: options.skipBlocked === true });
  const page = makePage(options);
  const { environment, baseUrl, organization } = view;
  const target = `${targetLine(environment, baseUrl, organization)}${shardWords(view)}`;
  const head = paragraph(page, [piece("heading", target)], 0, 2);
  const errors = planErrors(plan);
  const remarks = diagnosticBlocks(page, view.remarks, options.lineAt, plan.diagnostics);
  const remarkCodes = view.remarks.map(({ code }) => code);
  const summary = paragraph(page, [piece("heading", view.summary)], 0, 2);
  if (options.brief === true && errors.length === 0)
    return joinBlocks([head, ...remarks, explainLines(page, remarkCodes), summary, [briefHint]]);
  return joinBlocks([
    head,
    ...boxesOf(view).map((box) => paragraph(page, tint(box), 0, 2)),
    ...view.sections.map((section) => sectionLines(page, section)),
    ...remarks,
    explainLines(page, codesIn(view)),
    stepLines(page, view),
    view.notes.flatMap((text) => paragraph(page, [piece("word", text)], 0, 2)),
    summary,
  ]);
}

const briefHint = "Too many changes to list here; --verbose lists them, and so does `plan`.";

function sectionLines(page: Page, section: Section): readonly string[] {
  return [
    ...headLines(page, section, section.address, 0),
    ...(section.facts.length === 0 ? [] : paragraph(page, [piece("quiet", plainText(section.facts))], 4)),
    ...objectLines(page, section.lines, 4),
    ...section.parts.flatMap((part) => [...headLines(page, part, null, 2), ...objectLines(page, part.lines, 6)]),
  ];
}

function headLines(page: Page, part: Part, address: string | null, indent: number): readonly string[] {
  const pieces = [
    piece(tones[part.symbol], `${part.symbol} `),
    ...tint(part.title),
    ...(address === null ? [] : [piece("quiet", ` (${address})`)]),
    ...(part.does === "" ? [] : [piece("word", `: ${part.does}`)]),
  ];
  return paragraph(page, pieces, indent, indent + 4);
}

function stepLines(page: Page, view: PlanView): readonly string[] {
  if (view.steps.length === 0) return [];
  const width = String(view.steps.length).length;
  const lines = view.steps.flatMap((step, index) => {
    const number = view.stepsInOrder ? `${String(index + 1).padStart(width)}. ` : "";
    const call = step.call === null ? [] : [piece("quiet", ` (${step.call})`)];
    return paragraph(page, [piece("word", number), ...tint(step.words), ...call], 2, 2 + number.length);
  });
  const hint = view.stepsInOrder ? "" : " (--verbose lists every call in order)";
  return [...paragraph(page, [piece("heading", `${view.stepsTitle}${hint}:`)], 0, 2), ...lines];
}

/** A word in double quotes is a name or a text; what is around it are our words. */
function tint(spans: readonly TextSpan[]): readonly Tinted[] {
  return spans.map(({ role, text }) => piece(role, role === "name" ? `"${text}"` : text));
}

// Narrower than this, a value is put below its label, not next to it.
const narrowest = 28;

/** The details of one object, with its labels in one column. */
function objectLines(page: Page, lines: readonly ReportLine[], indent: number): readonly string[] {
  const labels = lines.map((line) => (line.type === "field" ? displayWidth(line.label) : 0));
  const width = Math.max(0, ...labels) + 2;
  const room = page.columns - indent - width >= narrowest;
  return lines.flatMap((line) => objectLine(page, line, indent, room ? width : 0));
}

function objectLine(page: Page, line: ReportLine, indent: number, labelWidth: number): readonly string[] {
  switch (line.type) {
    case "field":
      return printField(page, line, indent, labelWidth);
    case "text": {
      const legend = wordsLegend(line.lines).map((text) => piece("quiet", ` ${text}`));
      return [
        ...paragraph(page, [piece("word", `${line.label}:`), ...legend, ...tint(line.remark)], indent, indent + 4),
        ...line.lines.flatMap((one) => diffLine(page, one, indent + 2)),
      ];
    }
    case "note":
      return paragraph(page, tint(line.spans), indent, indent + 2);
    case "names": {
      const names = line.names.map((name, index) =>
        piece("value", `${index === 0 ? "" : " "}${name}${index === line.names.length - 1 ? "" : ","}`),
      );
      const more = line.more === 0 ? "" : ` and ${formatCount(line.more)} more`;
      return paragraph(page, [...names, piece("quiet", more), piece("word", line.tail)], indent);
    }
    case "blocked": {
      const [first = [], ...others] = line.messages;
      return [
        ...messageLines(page, [piece("blocked", "blocked"), piece("quiet", `[${line.code}] `)], first, indent),
        ...others.flatMap((message) => messageLines(page, [piece("word", "and: ")], message, indent + 2)),
        ...fixLines(page, line.hint, indent),
      ];
    }
  }
}

// Both sides of an edit are on one line, or each on its own.
function printField(page: Page, line: Extract<ReportLine, { type: "field" }>, indent: number, labelWidth: number) {
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
  const tone = line.spans.length === 1 ? (line.spans[0]?.role ?? "value") : "change";
  const inside = line.spans.map((span) => piece(span.role, markWords(line, span)));
  return paragraph(page, [piece(tone, `${line.mark} `), ...inside], indent, indent + 2);
}

// The plan as JSON: the same plan yields the same bytes, whatever order its parts were put together in.

// The keys that a reader looks for first come first; the others follow in alphabetical order.
const order = `
  formatVersion tool createdAt target environment baseUrl organization changes operations diagnostics summary
  upcoming calls observed revision shard fingerprint signature id address kind action code severity verb method path
  before after from to body message hint
`
  .trim()
  .split(/\s+/);
const places = new Map(order.map((key, index) => [key, index]));

export function renderPlanJson(plan: Plan): string {
  return `${safeJson(withSortedKeys(plan))}\n`;
}

/** The plan to apply later, which sends URLs as they are: the same, except for those with a query or a user. */
export function renderPlanFile(plan: Plan): string {
  return `${wholeJson(withSortedKeys(plan))}\n`;
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => compareKeys(one, other));
  // Made from entries: a key such as `__proto__` is data like any other.
  return Object.fromEntries(entries.map(([key, inner]) => [key, withSortedKeys(inner)]));
}

function compareKeys(one: string, other: string): number {
  const last = order.length;
  return (places.get(one) ?? last) - (places.get(other) ?? last) || compareText(one, other);
}
