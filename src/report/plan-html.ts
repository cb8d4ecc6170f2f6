// A plan as one page that needs nothing else: no script, no picture, no font from elsewhere.

import { escapeHtml } from "../model/escape-html.ts";
import { formatMoment } from "../model/moment.ts";
import type { Plan } from "../model/plan.ts";
import { buildPlanView } from "./build-plan-view.ts";
import { linesHtml, messageHtml, proseHtml, spansHtml } from "./html-lines.ts";
import { planStyle } from "./plan-html-style.ts";
import type { Mark, Part, PlanView, Remark, Section } from "./plan-view.ts";
import { safeText } from "./safe-text.ts";

// From so many sections on, a list of them saves scrolling.
const manySections = 4;

const classes: Readonly<Record<Mark, string>> = {
  "+": "create",
  "~": "change",
  "-": "delete",
  "±": "replace",
  "!": "blocked",
};

export function renderPlanHtml(plan: Plan): string {
  const view = buildPlanView(plan, { full: true });
  const title = `Plan for ${view.environment}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${planStyle}</style>
</head>
<body>
<a class="skip" href="#changes">Go to the changes</a>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${targetHtml(view)}</p>
<p class="summary">${escapeHtml(view.summary)}</p>
</header>
${contentsHtml(view)}<main id="changes">
${view.sections.map(sectionHtml).join("\n")}
${remarksHtml(view)}${orderHtml(view)}${view.notes.map((note) => `<p>${escapeHtml(note)}</p>\n`).join("")}${view.cost === null ? "" : `<p>Calls: ${escapeHtml(view.cost)}</p>\n`}</main>
<footer><p class="quiet">Made ${escapeHtml(safeText(formatMoment(plan.createdAt, "")))} by ${escapeHtml(safeText(`${plan.tool.name} ${plan.tool.version}`))}.</p></footer>
</body>
</html>
`;
}

function targetHtml(view: PlanView): string {
  const whose = view.organization === null ? "" : `, organization <code>${escapeHtml(view.organization)}</code>`;
  return `<code>${escapeHtml(view.baseUrl)}</code>${whose}`;
}

function contentsHtml(view: PlanView): string {
  if (view.sections.length < manySections) return "";
  const links = view.sections.map((section, index) => {
    return `<li><span class="mark ${classes[section.symbol]}" aria-hidden="true">${section.symbol}</span> <a href="#section-${index + 1}">${spansHtml(section.title)}</a>: ${escapeHtml(section.does)}</li>`;
  });
  return `<nav aria-label="Changes"><ul class="diff">\n${links.join("\n")}\n</ul></nav>\n`;
}

function sectionHtml(section: Section, index: number): string {
  const id = `section-${index + 1}`;
  const address = section.address === null ? "" : ` <code class="quiet">${escapeHtml(section.address)}</code>`;
  return [
    `<section id="${id}" class="${classes[section.symbol]}" aria-labelledby="${id}-title">`,
    `<h2 id="${id}-title">${markHtml(section)} ${spansHtml(section.title)}<span class="does">: ${escapeHtml(section.does)}${address}</span></h2>`,
    section.facts.length === 0 ? "" : `<p class="quiet">${spansHtml(section.facts)}</p>`,
    linesHtml(section.lines),
    ...section.parts.map(partHtml),
    "</section>",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function partHtml(part: Part): string {
  const does = part.does === "" ? "" : `<span class="does">: ${escapeHtml(part.does)}</span>`;
  return `<div class="part ${classes[part.symbol]}">\n<h3>${markHtml(part)} ${spansHtml(part.title)}${does}</h3>\n${linesHtml(part.lines)}</div>`;
}

// The words beside it say the same, so that it need not be spoken.
function markHtml(part: Part): string {
  return `<span class="mark ${classes[part.symbol]}" aria-hidden="true">${part.symbol}</span>`;
}

function remarksHtml(view: PlanView): string {
  if (view.remarks.length === 0) return "";
  return `<h2>Remarks</h2>\n<ul class="remarks">\n${view.remarks.map(remarkHtml).join("\n")}\n</ul>\n`;
}

function remarkHtml(remark: Remark): string {
  const place = remark.place === null ? "" : ` at <code>${escapeHtml(remark.place)}</code>`;
  const hint = remark.hint === null ? "" : `<p><strong>Way out:</strong> ${proseHtml(remark.hint)}</p>`;
  return `<li class="${remark.severity}"><p><strong>${remark.severity}</strong>${place} <span class="quiet">(${escapeHtml(remark.code)})</span></p><p>${messageHtml(remark.message)}</p>${hint}</li>`;
}

function orderHtml(view: PlanView): string {
  if (view.steps.length === 0) return "";
  const steps = view.steps.map((step) => {
    const call = step.call === null ? "" : ` <code class="quiet">${escapeHtml(step.call)}</code>`;
    return `<li>${spansHtml(step.words)}${call}</li>`;
  });
  return `<h2>In this order${view.onlySkipping ? ", with --skip-blocked" : ""}</h2>\n<ol class="steps">\n${steps.join("\n")}\n</ol>\n`;
}
