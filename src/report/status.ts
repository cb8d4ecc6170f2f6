// How sales are going.
export {
  type Divergence,
  type EventFigures,
  figuresOfTicket,
  type SalesFigures,
  type StatusReport,
  sumOrders,
  sumTickets,
  totalsOf,
} from "./status/figures.ts";
export { daysUntil, type StatusSort, seriesFigures, sortEvents } from "./status/groups.ts";
export { historyOfOrders, type SalesHistory } from "./status/history.ts";
export { renderStatusHtml } from "./status/page.ts";
export { makeStatusScreen, type StatusScreen } from "./status/screen.ts";
export { renderStatusCsv, renderStatusMarkdown } from "./status/tables.ts";
export { renderStatusText } from "./status/text.ts";
