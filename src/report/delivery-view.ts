// A delivery to a webhook. The service does not say what its records look like, so each part is looked for in several places.

export interface DeliveryView {
  readonly at: string | null;
  readonly event: string | null;
  readonly result: string | null;
  readonly answer: string | null;
  readonly attempts: number | null;
  readonly error: string | null;
}

type Shown = Readonly<Record<string, unknown>>;

export function viewDelivery(record: Shown): DeliveryView {
  const attempts = first(record, ["attempts", "attemptCount", "attempt", "retries"]);
  return {
    at: textOf(first(record, ["createdAt", "sentAt", "deliveredAt", "attemptedAt", "timestamp", "date"])),
    event: textOf(first(record, ["event", "eventType", "type", "topic"])),
    result: resultOf(record),
    answer: textOf(first(record, ["responseStatus", "statusCode", "responseCode", "httpStatus", "responseStatusCode"])),
    attempts: typeof attempts === "number" ? attempts : null,
    error: textOf(first(record, ["error", "errorMessage", "failureReason", "reason"])),
  };
}

function resultOf(record: Shown): string | null {
  const { status, success, delivered } = record;
  if (typeof status === "string") return status;
  const good = typeof success === "boolean" ? success : delivered;
  return typeof good === "boolean" ? (good ? "DELIVERED" : "FAILED") : null;
}

function first(record: Shown, places: readonly string[]): unknown {
  for (const place of places) {
    const value = record[place];
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}
