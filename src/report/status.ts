// How sales are going.
export {
  type Divergence,
  type EventFigures,
  figuresOfTicket,
  historyOfOrders,
  type SalesFigures,
  type SalesHistory,
  type StatusReport,
  sumOrders,
  sumTickets,
  totalsOf,
} from "./status/figures.ts";
export { daysUntil, type StatusSort, seriesFigures, sortEvents } from "./status/groups.ts";
export { renderStatusHtml } from "./status/page.ts";
export { renderStatusCsv, renderStatusMarkdown } from "./status/tables.ts";
export { makeStatusScreen, renderStatusText } from "./status/text.ts";
