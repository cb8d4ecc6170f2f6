// Orders, webhooks, deliveries, venues, formatted files, and what comes.
export {
  type FormatReport,
  type FormattedFile,
  isFormatted,
  renderFormattedJson,
  renderFormattedText,
} from "./lists/formatted.ts";
export { makeOrdersText, ordersCsvRow, ordersCsvTitles, renderOrderText } from "./lists/order-text.ts";
export {
  addOrder,
  formatItems,
  makeSums,
  orderRecord,
  paymentOf,
  sumsSentence,
  viewOrder,
} from "./lists/order-view.ts";
export {
  type ComingView,
  renderUpcomingCalendar,
  renderUpcomingMarkdown,
  renderUpcomingText,
} from "./lists/upcoming.ts";
export { renderVenuesText, type VenueView, venueYaml } from "./lists/venues.ts";
export {
  type RotationReport,
  renderDeliveriesText,
  renderWebhooksText,
  rotationSentences,
  viewDelivery,
  type WebhookView,
} from "./lists/webhooks.ts";
