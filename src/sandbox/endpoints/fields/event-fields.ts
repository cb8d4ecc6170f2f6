// The request fields of events and ticket types, with the rules that span several of them.
import { venues } from "../../data/venues.ts";
import type { SandboxContext } from "../call.ts";
import type { FieldProblem } from "../refusal.ts";
import { type Body, type Fields, readWhole } from "./fields.ts";

export const eventFields = {
  name: { type: "text", role: "line", required: true },
  dateTime: { type: "time", required: true },
  endDateTime: { type: "time" },
  description: { type: "text", role: "prose" },
  type: { type: "choice", of: ["PAID", "FREE"], fallback: "PAID" },
  journeyType: { type: "choice", of: ["STANDARD", "RSVP", "PRESELLING"], fallback: "STANDARD" },
  currency: { type: "choice", of: ["PHP"], fallback: "PHP" },
  locationType: { type: "choice", of: ["VENUE", "ONLINE"], fallback: "VENUE" },
  venueId: { type: "uuid" },
  imageUrl: { type: "text", role: "image", format: "url" },
  galleryUrls: { type: "texts", role: "image", fallback: [] },
  eventCapacity: { type: "whole", least: 1 },
  visibility: { type: "choice", of: ["PUBLIC", "PRIVATE"], fallback: "PUBLIC" },
  timezone: { type: "text", role: "line", format: "timezone", fallback: "Asia/Manila" },
  absorbFees: { type: "flag", fallback: true },
  callbackUrl: { type: "text", role: "line", format: "url" },
  tickets: { type: "other", fallback: [] },
} as const satisfies Fields;

const ticketFields = {
  name: { type: "text", role: "line", required: true },
  price: { type: "whole", least: 0, required: true },
  quantity: { type: "whole", least: 1, required: true },
  section: { type: "text", role: "line", fallback: "General Admissions" },
  row: { type: "text", role: "line", fallback: "GA" },
  type: { type: "choice", of: ["GENERAL_ADMISSION", "RESERVED_SEAT", "VIP"], fallback: "GENERAL_ADMISSION" },
  maximumPurchaseQuantity: { type: "whole", least: 1, fallback: 8 },
} as const satisfies Fields;

export function ticketFieldsOf(desk: SandboxContext): Fields {
  return { ...ticketFields, published: { type: "flag", fallback: desk.profile().publishedDefault === "true" } };
}

interface InlineTickets {
  readonly tickets: readonly Readonly<Record<string, unknown>>[];
  readonly problems: readonly FieldProblem[];
}

export function readInlineTickets(desk: SandboxContext, given: unknown): InlineTickets {
  if (given === null || given === undefined) return { tickets: [], problems: [] };
  if (!Array.isArray(given))
    return { tickets: [], problems: [{ field: "tickets", message: "tickets must be an array" }] };
  const fields = ticketFieldsOf(desk);
  const readings = given.map((entry: unknown, at) =>
    typeof entry === "object" && entry !== null && !Array.isArray(entry)
      ? readWhole(fields, entry as Body, desk.profile(), `tickets.${at}.`)
      : { values: {}, problems: [{ field: `tickets.${at}`, message: "must be an object" }] },
  );
  return { tickets: readings.map(({ values }) => values), problems: readings.flatMap(({ problems }) => problems) };
}

interface EventTimes {
  readonly dateTime?: string;
  readonly endDateTime?: string | null;
  readonly venueId?: string | null;
}

/** What no field shows alone: the end after the start, a venue that exists. */
export function checkEvent(desk: SandboxContext, { dateTime, endDateTime, venueId }: EventTimes): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const ordered = desk.profile().timeOrder === "accepted";
  if (!ordered && dateTime !== undefined && endDateTime != null && endDateTime <= dateTime) {
    problems.push({ field: "endDateTime", message: "endDateTime must be after dateTime" });
  }
  if (venueId != null && !isVenue(desk, venueId)) {
    problems.push({
      field: "venueId",
      message: `venueId ${venueId} is no venue; search for one with GET /venues/search`,
    });
  }
  return problems;
}

function isVenue(desk: SandboxContext, id: string): boolean {
  if (desk.profile().venueIds === "any") return true;
  return venues.some((venue) => venue.id === id) || desk.store.venues.get(id) !== undefined;
}
