// What comes, in order of time: for the terminal, for a comment, and as a calendar that people can subscribe to.
import { dayMs, formatLocalMoment, formatLocalTime, formatMoment } from "../../model/time.ts";
import { changeWords } from "../plan-view/waiting.ts";
import { markdownCell, markdownTable } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";
import { renderTable } from "../text/table.ts";

export interface ComingView {
  /** ISO 8601. */
  readonly at: string;
  readonly address: string;
  readonly type: "phase" | "phase-end" | "start" | "end";
  /** The phase's name. */
  readonly phase: string | null;
  /** JSON pointers of what changes. */
  readonly fields: readonly string[];
  /** The event's name, and the zone where it happens. */
  readonly name: string;
  readonly zone: string;
  /** The status that a phase sets. */
  readonly status?: string | undefined;
  /** When an event ends that starts. */
  readonly end?: string | undefined;
}

function whatComes({ at, type, phase, fields, status, end, zone }: ComingView): string {
  switch (type) {
    case "start":
      return end === undefined ? "starts" : `starts, until ${endOf(end, at, zone)}`;
    case "end":
      return "ends";
    case "phase":
      return `${phase ?? "Phase"}: ${changeWords(fields, status)}`;
    case "phase-end":
      return `${phase ?? "Phase"} ends: ${changeWords(fields, status)}`;
  }
}

/** Within a day, the clock says it. */
function endOf(end: string, start: string, zone: string): string {
  const isNear = Date.parse(end) - Date.parse(start) < dayMs;
  return isNear ? formatLocalTime(end, zone).slice(11) : formatLocalMoment(end, zone);
}

/** An event's end is shown with its start, if that is still to come. */
function rowsOf(coming: readonly ComingView[]): readonly ComingView[] {
  const starting = new Set(coming.filter(({ type }) => type === "start").map(({ address }) => address));
  return coming.filter(({ type, address }) => type !== "end" || !starting.has(address));
}

/** Times are as clocks show them where each event happens. */
export function renderUpcomingText(coming: readonly ComingView[], columns: number): string {
  if (coming.length === 0) return "Nothing is coming up.\n";
  return renderTable(
    [{ title: "When", whole: true }, { title: "Event" }, { title: "What" }],
    rowsOf(coming).map((one) => [formatLocalMoment(one.at, one.zone), one.name, whatComes(one)]),
    { columns: Math.min(columns, 120) },
  );
}

export function renderUpcomingMarkdown(coming: readonly ComingView[]): string {
  if (coming.length === 0) return "Nothing is coming up.\n";
  const rows = rowsOf(coming).map((one) =>
    [formatMoment(one.at, one.zone), one.name, whatComes(one)].map(markdownCell),
  );
  return `${markdownTable([{ title: "When" }, { title: "Event" }, { title: "What" }], rows).join("\n")}\n`;
}

/** RFC 5545. An event's end is the end of its own entry; phases are moments. `now`: when it was made. */
export function renderUpcomingCalendar(coming: readonly ComingView[], now: number): string {
  const entries = coming.flatMap((one) => {
    if (one.type === "end") return [];
    // The same for as long as it is to come, whatever else of its event has passed.
    const moment = one.type === "start" ? "" : `/${one.phase ?? ""}/${stamp(one.at)}`;
    return [
      "BEGIN:VEVENT",
      `UID:${escaped(`${one.type}/${one.address}${moment}`)}`,
      `DTSTAMP:${stamp(new Date(now).toISOString())}`,
      `DTSTART:${stamp(one.at)}`,
      ...(one.end === undefined ? [] : [`DTEND:${stamp(one.end)}`]),
      `SUMMARY:${escaped(one.type === "start" ? one.name : `${one.name}: ${whatComes(one)}`)}`,
      `DESCRIPTION:${escaped(one.address)}`,
      "END:VEVENT",
    ];
  });
  const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ticketing//upcoming//EN", ...entries, "END:VCALENDAR"];
  return `${lines.flatMap(folded).join("\r\n")}\r\n`;
}

function stamp(iso: string): string {
  return `${iso.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

function escaped(text: string): string {
  return safeText(text)
    .replaceAll(/\r?\n/g, " ")
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`);
}

const longestLine = 75;

/** A line has at most 75 bytes; what is longer goes on below, after a space. */
function folded(line: string): readonly string[] {
  const lines = [""];
  let size = 0;
  for (const letter of line) {
    const bytes = Buffer.byteLength(letter);
    if (size + bytes > longestLine) {
      lines.push(" ");
      size = 1;
    }
    lines[lines.length - 1] += letter;
    size += bytes;
  }
  return lines;
}
