// Webhooks, deliveries and venues.

export { renderVenuesText, type VenueView, venueYaml } from "./lists/venues.ts";
export {
  type RotationReport,
  renderDeliveriesText,
  renderWebhooksText,
  rotationSentences,
  viewDelivery,
  type WebhookView,
} from "./lists/webhooks.ts";
