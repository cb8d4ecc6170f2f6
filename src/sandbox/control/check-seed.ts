// What a seed may hold, as far as the sandbox would stumble over anything else. Values that no call could bring about
// are welcome: that is what seeds are for.
import { eventStatuses, orderStatuses, scopes } from "../data/records.ts";

// Checks of values that come from outside, put together from small ones. Each says in one sentence what is wrong, by the
// name of the field; null: nothing.

export type Check = (value: unknown, name: string) => string | null;

export function text(value: unknown, name: string): string | null {
  return typeof value === "string" ? null : `${name} must be a text.`;
}

export function word(value: unknown, name: string): string | null {
  return typeof value === "string" && value.trim() !== "" ? null : `${name} must be a text that is not empty.`;
}

export function flag(value: unknown, name: string): string | null {
  return typeof value === "boolean" ? null : `${name} must be true or false.`;
}

export function number(value: unknown, name: string): string | null {
  return typeof value === "number" ? null : `${name} must be a number.`;
}

export function time(value: unknown, name: string): string | null {
  const readable = typeof value === "string" && !Number.isNaN(Date.parse(value));
  return readable ? null : `${name} must be an ISO 8601 date-time.`;
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return (value, name) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most
      ? null
      : `${name} must be a whole number ${range}.`;
}

export function oneOf(values: readonly string[]): Check {
  return (value, name) =>
    typeof value === "string" && values.includes(value) ? null : `${name} must be one of ${values.join(", ")}.`;
}

/** The sentence for people where none of the checks holds. */
export function either(checks: readonly Check[], must: string): Check {
  return (value, name) => (checks.some((check) => check(value, name) === null) ? null : `${name} must be ${must}.`);
}

export function orNull(check: Check): Check {
  return (value, name) => {
    const problem = value === null ? null : check(value, name);
    return problem === null ? null : problem.replace(/\.$/, ", or null.");
  };
}

export function listOf(check: Check): Check {
  return (value, name) => {
    if (!Array.isArray(value)) return `${name} must be a list.`;
    return firstOf(value.map((each: unknown, at) => check(each, `${name}[${at}]`)));
  };
}

/** Fields that the table does not know are let through. */
export function fields(table: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check {
  return (value, name) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `${name} must be an object.`;
    const given = value as Readonly<Record<string, unknown>>;
    const prefix = name === body ? "" : `${name}.`;
    const missing = needed.find((field) => given[field] === undefined);
    if (missing !== undefined) return `${prefix}${missing} is missing: ${table[missing]?.(undefined, "it") ?? ""}`;
    return firstOf(
      Object.entries(table).map(([field, check]) =>
        given[field] === undefined ? null : check(given[field], prefix + field),
      ),
    );
  };
}

/** The name of what is sent as a whole. */
export const body = "The body";

function firstOf(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

const own = { id: word, createdAt: time, updatedAt: time };
const optional = orNull(text);

const organization = fields({ id: word, name: text, slug: word });

const key = fields({
  ...own,
  organizationId: word,
  value: word,
  name: text,
  scopes: listOf(oneOf(scopes)),
  callbackUrl: optional,
  allowlist: listOf(text),
  expiresAt: orNull(time),
  lastUsedAt: orNull(time),
});

const ticket = fields({
  ...own,
  name: text,
  price: number,
  quantity: whole(0),
  remainingQuantity: whole(0),
  sold: whole(0),
  section: text,
  row: text,
  type: text,
  maximumPurchaseQuantity: whole(1),
  published: flag,
});

const described = { ...own, description: optional, imageUrl: optional };
const performer = fields({ ...described, name: text, type: optional });
const brand = fields({ ...described, name: text, url: optional });

const schedule = fields({
  ...own,
  title: text,
  startTime: time,
  endTime: time,
  description: optional,
  performer: text,
  performerId: optional,
  color: optional,
  icon: optional,
});

const item = fields({
  id: word,
  quantity: whole(0),
  price: number,
  eventTicket: fields({ id: word, name: text, section: text }, ["id", "name"]),
});

const order = fields({
  ...own,
  orderNumber: word,
  status: oneOf(orderStatuses),
  totalAmount: number,
  currency: text,
  quantity: whole(0),
  buyerName: text,
  buyerEmail: text,
  paymentMethod: text,
  orderItems: listOf(item),
});

const event = fields({
  ...own,
  organizationId: word,
  slug: word,
  status: oneOf(eventStatuses),
  name: text,
  dateTime: time,
  endDateTime: orNull(time),
  description: optional,
  type: text,
  journeyType: text,
  currency: text,
  locationType: text,
  venueId: optional,
  imageUrl: optional,
  galleryUrls: listOf(text),
  eventCapacity: orNull(number),
  visibility: text,
  timezone: text,
  absorbFees: flag,
  callbackUrl: optional,
  tickets: listOf(ticket),
  performers: listOf(performer),
  schedules: listOf(schedule),
  brands: listOf(brand),
  orders: listOf(order),
});

const webhook = fields({
  ...own,
  organizationId: word,
  url: text,
  events: listOf(text),
  isActive: flag,
  secret: text,
  failures: whole(0),
});

const venue = fields({
  id: word,
  name: text,
  address1: text,
  city: text,
  state: text,
  country: text,
  latitude: number,
  longitude: number,
});

export const checkSeed: Check = fields({
  organization,
  organizations: listOf(organization),
  keys: listOf(key),
  events: listOf(event),
  webhooks: listOf(webhook),
  venues: listOf(venue),
});
