// A plan as a comment on a pull request: the sum first, details folded, all data in code, and never too long to be posted.

import { escapeHtml } from "../model/escape-html.ts";
import type { Plan } from "../model/plan.ts";
import { buildPlanView } from "./build-plan-view.ts";
import { fitBudget, type Portion } from "./fit-budget.ts";
import { codeSpan, escapeProse } from "./markdown-escape.ts";
import { lineMarkdown, messageMarkdown, partMarkdown, spansMarkdown } from "./markdown-lines.ts";
import type { PlanView, Remark, Section } from "./plan-view.ts";

/** Comments of the usual hosts end at 65,536 characters; this leaves room for what a workflow puts around the plan. */
const mostCharacters = 60_000;

export interface PlanMarkdownOptions {
  /** Where the whole plan is, in words, for one that does not fit. */
  readonly fullPlan?: string;
}

export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  const view = buildPlanView(plan, { full: false });
  const head = headMarkdown(view);
  const foot = notesMarkdown(view);
  const fullPlan = options.fullPlan ?? "`ticketing plan --format html` writes all of it";
  const pointer = (missing: number): string =>
    `**This is not the whole plan:** ${missing === 1 ? "1 part is" : `${missing} parts are`} shortened or left out here. ${escapeProse(fullPlan)}.`;
  const room = mostCharacters - head.length - foot.length - pointer(1_000_000).length - 16;
  const { texts, missing } = fitBudget(portionsOf(view), room);
  return `${[head, ...texts, missing === 0 ? "" : pointer(missing), foot].filter((text) => text !== "").join("\n\n")}\n`;
}

function headMarkdown(view: PlanView): string {
  const whose = view.organization === null ? "" : `, organization ${codeSpan(view.organization)}`;
  return [
    `### Plan for ${codeSpan(view.environment)}${view.baseUrl === "" ? "" : `: ${codeSpan(view.baseUrl)}`}${whose}`,
    "",
    `**${view.summary}**`,
  ].join("\n");
}

function notesMarkdown(view: PlanView): string {
  const cost = view.cost === null ? [] : [`Calls: ${view.cost}`];
  return [...view.notes, ...cost].map(escapeProse).join(" ");
}

// What needs a person comes before what merely happens, should there not be room for both.
function portionsOf(view: PlanView): readonly Portion[] {
  const order = orderMarkdown(view);
  return [
    ...view.sections.map((section) => ({
      text: sectionMarkdown(section),
      short: `- ${sectionTitle(section)}`,
      rank: section.isBlocked ? 0 : 3,
    })),
    ...view.remarks.map((remark) => ({
      text: remarkMarkdown(remark),
      short: null,
      rank: remark.severity === "error" ? 0 : remark.severity === "warning" ? 2 : 4,
    })),
    ...(order === "" ? [] : [{ text: order, short: null, rank: 1 }]),
  ];
}

/** For people who do not unfold it: what is done with what. */
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

function remarkMarkdown(remark: Remark): string {
  const place = remark.place === null ? "" : ` at ${codeSpan(remark.place)}`;
  const hint = remark.hint === null ? [] : [`  **way out:** ${escapeProse(remark.hint)}`];
  return [
    `- **${remark.severity}**${place} (${codeSpan(remark.code)}): ${messageMarkdown(remark.message)}${hint.length === 0 ? "" : "<br>"}`,
    ...hint,
  ].join("\n");
}

function orderMarkdown(view: PlanView): string {
  if (view.steps.length === 0) return "";
  const title = `${view.stepsInOrder ? "In this order" : "In all"}${view.onlySkipping ? ", with --skip-blocked" : ""}`;
  const steps = view.steps.map(
    (step, index) => `${view.stepsInOrder ? `${index + 1}.` : "-"} ${spansMarkdown(step.words)}`,
  );
  return ["<details>", `<summary>${title}</summary>`, "", ...steps, "", "</details>"].join("\n");
}
