// A plan as one page that needs nothing else: no script, no picture, no font from elsewhere.

import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { formatMoment } from "../../model/time.ts";
import { escapeHtml, formatCount } from "../../model/value.ts";
import { renderPage, textHtml } from "../page/frame.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import { boxesOf, type Mark, type Part, type PlanView, type Section } from "../plan-view/view.ts";
import { becomes, type DiffLine, type ReportLine, type TextSpan } from "../text/line.ts";
import { describePlace, severityNames } from "../text/page.ts";
import { safeLines, safeText } from "../text/sanitize.ts";

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
  const body = `<a class="skip" href="#changes">Go to the changes</a>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${targetHtml(view)}</p>
<p class="summary">${escapeHtml(view.summary)}</p>
${boxesOf(view)
  .map((box) => `<p class="waiting">${spansHtml(box)}</p>\n`)
  .join("")}</header>
${contentsHtml(view)}<main id="changes">
${view.sections.map(sectionHtml).join("\n")}
${remarksHtml(view)}${stepsHtml(view)}${view.notes.map((note) => `<p>${escapeHtml(note)}</p>\n`).join("")}</main>
<footer><p class="quiet">Made ${textHtml(formatMoment(plan.createdAt, ""))} by ${textHtml(`${plan.tool.name} ${plan.tool.version}`)}.</p></footer>`;
  return renderPage({ title, body });
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

function remarkHtml(remark: Diagnostic): string {
  const place = describePlace(remark);
  const at = place === null ? "" : ` at <code>${escapeHtml(place)}</code>`;
  const hint = remark.hint === undefined ? "" : `<p><strong>fix:</strong> ${proseHtml(safeText(remark.hint))}</p>`;
  const severity = severityNames[remark.severity];
  return `<li class="${severity}"><p><strong>${severity}</strong>${at} <span class="quiet">(${escapeHtml(safeText(remark.code))})</span></p><p>${messageHtml(safeLines(remark.message))}</p>${hint}</li>`;
}

function stepsHtml(view: PlanView): string {
  if (view.steps.length === 0) return "";
  const steps = view.steps.map((step) => {
    const call = step.call === null ? "" : ` <code class="quiet">${escapeHtml(step.call)}</code>`;
    return `<li>${spansHtml(step.words)}${call}</li>`;
  });
  return `<h2>${view.stepsTitle}</h2>\n<ol class="steps">\n${steps.join("\n")}\n</ol>\n`;
}

// Arrows and colors have a text for screen readers.

function spansHtml(spans: readonly TextSpan[]): string {
  return spans.map((span) => (span === becomes ? arrow : spanHtml(span))).join("");
}

const arrow = ' <span aria-hidden="true">→</span><span class="spoken">becomes</span> ';

function spanHtml(span: TextSpan): string {
  const text = escapeHtml(span.text);
  switch (span.role) {
    case "word":
      return text;
    case "quiet":
      return `<span class="quiet">${text}</span>`;
    case "prose":
      return proseHtml(span.text);
    case "name":
      return `<strong><bdi>${text}</bdi></strong>`;
    case "value":
      return `<code><bdi>${text}</bdi></code>`;
    case "before":
      return `<del><code><bdi>${text}</bdi></code></del>`;
    case "after":
      return `<ins><code><bdi>${text}</bdi></code></ins>`;
  }
}

/** A sentence in which text between backticks is code. */
function proseHtml(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join("");
}

/** Fields in one list, everything else around it in paragraphs, in the order of the lines. */
function linesHtml(lines: readonly ReportLine[]): string {
  let html = "";
  let isList = false;
  for (const line of lines) {
    const isField = line.type === "field" || line.type === "text";
    if (isField !== isList) html += isField ? "<dl>" : "</dl>";
    isList = isField;
    html += lineHtml(line);
  }
  return isList ? `${html}</dl>` : html;
}

function lineHtml(line: ReportLine): string {
  switch (line.type) {
    case "field":
      return `<dt><code>${escapeHtml(line.label)}</code></dt><dd>${spansHtml(line.spans)}</dd>\n`;
    case "text":
      return `<dt><code>${escapeHtml(line.label)}</code></dt><dd>${diffHtml(line.lines)}${spansHtml(line.remark)}</dd>\n`;
    case "note":
      return `<p>${spansHtml(line.spans)}</p>\n`;
    case "names": {
      const names = line.names.map((name) => `<code><bdi>${escapeHtml(name)}</bdi></code>`).join(", ");
      return `<p>${names}${line.more === 0 ? "" : ` and ${formatCount(line.more)} more`}${escapeHtml(line.tail)}</p>\n`;
    }
    case "blocked":
      return [
        '<div class="block">',
        ...line.messages.map((message) => {
          return `<p><strong>blocked</strong> <span class="quiet">(${escapeHtml(line.code)})</span> ${messageHtml(message)}</p>`;
        }),
        `<p><strong>fix:</strong> ${proseHtml(line.hint)}</p></div>\n`,
      ].join("");
  }
}

function messageHtml(message: readonly string[]): string {
  return message.map((text) => proseHtml(text.trim())).join("<br>");
}

const spokenMarks: Readonly<Record<DiffLine["mark"], string>> = {
  "+": "added",
  "-": "goes",
  "~": "changed",
  "=": "stays",
  "…": "",
};

function diffHtml(lines: readonly DiffLine[]): string {
  const items = lines.map((line) => {
    const spoken = spokenMarks[line.mark] === "" ? "" : `<span class="spoken">${spokenMarks[line.mark]}: </span>`;
    const isWords = line.mark === "~" ? ' class="words"' : "";
    return `<li${isWords}><span aria-hidden="true">${line.mark} </span>${spoken}${line.spans.map(diffSpan).join("")}</li>`;
  });
  return `<ul class="diff">${items.join("")}</ul>`;
}

function diffSpan(span: TextSpan): string {
  const text = escapeHtml(span.text);
  if (span.role === "before") return `<del>${text}</del>`;
  if (span.role === "after") return `<ins>${text}</ins>`;
  return span.role === "quiet" ? `<span class="quiet">${text}</span>` : text;
}
