// `status` as a table: Markdown for a comment or a page, CSV for a spreadsheet.
import { remarkMarkdown } from "../formats/plan-markdown.ts";
import { escapeProse, markdownCell, markdownTable } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";
import { type CsvCell, csvDataCell, renderCsv } from "../text/table.ts";
import { type Counted, type EventFigures, isClosed, type StatusReport, type TicketFigures } from "./figures.ts";
import {
  describeDivergences,
  feesSentenceOf,
  formatLeft,
  formatPercent,
  formatSold,
  formatSoldCount,
  formatStart,
  formatStatus,
  formatTakings,
  markMeanings,
  sayNoEvents,
  statusMark,
  totalSentence,
} from "./groups.ts";

const columns = [
  ...["Event", "Status", "Start"].map((title) => ({ title })),
  ...["Sold", "Left", "Total", "Capacity used", "Gross", "Commission", "Net"].map((title) => ({
    title,
    align: "right" as const,
  })),
];

export function renderStatusMarkdown(report: StatusReport): string {
  const { environment, baseUrl, organization } = report.target;
  const whose = organization === null ? "" : `, organization ${markdownCell(organization.slug)}`;
  const notes = [
    ...report.events.flatMap(noteOf).map((note) => `- ${note}`),
    ...report.diagnostics.map((remark) => remarkMarkdown(remark)),
  ];
  const fees = feesSentenceOf(report);
  const lines = [
    `**Status of ${markdownCell(environment)}**: ${markdownCell(baseUrl)}${whose}`,
    "",
    ...(report.events.length === 0
      ? [escapeProse(sayNoEvents(report))]
      : markdownTable(
          columns,
          report.events.flatMap((event) => [markdownEventRow(event), ...markdownTicketRows(event)]),
        )),
    ...(notes.length === 0 ? [] : ["", ...notes]),
    "",
    escapeProse(totalSentence(report)),
    ...(fees === null ? [] : ["", escapeProse(safeText(fees))]),
  ];
  return `${lines.join("\n")}\n`;
}

/** In the place of what a ticket type does not have. */
const none = ["", "", "", ""];

function markdownEventRow(event: EventFigures): readonly string[] {
  const start = [markdownCell(event.name), escapeProse(formatStatus(event)), escapeProse(safeText(formatStart(event)))];
  if (event.id === null) return [...start, "", "", "", ...none];
  return [
    ...start,
    ...countsOf({ ...event, isOver: isClosed(event) }),
    formatPercent(event.sold, event.capacity),
    formatTakings(event.gross),
    formatTakings(event.commission),
    formatTakings(event.net),
  ];
}

function markdownTicketRows(event: EventFigures): readonly (readonly string[])[] {
  const counts = (ticket: TicketFigures) => countsOf({ ...ticket, isOver: isClosed(event) });
  return (event.tickets ?? []).map((one) => [`↳ ${markdownCell(one.name)}`, "", "", ...counts(one), ...none]);
}

function countsOf(counted: Counted) {
  return [formatSoldCount(counted), formatLeft(counted), formatSold(counted.quantity)];
}

function noteOf(event: EventFigures): readonly string[] {
  const name = markdownCell(event.name);
  const mark = statusMark(event);
  if (mark === " ") return [];
  if (mark === "~")
    return [`${name} differs from the files: ${escapeProse(safeText(describeDivergences(event.divergences ?? [])))}`];
  return [`${name} is ${mark === "+" ? "in the files and not live yet" : markMeanings[mark]}`];
}

// `status` for a spreadsheet: a row per event with its money, and a row per ticket type. `row` says which is which, so that
// sums are over one of them.

interface CsvRow {
  readonly event: EventFigures;
  readonly ticket: TicketFigures | null;
}

const csvColumns: Readonly<Record<string, (row: CsvRow) => CsvCell>> = {
  row: ({ ticket }) => (ticket === null ? "event" : "ticket"),
  key: ({ event }) => csvDataCell(event.key),
  event: ({ event }) => csvDataCell(event.name),
  ticket: ({ ticket }) => csvDataCell(ticket?.name ?? null),
  status: ({ event }) => csvDataCell(event.status),
  start: ({ event }) => csvDataCell(event.dateTime),
  timezone: ({ event }) => csvDataCell(event.timezone),
  price: ({ ticket }) => ticket?.price ?? null,
  sold: ({ event, ticket }) => (ticket ?? event).sold,
  remaining: ({ event, ticket }) => (ticket ?? event).remaining,
  quantity: ({ event, ticket }) => (ticket ?? event).quantity,
  capacity: ofEvent(({ capacity }) => capacity),
  orders: ofEvent(({ orders }) => orders),
  gross: ofEvent(({ gross }) => gross),
  commission: ofEvent(({ commission }) => commission),
  net: ofEvent(({ net }) => net),
  managed: ofEvent(({ managed }) => managed),
  differs: ofEvent(({ divergences }) => (divergences === null ? null : divergences.length > 0)),
  eventId: ({ event }) => event.id,
  ticketId: ({ ticket }) => ticket?.id ?? null,
  removed: ofEvent(({ removed }) => removed === true),
};

function ofEvent(pick: (event: EventFigures) => CsvCell): (row: CsvRow) => CsvCell {
  return ({ event, ticket }) => (ticket === null ? pick(event) : null);
}

export function renderStatusCsv({ events }: StatusReport): string {
  const rows = events.flatMap((event) => [null, ...(event.tickets ?? [])].map((ticket) => ({ event, ticket })));
  const cells = Object.values(csvColumns);
  return renderCsv(
    Object.keys(csvColumns),
    rows.map((row) => cells.map((cell) => cell(row))),
  );
}
