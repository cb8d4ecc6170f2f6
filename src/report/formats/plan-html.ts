// A plan as one page that needs nothing else: no script, no picture, no font from elsewhere.

import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { formatMoment } from "../../model/time.ts";
import { escapeHtml, formatCount } from "../../model/value.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import { boxesOf, type Mark, type Part, type PlanView, type Section } from "../plan-view/view.ts";
import { becomes, type DiffLine, type ReportLine, type TextSpan } from "../text/line.ts";
import { describePlace, severityNames } from "../text/page.ts";
import { safeLines, safeText } from "../text/sanitize.ts";

// The style of the HTML report. Colors repeat what words and symbols say; both themes keep a contrast of 4.5 to 1 and more.

export const planStyle = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #57606a; --page: #ffffff; --card: #f6f8fa; --line: #d0d7de;
  --create: #116329; --change: #7d4e00; --delete: #a40e26; --replace: #0550ae; --add: #dafbe1; --cut: #ffebe9; --warn: #fff8c5; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9ea7b3; --page: #0d1117; --card: #161b22;
  --line: #3d444d; --create: #56d364; --change: #e3b341; --delete: #ff8b84; --replace: #79c0ff; --add: #12351f; --cut: #4a1a1d; --warn: #3a2f0b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; line-height: 1.35; margin: 0; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; }
code { font: .92em ui-monospace, Menlo, Consolas, monospace; }
a { color: var(--replace); }
a:focus-visible { outline: 3px solid var(--replace); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.summary { font-size: 1.1rem; font-weight: 600; }
section { background: var(--card); border: 1px solid var(--line); border-left: .4rem solid var(--line); border-radius: .4rem;
  margin: 1rem 0; padding: .75rem 1rem 1rem; }
.create { --mark: var(--create); } .change { --mark: var(--change); } .delete { --mark: var(--delete); }
.replace { --mark: var(--replace); } .blocked { --mark: var(--delete); }
section.create, section.change, section.delete, section.replace, section.blocked { border-left-color: var(--mark); }
.mark { color: var(--mark); font-weight: 700; font-family: ui-monospace, Menlo, Consolas, monospace; }
.part { border-top: 1px solid var(--line); margin-top: .75rem; padding-top: .1rem; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--quiet); } dd { margin: 0; }
del, ins { text-decoration: none; padding: 0 .2em; border-radius: .2em; }
dd > del, dd > ins { display: inline-block; max-width: 100%; }
.does { font-weight: 400; }
del { background: var(--cut); } ins { background: var(--add); }
.words del { text-decoration: line-through; } .words ins { text-decoration: underline; }
.diff { list-style: none; margin: 0; padding: 0; }
.diff li { padding-left: 1.4em; text-indent: -1.4em; }
.block { border-left: .25rem solid var(--delete); margin: .5rem 0; padding: .1rem .75rem; }
.waiting { background: var(--warn); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem 1rem; }
.remarks { list-style: none; padding: 0; } .remarks li { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .5rem 1rem; }
.remarks .warning { background: var(--warn); } .remarks .error { background: var(--cut); }
ol.steps { padding-left: 2.2rem; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .35rem; } dd > del, dd > ins { display: inline; } body { padding: 1rem .75rem 3rem; } }
@media print { section { break-inside: avoid; } .skip { display: none; } }
`;

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
${boxesOf(view)
  .map((box) => `<p class="waiting">${spansHtml(box)}</p>\n`)
  .join("")}</header>
${contentsHtml(view)}<main id="changes">
${view.sections.map(sectionHtml).join("\n")}
${remarksHtml(view)}${stepsHtml(view)}${view.notes.map((note) => `<p>${escapeHtml(note)}</p>\n`).join("")}</main>
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
