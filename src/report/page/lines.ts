// The lines of reports as HTML. Arrows and colors have a text for screen readers.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { CardPair, EventCard } from "../../model/live.ts";
import { formatLocalMoment, readWallClock } from "../../model/time.ts";
import { escapeHtml, formatCount, type Group, groupBy, withoutEnd } from "../../model/value.ts";
import { becomes, type DiffLine, type ReportLine, type TextSpan } from "../text/line.ts";
import { safeLines } from "../text/sanitize.ts";
import { describePlace, severityNames } from "../text/terminal-text.ts";
import { codeHtml, sentenceHtml, textHtml } from "./frame.ts";

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
          return `<p><strong>blocked</strong><span class="quiet">[${codeHtml(line.code)}]</span> ${messageHtml(message)}</p>`;
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
  const at = place === null ? "" : ` <code>${escapeHtml(place)}</code>`;
  const fix = hint === undefined ? "" : `<p><strong>fix:</strong> ${messageHtml(safeLines(hint))}</p>`;
  const severity = severityNames[diagnostic.severity];
  return `<li class="${severity}"><p><strong>${severity}</strong><span class="quiet">[${codeHtml(code)}]</span>${at}</p><p>${messageHtml(safeLines(message))}</p>${fix}</li>`;
}

function messageHtml(message: readonly string[]): string {
  return message.map((text) => sentenceHtml(text.trim())).join("<br>");
}

const spokenMarks: Readonly<Record<DiffLine["mark"], string>> = {
  "+": "added",
  "-": "removed",
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

// The dates of a series as a calendar: a row for each month, and which are added, changed or deleted, or differ from the rest.

interface CalendarEntry {
  readonly start: string;
  readonly timezone: string;
  /** A class of the page's style, which repeats in color what the words say. */
  readonly cssClass: string;
  /** What is shown for the day, such as `Fri 8`, and the time, such as `22:00`. */
  html(day: string, time: string): string;
}

/** In order of time; a start that is not known comes last. */
export function compareStarts(one: string | null, other: string | null): number {
  const [first, second] = [one, other].map((start) => {
    const instant = Date.parse(start ?? "");
    return Number.isNaN(instant) ? Number.POSITIVE_INFINITY : instant;
  }) as [number, number];
  return first === second ? 0 : first - second;
}

/** Dates whose start is not known have no place in it. */
export function calendarHtml(dates: readonly CalendarEntry[]): string {
  const sorted = dates
    .filter(({ start, timezone }) => readWallClock(start, timezone) !== null)
    .sort((one, other) => compareStarts(one.start, other.start))
    .map((date) => ({ date, words: formatLocalMoment(date.start, date.timezone).split(" ") }));
  const months = groupBy(sorted, ({ words: [, , month, year] }) => `${month} ${year}`);
  const rows = [...months].map(([month, days]) => {
    const items = days.map(({ date, words: [weekday, day, , , time = ""] }) => {
      return `<li class="${date.cssClass}">${date.html(`${weekday} ${day}`, time)}</li>`;
    });
    return `<li><span class="month">${textHtml(month)}</span><ol>${items.join("")}</ol></li>`;
  });
  return `<ol class="calendar">${rows.join("\n")}</ol>`;
}

type DateWord = "new" | "changed" | "deleted" | "archived" | "blocked";

interface PairedDate {
  readonly pair: CardPair;
  readonly isBlocked: boolean;
}

/** Dates whose cards differ only in their time, the largest group first; each group in order of time. */
export function groupDates(pairs: readonly CardPair[]): readonly Group<CardPair>[] {
  const sorted = [...pairs].sort((one, other) => compareStarts(pairStart(one), pairStart(other)));
  const groups = [...groupBy(sorted, likenessKey).values()];
  return groups.sort((one, other) => other.length - one.length);
}

function likenessKey(pair: CardPair): string {
  const { address, before, after } = pair;
  const start = Date.parse(pairStart(pair) ?? "");
  const plain = (card: EventCard | null) => {
    if (card === null) return null;
    const fromStart = (instant: string | null) => (instant === null ? null : Date.parse(instant) - start);
    return {
      ...card,
      start: fromStart(card.start),
      end: fromStart(card.end),
      // What is sold differs from date to date.
      tickets: card.tickets?.map(({ left: _, sold: __, soldOut: ___, ...rest }) => rest),
      schedule: card.schedule?.map((entry) => ({ ...entry, start: fromStart(entry.start), end: fromStart(entry.end) })),
    };
  };
  // The keys of what is below hold the address of the date.
  return JSON.stringify([plain(before), plain(after)]).replaceAll(address, "");
}

function pairStart({ before, after }: CardPair): string | null {
  return after?.start ?? before?.start ?? null;
}

export function dateWord({ before, after }: CardPair, isBlocked: boolean): DateWord {
  if (isBlocked) return "blocked";
  if (after === null) return "deleted";
  if (after.status === "ARCHIVED" && before?.status !== "ARCHIVED") return "archived";
  return before === null ? "new" : "changed";
}

/** What happens to each date, in words; unchanged ones are shown without. */
export function stripHtml(dates: readonly PairedDate[]): string {
  const staying = (dates[0]?.pair.staying ?? []).map(({ start, timezone }) => ({
    start,
    timezone,
    cssClass: "staying",
    html: (day: string, time: string) => `<span>${day} ${time}<span class="spoken"> unchanged</span></span>`,
  }));
  return calendarHtml([
    ...staying,
    ...dates.map((date) => {
      const card = date.pair.after ?? date.pair.before;
      const word = dateWord(date.pair, date.isBlocked);
      const moved = movedFrom(date.pair);
      const was = moved === "" ? "" : ` <small>was ${escapeHtml(moved)}</small>`;
      return {
        start: card?.start ?? "",
        timezone: card?.timezone ?? "",
        cssClass: word,
        html: (day: string, time: string) => `<b>${day}</b> <span>${time}</span> <em>${word}</em>${was}`,
      };
    }),
  ]);
}

/** When it was to start before, if that changes. */
function movedFrom({ before, after }: CardPair): string {
  if (!before?.start || !after?.start || before.start === after.start) return "";
  return formatLocalMoment(before.start, before.timezone);
}

/** How the names of all dates begin: "Friday Club" of "Friday Club: DJ Ana" and "Friday Club: Residents". */
export function nameOfSeries(key: string, dates: readonly { readonly name: string }[]): string {
  const [first = key, ...others] = [...new Set(dates.map(({ name }) => name))];
  if (others.length === 0) return first;
  const words = first.split(" ");
  const bare = (word: string | undefined) => withoutEnd(word ?? "", ":,;");
  const differs = words.findIndex((word, index) => others.some((name) => bare(name.split(" ")[index]) !== bare(word)));
  const common = withoutEnd(words.slice(0, differs === -1 ? words.length : differs).join(" "), " \t:,;|/·–—-");
  return common.length >= 3 ? common : key;
}
