// What reports say line by line, as HTML. Arrows and colors have a text for screen readers.
import type { Diagnostic } from "../../model/diagnostic.ts";
import { escapeHtml, formatCount } from "../../model/value.ts";
import { becomes, type DiffLine, type ReportLine, type TextSpan } from "../text/line.ts";
import { describePlace, severityNames } from "../text/page.ts";
import { safeLines } from "../text/sanitize.ts";
import { codeHtml, sentenceHtml } from "./frame.ts";

export function spansHtml(spans: readonly TextSpan[]): string {
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
      return sentenceHtml(span.text);
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

/** Fields in one list, everything else around it in paragraphs, in the order of the lines. */
export function linesHtml(lines: readonly ReportLine[]): string {
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
          return `<p><strong>blocked</strong> <span class="quiet">(${codeHtml(line.code)})</span> ${messageHtml(message)}</p>`;
        }),
        `<p><strong>fix:</strong> ${sentenceHtml(line.hint)}</p></div>\n`,
      ].join("");
  }
}

/** Problems, each with its place, its lines and how to fix it. */
export function diagnosticsHtml(diagnostics: readonly Diagnostic[]): string {
  return `<ul class="remarks">\n${diagnostics.map(diagnosticHtml).join("\n")}\n</ul>`;
}

function diagnosticHtml(diagnostic: Diagnostic): string {
  const { code, message, hint } = diagnostic;
  const place = describePlace(diagnostic);
  const at = place === null ? "" : ` at <code>${escapeHtml(place)}</code>`;
  const fix = hint === undefined ? "" : `<p><strong>fix:</strong> ${messageHtml(safeLines(hint))}</p>`;
  const severity = severityNames[diagnostic.severity];
  return `<li class="${severity}"><p><strong>${severity}</strong>${at} <span class="quiet">(${codeHtml(code)})</span></p><p>${messageHtml(safeLines(message))}</p>${fix}</li>`;
}

function messageHtml(message: readonly string[]): string {
  return message.map((text) => sentenceHtml(text.trim())).join("<br>");
}

const spokenMarks: Readonly<Record<DiffLine["mark"], string>> = {
  "+": "added",
  "-": "goes",
  "~": "changed",
  "=": "stays",
  "…": "",
};

export function diffHtml(lines: readonly DiffLine[]): string {
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
