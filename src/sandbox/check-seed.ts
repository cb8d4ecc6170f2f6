// What a seed may hold, as far as the sandbox would stumble over anything else. Values that no call could bring about
// are welcome: that is what seeds are for.
import { type Check, fields, flag, listOf, number, oneOf, orNull, text, time, whole, word } from "./check.ts";
import { eventStatuses, orderStatuses, scopes } from "./records.ts";

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
