// `status` for the terminal: a row per event, a row per ticket type below it, and what was earned.
import { formatCount } from "../../model/value.ts";
import { safeText } from "../text/sanitize.ts";
import { displayWidth, type FixedColumn, layCells, roomBeside } from "../text/table.ts";
import {
  diagnosticBlocks,
  headingLines,
  joinBlocks,
  makePage,
  type Page,
  paragraph,
  piece,
  type TerminalOptions,
} from "../text/terminal-text.ts";
import { type Counted, type EventFigures, isClosed, type StatusReport, type TicketFigures } from "./figures.ts";
import {
  capacitySentence,
  closedSentence,
  describeDivergences,
  feesSentenceOf,
  formatDaysToGo,
  formatLeft,
  formatPercent,
  formatSold,
  formatSoldCount,
  formatStart,
  formatStatus,
  groupEvents,
  markMeanings,
  type StatusSort,
  salesSentence,
  sayNoEvents,
  sortEvents,
  statusMark,
  sumTypes,
  totalSentence,
} from "./groups.ts";
import { barOf, eventRow, type OverviewRow, overviewLines, overviewRows, toneOfMark } from "./overview.ts";

const barWidth = 16;
const numbers: readonly FixedColumn[] = [
  { width: 7, align: "right" },
  { width: 7, align: "right" },
  { width: 7, align: "right" },
  { width: barWidth },
  { width: 5, align: "right" },
];
const narrowestName = 12;
/** Bars and percentages need room. */
const narrowPage = 64;

/** Figures are next to the names, however wide the page is. */
function columnsOf(page: Page, title: string, names: readonly string[]): readonly FixedColumn[] {
  const shown = page.columns < narrowPage ? numbers.slice(0, 3) : numbers;
  const widest = names.reduce((most, name) => Math.max(most, widestLead + displayWidth(safeText(name))), title.length);
  return [{ width: Math.min(widest, roomBeside(shown, page.columns, narrowestName)) }, ...shown];
}

const widestLead = 4;

interface StatusTextOptions extends TerminalOptions {
  readonly sort: StatusSort;
  /** Events were named: their ticket types are shown. */
  readonly named: boolean;
  /** Every date of every series. */
  readonly verbose: boolean;
}

/** More events that were named than this are shown in a line each, unless everything is asked for. */
const fewEvents = 6;

/** Everything but the target, which is above it. */
export function renderStatusText(report: StatusReport, options: StatusTextOptions): string {
  const { events } = report;
  const inDetail = options.named && (options.verbose || events.length <= fewEvents);
  const page = inDetail ? makePage(options, 40, 120) : makePage(options, 30, 140);
  const remarks = diagnosticBlocks(page, report.diagnostics).flat();
  if (events.length === 0)
    return joinBlocks([introLines(page, report), paragraph(page, [piece("word", sayNoEvents(report))], 0, 2), remarks]);
  const rows = () => overviewRows(groupEvents(events, options.sort), options.verbose || options.named);
  return joinBlocks([
    introLines(page, report),
    inDetail ? tableLines(page, report) : overviewLines(page, rows()),
    !inDetail && options.named ? typeLines(page, report) : [],
    legendLines(page, report),
    remarks,
    totalLines(page, report),
  ]);
}

function introLines(page: Page, { target, events }: StatusReport): readonly string[] {
  const { organization } = target;
  const zones = new Set(events.map(({ timezone }) => timezone));
  const [zone = ""] = zones;
  const times =
    zones.size === 0 ? "" : zones.size === 1 ? `Times in ${safeText(zone)}.` : "Times are local to each event.";
  const text = [organization === null ? "" : `Organization: ${safeText(organization.slug)}`, times];
  const line = text.filter((part) => part !== "").join(". ");
  return line === "" ? [] : paragraph(page, [piece("word", line)], 0, 2);
}

function totalLines(page: Page, report: StatusReport): readonly string[] {
  const fees = feesSentenceOf(report);
  return [
    ...paragraph(page, [piece("heading", totalSentence(report))], 0, 2),
    ...(fees === null ? [] : paragraph(page, [piece("quiet", safeText(fees))], 0, 2)),
  ];
}

function tableLines(page: Page, report: StatusReport): readonly string[] {
  const title = "Event, ticket type";
  const names = report.events.flatMap(({ name, tickets }) => [name, ...(tickets ?? []).map(ticketName)]);
  const columns = columnsOf(page, title, names);
  return [
    ...headingLines(page, columns, [title, "Sold", "Left", "Total", "", ""]),
    ...report.events.flatMap((event, index) => [...(index === 0 ? [] : [""]), ...eventLines(page, columns, event)]),
  ];
}

function eventLines(page: Page, columns: readonly FixedColumn[], event: EventFigures): readonly string[] {
  const mark = statusMark(event);
  const isLive = event.id !== null;
  // Without ticket types there is nothing to count.
  const isOver = isClosed(event);
  const tickets = (event.tickets ?? []).map((ticket) => ({ ...ticket, isOver }));
  const counted = isLive && event.tickets?.length !== 0 ? { ...event, isOver } : null;
  const [name = "", ...further] = layRow(columns, `${mark} `, safeText(event.name), counted);
  const below = [
    ...(isLive ? [capacitySentence(event), closedSentence(event), salesSentence(event)] : []),
    event.divergences === null || event.divergences.length === 0
      ? null
      : `differs from the files: ${describeDivergences(event.divergences)}`,
  ].filter((text) => text !== null);
  const facts = `${formatStatus(event)}, ${formatStart(event)}${daysClause(event)}${event.key === null ? "" : `, events/${event.key}`}`;
  return [
    page.paint([piece(toneOfMark[mark], name)]),
    ...further,
    ...paragraph(page, [piece("quiet", safeText(facts))], 2, 4),
    ...tickets.flatMap((ticket) => layRow(columns, "    ", safeText(ticketName(ticket)), ticket)),
    ...below.flatMap((text) => paragraph(page, [piece("word", safeText(text))], 2, 4)),
  ];
}

function ticketName({ name, published }: TicketFigures): string {
  return `${name}${published === false ? " (not on sale)" : ""}`;
}

function daysClause(event: EventFigures): string {
  const days = formatDaysToGo(event);
  return days === "" || event.ended ? "" : `, ${days}`;
}

/** The sums for ticket types of one name over all these events. */
function typeLines(page: Page, { events }: StatusReport): readonly string[] {
  const types = sumTypes(events);
  if (types.length === 0) return [];
  const title = "Ticket type (all events)";
  const names = types.map(({ name }) => name);
  const columns = columnsOf(page, title, names);
  return [
    ...headingLines(page, columns, [title, "Sold", "Left", "Total", "", ""]),
    ...types.flatMap((type) => layRow(columns, "  ", safeText(type.name), type)),
  ];
}

/** The name wraps within its own column, indented as its first line is. */
function layRow([first, ...rest]: readonly FixedColumn[], lead: string, name: string, counted: Counted | null) {
  const narrow = [{ width: (first?.width ?? narrowestName) - lead.length }, ...rest];
  const lines = layCells(narrow, [name, ...(counted === null ? [] : cellsOf(counted))]);
  return lines.map((line, index) => `${index === 0 ? lead : " ".repeat(lead.length)}${line}`.trimEnd());
}

function cellsOf(counted: Counted): readonly string[] {
  const { sold, quantity } = counted;
  return [
    formatSoldCount(counted),
    formatLeft(counted),
    formatSold(quantity),
    sold === null || quantity === null || quantity <= 0 ? "" : barOf(sold / quantity, barWidth),
    formatPercent(sold, quantity),
  ];
}

function legendLines(page: Page, report: StatusReport): readonly string[] {
  const used = new Set(report.events.map(statusMark));
  return (["~", "+", "-", "?"] as const)
    .filter((mark) => used.has(mark))
    .flatMap((mark) =>
      paragraph(page, [piece(toneOfMark[mark], mark), piece("quiet", ` ${markMeanings[mark]}`)], 0, 2),
    );
}

// `status --watch`: what matters most, on one screen. Changes come first, then what starts next.

interface StatusScreenOptions extends TerminalOptions {
  readonly sort: StatusSort;
  readonly named: boolean;
  /** Lines that there is room for. */
  readonly rows: number;
}

interface ObservedEvent {
  readonly first: EventFigures;
  readonly last: string;
  /** The round in which it changed last; 0: not since the first. */
  readonly changed: number;
}

export function makeStatusScreen() {
  const observed = new Map<string, ObservedEvent>();
  let round = 0;
  const idOf = ({ id, key, name }: EventFigures) => id ?? key ?? name;

  function note(event: EventFigures): void {
    const id = idOf(event);
    const now = JSON.stringify([event.status, event.sold, event.remaining, event.gross]);
    const before = observed.get(id);
    if (before === undefined) observed.set(id, { first: event, last: now, changed: 0 });
    else if (before.last !== now) observed.set(id, { ...before, last: now, changed: round });
  }

  function rowOf(event: EventFigures): OverviewRow {
    const row = eventRow(event);
    const more = (event.sold ?? 0) - (observed.get(idOf(event))?.first.sold ?? event.sold ?? 0);
    if (more === 0) return row;
    return { ...row, cells: { ...row.cells, name: `(${more > 0 ? "+" : ""}${formatCount(more)}) ${row.cells.name}` } };
  }

  return {
    /** The report of a round, with what has changed since the first one. */
    render(report: StatusReport, options: StatusScreenOptions): string {
      round += 1;
      for (const event of report.events) note(event);
      if (options.named) {
        const text = renderStatusText(report, { ...options, verbose: false });
        if (text.split("\n").length <= options.rows) return text;
      }
      const page = makePage(options, 30, 140);
      const changed = (event: EventFigures) => observed.get(idOf(event))?.changed ?? 0;
      const events = sortEvents(report.events, options.sort).toSorted((one, other) => changed(other) - changed(one));
      return fillScreen(options.rows, events, (shown) => {
        const hidden = events.length - shown.length;
        const more = `${formatCount(hidden)} more not shown: they start later, and nothing has changed.`;
        const rest = hidden === 0 ? [] : paragraph(page, [piece("quiet", more)], 2);
        const table = shown.length === 0 ? [] : overviewLines(page, shown.map(rowOf));
        return [
          ...introLines(page, report),
          ...table,
          ...rest,
          ...legendLines(page, { ...report, events: shown }),
          ...diagnosticBlocks(page, report.diagnostics).flat(),
          ...totalLines(page, report),
        ];
      });
    },
  };
}

/** As many as there is room for, and at least one. */
function fillScreen(
  rows: number,
  events: readonly EventFigures[],
  linesOf: (shown: readonly EventFigures[]) => readonly string[],
): string {
  // Each needs at least a line: more than there are rows need not be tried.
  for (let count = Math.min(events.length, rows); count > 1; count--) {
    const lines = linesOf(events.slice(0, count));
    if (lines.length <= rows) return `${lines.join("\n")}\n`;
  }
  return `${linesOf(events.slice(0, 1)).join("\n")}\n`;
}
