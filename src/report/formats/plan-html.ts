// A plan as one page that needs nothing else: no script, no font, only the pictures that events name.
import { rootOf } from "../../model/address.ts";
import type { CardPair } from "../../model/live.ts";
import type { Change, Plan } from "../../model/plan.ts";
import { formatMoment } from "../../model/time.ts";
import { escapeHtml, pluralize } from "../../model/value.ts";
import { type ExplainCode, explainedCodes, renderPage, textHtml } from "../page/frame.ts";
import { diagnosticsHtml, spansHtml } from "../page/lines.ts";
import { overviewHtml } from "../page/overview.ts";
import { contentsHtml, unitHtml, unitsOf } from "../page/plan-sections.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import { boxesOf, type PlanView, shardWords } from "../plan-view/view.ts";

// From this many sections on, a list of them saves scrolling.
const manySections = 4;

export interface PlanPageParts {
  /** Without them, as of a plan that was saved before, changes are shown field by field. */
  readonly cards?: readonly CardPair[] | undefined;
  readonly explain?: ExplainCode;
}

export function renderPlanHtml(plan: Plan, { cards = [], explain = () => null }: PlanPageParts = {}): string {
  const view = buildPlanView(plan, { full: true });
  const units = unitsOf(view.sections, cards);
  const places = new Map(
    units.flatMap(({ id, sections }) => sections.flatMap(({ events }) => events.map((event) => [event, id] as const))),
  );
  const linkTo = ({ address }: Change) => places.get(rootOf(address)) ?? null;
  const title = `Plan for ${view.environment}${shardWords(view)}`;
  const main = `<a class="skip" href="#changes">Go to the changes</a>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${targetHtml(view)}</p>
<p class="summary">${escapeHtml(view.summary)}</p>
${boxesOf(view)
  .map((box) => `<p class="waiting">${spansHtml(box)}</p>\n`)
  .join("")}${overviewHtml(plan.changes, linkTo)}</header>
${units.length < manySections ? "" : contentsHtml(units)}<main id="changes">
${units.map(unitHtml).join("\n")}
${remarksHtml(view)}${notesHtml(view)}`;
  const body = `${explainedCodes(main, explain)}${stepsHtml(view)}</main>
<footer><p class="quiet">Made ${textHtml(formatMoment(plan.createdAt, ""))} by ${textHtml(`${plan.tool.name} ${plan.tool.version}`)}.</p></footer>`;
  return renderPage({ title, body });
}

function notesHtml({ notes }: PlanView): string {
  return notes.map((note) => `<p>${escapeHtml(note)}</p>\n`).join("");
}

function targetHtml(view: PlanView): string {
  const whose = view.organization === null ? "" : `, organization <code>${escapeHtml(view.organization)}</code>`;
  return `<code>${escapeHtml(view.baseUrl)}</code>${whose}`;
}

function remarksHtml(view: PlanView): string {
  if (view.remarks.length === 0) return "";
  return `<h2>Remarks</h2>\n${diagnosticsHtml(view.remarks)}\n`;
}

function stepsHtml(view: PlanView): string {
  if (view.steps.length === 0) return "";
  const steps = view.steps.map((step) => {
    const call = step.call === null ? "" : ` <code class="quiet">${escapeHtml(step.call)}</code>`;
    return `<li>${spansHtml(step.words)}${call}</li>`;
  });
  return `<details><summary>${view.stepsTitle}: ${pluralize(steps.length, "call")}</summary>\n<ol class="steps">\n${steps.join("\n")}\n</ol></details>\n`;
}
