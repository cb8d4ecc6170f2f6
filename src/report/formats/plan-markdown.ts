// A plan as a comment on a pull request: the sum first, details folded, all data in code, and never too long to be posted.

import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeHtml, formatCount } from "../../model/value.ts";
import type { ExplainCode } from "../page/frame.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import { boxesOf, codesIn, type Part, type PlanView, type Section, shardWords } from "../plan-view/plan-view.ts";
import { type DiffLine, markWords, type ReportLine, type TextSpan, wordsLegend } from "../text/line.ts";
import { codeBlock, codeSpan, escapeProse, joinPieces } from "../text/markdown.ts";
import { safeLines, safeText } from "../text/sanitize.ts";
import { wrapText } from "../text/table.ts";
import { describePlace, severityNames } from "../text/terminal-text.ts";
import { codesMarkdown } from "./comment-parts.ts";

/** A part of a document that may have to give way. */
export interface Portion {
  readonly text: string;
  /** What is shown instead if the text is too long; null: nothing. */
  readonly short: string | null;
  /** The lowest come first if there is not room for all. */
  readonly rank: number;
  /** How many events it is about, if it is about events. */
  readonly events?: number;
}

type SizeOf = (text: string) => number;

const charactersOf: SizeOf = (text) => text.length;

// Two line ends between portions.
const between = 2;

/**
 * The portions that fit into the room, in their order: whole by rank, then short ones in the room that is left. `missing`: how many are
 * shortened or left out. `room` is in characters, or in what `sizeOf` counts.
 */
export function fitBudget(portions: readonly Portion[], room: number, sizeOf: SizeOf = charactersOf) {
  const chosen = new Map<number, string>();
  const byRank = portions
    .map((portion, index) => ({ portion, index }))
    .sort((one, other) => one.portion.rank - other.portion.rank);
  let left = room;
  const take = (index: number, text: string): boolean => {
    const size = sizeOf(text) + between;
    if (size > left) return false;
    left -= size;
    chosen.set(index, text);
    return true;
  };
  const tooLong = byRank.filter(({ portion, index }) => !take(index, portion.text));
  for (const { portion, index } of tooLong) if (portion.short !== null) take(index, portion.short);
  const texts = portions.flatMap((_, index) => chosen.get(index) ?? []);
  const events = tooLong.reduce((sum, { portion }) => sum + (portion.events ?? 0), 0);
  return { texts, missing: tooLong.length, events };
}

/** Comments of the usual hosts end at 65,536 characters; this leaves room for what a workflow adds to the plan. */
const mostCharacters = 60_000;

export interface PlanMarkdownOptions {
  readonly room?: number;
  readonly sizeOf?: SizeOf;
  /** Nothing is shortened that fits. */
  readonly full?: boolean;
  /** An apply that leaves out what is blocked shows it. */
  readonly skipBlocked?: boolean;
  readonly explain?: ExplainCode;
}

export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  const view = buildPlanView(plan, { full: options.full === true, skipBlocked: options.skipBlocked === true });
  const head = headMarkdown(view);
  const foot = view.notes.map((text) => `- ${escapeProse(text)}`).join("\n");
  const pointer = (missing: number): string =>
    `**This is not the whole plan:** ${missing === 1 ? "1 part is" : `${missing} parts are`} shortened or left out here. \`plan --format html\` writes all of it.`;
  const { room: whole = mostCharacters, sizeOf = charactersOf } = options;
  const room = whole - sizeOf(`${head}${foot}${pointer(1_000_000)}`) - 16;
  const { texts, missing } = fitBudget(detailPortions(view, options.explain), room, sizeOf);
  return `${[head, ...texts, missing === 0 ? "" : pointer(missing), foot].filter((text) => text !== "").join("\n\n")}\n`;
}

function headMarkdown(view: PlanView): string {
  const whose = view.organization === null ? "" : `, organization ${codeSpan(view.organization)}`;
  const part = shardWords(view);
  return [
    `### Plan for ${codeSpan(view.environment)}${view.baseUrl === "" ? "" : `: ${codeSpan(view.baseUrl)}`}${whose}${part}`,
    "",
    `**${view.summary}**`,
    ...boxesOf(view).flatMap((box) => ["", `> ${spansMarkdown(box)}`]),
  ].join("\n");
}

// If there is not room for both, problems that need a person come before ordinary changes.
/** `shown`: remarks that are shown already. */
export function detailPortions(
  view: PlanView,
  explain: ExplainCode = () => null,
  shown: readonly Diagnostic[] = [],
): readonly Portion[] {
  const steps = stepsMarkdown(view);
  const codes = codesMarkdown(codesIn(view), explain);
  return [
    ...view.sections.map((section) => ({
      text: sectionMarkdown(section),
      short: `- ${sectionTitle(section)}`,
      rank: section.isBlocked ? 0 : 3,
      events: section.events.length,
    })),
    ...view.remarks
      .filter((remark) => !shown.includes(remark))
      .map((remark) => ({
        text: remarkMarkdown(remark),
        short: null,
        rank: remark.severity === "error" ? 0 : remark.severity === "warning" ? 2 : 4,
      })),
    ...(steps === "" ? [] : [{ text: steps, short: null, rank: 1 }]),
    ...(codes === "" ? [] : [{ text: codes, short: null, rank: 5 }]),
  ];
}

/** For people who do not unfold it: what is done to which objects. */
function sectionTitle(section: Section): string {
  const address = section.address === null ? "" : ` (${codeSpan(section.address)})`;
  return `${codeSpan(section.symbol)} ${spansMarkdown(section.title)}${address}: ${section.does}`;
}

function sectionMarkdown(section: Section): string {
  const name = section.title
    .map(({ role, text }) => (role === "name" || role === "value" ? codeTag(text) : escapeHtml(text)))
    .join("");
  const address = section.address === null ? "" : ` (${codeTag(section.address)})`;
  return [
    section.isBlocked ? "<details open>" : "<details>",
    `<summary><code>${section.symbol}</code> ${name}${address}: ${escapeHtml(section.does)}</summary>`,
    "",
    ...(section.facts.length === 0 ? [] : [spansMarkdown(section.facts), ""]),
    ...section.lines.flatMap(lineMarkdown),
    ...section.parts.flatMap(partMarkdown),
    "",
    "</details>",
  ].join("\n");
}

// Within tags Markdown's own code is not known.
function codeTag(text: string): string {
  return `<code>${escapeHtml(text).replaceAll("@", "&#64;")}</code>`;
}

/** The layout of a problem as a terminal has it; `at`: its place in Markdown. */
export function remarkMarkdown(remark: Diagnostic, at?: string): string {
  const { severity, code, message, hint = "" } = remark;
  const place = describePlace(remark);
  const where = at ?? (place === null ? "" : codeSpan(place));
  const fix = hint === "" ? "" : `<br>\n  **fix:** ${escapeProse(safeText(hint))}`;
  const head = `**${severityNames[severity]}**${codeSpan(`[${safeText(code)}]`)}${where === "" ? "" : ` ${where}`}`;
  return `- ${head} ${messageMarkdown(safeLines(message))}${fix}`;
}

function stepsMarkdown(view: PlanView): string {
  if (view.steps.length === 0) return "";
  const steps = view.steps.map(
    (step, index) => `${view.stepsInOrder ? `${index + 1}.` : "-"} ${spansMarkdown(step.words)}`,
  );
  return ["<details>", `<summary>${view.stepsTitle}</summary>`, "", ...steps, "", "</details>"].join("\n");
}

// A block of code does not wrap by itself in a comment.
const codeColumns = 96;

function spansMarkdown(spans: readonly TextSpan[]): string {
  return joinPieces(spans.map(spanMarkdown));
}

function spanMarkdown(span: TextSpan): string {
  switch (span.role) {
    case "word":
    case "quiet":
      return span.text;
    case "prose":
      return escapeProse(span.text);
    case "name":
    case "value":
    case "before":
    case "after":
      return codeSpan(span.text);
  }
}

/** An object as an item of a list, with its details below. */
function partMarkdown(part: Part): readonly string[] {
  const does = part.does === "" ? "" : `: ${part.does}`;
  return [
    `- ${codeSpan(part.symbol)} ${spansMarkdown(part.title)}${does}`,
    ...indent(part.lines.flatMap(lineMarkdown)),
  ];
}

function lineMarkdown(line: ReportLine): readonly string[] {
  switch (line.type) {
    case "field":
      return [`- ${codeSpan(line.label)}: ${spansMarkdown(line.spans)}`];
    case "text":
      return [
        `- ${codeSpan(line.label)}:${wordsLegend(line.lines).map((text) => ` ${codeSpan(text)}`)}${spansMarkdown(line.remark)}`,
        ...indent(codeBlock(line.lines.flatMap(diffLineText), "diff")),
      ];
    case "note":
      return [`- ${spansMarkdown(line.spans)}`];
    case "names": {
      const more = line.more === 0 ? "" : ` and ${formatCount(line.more)} more`;
      return [`- ${line.names.map(codeSpan).join(", ")}${more}${line.tail}`];
    }
    case "blocked":
      return [
        ...line.messages.map((message) => `- **blocked**${codeSpan(`[${line.code}]`)} ${messageMarkdown(message)}`),
        `- **fix:** ${escapeProse(line.hint)}`,
      ];
  }
}

/** A message on one line; its listed lines follow as breaks. */
function messageMarkdown(message: readonly string[]): string {
  return message.map((text) => escapeProse(text.trim())).join("<br>");
}

function diffLineText(line: DiffLine): readonly string[] {
  const text = line.spans.map((span) => markWords(line, span)).join("");
  const [first = "", ...rest] = wrapText(text, codeColumns);
  const mark = line.mark === "=" ? " " : line.mark;
  return [`${mark} ${first}`.trimEnd(), ...rest.map((further) => `${mark} ${further}`)];
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
