import * as z from "zod";
import { uuidPattern } from "../../model/address.ts";
import { weekdayNames, weekdayPattern } from "../../model/time.ts";
import type { Value } from "../../model/value.ts";
import { defineKind } from "../define.ts";
import { eventAdvice, eventSynonyms } from "../fields/advice.ts";
import {
  allowField,
  choice,
  clearable,
  idField,
  ignoreField,
  requiredText,
  statusField,
  text,
  texts,
  venueQuery,
  whole,
  yesNo,
} from "../fields/field-schemas.ts";
import { archivedIsFinal } from "../fields/verdicts.ts";
import { wrongWeekday, yearInName } from "../lint-rules/copied-year.ts";
import {
  eventEndsBeforeStart,
  farFuture,
  oddDuration,
  startsInThePast,
  unknownTimezone,
} from "../lint-rules/event-times.ts";
import { performerInTwoPlaces } from "../lint-rules/performances.ts";
import {
  abroadWithoutTimezone,
  bareListing,
  nothingOnSale,
  ticketsExceedCapacity,
  venueMissing,
  venueOnOnlineEvent,
} from "../lint-rules/sale.ts";
import { callbackAddress } from "../lint-rules/webhook-addresses.ts";
import { eventRemarks, eventRules } from "../rules/event-rules.ts";
import { paidEventAllFree, priceLooksLikeCentavos, vipCheaperThanGa } from "../rules/price-rules.ts";

const schema = z
  .strictObject({
    key: requiredText(
      "The event's name within this project, used on the command line and in addresses such as `events/manila-nights`. By default it is the file's name without its extension; in a file with several events, each needs its own `key`.",
      "manila-nights",
    ).optional(),
    id: idField,
    new: yesNo(
      "`true`: this is a new event, not the live one that looks like it. This resolves `ambiguous-event`. Remove `new` after the apply.",
      true,
    ).optional(),
    status: statusField.optional(),
    name: requiredText(
      "The event's name, as buyers see it. To rename a live event, add `renamedFrom`.",
      "Manila Nights",
    ).optional(),
    dateTime: text(
      "When the event starts: a date and a time. Without an offset it is local time in `timezone`. In a `series` it is only a time, such as `22:00`.",
      "2027-03-14T19:00",
    ).optional(),
    weekday: z
      .string()
      .regex(weekdayPattern)
      .meta({
        patternErrorMessage: "Use a day of the week, such as friday.",
        description:
          "The day of the week that `dateTime` falls on, as a check: it is an error if they disagree. It is not sent to the service.",
        examples: ["friday"],
        defaultSnippets: weekdayNames.map((name) => ({ label: name, body: name })),
      })
      .optional(),
    endDateTime: clearable(
      text(
        "When the event ends. Without an offset it is local time in `timezone`. It can be relative to the start: `+6h` is six hours later, `02:00` is the first 02:00 at or after the start, `day 2 13:30` is on the second day.",
        "2027-03-15T02:00",
        "+6h",
        "02:00",
      ),
    ),
    description: clearable(
      text("What buyers read about the event. It may have several lines.", "A night of live music by the bay."),
    ),
    type: clearable(
      choice(
        { PAID: "Tickets have a price.", FREE: "Every ticket costs 0." },
        "Whether tickets cost money. By default PAID.",
        "PAID",
      ),
    ),
    journeyType: clearable(
      choice(
        {
          STANDARD: "People choose tickets and check out.",
          RSVP: "People answer an invitation.",
          PRESELLING: "Tickets are sold ahead of the regular sale.",
        },
        "How people get their tickets. By default STANDARD.",
        "STANDARD",
      ),
    ),
    currency: clearable(
      z.literal("PHP").meta({
        description: "The currency of all prices. The service accepts only PHP.",
        examples: ["PHP"],
        enumDescriptions: ["Philippine peso."],
      }),
    ),
    locationType: clearable(
      choice(
        { VENUE: "People come to a venue; name it with venue or venueId.", ONLINE: "People watch from anywhere." },
        "Whether people come to a venue or watch online. By default VENUE.",
        "VENUE",
      ),
    ),
    venueId: clearable(
      z
        .string()
        .regex(uuidPattern)
        .meta({
          patternErrorMessage:
            "A venue's id is 32 hexadecimal digits in five groups, as `ticketing venues search` prints it. To give the venue by its name, write `venue: Palace`.",
          description:
            "The venue's id, as `ticketing venues search` prints it. To look it up by name, use `venue` instead.",
          examples: ["5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f"],
        }),
    ),
    venue: clearable(
      z.union([z.string().min(1), venueQuery]).meta({
        description:
          "The venue, by its name, or by name and city if several venues share the name. It is looked up on the service; if none or several match, the plan blocks the change and lists the candidates. The sandbox makes up each venue that it does not have, and the plan says so.",
        examples: ["Palace", { name: "Palace", city: "Baguio" }],
      }),
    ),
    imageUrl: clearable(
      text(
        "The https URL of the cover image, which anyone can open without logging in.",
        "https://example.com/cover.jpg",
      ),
    ),
    galleryUrls: clearable(
      texts("The URLs of the gallery's images, in the order in which they are shown.", ["https://example.com/1.jpg"]),
    ),
    eventCapacity: clearable(whole(1, "The maximum number of people who can attend, across all ticket types.", 700)),
    visibility: clearable(
      choice(
        { PUBLIC: "Anyone can find it.", PRIVATE: "The public cannot find it." },
        "Whether the public can find the event. By default PUBLIC.",
        "PUBLIC",
      ),
    ),
    timezone: clearable(
      text(
        "The time zone of the event and of its local times, by its IANA name. By default Asia/Manila.",
        "Asia/Manila",
      ),
    ),
    absorbFees: clearable(
      yesNo(
        "`true`: buyers pay exactly the price, and fees are taken out of it. `false`: fees are added to the price. By default `true`.",
        true,
      ),
    ),
    callbackUrl: clearable(
      text(
        "An https URL that receives this event's notifications instead of the webhook's own URL.",
        "https://hooks.example.com/manila-nights",
      ),
    ),
    renamedFrom: requiredText(
      "The event's former name: the live event with that name and the start in this file is renamed. Without `renamedFrom`, the plan may ask which event you mean. Remove it after the apply.",
      "Manila Night",
    ).optional(),
    protected: yesNo(
      "`true`: nothing in this event is deleted, unpublished or archived. Exception: editing a performer or brand replaces it (a new one is created, then the old one deleted).",
      true,
    ).optional(),
    allow: allowField.optional(),
    ignore: ignoreField,
  })
  .meta({ title: "Event", description: "One event with its ticket types, performers, schedule and brands." });

/** Less than before, where nothing is no limit. */
function isLess(before: Value, after: Value): boolean {
  return after !== null && (before === null || after < before);
}

export const event = defineKind({
  name: "event",
  plural: "events",
  words: { one: "event", many: "events" },
  parent: null,
  documentOnly: ["key", "id", "new", "renamedFrom"],
  lasting: ["name", "dateTime", "endDateTime", "timezone"],
  schema,
  synonyms: eventSynonyms,
  notFields: eventAdvice,
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
      narrows: (before, after) => before !== null && after !== null && after > before,
    },
    weekday: { role: "own" },
    endDateTime: {
      role: "value",
      form: "instant",
      change: "patch",
      anchor: "end",
      mistake: "unreadable-time",
      narrows: isLess,
    },
    description: { role: "value", form: "markup", change: "patch" },
    type: {
      role: "value",
      form: "choice",
      change: "patch",
      serviceDefault: "PAID",
      decidedWith: ["price"],
      narrows: (_, after) => after === "FREE",
    },
    journeyType: { role: "value", form: "choice", change: "patch", plainest: "STANDARD" },
    currency: { role: "value", form: "choice", change: "patch", serviceDefault: "PHP", mistake: "currency-not-php" },
    locationType: { role: "value", form: "choice", change: "patch", serviceDefault: "VENUE" },
    venueId: { role: "value", form: "id", change: "patch", shownAt: ["venueId", "venue.id"] },
    venue: { role: "lookup", sentAs: "venueId" },
    imageUrl: { role: "value", form: "url", change: "patch", leadsTo: "image" },
    galleryUrls: { role: "value", form: "list", change: "patch", leadsTo: "image" },
    eventCapacity: {
      role: "value",
      form: "number",
      change: "patch",
      decidedWith: ["quantity"],
      narrows: isLess,
    },
    visibility: {
      role: "value",
      form: "choice",
      change: "patch",
      serviceDefault: "PUBLIC",
      shownAs: { PRIVATE: "PRIVATE (hidden from the public)", PUBLIC: "PUBLIC (listed for everyone)" },
    },
    timezone: {
      role: "value",
      form: "text",
      change: "patch",
      serviceDefault: "Asia/Manila",
      mistake: "unknown-timezone",
    },
    absorbFees: {
      role: "value",
      form: "flag",
      change: "patch",
      serviceDefault: true,
      shownAs: { true: "yes (fees come out of the price)", false: "no (buyers pay the fees on top)" },
    },
    callbackUrl: { role: "value", form: "url", change: "patch", leadsTo: "receiver" },
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
  rules: [archivedIsFinal, ...eventRules],
  remarks: eventRemarks,
  lint: [
    priceLooksLikeCentavos,
    paidEventAllFree,
    vipCheaperThanGa,
    ticketsExceedCapacity,
    nothingOnSale,
    bareListing,
    unknownTimezone,
    abroadWithoutTimezone,
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
