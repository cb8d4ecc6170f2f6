// `status` of many events: one line each, in as many columns as the terminal has room for.
import { dayMs, formatLocalDay, formatShortMoment } from "../../model/time.ts";
import { formatCount, groupBy, pluralize } from "../../model/value.ts";
import { disarmCell, safeText } from "../text/sanitize.ts";
import { cutText, displayWidth, layCells } from "../text/table.ts";
import { headingLines, type Page, paragraph, piece, type Tone } from "../text/terminal-text.ts";
import { type EventFigures, isClosed, type SeriesFigures } from "./figures.ts";
import {
  formatDaysToGo,
  formatLeft,
  formatSold,
  formatSoldCount,
  formatTakings,
  isNotLive,
  type StatusGroup,
  type StatusMark,
  statusMark,
} from "./groups.ts";

export interface OverviewRow {
  readonly mark: StatusMark;
  /** Of a date below its series. */
  readonly indent: boolean;
  readonly cells: Readonly<Record<ColumnName, string>>;
  /** Instead of cells: what is not listed. */
  readonly note?: string;
  readonly isHeading?: true;
  /** Of a date with the same name as its series: what to type after the series' key and `@`. */
  readonly day?: string;
}

/** From left to right. */
const titles = {
  name: "Event",
  start: "Start",
  days: "To go",
  status: "Status",
  sold: "Sold",
  bar: "",
  left: "Left",
  gross: "Gross",
  net: "Net",
} as const;
type ColumnName = keyof typeof titles;

const order = Object.keys(titles) as ColumnName[];
const numeric: ReadonlySet<ColumnName> = new Set(["days", "sold", "left", "gross", "net"]);
/** The parts that a line needs, and those that are added as long as there is room. */
const always: readonly ColumnName[] = ["name", "start", "sold", "left"];
const further: readonly ColumnName[] = ["gross", "status", "net", "days", "bar"];

const barWidth = 8;
const widestName = 44;
/** A name has this much room before a column is added, and this much at least. */
const readableName = 22;
const narrowestName = 14;
const gap = 2;

/** A row for each event, below a row for each series; of many dates only the first ones, unless `all`. */
export function overviewRows(groups: readonly StatusGroup[], all: boolean): readonly OverviewRow[] {
  return groups.flatMap((group) =>
    group.sums === null ? group.events.map((event) => eventRow(event)) : groupRows(group, group.sums, all),
  );
}

const fewDates = 5;
const shownDates = 3;

function groupRows(group: StatusGroup, sums: SeriesFigures, all: boolean): readonly OverviewRow[] {
  const { key, events } = group;
  // Those that are over have no key.
  const shown = all || events.length <= fewDates ? events : key === null ? [] : events.slice(0, shownDates);
  // With its time, as the others have it: within one year it is clear which day is meant.
  const isShort = Date.parse(sums.until ?? "") - Date.parse(sums.from ?? "") < 330 * dayMs;
  const withTime = isShort && shown.some(isNear) ? true : undefined;
  const dates = [groupRow(group, sums), ...shown.map((event) => dateRow(event, group.name, withTime))];
  const hidden = events.length - shown.length;
  if (hidden === 0 || key === null) return dates;
  const marks = groupBy(events.slice(shown.length).map(statusMark), (mark) => mark);
  const [first = " "] = marks.size === 1 ? marks.keys() : [];
  const marked = [...marks].filter(([mark]) => marks.size > 1 && mark !== " ");
  const which = marked.map(([mark, all]) => `, ${formatCount(all.length)} with ${mark}`).join("");
  const note = `${pluralize(hidden, "more date")}${which} (all: \`ticketing status ${safeText(key)}\`)`;
  return [...dates, { mark: first, indent: true, cells: noCells, note }];
}

/** The name of its series need not be repeated. */
function dateRow(event: EventFigures, seriesName: string, withTime: boolean | undefined): OverviewRow {
  const row = eventRow(event, withTime);
  const own = event.name.startsWith(seriesName)
    ? event.name.slice(seriesName.length).replace(/^[\s:,;|/·–—-]+/u, "")
    : event.name;
  const day = own === "" ? event.key?.split("@")[1] : undefined;
  return { ...row, indent: true, ...(day === undefined ? {} : { day }), cells: { ...row.cells, name: shownName(own) } };
}

const noCells = { name: "", start: "", days: "", status: "", sold: "", bar: "", left: "", gross: "", net: "" };

function groupRow({ key, name, events }: StatusGroup, sums: SeriesFigures): OverviewRow {
  const zone = events[0]?.timezone ?? "UTC";
  const day = (instant: string | null) => (instant === null ? "?" : dayOf(instant, zone));
  const soldOut = sums.soldOut > 0 && sums.soldOut === events.length;
  const common = {
    ...noCells,
    name: shownName(name),
    status: key === null ? "" : pluralize(events.length, "date"),
    start: `${day(sums.from)}–${day(sums.until)}`,
  };
  const heading = { mark: " ", indent: false, isHeading: true } as const;
  if (isNotLive(events)) return { ...heading, cells: { ...common, left: "not live" } };
  const left = soldOut ? "sold out" : events.every(isClosed) ? "closed" : formatSold(sums.remaining);
  return { ...heading, cells: { ...common, ...figureCells(sums), left } };
}

function figureCells(counted: SeriesFigures | EventFigures) {
  const { sold, quantity, gross, net } = counted;
  const words = formatSoldCount(counted);
  return {
    sold: quantity === null || words === "?" ? words : `${words}/${formatCount(quantity)}`,
    bar: sold === null || !quantity ? "" : barOf(sold / quantity, barWidth),
    gross: formatTakings(gross),
    net: formatTakings(net),
  };
}

/** `8 Jan`: weekday and time are those of each date. */
function dayOf(instant: string, zone: string): string {
  return safeText(formatShortMoment(instant, zone)).split(" ").slice(1, 3).join(" ");
}

/** `withTime`: the time of its start is shown, else the year. */
export function eventRow(event: EventFigures, withTime = isNear(event)): OverviewRow {
  const isLive = event.id !== null;
  const start = startText(event, withTime);
  const status = isLive ? (event.status ?? "not shown") : "not live";
  const days = formatDaysToGo(event);
  const common = { ...noCells, name: shownName(event.name), start, days, status, left: leftOf(event) };
  const bare = event.tickets?.length === 0 ? { sold: "", bar: "" } : {};
  const cells = isLive ? { ...common, ...figureCells(event), ...bare } : common;
  return { mark: statusMark(event), indent: false, cells };
}

function leftOf(event: EventFigures): string {
  const { id, tickets, capacity, sold, soldOut } = event;
  if (id === null) return "not live";
  if (tickets?.length === 0) return "no types";
  const over = capacity === null ? 0 : (sold ?? 0) - capacity;
  if (over > 0) return `over by ${formatCount(over)}`;
  return soldOut ? "sold out" : formatLeft({ ...event, isOver: isClosed(event) });
}

/** Cut if it is longer than the figures next to it allow: nothing of it may grow after that. */
function shownName(name: string): string {
  return disarmCell(safeText(name));
}

/** Whether the date is clear without its year. */
function isNear({ daysToGo }: EventFigures): boolean {
  return daysToGo === null || (daysToGo > -60 && daysToGo < 330);
}

function startText({ dateTime, timezone }: EventFigures, withTime: boolean): string {
  if (dateTime === null) return "not shown";
  return safeText(withTime ? formatShortMoment(dateTime, timezone) : formatLocalDay(dateTime, timezone));
}

/** Not empty once anything is sold, and not full before everything is. */
export function barOf(part: number, width: number): string {
  const full = Math.min(width, Math.max(0, Math.floor(part * width)));
  const shown = part > 0 && full === 0 ? 1 : full;
  return "█".repeat(shown) + "░".repeat(width - shown);
}

/** Titles and rows as lines of the page. On a very narrow page, each event has one for its name and one for its figures. */
export function overviewLines(page: Page, rows: readonly OverviewRow[]): readonly string[] {
  const widths = widthsOf(rows);
  const chosen = chooseColumns(widths, page.columns);
  if (chosen === null) return rows.flatMap((row) => stackedLines(page, row));
  const missing = order.filter((name) => widths[name] > 0 && !chosen.has(name) && titles[name] !== "");
  const words = `No room for: ${missing.map((name) => titles[name]).join(", ")}. A wider terminal or --format html shows all.`;
  const remark = missing.length === 0 ? [] : ["", ...paragraph(page, [piece("quiet", words)], 0, 2)];
  return [...columnLines(page, rows, chosen), ...remark];
}

type Widths = Readonly<Record<ColumnName, number>>;

function widthsOf(rows: readonly OverviewRow[]): Widths {
  const widest = (name: ColumnName) => {
    const most = rows.reduce((sum, row) => Math.max(sum, leadOf(row, name) + cellWidth(row, name)), 0);
    // A column without content is left out, unless it is always shown.
    return most === 0 && !always.includes(name) ? 0 : Math.max(most, displayWidth(titles[name]));
  };
  return Object.fromEntries(order.map((name) => [name, widest(name)])) as Widths;
}

function nameCell({ cells, day }: OverviewRow): string {
  return cells.name || (day === undefined ? "" : `@${day}`);
}

/** The status may take the place of what is left. */
function cellWidth(row: OverviewRow, name: ColumnName): number {
  const own = displayWidth(name === "name" ? nameCell(row) : row.cells[name]);
  return name === "left" ? Math.max(own, displayWidth(shownCell(row, name, false))) : own;
}

/** Before a name: its mark, and the step to the right below a series. */
function leadOf({ indent }: OverviewRow, name: ColumnName): number {
  return name !== "name" ? 0 : indent ? 4 : 2;
}

/** The columns that fit with their widths; null if not even the ones that matter most do. */
function chooseColumns(widths: Widths, room: number): ReadonlyMap<ColumnName, number> | null {
  const used = (names: readonly ColumnName[]) =>
    names.reduce((sum, name) => sum + (name === "name" ? 0 : widths[name] + gap), 0);
  const chosen: ColumnName[] = [...always];
  if (used(chosen) + Math.min(widths.name, narrowestName) > room) return null;
  const least = Math.min(widths.name, readableName);
  for (const name of further) {
    if (widths[name] > 0 && used([...chosen, name]) + least <= room) chosen.push(name);
  }
  const ordered = order.filter((name) => chosen.includes(name));
  const nameWidth = Math.min(widths.name, widestName, room - used(ordered));
  return new Map(ordered.map((name) => [name, name === "name" ? nameWidth : widths[name]]));
}

function columnLines(page: Page, rows: readonly OverviewRow[], chosen: ReadonlyMap<ColumnName, number>) {
  const columns = [...chosen].map(([name, width]) => ({
    width,
    align: numeric.has(name) ? ("right" as const) : undefined,
  }));
  const shown = [...chosen.keys()].map((name) => titles[name]);
  const hasStatus = chosen.has("status");
  return [
    ...headingLines(page, columns, shown),
    ...rows.flatMap((row) => {
      if (row.note !== undefined) return noteLines(page, row);
      const cells = [...chosen].map(([name, width]) => {
        if (name !== "name") return shownCell(row, name, hasStatus);
        const lead = row.indent ? `  ${row.mark} ` : `${row.mark} `;
        return lead + cutText(nameCell(row), width - lead.length);
      });
      return layCells(columns, cells).map((line) => page.paint([piece(toneOf(row), line)]));
    }),
  ];
}

/** Without a status column, the column of what is left says that it is a draft, because its tickets cannot be bought. */
function shownCell({ cells, isHeading }: OverviewRow, name: ColumnName, hasStatus: boolean): string {
  if (name !== "left" || hasStatus || isHeading === true || cells.status === "PUBLISHED" || cells.status === "")
    return cells[name];
  return cells.left === "not live" ? cells.left : cells.status.toLowerCase();
}

function noteLines(page: Page, row: OverviewRow): readonly string[] {
  return paragraph(page, [piece("quiet", row.note ?? "")], row.indent ? 4 : 2, row.indent ? 6 : 4);
}

function stackedLines(page: Page, row: OverviewRow): readonly string[] {
  if (row.note !== undefined) return noteLines(page, row);
  const { cells } = row;
  const indent = row.indent ? 2 : 0;
  const name = row.indent && cells.name === "" ? [] : [piece(toneOf(row), `${row.mark} ${cells.name}`)];
  const left = /^[\d,?]+$/.test(cells.left) ? `${cells.left} left` : cells.left;
  const status = cells.status === "PUBLISHED" || cells.status === left ? "" : cells.status;
  // The dates of a series are many, and their sums are above them.
  const facts = [cells.start, cells.sold, left, status, ...(row.indent ? [] : [cells.days, cells.gross])];
  // Lines end between them, not within.
  const text = facts
    .filter((fact) => fact !== "")
    .map((fact) => fact.replaceAll(" ", "\u00a0"))
    .join(" · ");
  return [
    ...(name.length === 0 ? [] : paragraph(page, name, indent, indent + 2)),
    ...(name.length === 0 && row.mark !== " "
      ? paragraph(page, [piece(toneOf(row), row.mark), piece("quiet", ` ${text}`)], indent, indent + 2)
      : paragraph(page, [piece("quiet", text)], indent + 2)),
  ];
}

export const toneOfMark: Readonly<Record<StatusMark, Tone>> = {
  "-": "delete",
  "?": "quiet",
  "~": "change",
  "+": "create",
  " ": "word",
};

function toneOf({ mark, isHeading }: OverviewRow): Tone {
  return isHeading === true ? "heading" : toneOfMark[mark];
}
