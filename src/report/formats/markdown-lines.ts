// What is said about objects, as nested Markdown lists.
import { formatCount } from "../../model/value.ts";
import type { Part } from "../plan-view/view.ts";
import type { DiffLine, Line, Span } from "../text/line.ts";
import { codeBlock, codeSpan, escapeProse, joinPieces } from "../text/markdown.ts";
import { wrapText } from "../text/wrap.ts";

// A block of code does not wrap by itself in a comment.
const codeColumns = 96;

export function spansMarkdown(spans: readonly Span[]): string {
  return joinPieces(spans.map(spanMarkdown));
}

function spanMarkdown(span: Span): string {
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

/** An object as an item of a list, with what is said about it below. */
export function partMarkdown(part: Part): readonly string[] {
  const does = part.does === "" ? "" : `: ${part.does}`;
  return [
    `- ${codeSpan(part.symbol)} ${spansMarkdown(part.title)}${does}`,
    ...indent(part.lines.flatMap(lineMarkdown)),
  ];
}

export function lineMarkdown(line: Line): readonly string[] {
  switch (line.type) {
    case "field":
      return [`- ${codeSpan(line.label)}: ${spansMarkdown(line.spans)}`];
    case "text":
      return [
        `- ${codeSpan(line.label)}:${legendOf(line.lines)}${spansMarkdown(line.remark)}`,
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
        ...line.messages.flatMap((message) => [`- **blocked** by ${codeSpan(line.code)}: ${messageMarkdown(message)}`]),
        `- **fix:** ${escapeProse(line.hint)}`,
      ];
  }
}

/** A message on one line; what it lists in lines of its own follows in breaks. */
export function messageMarkdown(message: readonly string[]): string {
  return message.map((text) => escapeProse(text.trim())).join("<br>");
}

function legendOf(lines: readonly DiffLine[]): string {
  return lines.some((line) => line.mark === "~") ? " `[-words that go-]` `{+words that come+}`" : "";
}

function diffLineText(line: DiffLine): readonly string[] {
  const text = line.spans.map((span) => {
    if (line.mark === "~" && span.role === "before") return `[-${span.text}-]`;
    return line.mark === "~" && span.role === "after" ? `{+${span.text}+}` : span.text;
  });
  const [first = "", ...rest] = wrapText(text.join(""), codeColumns);
  const mark = line.mark === "=" ? " " : line.mark;
  return [`${mark} ${first}`.trimEnd(), ...rest.map((further) => `${mark} ${further}`)];
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
