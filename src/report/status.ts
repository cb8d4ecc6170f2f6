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
export { renderStatusCsv, renderStatusMarkdown } from "./status/tables.ts";
export { renderStatusText } from "./status/text.ts";
