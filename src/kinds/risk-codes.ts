/** Changes that the service accepts and that hurt people: each waits until its code is allowed. */
export const riskCodes = [
  "delete-event",
  "delete-webhook",
  "delete-ticket-on-sale",
  "unpublish-with-sales",
  "archive-with-sales",
  "price-change-with-sales",
  "reschedule-with-sales",
  "venue-change-with-sales",
  "make-private-with-sales",
] as const;

export type RiskCode = (typeof riskCodes)[number];
