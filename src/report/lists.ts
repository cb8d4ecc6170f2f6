// Orders, webhooks, deliveries, venues, formatted files, and what comes.
import { structuredPatch } from "diff";
import { dateOf } from "../model/address.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { sameInAnyCase, type Venue } from "../model/live.ts";
import type { PlannedPhase } from "../model/plan.ts";
import { dayMs, formatLocalMoment, formatLocalTime, formatMoment } from "../model/time.ts";
import { findSecret, formatCount, pluralize, yamlWord } from "../model/value.ts";
import { phaseWords } from "./plan-view/waiting.ts";
import { markdownCell, markdownTable } from "./text/markdown.ts";
import { disarmCell, safeJson, safeText } from "./text/sanitize.ts";
import { renderTable } from "./text/table.ts";
import { renderSentence } from "./text/terminal-text.ts";

export { type AccountView, accountLines } from "./lists/account.ts";
export * from "./lists/orders.ts";
export * from "./lists/state.ts";
export {
  type RotationReport,
  renderDeliveriesText,
  renderWebhooksText,
  rotationProblems,
  rotationSentences,
  type WebhookView,
} from "./lists/webhooks.ts";

// What `fmt` did to files, or would do.

export interface FormattedFile {
  readonly file: string;
  readonly before: string;
  readonly text: string;
  /** Its lines are not shown. */
  readonly hasSecret: boolean;
}

export interface FormatReport {
  /** Nothing was written. */
  readonly check: boolean;
  readonly files: number;
  readonly changed: readonly FormattedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether every file has, or now has, the one layout. */
export function isFormatted({ check, changed, diagnostics }: FormatReport): boolean {
  return !hasErrors(diagnostics) && !(check && changed.length > 0);
}

export function renderFormattedJson(report: FormatReport): string {
  const { check, files, changed, diagnostics } = report;
  const names = changed.map(({ file }) => file);
  return `${safeJson({ formatVersion: 1, ok: isFormatted(report), check, files, changed: names, diagnostics })}\n`;
}

/** One line a file; with `diffs`, what changes in it. */
export function renderFormattedText(report: FormatReport, { diffs }: { readonly diffs: boolean }): string {
  const lines = report.changed.flatMap((file) => [safeText(file.file), ...(diffs ? patchLines(file) : [])]);
  // None was found: the errors say why.
  if (report.files === 0 && report.diagnostics.length > 0) return "";
  return [...lines, formatSummary(report)].map((line) => `${line}\n`).join("");
}

function formatSummary({ check, files, changed, diagnostics }: FormatReport): string {
  const left = new Set(
    diagnostics.flatMap(({ severity, source }) => (severity === "error" && source !== undefined ? [source.file] : [])),
  );
  const errors = left.size === 0 ? "" : ` ${pluralize(left.size, "file")} could not be formatted.`;
  const fine = files - Math.min(files, left.size);
  if (fine === 0 && left.size > 0) return errors.trim();
  if (changed.length === 0)
    return `${pluralize(fine, "file")} ${fine === 1 ? "was" : "were"} already formatted.${errors}`;
  const of = `${formatCount(changed.length)} of ${pluralize(files, "file")}`;
  return check ? `${of} would change: run \`ticketing fmt\`.${errors}` : `${of} formatted.${errors}`;
}

const mostLines = 40;

function patchLines({ file, before, text, hasSecret }: FormattedFile): readonly string[] {
  if (hasSecret || findSecret(before) !== null) return ["  (not shown: it contains a secret)"];
  const { hunks } = structuredPatch(file, file, before, text, "", "", { context: 1 });
  const lines = hunks.flatMap(({ oldStart, lines }) => [
    `  line ${oldStart}:`,
    ...lines.map((line) => `  ${safeText(line)}`),
  ]);
  const more = lines.length - mostLines;
  return more <= 0 ? lines : [...lines.slice(0, mostLines), `  … ${pluralize(more, "more line")}`];
}

// Venues for the terminal: a table with ids, and the lines that put them into an event's document.

export type VenueView = Omit<Venue, "name"> & { readonly name: string | null; readonly address1: string | null };

/** By name and city if that means only this venue, which reads well; otherwise by its id. */
export function venueYaml(venue: VenueView, all: readonly VenueView[]): string {
  const { name, city } = venue;
  if (name !== null && city !== null) {
    const alike = all.filter((other) => sameInAnyCase(other.name, name) && sameInAnyCase(other.city, city));
    if (alike.length === 1) return `venue: { name: ${yamlWord(name)}, city: ${yamlWord(city)} }`;
  }
  return `venueId: ${venue.id}`;
}

interface VenuesTextOptions {
  readonly columns: number;
  readonly query: string;
  readonly city: string | null;
  /** How many the search found before the city was considered. */
  readonly found: number;
}

const mostPasted = 10;

export function renderVenuesText(venues: readonly VenueView[], options: VenuesTextOptions): string {
  if (venues.length === 0) {
    return `\n${renderSentence(nothingFound(options), { columns: options.columns, color: false })}`;
  }
  const table = renderTable(
    [{ title: "Venue" }, { title: "City" }, { title: "Id", whole: true }],
    venues.map(({ id, name, city, state }) => [name ?? "name not shown", cityAndState(city, state), id]),
    { columns: Math.min(options.columns, 120) },
  );
  const lines = venues.slice(0, mostPasted).map((venue) => `  ${safeText(venueYaml(venue, venues))}`);
  const more = venues.length > mostPasted ? [`  … for the others: use venueId with the id, or narrow the search`] : [];
  return `\n${table}\nAdd one of these to the event's file:\n${[...lines, ...more].join("\n")}\n\n${pluralize(venues.length, "venue")}.\n`;
}

function cityAndState(city: string | null, state: string | null): string {
  return [city, state].filter((part) => part !== null && part !== "").join(", ") || "not shown";
}

function nothingFound({ query, city, found }: VenuesTextOptions): string {
  if (city !== null && found > 0) {
    return `No venue in ${city} matches "${query}"; ${pluralize(found, "venue")} elsewhere ${found === 1 ? "does" : "do"}. Leave out --city to see ${found === 1 ? "it" : "them"}.`;
  }
  return `No venue matches "${query}". The search covers names only: try a shorter part of the name, without the city.`;
}

// What happens next, in order of time: for the terminal, for a comment, and as a calendar to subscribe to.

export interface ComingView extends Omit<PlannedPhase, "type"> {
  readonly type: "phase" | "phase-end" | "start" | "end";
  /** The event's name, and the zone where it happens. */
  readonly name: string;
  readonly zone: string;
  /** The end of an event, in the entry of its start. */
  readonly end?: string | undefined;
}

function whatComes(coming: ComingView): string {
  const { at, type, phase, end, zone } = coming;
  switch (type) {
    case "start":
      return end === undefined ? "starts" : `starts, until ${formatEnd(end, at, zone)}`;
    case "end":
      return "ends";
    case "phase":
      return `${phase ?? "Phase"}: ${phaseWords(coming)}`;
    case "phase-end":
      return `${phase ?? "Phase"} ends: ${phaseWords(coming)}`;
  }
}

/** Dates of a series may share a name, and only a start is on its own day. */
function comingName({ name, type, address }: ComingView): string {
  const day = type === "start" ? undefined : dateOf(address)?.day;
  return day === undefined ? name : `${name} (${day})`;
}

/** An end within a day of the start is shown as a time only. */
function formatEnd(end: string, start: string, zone: string): string {
  const isNear = Date.parse(end) - Date.parse(start) < dayMs;
  return isNear ? formatLocalTime(end, zone).slice(11) : formatLocalMoment(end, zone);
}

/** An event's end is shown with its start, if that is still to come; the end of a phase only if it changes something. */
function comingRows(coming: readonly ComingView[]): readonly ComingView[] {
  const starting = new Set(coming.filter(({ type }) => type === "start").map(({ address }) => address));
  return coming.filter(({ type, address, fields }) =>
    type === "phase-end" ? fields.length > 0 : type !== "end" || !starting.has(address),
  );
}

/** Times are as clocks show them where each event happens. */
export function renderUpcomingText(coming: readonly ComingView[], until: string | null, columns: number): string {
  const rows = comingRows(coming);
  if (rows.length === 0) return nothingComes(until);
  return renderTable(
    [{ title: "When", whole: true }, { title: "Event" }, { title: "What" }],
    rows.map((one) => [formatLocalMoment(one.at, one.zone), comingName(one), whatComes(one)]),
    { columns: Math.min(columns, 120) },
  );
}

function nothingComes(until: string | null): string {
  return until === null ? "Nothing is coming up.\n" : `Nothing is coming up until ${safeText(until)}.\n`;
}

export function renderUpcomingMarkdown(coming: readonly ComingView[], until: string | null): string {
  const rows = comingRows(coming).map((one) =>
    [formatMoment(one.at, one.zone), comingName(one), whatComes(one)].map(markdownCell),
  );
  if (rows.length === 0) return nothingComes(until);
  return `${markdownTable([{ title: "When" }, { title: "Event" }, { title: "What" }], rows).join("\n")}\n`;
}

/** RFC 5545. An event's end is the end of its own entry; phases are moments. `now`: when it was made. */
export function renderUpcomingCalendar(coming: readonly ComingView[], now: number): string {
  const known = new Map<string, number>();
  const entries = comingRows(coming).flatMap((one) => {
    if (one.type === "end") return [];
    // The same for as long as it is to come, whatever else of its event has passed.
    const moment = one.type === "start" ? "" : `/${one.phase ?? ""}/${calendarStamp(one.at)}`;
    const uid = `${one.type}/${one.address}${moment}`;
    // Phases alike at one instant come up and pass together, so that each keeps its number.
    const number = (known.get(uid) ?? 0) + 1;
    known.set(uid, number);
    return [
      "BEGIN:VEVENT",
      `UID:${icalText(number === 1 ? uid : `${uid}/${number}`)}`,
      `DTSTAMP:${calendarStamp(new Date(now).toISOString())}`,
      `DTSTART:${calendarStamp(one.at)}`,
      ...(one.end === undefined ? [] : [`DTEND:${calendarStamp(one.end)}`]),
      `SUMMARY:${icalText(one.type === "start" ? one.name : `${comingName(one)}: ${whatComes(one)}`)}`,
      `DESCRIPTION:${icalText(one.address)}`,
      "END:VEVENT",
    ];
  });
  const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ticketing//upcoming//EN", ...entries, "END:VCALENDAR"];
  return `${lines.flatMap(foldLine).join("\r\n")}\r\n`;
}

function calendarStamp(iso: string): string {
  return `${iso.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

function icalText(text: string): string {
  const safe = safeText(text);
  // Such a long run of spaces and colons could not be folded without a line that begins with one of them.
  return (/[\s:]{24}/.test(safe) ? disarmCell(safe) : safe)
    .replaceAll(/\r?\n/g, " ")
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`);
}

const longestLine = 75;

/**
 * A line has at most 75 bytes; a longer one continues below, after a space. Not before a space or a colon: a workflow's runner
 * treats a line that begins with two colons as a command, even after spaces.
 */
function foldLine(line: string): readonly string[] {
  const lines = [""];
  for (const word of line.match(/[^\s:]?[\s:]{0,23}/gu) ?? []) {
    if (Buffer.byteLength(`${lines.at(-1)}${word}`) > longestLine) lines.push(" ");
    lines[lines.length - 1] += word;
  }
  return lines;
}
