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
export { renderStatusHtml } from "./status/status-page.ts";
export { makeStatusScreen, renderStatusText } from "./status/status-text.ts";
export { renderStatusCsv, renderStatusMarkdown } from "./status/tables.ts";
