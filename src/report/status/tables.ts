// `status` as Markdown, for a comment or a page.
import { escapeProse, markdownCell, markdownTable } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";
import { type Cell, csvDataCell, renderCsv } from "../text/table.ts";
import type { EventFigures, StatusReport, TicketFigures } from "./figures.ts";
import {
  describeDivergences,
  feesSentenceOf,
  formatPercent,
  formatSold,
  formatSoldCount,
  formatStart,
  formatStatus,
  formatTakings,
  markOf,
  totalSentence,
} from "./messages.ts";

const columns = [
  { title: "Event" },
  { title: "Status" },
  { title: "Start" },
  { title: "Sold", align: "right" },
  { title: "Left", align: "right" },
  { title: "Of", align: "right" },
  { title: "Capacity used", align: "right" },
  { title: "Gross", align: "right" },
  { title: "Commission", align: "right" },
  { title: "Net", align: "right" },
] as const;

export function renderStatusMarkdown(report: StatusReport): string {
  const { environment, baseUrl, organization } = report.target;
  const whose = organization === null ? "" : `, organization ${markdownCell(organization.slug)}`;
  const notes = [
    ...report.events.flatMap(noteOf),
    ...report.diagnostics.map(({ severity, message, hint }) =>
      escapeProse(safeText(`${severity}: ${message}${hint === undefined ? "" : ` ${hint}`}`)),
    ),
  ];
  const fees = feesSentenceOf(report);
  const lines = [
    `**Status of ${markdownCell(environment)}**: ${markdownCell(baseUrl)}${whose}`,
    "",
    ...(report.events.length === 0
      ? ["No event is live."]
      : markdownTable(
          columns,
          report.events.flatMap((event) => [markdownEventRow(event), ...(event.tickets ?? []).map(markdownTicketRow)]),
        )),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${note}`)]),
    "",
    totalSentence(report),
    ...(fees === null ? [] : ["", escapeProse(safeText(fees))]),
  ];
  return `${lines.join("\n")}\n`;
}

function markdownEventRow(event: EventFigures): readonly string[] {
  const start = [markdownCell(event.name), escapeProse(formatStatus(event)), escapeProse(safeText(formatStart(event)))];
  if (event.id === null) return [...start, "", "", "", "", "", "", ""];
  return [
    ...start,
    ...countsOf(event),
    formatPercent(event.sold, event.capacity),
    formatTakings(event.gross),
    formatTakings(event.commission),
    formatTakings(event.net),
  ];
}

function markdownTicketRow(ticket: TicketFigures): readonly string[] {
  return [`↳ ${markdownCell(ticket.name)}`, "", "", ...countsOf(ticket), "", "", "", ""];
}

function countsOf(counted: Pick<TicketFigures, "sold" | "someSold" | "remaining" | "quantity">) {
  const { remaining, quantity } = counted;
  return [formatSoldCount(counted), formatSold(remaining), formatSold(quantity)];
}

function noteOf(event: EventFigures): readonly string[] {
  const name = markdownCell(event.name);
  switch (markOf(event)) {
    case "?":
      return [`${name} is not in the files (unmanaged)`];
    case "~":
      return [`${name} differs from the files: ${escapeProse(safeText(describeDivergences(event.divergences ?? [])))}`];
    case "+":
      return [`${name} is in the files and not live yet`];
    case " ":
      return [];
  }
}

// `status` for a spreadsheet: a row per event with its money, and a row per ticket type. `row` tells which is which, so
// that sums are made over one of them.

const titles = [
  "row",
  "key",
  "event",
  "ticket",
  "status",
  "start",
  "timezone",
  "price",
  "sold",
  "remaining",
  "quantity",
  "capacity",
  "orders",
  "gross",
  "commission",
  "net",
  "managed",
  "differs",
  "eventId",
  "ticketId",
];

export function renderStatusCsv(report: StatusReport): string {
  return renderCsv(
    titles,
    report.events.flatMap((event) => [
      csvEventRow(event),
      ...(event.tickets ?? []).map((ticket) => csvTicketRow(event, ticket)),
    ]),
  );
}

function csvEventRow(event: EventFigures): readonly Cell[] {
  const { sold, remaining, quantity, capacity, orders, gross, commission, net } = event;
  return [
    "event",
    ...identity(event, null),
    null,
    sold,
    remaining,
    quantity,
    capacity,
    orders,
    gross,
    commission,
    net,
    event.managed,
    event.divergences === null ? null : event.divergences.length > 0,
    event.id,
    null,
  ];
}

function csvTicketRow(event: EventFigures, ticket: TicketFigures): readonly Cell[] {
  const { price, sold, remaining, quantity } = ticket;
  const none = [null, null, null, null, null, null, null];
  return ["ticket", ...identity(event, ticket.name), price, sold, remaining, quantity, ...none, event.id, ticket.id];
}

function identity(event: EventFigures, ticket: string | null): readonly Cell[] {
  return [event.key, event.name, ticket, event.status, event.dateTime, event.timezone].map(csvDataCell);
}
