// Words that people write where a field or value of another name, or none at all, says it. All in lower case, without signs.

export interface Advice {
  readonly message: string;
  readonly hint: string;
}

/** By field, the words that may mean it. A word that may mean several fields is listed under each, the likeliest first. */
const synonyms: Readonly<Record<string, string>> = {
  name: "title label eventname ticketname",
  title: "title name label",
  dateTime:
    "date day time when start starts startsat startat begin begins from startdate startdatetime starttime eventdate",
  startTime: "time when start starts startsat startat begin begins from startdate startdatetime datetime",
  endDateTime: "end ends endsat endat until to finish enddate endtime",
  endTime: "end ends endsat endat until to finish enddate enddatetime",
  venue: "location place where hall venuename",
  imageUrl: "image picture cover coverimage poster banner flyer thumbnail photo",
  galleryUrls: "gallery images photos pictures",
  description: "desc about summary details blurb info text bio",
  eventCapacity: "capacity maxcapacity",
  timezone: "tz",
  quantity: "qty count stock inventory available seats total",
  price: "cost amount fee",
  published: "onsale forsale publish",
  status: "state publish",
  maximumPurchaseQuantity:
    "limit max maxperorder maxperperson perorder maxpurchase maxquantity maxpurchasequantity maximumquantity maxtickets",
  performer: "performerid artist speaker",
  performers: "artist artists speaker speakers lineup acts djs bands talent",
  schedules: "programme program timetable agenda",
  brands: "sponsors sponsor partners",
  tickets: "tickettypes tickettype tiers prices admission",
  baseUrl: "url",
  url: "link website endpoint url",
  color: "colour",
  isActive: "active enabled",
  callbackUrl: "webhook webhookurl callback",
  ignore: "silence",
  renamedFrom: "oldname formername previousname",
  id: "uuid eventid",
  organization: "org organisation",
  apiKeyEnv: "apikey",
  environments: "envs env",
  defaultEnvironment: "defaultenv",
  vars: "variables",
  extends: "extend template templates inherits inherit basedon parent copyfrom include includes import imports uses",
  phases: "phase timeline stages",
  series: "recurring recurrence recurs repeat repeats rrule frequency every weekly daily dates occurrences",
  without: "except exclude drop omit",
  remove: "removed delete deleted",
};

/** As it is written, without case and signs. */
export function bare(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, "");
}

/** The fields that people may mean by a word that is not a field. */
export function fieldsMeantBy(word: string): readonly string[] {
  return Object.keys(synonyms).filter((field) => lists(synonyms[field], word));
}

function lists(words: string | undefined, word: string): boolean {
  return words?.split(" ").includes(bare(word)) === true;
}

interface Row {
  readonly words: string;
  readonly advice: Advice;
}

function row(words: string, message: string, hint: string): Row {
  return { words, advice: { message, hint } };
}

const soldOut = row(
  "soldout",
  "Tickets sell out type by type.",
  "Write `soldOut: true` in each entry of `tickets` that should close.",
);
const rsvp = row("rsvp", "How people get their tickets is the `journeyType`.", "Write `journeyType: RSVP`.");
const canceled = row(
  "cancelled canceled cancel iscancelled iscanceled",
  "The service has no canceled events.",
  "`status: ARCHIVED` closes an event that has sold tickets, `DRAFT` takes it off the site for now, and `DELETED` removes one that has sold none. Refunds are made on the service, not from here.",
);
const timer = row(
  "publishat publishedat publishon publishdate publishtime goliveat golive releasedate announceat announce embargo schedulepublish visiblefrom",
  "What happens at a time is a phase.",
  "Write `phases: [{ from: -6w at 10:00, status: PUBLISHED }]`, with the time that you need.",
);
const noMinimum = row(
  "minimumpurchasequantity minpurchase minpurchasequantity minperorder minquantity minimum min",
  "The service has no minimum per order, only a `maximumPurchaseQuantity`.",
  "Add a ticket type for groups, at the group price; remove this line.",
);

/** What neither an event nor a ticket type has. */
const forBoth: readonly Row[] = [
  timer,
  noMinimum,
  row(
    "salestarts salestart salesstart salestartdate salesstartdate onsaleat onsalefrom onsaledate salestartsat salesopen availablefrom startsale presale presalestart",
    "The service has no sales period; what happens at a time is a phase of the event.",
    "Keep the ticket type at `published: false`, and add a phase to the event that sets `published: true` when sales start.",
  ),
  row(
    "saleends saleend salesend saleenddate salesenddate saleendsat offsaleat onsaleuntil salesclose availableuntil endsale saleuntil cutoff",
    "The service has no sales period; what happens at a time is a phase of the event.",
    "Add a phase to the event that sets `soldOut: true` in the ticket type when sales end.",
  ),
  row(
    "discount discounts promo promocode promocodes coupon coupons voucher vouchers earlybird",
    "The service has no discounts.",
    "Add a ticket type with the lower price and its own `quantity`, such as Early Bird; remove this line.",
  ),
  row(
    "slug createdat updatedat remainingquantity sold organizationid",
    "The service sets this itself.",
    "Remove this line.",
  ),
];

const forEvents: readonly Row[] = [
  soldOut,
  rsvp,
  canceled,
  row(
    "category categories genre tags tag agelimit minage minimumage agerestriction dresscode refundpolicy refunds refund terms policy organizer organiser promoter host contact email phone language notes note",
    "The service has no field for this.",
    "Put it in the `description`; remove this line.",
  ),
  row(
    "hidden private public unlisted listed",
    "Whether the public can find an event is its `visibility`.",
    "Write `visibility: PRIVATE` or `visibility: PUBLIC`.",
  ),
  row(
    "published draft live",
    "Whether an event is public is its `status`.",
    "Write `status: PUBLISHED` or `status: DRAFT`; `published` belongs in each entry of `tickets`.",
  ),
  row(
    "doors dooropen doorsopen doortime doorsat",
    "When the doors open is a schedule entry.",
    "Add one to `schedules`: `- { title: Doors, startTime: …, endTime: … }`.",
  ),
  row(
    "city address street venuecity province region country",
    "Where an event takes place is its `venue`.",
    "Write `venue: { name: …, city: … }`; `ticketing venues search` finds it.",
  ),
  row(
    "event events",
    "A file holds the fields of an event directly.",
    "Remove this line and move its fields to the left, with `---` between several events. The event types of a webhook belong in webhooks.yaml.",
  ),
  row("archived", "Whether an event is archived is its `status`.", "Write `status: ARCHIVED`."),
  row("deleted", "Whether an event should be deleted is its `status`.", "Write `status: DELETED`."),
  row("duration", "How long an event lasts follows from its end.", "Write `endDateTime: …`."),
  row("free", "Whether an event is free is its `type`.", "Write `type: FREE`."),
  row("online", "Whether an event is online is its `locationType`.", "Write `locationType: ONLINE`."),
];

const forTickets: readonly Row[] = [
  row(
    "description desc details perks includes benefits",
    "A ticket type has no description.",
    "Put it in the event's `description`; remove this line.",
  ),
  row(
    "hidden private visible",
    "Whether a ticket type is on sale is its `published`.",
    "Write `published: false` until it should be on sale.",
  ),
  row("status", "A ticket type has no status.", "Write `published: true` to sell it, `soldOut: true` to close it."),
  row("currency", "All tickets of an event are sold in PHP.", "Remove this line."),
  row("seat", "The service has a `section` and a `row`, but no single seats.", "Remove this line."),
];

/** What to do instead of a field that does not exist in an event, or in an entry of this list of it; null if there is no advice. */
export function adviceOn(word: string, list: string | null): Advice | null {
  const own = list === null ? forEvents : list === "tickets" ? forTickets : null;
  return own === null ? null : adviceAmong([...own, ...forBoth], word);
}

const templates = row(
  "extends extend inherits inherit basedon parent copyfrom include includes import imports uses",
  "Templates are files of their own, which events name under `extends`.",
  "Put what all events share under `defaults`, and what some share into templates/NAME.yaml.",
);

/** The same for the project file. */
export function adviceOnSetting(word: string): Advice | null {
  return adviceAmong([templates], word);
}

function adviceAmong(rows: readonly Row[], word: string): Advice | null {
  return rows.find(({ words }) => lists(words, word))?.advice ?? null;
}

/** By field and value, other words for the value. */
const otherValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
  type: {
    GENERAL_ADMISSION: "ga general regular standard normal standing earlybird freeseating",
    RESERVED_SEAT: "seated reserved seat numbered assigned",
  },
};

/** The allowed value that was most likely meant; null if none says it. */
export function valueMeantBy(written: string, field: string, choices: readonly string[]): string | null {
  const values = otherValues[field] ?? {};
  return choices.find((choice) => lists(values[choice], written)) ?? null;
}

/** By one of the choices of a field, advice on words that none of them says. */
const adviceByChoice: Readonly<Record<string, readonly Row[]>> = {
  ARCHIVED: [
    canceled,
    soldOut,
    { ...timer, words: "scheduled comingsoon upcoming announced presale" },
    row(
      "postponed rescheduled delayed moved tba tbd",
      "The service has no postponed events.",
      "Change `dateTime` to the new date; until it is known, write `status: DRAFT`. The service does not notify buyers.",
    ),
  ],
  FREE: [rsvp],
  "delete-event": [
    row(
      "olderthanapplied divergedfromapplied unjudgeddeletions",
      "It is about a single run; a file would accept it for every run to come.",
      "Pass it with --allow to the run it is for.",
    ),
  ],
  ONLINE: [
    row(
      "hybrid",
      "An event is either at a venue or online.",
      "Write VENUE here, and add a second event with `locationType: ONLINE` for those who watch.",
    ),
  ],
};

/** The same on any other word. */
const generalAdvice: Readonly<Record<string, Advice>> = {
  FREE: {
    message: "The `type` of an event only says whether tickets cost money.",
    hint: "Write PAID or FREE; put the kind of event in the `description`.",
  },
  none: {
    message: "There is no such backend.",
    hint: "Write `backend: git` where runs forget their files, as in CI, `postgres`, `s3` or `http` (such as GitLab's) where a team has one of these, `file` on one machine, or `none`.",
  },
};

/** What to do instead of a value that the service does not know and no other says. */
export function adviceOnValue(written: string, choices: readonly string[]): Advice | null {
  for (const choice of choices) {
    const advice = adviceAmong(adviceByChoice[choice] ?? [], written) ?? generalAdvice[choice];
    if (advice !== undefined) return advice;
  }
  return null;
}
