// Words that people use for fields and values of another name, and advice on those that the service does not have. In lower case, without signs.
import type { Advice } from "../../model/diagnostic.ts";
import type { WordAdvice } from "../define.ts";

export function adviceFor(words: string, message: string, hint: string): WordAdvice {
  return { words, advice: { message, hint } };
}

export const eventSynonyms = {
  fields: {
    name: "title label eventname",
    dateTime:
      "date day time when start starts startsat startat begin begins from startdate startdatetime starttime eventdate",
    endDateTime: "end ends endsat endat until to finish enddate endtime",
    venue: "location place where hall venuename",
    imageUrl: "image picture cover coverimage poster banner flyer thumbnail photo",
    galleryUrls: "gallery images photos pictures",
    description: "desc about summary details blurb info text bio",
    eventCapacity: "capacity maxcapacity",
    timezone: "tz",
    status: "state publish",
    callbackUrl: "webhook webhookurl callback",
    ignore: "silence",
    renamedFrom: "oldname formername previousname",
    id: "uuid eventid",
  },
  values: {
    status: {
      PUBLISHED: "live active onsale open public go on enabled publish",
      DRAFT: "inactive unpublished pending hidden private off disabled new todo",
      ARCHIVED: "ended closed completed complete past finished done over expired",
      DELETED: "removed remove gone trashed",
    },
    visibility: { PRIVATE: "hidden unlisted secret", PUBLIC: "open listed visible" },
    locationType: {
      VENUE: "physical inperson offline onsite place live",
      ONLINE: "virtual stream streaming livestream zoom remote web",
    },
    journeyType: { STANDARD: "normal default paid tickets ticketed", PRESELLING: "presale preorder" },
  },
} as const;

const soldOut = adviceFor(
  "soldout",
  "Sales are closed separately for each ticket type, not for the whole event.",
  "Write `soldOut: true` in each entry of `tickets` whose sale should end.",
);
const rsvp = adviceFor("rsvp", "`journeyType` decides how people get their tickets.", "Write `journeyType: RSVP`.");
const canceled = adviceFor(
  "cancelled canceled cancel iscancelled iscanceled",
  "The service has no status for canceled events.",
  "`status: ARCHIVED` closes an event that has sold tickets, `DRAFT` takes it off the marketplace for now, and `DELETED` removes one that has sold none. `ticketing` cannot refund orders: refund them where you take payments.",
);
const postponed = adviceFor(
  "postponed rescheduled delayed moved tba tbd",
  "The service has no status for postponed events.",
  "Change `dateTime` to the new date; until it is known, write `status: DRAFT` (if tickets were sold, with `allow: [unpublish-with-sales]`). The service does not notify buyers.",
);
const timer = adviceFor(
  "publishat publishedat publishon publishdate publishtime goliveat golive releasedate announceat announce embargo schedulepublish visiblefrom",
  "Timed changes are written as phases.",
  "Write `status: DRAFT` and `phases: [{ from: -6w at 10:00, status: PUBLISHED }]`, with the time that you need.",
);
const noMinimum = adviceFor(
  "minimumpurchasequantity minpurchase minpurchasequantity minperorder minquantity minimum min",
  "The service has no minimum per order, only a `maximumPurchaseQuantity`.",
  "Remove this field. For groups, add a ticket type at the group price.",
);

/** What neither an event nor a ticket type has. */
const forBoth: readonly WordAdvice[] = [
  timer,
  noMinimum,
  adviceFor(
    "salestarts salestart salesstart salestartdate salesstartdate onsaleat onsalefrom onsaledate salestartsat salesopen availablefrom startsale presale presalestart",
    "The service has no sales period; timed changes are written as phases of the event.",
    "Write `published: false` in the ticket type, and give the event a phase that sets `published: true` when sales start.",
  ),
  adviceFor(
    "saleends saleend salesend saleenddate salesenddate saleendsat offsaleat onsaleuntil salesclose availableuntil endsale saleuntil cutoff",
    "The service has no sales period; timed changes are written as phases of the event.",
    "Give the event a phase that sets `soldOut: true` in the ticket type when sales end.",
  ),
  adviceFor(
    "discount discounts promo promocode promocodes coupon coupons voucher vouchers",
    "The service has no discounts.",
    "Remove this field, and add a ticket type, such as Early Bird, with the lower price and its own `quantity`.",
  ),
  adviceFor(
    "earlybird",
    "The service has no discounts.",
    "Remove this field, and add a ticket type, such as Early Bird, with the lower price and its own `quantity`. To end it on a day, give the event a phase that sets `soldOut: true` in it.",
  ),
  adviceFor(
    "slug createdat updatedat remainingquantity sold organizationid",
    "The service sets this itself.",
    "Remove this field.",
  ),
];

export const eventAdvice: readonly WordAdvice[] = [
  soldOut,
  rsvp,
  canceled,
  adviceFor(
    "category categories genre tags tag agelimit minage minimumage agerestriction dresscode refundpolicy refunds refund terms policy organizer organiser promoter host contact email phone language notes note",
    "The service has no field for this.",
    "Remove this field, and put the text in the `description`.",
  ),
  adviceFor(
    "hidden private public unlisted listed",
    "`visibility` decides whether the public can find an event.",
    "Write `visibility: PRIVATE` or `visibility: PUBLIC`.",
  ),
  adviceFor(
    "published draft live",
    "`status` decides whether an event is public.",
    "Write `status: PUBLISHED` or `status: DRAFT`; `published` belongs in each entry of `tickets`.",
  ),
  adviceFor(
    "doors dooropen doorsopen doortime doorsat",
    "The time when doors open is written as a schedule entry.",
    "Add one to `schedules`: `- { title: Doors, startTime: start -1h, endTime: start, ignore: [schedule-outside-event] }`.",
  ),
  adviceFor(
    "city address street venuecity province region country",
    "`venue` says where an event takes place.",
    "Write `venue: { name: …, city: … }`; `ticketing venues search` finds the venue.",
  ),
  adviceFor(
    "event events",
    "A file contains the fields of an event directly.",
    "Remove this line and move its fields to the left, with `---` between several events. The event types of a webhook belong in webhooks.yaml.",
  ),
  adviceFor("archived", "`status` decides whether an event is archived.", "Write `status: ARCHIVED`."),
  adviceFor(
    "remove removed delete deleted",
    "`status` decides whether an event is deleted.",
    "Write `status: DELETED`.",
  ),
  adviceFor("duration", "`endDateTime` decides how long an event lasts.", "Write `endDateTime: …`."),
  adviceFor("free", "`type` decides whether an event is free.", "Write `type: FREE`."),
  adviceFor("online", "`locationType` decides whether an event is online.", "Write `locationType: ONLINE`."),
  ...forBoth,
];

export const ticketAdvice: readonly WordAdvice[] = [
  adviceFor(
    "fee fees",
    "The service has no field for an extra fee.",
    "Remove this field, and include the fee in `price`.",
  ),
  adviceFor(
    "description desc details perks includes benefits",
    "A ticket type has no description.",
    "Remove this field, and put the text in the event's `description`.",
  ),
  adviceFor(
    "hidden private visible",
    "`published` decides whether a ticket type is on sale.",
    "Write `published: false` until it should be on sale.",
  ),
  adviceFor(
    "status",
    "A ticket type has no status.",
    "Write `published: true` to sell it, and `soldOut: true` to end its sale.",
  ),
  adviceFor("currency", "All tickets of an event are sold in PHP.", "Remove this field."),
  adviceFor("seat", "The service has a `section` and a `row`, but no individual seats.", "Remove this field."),
  ...forBoth,
];

/** By a choice of a field, advice on words that mean none of the choices. */
export const adviceByChoice: Readonly<Record<string, readonly WordAdvice[]>> = {
  ARCHIVED: [canceled, soldOut, { ...timer, words: "scheduled comingsoon upcoming announced presale" }, postponed],
  FREE: [rsvp],
  ONLINE: [
    adviceFor(
      "hybrid",
      "An event is either at a venue or online.",
      "Write VENUE here, and add a second event with `locationType: ONLINE` for those who watch.",
    ),
  ],
};

/** The same on any other word. */
export const generalAdvice: Readonly<Record<string, Advice>> = {
  FREE: {
    message: "The `type` of an event only says whether tickets cost money.",
    hint: "Write PAID or FREE; put the kind of event in the `description`.",
  },
};
