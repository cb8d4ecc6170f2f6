// `status` for a spreadsheet: a row per event with its money, and a row per ticket type. `row` tells which is which, so
// that sums are made over one of them.
import { type Cell, dataCell, renderCsv } from "./csv.ts";
import type { EventFigures, StatusReport, TicketFigures } from "./status-report.ts";

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
      eventRow(event),
      ...(event.tickets ?? []).map((ticket) => ticketRow(event, ticket)),
    ]),
  );
}

function eventRow(event: EventFigures): readonly Cell[] {
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

function ticketRow(event: EventFigures, ticket: TicketFigures): readonly Cell[] {
  const { price, sold, remaining, quantity } = ticket;
  const none = [null, null, null, null, null, null, null];
  return ["ticket", ...identity(event, ticket.name), price, sold, remaining, quantity, ...none, event.id, ticket.id];
}

function identity(event: EventFigures, ticket: string | null): readonly Cell[] {
  return [event.key, event.name, ticket, event.status, event.dateTime, event.timezone].map(dataCell);
}
