import { diffArrays, diffWordsWithSpace } from "diff";
import { formatCount, maskUrls } from "../../model/value.ts";
import { safeText } from "./sanitize.ts";

/** One thing that a report says about an object, whatever the format. */
export type ReportLine =
  | { readonly type: "field"; readonly label: string; readonly spans: readonly TextSpan[] }
  | {
      readonly type: "text";
      readonly label: string;
      readonly remark: readonly TextSpan[];
      readonly lines: readonly DiffLine[];
    }
  | { readonly type: "note"; readonly spans: readonly TextSpan[] }
  /** If one line shows several alike objects: their names, and how many more there are. */
  | { readonly type: "names"; readonly names: readonly string[]; readonly more: number; readonly tail: string }
  | {
      readonly type: "blocked";
      readonly code: string;
      readonly messages: readonly (readonly string[])[];
      readonly hint: string;
    };

/**
 * A stretch of text and what it is to the reader, so that each format can set it off in its own way.
 *
 * | role   | means                                                          |
 * |--------|----------------------------------------------------------------|
 * | word   | our own words                                                  |
 * | quiet  | our own words, of less weight                                  |
 * | prose  | a sentence of a rule or of the service, with data within it    |
 * | name   | what an object is called                                       |
 * | value  | data that stays, or of which there is only one side            |
 * | before | data as it is on the service                                   |
 * | after  | data as the files want it                                      |
 */
export interface TextSpan {
  readonly role: "word" | "quiet" | "prose" | "name" | "value" | "before" | "after";
  readonly text: string;
}

export function word(text: string): TextSpan {
  return { role: "word", text };
}

export const becomes: TextSpan = word(" → ");

export function quiet(text: string): TextSpan {
  return { role: "quiet", text };
}

/** Data as it is in files or on the service. */
export function value(text: string): TextSpan {
  return { role: "value", text: safeText(text) };
}

export function plainText(spans: readonly TextSpan[]): string {
  return spans.map((span) => span.text).join("");
}

// Long text next to long text: lines where it has lines, words where a line was only touched.

/**
 * | mark | the line                                              |
 * |------|-------------------------------------------------------|
 * | `+`  | is added                                              |
 * | `-`  | goes                                                  |
 * | `~`  | stays, with words that go and words that are added    |
 * | `=`  | stays, shown for orientation                          |
 * | `…`  | in place of lines that are not shown                  |
 */
export interface DiffLine {
  readonly mark: "+" | "-" | "~" | "=" | "…";
  readonly spans: readonly TextSpan[];
}

/** A span as it is written where colors may be missing: removed and added words within a line are marked by signs. */
export function markWords({ mark }: DiffLine, { role, text }: TextSpan): string {
  if (mark !== "~" || (role !== "before" && role !== "after")) return text;
  return role === "before" ? `[-${text}-]` : `{+${text}+}`;
}

/** What those signs mean, if the lines use them. */
export function wordsLegend(lines: readonly DiffLine[]): readonly string[] {
  return lines.some(({ mark }) => mark === "~") ? ["(removed words in [-…-], added words in {+…+})"] : [];
}

// More edits than these are not a touched text but another one, and finding the fewest would take too long.
const mostWordEdits = 200;
const mostLineEdits = 300;
/** Words that stay are shown this far around words that change. */
const around = 48;

export function diffText(before: string, after: string): readonly DiffLine[] {
  return diffLines(before.split("\n"), after.split("\n"));
}

/** Lines, or the items of a list. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  // Masked first: once a line is in words, a token in it no longer looks like part of a URL.
  const [from, to] = [before.map(maskUrls), after.map(maskUrls)];
  const parts = diffArrays(from, to, { maxEditLength: mostLineEdits });
  if (parts === undefined) return [...from.map(goes), ...to.map(comes)];
  const lines: DiffLine[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) continue;
    const following = parts[at + 1];
    if (part.removed && following?.added) {
      lines.push(...diffRun(part.value, following.value));
      at += 1;
    } else if (part.removed) lines.push(...part.value.map(goes));
    else if (part.added) lines.push(...part.value.map(comes));
    else lines.push(...unchanged(part.value, at === 0, at === parts.length - 1));
  }
  return lines;
}

function goes(text: string): DiffLine {
  return { mark: "-", spans: [{ role: "before", text: safeText(text) }] };
}

function comes(text: string): DiffLine {
  return { mark: "+", spans: [{ role: "after", text: safeText(text) }] };
}

// As many lines are removed as are added: most likely each was touched, so each is shown next to its successor.
function diffRun(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length !== after.length) return [...before.map(goes), ...after.map(comes)];
  return before.flatMap((line, index) => {
    const other = after[index] ?? "";
    const touched = diffTouchedLine(line, other);
    return touched === null ? [goes(line), comes(other)] : [touched];
  });
}

/** null: too little stays for a reader to see it as one line. */
function diffTouchedLine(before: string, after: string): DiffLine | null {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostWordEdits });
  if (parts === undefined) return null;
  const stays = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.length), 0);
  if (stays * 2 < Math.max(before.length, after.length)) return null;
  const spans = parts.flatMap((part, index): readonly TextSpan[] => {
    if (part.removed) return changedWords("before", part.value);
    if (part.added) return changedWords("after", part.value);
    return [value(shortenMiddle(part.value, index > 0, index < parts.length - 1))];
  });
  return { mark: "~", spans };
}

// Spaces around words belong to the line, unless nothing but spaces changes.
function changedWords(role: "before" | "after", text: string): readonly TextSpan[] {
  const lead = /^ */.exec(text)?.[0] ?? "";
  const tail = /(?<! ) *$/.exec(text)?.[0] ?? "";
  if (lead === text) return [{ role, text: safeText(text) }];
  const words = text.slice(lead.length, text.length - tail.length);
  const spans: readonly TextSpan[] = [
    { role: "value", text: lead },
    { role, text: safeText(words) },
    { role: "value", text: tail },
  ];
  return spans.filter((span) => span.text !== "");
}

function shortenMiddle(text: string, follows: boolean, precedes: boolean): string {
  const characters = [...text];
  const head = follows ? around : 0;
  const tail = precedes ? around : 0;
  if (characters.length <= head + tail + 16) return text;
  // Cut where a word ends, if one does nearby.
  const start = characters
    .slice(0, head)
    .join("")
    .replace(/(?<=\s)\S{1,12}$/, "")
    .trimEnd();
  const end = characters
    .slice(characters.length - tail)
    .join("")
    .replace(/^\S{1,12}(?=\s)/, "")
    .trimStart();
  return `${start}${head === 0 ? "" : " "}…${tail === 0 ? "" : " "}${end}`;
}

function unchanged(lines: readonly string[], isFirst: boolean, isLast: boolean): readonly DiffLine[] {
  const head = isFirst ? 0 : 1;
  const tail = isLast ? 0 : 1;
  const hidden = lines.length - head - tail;
  if (hidden < 2) return lines.map(stays);
  return [
    ...lines.slice(0, head).map(stays),
    { mark: "…", spans: [quiet(`${formatCount(hidden)} unchanged lines`)] },
    ...lines.slice(lines.length - tail).map(stays),
  ];
}

function stays(text: string): DiffLine {
  return { mark: "=", spans: [value(text)] };
}
