import * as z from "zod";
import { uuidPattern } from "../../model/address.ts";
import { weekdayNames, weekdayPattern } from "../../model/time.ts";
import { defineKind } from "../define.ts";
import {
  allowField,
  choice,
  clearable,
  flag,
  idField,
  ignoreField,
  moment,
  requiredText,
  text,
  texts,
  whole,
} from "../fields/field-schemas.ts";
import { archivedIsFinal } from "../fields/verdicts.ts";
import { wrongWeekday, yearInName } from "../lint-rules/copied-year.ts";
import { bareListing, venueMissing, venueOnOnlineEvent } from "../lint-rules/listing.ts";
import { paidEventAllFree, priceLooksLikeCentavos, vipCheaperThanGa } from "../lint-rules/prices.ts";
import { nothingOnSale, ticketsExceedCapacity } from "../lint-rules/sale.ts";
import { performerInTwoPlaces } from "../lint-rules/schedule.ts";
import { eventEndsBeforeStart, farFuture, oddDuration, startsInThePast, unknownTimezone } from "../lint-rules/times.ts";
import { callbackAddress } from "../lint-rules/webhooks.ts";
import {
  archiveWithSales,
  buyersNotTold,
  deletedOutside,
  eventDeletion,
  makePrivateWithSales,
  newInThePast,
  renameChangesAddress,
  rescheduleWithSales,
  unpublishWithSales,
  venueChangeWithSales,
} from "../rules/event-rules.ts";

const venueQuery = z.strictObject({
  name: requiredText("The venue's name.", "Palace"),
  city: text("The city, where several venues share the name.", "Baguio").optional(),
  state: text("The province or region.", "Benguet").optional(),
  country: text("The country.", "Philippines").optional(),
});

const schema = z
  .strictObject({
    key: requiredText(
      "The event's name within this project, used in addresses. Defaults to the file's base name.",
      "manila-nights",
    ).optional(),
    id: idField,
    new: flag("True: a live event of the same name is another one, so this one is created.", true).optional(),
    status: choice(
      ["DRAFT", "PUBLISHED", "ARCHIVED", "DELETED"],
      "The status the event is to have. Left out, the status is not managed and a new event stays DRAFT.",
      "PUBLISHED",
    ).optional(),
    name: requiredText("The event's name, as buyers see it.", "Manila Nights").optional(),
    dateTime: moment("The start. Without an offset it is local time in `timezone`.", "2027-03-14T19:00").optional(),
    weekday: z
      .string()
      .regex(weekdayPattern)
      .meta({
        description: "The day of the week that `dateTime` falls on; it is an error if they disagree. It is not sent.",
        examples: weekdayNames.map((name) => name),
      })
      .optional(),
    endDateTime: clearable(
      moment(
        "The end. Without an offset it is local time in `timezone`. It may count from the start: `+6h` is six hours later, `02:00` the first two o'clock from then on, `day 2 13:30` on the second day.",
        "2027-03-15T02:00",
        "+6h",
        "02:00",
      ),
    ),
    description: clearable(text("What buyers read about the event.", "A night of live music by the bay.")),
    type: clearable(choice(["PAID", "FREE"], "Whether tickets cost money; null means PAID.", "PAID")),
    journeyType: clearable(
      choice(["STANDARD", "RSVP", "PRESELLING"], "How people get their tickets; null means STANDARD.", "STANDARD"),
    ),
    currency: clearable(
      z
        .literal("PHP")
        .meta({ description: "The currency of all prices. The service knows only PHP.", examples: ["PHP"] }),
    ),
    locationType: clearable(
      choice(["VENUE", "ONLINE"], "Whether people come to a venue or watch online; null means VENUE.", "VENUE"),
    ),
    venueId: clearable(
      z
        .string()
        .regex(uuidPattern)
        .meta({
          description: "The venue's id, as `ticketing venues search` prints it.",
          examples: ["5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f"],
        }),
    ),
    venue: clearable(
      z.union([requiredText("The venue's name.", "Palace"), venueQuery]).meta({
        description: "The venue by name, or by name and city; looked up on the service.",
        examples: [{ name: "Palace", city: "Baguio" }],
      }),
    ),
    imageUrl: clearable(text("Address of the cover image.", "https://example.com/cover.jpg")),
    galleryUrls: clearable(
      texts("Addresses of gallery images, in the order they are shown.", ["https://example.com/1.jpg"]),
    ),
    eventCapacity: clearable(whole(1, "The most people who may attend.", 700)),
    visibility: clearable(
      choice(["PUBLIC", "PRIVATE"], "Whether the public finds the event; null means PUBLIC.", "PUBLIC"),
    ),
    timezone: clearable(text("The time zone (IANA name) of the event and of its local times.", "Asia/Manila")),
    absorbFees: clearable(flag("True: buyers pay exactly the price; fees are taken out of it.", true)),
    callbackUrl: clearable(
      text(
        "Where this event's notifications go instead of the webhook's address.",
        "https://hooks.example.com/manila-nights",
      ),
    ),
    renamedFrom: requiredText("The event's former name, for a rename.", "Manila Night").optional(),
    protected: flag(
      "True: nothing in this event is deleted, unpublished or archived. Only an edited performer or brand is replaced: created again, then the old one deleted.",
      true,
    ).optional(),
    allow: allowField.optional(),
    ignore: ignoreField,
  })
  .meta({ title: "Event", description: "One event with its ticket types, performers, schedule and brands." });

export const event = defineKind({
  name: "event",
  plural: "events",
  words: { one: "event", many: "events" },
  parent: null,
  documentOnly: ["key", "id", "new", "renamedFrom"],
  lasting: ["name", "dateTime", "endDateTime", "timezone"],
  schema,
  fields: {
    key: { role: "own" },
    id: { role: "own" },
    new: { role: "own" },
    status: { role: "own" },
    name: { role: "value", form: "text", change: "patch", required: true },
    dateTime: {
      role: "value",
      form: "instant",
      change: "patch",
      required: true,
      anchor: "start",
      mistake: "unreadable-time",
    },
    weekday: { role: "own" },
    endDateTime: { role: "value", form: "instant", change: "patch", anchor: "end", mistake: "unreadable-time" },
    description: { role: "value", form: "markup", change: "patch" },
    type: { role: "value", form: "choice", change: "patch", standard: "PAID" },
    journeyType: { role: "value", form: "choice", change: "patch", plainest: "STANDARD" },
    currency: { role: "value", form: "choice", change: "patch", standard: "PHP", mistake: "currency-not-php" },
    locationType: { role: "value", form: "choice", change: "patch", standard: "VENUE" },
    venueId: { role: "value", form: "id", change: "patch", shownAt: ["venueId", "venue.id"] },
    venue: { role: "lookup", sentAs: "venueId" },
    imageUrl: { role: "value", form: "url", change: "patch" },
    galleryUrls: { role: "value", form: "list", change: "patch" },
    eventCapacity: { role: "value", form: "whole", change: "patch" },
    visibility: { role: "value", form: "choice", change: "patch", standard: "PUBLIC" },
    timezone: { role: "value", form: "text", change: "patch", standard: "Asia/Manila", mistake: "unknown-timezone" },
    absorbFees: { role: "value", form: "flag", change: "patch", standard: true },
    callbackUrl: { role: "value", form: "url", change: "patch" },
    renamedFrom: { role: "own" },
    protected: { role: "own" },
    allow: { role: "own", merge: "append" },
    ignore: { role: "own", merge: "append" },
  },
  writeFirst: [
    "key",
    "id",
    "new",
    "extends",
    "status",
    "name",
    "vars",
    "dateTime",
    "weekday",
    "endDateTime",
    "timezone",
    "series",
    "type",
    "journeyType",
    "currency",
    "locationType",
    "venue",
    "venueId",
    "visibility",
    "eventCapacity",
    "absorbFees",
    "description",
    "imageUrl",
    "galleryUrls",
    "callbackUrl",
  ],
  sortBy: ["dateTime", "name"],
  identity: { label: "name", keys: [["name", "dateTime"]], likeness: "name and start", twins: "ask" },
  endpoints: { get: true, patch: true, readScope: "events:read", writeScope: "events:write" },
  steps: [
    { from: "DRAFT", to: "PUBLISHED", verbs: ["publish"], place: "last" },
    { from: "PUBLISHED", to: "DRAFT", verbs: ["unpublish"], place: "first" },
    { from: "DRAFT", to: "ARCHIVED", verbs: ["archive"], place: "last" },
    { from: "PUBLISHED", to: "ARCHIVED", verbs: ["archive"], place: "last", fallback: ["unpublish", "archive"] },
    { from: "DRAFT", to: "DELETED", verbs: ["delete"], place: "last" },
    { from: "PUBLISHED", to: "DELETED", verbs: ["unpublish", "delete"], place: "last" },
  ],
  rules: [
    archivedIsFinal,
    eventDeletion,
    unpublishWithSales,
    archiveWithSales,
    rescheduleWithSales,
    venueChangeWithSales,
    makePrivateWithSales,
  ],
  remarks: [deletedOutside, newInThePast, renameChangesAddress, buyersNotTold],
  lint: [
    priceLooksLikeCentavos,
    paidEventAllFree,
    vipCheaperThanGa,
    ticketsExceedCapacity,
    nothingOnSale,
    bareListing,
    unknownTimezone,
    wrongWeekday,
    yearInName,
    eventEndsBeforeStart,
    startsInThePast,
    farFuture,
    oddDuration,
    performerInTwoPlaces,
    venueMissing,
    venueOnOnlineEvent,
    callbackAddress,
  ],
});
