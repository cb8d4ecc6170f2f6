// Every point that the API document leaves open, as a knob: its readings, the likeliest first. A profile picks one for each.
// docs/sandbox.md lists this table.

export type Knob = { readonly about: string } & (
  | { readonly values: readonly [string, ...string[]] }
  | { readonly number: number; readonly least: number }
);

export const knobs = {
  eventRecord: {
    values: ["full", "minimal", "short-in-lists", "venue-object"],
    about: "fields of an event: all; id, name, status, slug; only those in lists; venue { id } instead of venueId",
  },
  ticketRecord: {
    values: ["full", "no-quantity", "no-published", "neither", "minimal"],
    about: "fields of a ticket type: all; without quantity, published or both; id, name, section, remainingQuantity",
  },
  ticketPrice: { values: ["number", "string", "decimal"], about: 'price as 1500, "1500" or "1500.00"' },
  scheduleRecord: {
    values: ["full", "no-performer", "performer-object"],
    about: "fields of a schedule entry: all; without performerId; performer { id } instead of it",
  },
  nullFields: { values: ["shown", "omitted"], about: "fields of a record that are null: shown as null, or left out" },
  embedded: {
    values: ["none", "full", "partial"],
    about: "children inside GET /events/:id; partial: ticket types by id and name",
  },
  publishedDefault: { values: ["false", "true"], about: "published of a ticket type created without it" },
  ticketsInPatch: {
    values: ["ignored", "appended", "replaced", "refused"],
    about: "tickets in the body of PATCH /events/:id",
  },
  inlineOnFault: {
    values: ["all", "some"],
    about: "inline ticket types of a create whose response a fault drops; some: only the first half is created",
  },
  clearing: { values: ["accepted", "refused", "ignored"], about: "null for an optional field in a PATCH" },
  emptyText: { values: ["null", "kept", "refused"], about: '"" for an optional text' },
  trim: {
    values: ["off", "on", "collapse"],
    about: "spaces at both ends of a value are removed; collapse: several within it become one, too",
  },
  html: { values: ["kept", "sanitized", "wrapped"], about: "descriptions: as sent; without markup; inside <p>…</p>" },
  lineEnds: { values: ["kept", "lf", "crlf"], about: "line endings in text" },
  imageUrls: { values: ["kept", "rehosted"], about: "image URLs as sent, or copied to the service's own host" },
  dates: {
    values: ["utc-ms", "utc", "offset", "offset-ms"],
    about: "date-times as …00.000Z, …00Z, …+08:00 without or with milliseconds",
  },
  colorCase: { values: ["kept", "lower", "upper"], about: "case of the letters of a color" },
  malformedColor: { values: ["refused", "accepted"], about: "a color that is not #RRGGBB" },
  timeOrder: { values: ["refused", "accepted"], about: "an end time that is not after its start" },
  nakedTimes: { values: ["utc", "refused"], about: "a date-time without an offset" },
  formatChecks: {
    values: ["stated", "all"],
    about: "all: URLs, time zones and lengths (255 for names) are checked too",
  },
  venueIds: {
    values: ["found", "any"],
    about: "a venueId must be one that the search finds, or may be any, such as one of another service",
  },
  httpLoopback: { values: ["refused", "accepted"], about: "a webhook at http:// on a loopback address" },
  listOrder: { values: ["created", "reversed", "shuffled"], about: "order of every list" },
  childLists: { values: ["plain", "paged"], about: "lists of ticket types, performers, schedules and brands" },
  takeDefault: { number: 10, least: 1, about: "take when the query has none" },
  takeMax: { number: 50, least: 1, about: "largest take" },
  takeAbove: { values: ["refused", "clamped"], about: "a take above the largest" },
  listLag: { number: 0, least: 0, about: "milliseconds until something created shows in lists" },
  readLag: { number: 0, least: 0, about: "milliseconds until reads show anything created, changed or deleted" },
  readLagIn: {
    values: ["lists", "everywhere"],
    about: "reads that lag: lists; everywhere: GET by id also shows old content, but finds new objects at once",
  },
  statusDefault: { values: ["all", "without-archived"], about: "GET /events without status" },
  search: {
    values: ["substring", "words", "ignored", "broken"],
    about: "search text matches part of the name; whole words; is ignored; never matches",
  },
  slug: { values: ["stable", "follows"], about: "the slug after a rename" },
  publishAgain: { values: ["refused", "ok"], about: "publish of a published event, unpublish of a draft" },
  soldOut: {
    values: ["remaining", "quantity", "unpublished"],
    about:
      "what POST …/sold-out changes: only the remaining quantity (to 0), or also quantity (to the number sold), or also published (to false)",
  },
  archiveFrom: { values: ["any", "published", "draft"], about: "status from which an event can be archived" },
  withdraw: {
    values: ["refused", "ignored", "patch"],
    about: "published: false for a published ticket type in a PATCH; patch: it is withdrawn",
  },
  archivedPatch: { values: ["refused", "accepted"], about: "changes of an archived event and its children" },
  performerDelete: {
    values: ["refused", "cascade", "null"],
    about:
      "deleting a performer that a schedule entry names; cascade: the entry is deleted too; null: its performerId is cleared",
  },
  uniqueNames: {
    values: ["no", "with-start", "yes"],
    about:
      "what must be unique: with-start: event name and start, ticket name, section and row; yes: only the name, for every kind",
  },
  deletedGet: { values: ["404", "410", "marked"], about: "GET of a deleted event; marked: 200 with status DELETED" },
  webhookSecret: { values: ["none", "masked"], about: "secret in the webhook list" },
  webhookList: { values: ["plain", "paged", "wrapped"], about: "the webhook list" },
  webhookTest: {
    values: ["success-false", "refused"],
    about: "a test that does not arrive: 200 with success false, or 400",
  },
  webhookOffAfter: {
    number: 0,
    least: 0,
    about: "failed deliveries in a row after which a webhook is switched off; 0: never",
  },
  deliveryAttempts: { number: 3, least: 1, about: "attempts per delivery" },
  deliveryBackoff: { number: 200, least: 0, about: "milliseconds before the second attempt, doubled each time" },
  inventoryLowAt: { number: 10, least: 0, about: "percent of the quantity at which ticket.inventory_low is sent" },
  refundReturns: { values: ["yes", "no"], about: "whether refunded tickets return to the inventory" },
  payment: { values: ["object", "list", "flat"], about: "payment information in GET /orders/:id" },
  tier: { values: ["off", "free", "pro", "enterprise"], about: "rate limit" },
  window: { values: ["fixed", "aligned", "sliding"], about: "windows start with a call, with the clock, or slide" },
  resetUnit: {
    values: ["seconds", "epoch-seconds", "epoch-ms", "iso", "http-date"],
    about: "X-RateLimit-Reset as seconds from now, epoch seconds, epoch milliseconds, ISO or HTTP date",
  },
  headerWindow: { values: ["tighter", "minute", "hour"], about: "the window that the headers describe" },
  rateHeaders: { values: ["always", "not-on-429", "suffixed"], about: "rate headers; suffixed: …-Minute and …-Hour" },
  retryAfter: { values: ["seconds", "date", "none"], about: "Retry-After of a 429" },
  limitBody: { values: ["json", "html"], about: "body of a 429" },
  refusedCount: { values: ["no", "yes"], about: "whether calls refused with 429 count" },
  refusalStatus: { values: ["400", "403", "409", "422"], about: "status of a refused delete or transition" },
  writeResponse: {
    values: ["record", "echo", "partial", "null", "204"],
    about:
      "responses to writes where the API specification does not show the body; echo: what was sent, even if something else was stored",
  },
  createResponse: {
    values: ["record", "echo", "partial", "null"],
    about: "responses to creates; echo: what was sent, even if something else was stored; partial: only the id",
  },
  oneRecord: {
    values: ["bare", "named"],
    about:
      "data of a response with one record: the record; named: { webhook: { … }, secret }, { event: { … } } and so on",
  },
  unknownFields: { values: ["dropped", "refused"], about: "fields that the API specification does not know" },
  meScopes: { values: ["all", "without-orders"], about: "GET /me shows all scopes, or leaves out orders:read" },
} as const satisfies Record<string, Knob>;

export type KnobName = keyof typeof knobs;

export type Profile = {
  readonly [Name in KnobName]: (typeof knobs)[Name] extends { readonly values: readonly (infer Value)[] }
    ? Value
    : number;
};
