// Words that people write where a field of another name, or no field at all, says it.
import { kindOf } from "../../kinds/index.ts";
import { closest, suggest } from "../../model/diagnostic.ts";
import type { LocatedScalar } from "../yaml/located.ts";
import { keysOf, keysWithin, type Schema, schemaAt, stepInto, typeOf } from "./schema-walk.ts";

/** Fields that a word may mean. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  title: ["name", "title"],
  name: ["title"],
  eventname: ["name"],
  ticketname: ["name"],
  label: ["name", "title"],
  date: ["dateTime"],
  day: ["dateTime"],
  time: ["dateTime", "startTime"],
  when: ["dateTime", "startTime"],
  start: ["dateTime", "startTime"],
  starts: ["dateTime", "startTime"],
  startsat: ["dateTime", "startTime"],
  startat: ["dateTime", "startTime"],
  begin: ["dateTime", "startTime"],
  begins: ["dateTime", "startTime"],
  from: ["dateTime", "startTime"],
  startdate: ["dateTime", "startTime"],
  startdatetime: ["dateTime", "startTime"],
  eventdate: ["dateTime"],
  datetime: ["startTime"],
  end: ["endDateTime", "endTime"],
  ends: ["endDateTime", "endTime"],
  endsat: ["endDateTime", "endTime"],
  endat: ["endDateTime", "endTime"],
  until: ["endDateTime", "endTime"],
  to: ["endDateTime", "endTime"],
  finish: ["endDateTime", "endTime"],
  enddate: ["endDateTime", "endTime"],
  enddatetime: ["endTime"],
  endtime: ["endDateTime"],
  starttime: ["dateTime"],
  location: ["venue"],
  place: ["venue"],
  where: ["venue"],
  hall: ["venue"],
  venuename: ["venue"],
  image: ["imageUrl"],
  picture: ["imageUrl"],
  cover: ["imageUrl"],
  coverimage: ["imageUrl"],
  poster: ["imageUrl"],
  banner: ["imageUrl"],
  flyer: ["imageUrl"],
  thumbnail: ["imageUrl"],
  photo: ["imageUrl"],
  gallery: ["galleryUrls"],
  images: ["galleryUrls"],
  photos: ["galleryUrls"],
  pictures: ["galleryUrls"],
  desc: ["description"],
  about: ["description"],
  summary: ["description"],
  details: ["description"],
  blurb: ["description"],
  info: ["description"],
  text: ["description"],
  bio: ["description"],
  capacity: ["eventCapacity"],
  maxcapacity: ["eventCapacity"],
  tz: ["timezone"],
  qty: ["quantity"],
  count: ["quantity"],
  stock: ["quantity"],
  inventory: ["quantity"],
  available: ["quantity"],
  seats: ["quantity"],
  total: ["quantity"],
  cost: ["price"],
  amount: ["price"],
  fee: ["price"],
  onsale: ["published"],
  forsale: ["published"],
  publish: ["published", "status"],
  limit: ["maximumPurchaseQuantity"],
  max: ["maximumPurchaseQuantity"],
  maxperorder: ["maximumPurchaseQuantity"],
  maxperperson: ["maximumPurchaseQuantity"],
  perorder: ["maximumPurchaseQuantity"],
  maxpurchase: ["maximumPurchaseQuantity"],
  maxquantity: ["maximumPurchaseQuantity"],
  maxpurchasequantity: ["maximumPurchaseQuantity"],
  maximumquantity: ["maximumPurchaseQuantity"],
  maxtickets: ["maximumPurchaseQuantity"],
  performerid: ["performer"],
  artist: ["performer", "performers"],
  speaker: ["performer", "performers"],
  artists: ["performers"],
  lineup: ["performers"],
  acts: ["performers"],
  djs: ["performers"],
  bands: ["performers"],
  speakers: ["performers"],
  talent: ["performers"],
  programme: ["schedules"],
  program: ["schedules"],
  timetable: ["schedules"],
  agenda: ["schedules"],
  sponsors: ["brands"],
  sponsor: ["brands"],
  partners: ["brands"],
  tickettypes: ["tickets"],
  tickettype: ["tickets"],
  tiers: ["tickets"],
  prices: ["tickets"],
  admission: ["tickets"],
  link: ["url"],
  website: ["url"],
  colour: ["color"],
  active: ["isActive"],
  enabled: ["isActive"],
  webhook: ["callbackUrl"],
  webhookurl: ["callbackUrl"],
  callback: ["callbackUrl"],
  endpoint: ["url"],
  state: ["status"],
  silence: ["ignore"],
  oldname: ["renamedFrom"],
  formername: ["renamedFrom"],
  previousname: ["renamedFrom"],
  uuid: ["id"],
  eventid: ["id"],
  org: ["organization"],
  organisation: ["organization"],
  apikey: ["apiKeyEnv"],
  url: ["baseUrl", "url"],
  envs: ["environments"],
  defaultenv: ["defaultEnvironment"],
  env: ["environments"],
  variables: ["vars"],
};

/** The fields that people may mean by a word that is none. */
export function fieldsMeantBy(word: string): readonly string[] {
  const meant = bare(word);
  return Object.hasOwn(otherNames, meant) ? (otherNames[meant] as readonly string[]) : [];
}

/** As it is written, without case and signs. */
export function bare(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, "");
}

/** What somebody wishes for that no field says, and how to have it. */
export interface Advice {
  readonly message: string;
  readonly hint: string;
}

const noTimer: Advice = {
  message: "The service cannot publish at a set time.",
  hint: "Leave it at `status: DRAFT`, and merge a pull request with `status: PUBLISHED` when the time has come.",
};
const noSaleStart: Advice = {
  message: "The service has no sales period.",
  hint: "Keep the ticket type at `published: false`, and merge a pull request with `published: true` when its sale begins.",
};
const noSaleEnd: Advice = {
  message: "The service has no sales period.",
  hint: "Merge a pull request with `soldOut: true` in the ticket type when its sale ends.",
};
const noSeries: Advice = {
  message: "There are no recurring events.",
  hint: "Write one event for each date: a file each, or one file with `---` between them and a `key` in each.",
};
const noTemplates: Advice = {
  message: "An event cannot take its fields from another one.",
  hint: "Put what all events share under `defaults` in ticketing.yaml; within a file, YAML's `&name` and `<<: *name` share fields.",
};
const noMinimum: Advice = {
  message: "The service has no minimum for an order, only a `maximumPurchaseQuantity`.",
  hint: "Sell a ticket type of its own for groups, with the price of the group; remove this line.",
};
const noDiscounts: Advice = {
  message: "The service has no discounts.",
  hint: "Add a ticket type with the lower price and its own `quantity`, such as Early Bird; remove this line.",
};
const inDescription: Advice = {
  message: "The service has no field for this.",
  hint: "Write it into `description`; remove this line.",
};
const visibility: Advice = {
  message: "Whether the public finds an event is its `visibility`.",
  hint: "Write `visibility: PRIVATE`, or `visibility: PUBLIC`.",
};
const eventStatus: Advice = {
  message: "Whether an event is public is its `status`.",
  hint: "Write `status: PUBLISHED`, or `status: DRAFT`; `published` belongs in each entry of `tickets`.",
};
const cancelled: Advice = {
  message: "The service has no cancelled events.",
  hint: "`status: ARCHIVED` closes an event that has sold tickets, `DRAFT` takes it off the site for now, `DELETED` removes one that has sold none. Refunds are made on the service, not from here.",
};
const doors: Advice = {
  message: "When the doors open is an entry of the programme.",
  hint: "Add one to `schedules`: `- { title: Doors, startTime: …, endTime: … }`.",
};
const venueParts: Advice = {
  message: "Where an event is, its `venue` says.",
  hint: "Write `venue: { name: …, city: … }`; `ticketing venues search` finds it.",
};
const noTransfer: Advice = {
  message: "The service makes this itself.",
  hint: "Remove this line.",
};

const forEvents: Readonly<Record<string, Advice>> = {
  ...each(
    "publishat publishedat publishon publishdate publishtime goliveat golive releasedate announceat announce embargo",
    noTimer,
  ),
  ...each("phases phase schedulepublish visiblefrom", noTimer),
  ...each("salestarts salestart salesstart salestartdate salesstartdate onsaleat onsalefrom onsaledate", noSaleStart),
  ...each("salestartsat salesopen availablefrom startsale presale presalestart", noSaleStart),
  ...each("saleends saleend salesend saleenddate salesenddate saleendsat offsaleat onsaleuntil salesclose", noSaleEnd),
  ...each("availableuntil endsale saleuntil cutoff", noSaleEnd),
  ...each("series recurring recurrence recurs repeat repeats rrule frequency every weekly daily dates", noSeries),
  ...each(
    "extends extend template templates inherits inherit basedon parent copyfrom include import uses",
    noTemplates,
  ),
  ...each("discount discounts promo promocode promocodes coupon coupons voucher vouchers earlybird", noDiscounts),
  ...each(
    "category categories genre tags tag agelimit minage minimumage ageRestriction dresscode".toLowerCase(),
    inDescription,
  ),
  ...each(
    "refundpolicy refunds refund terms policy organizer organiser promoter host contact email phone",
    inDescription,
  ),
  ...each("language notes note", inDescription),
  ...each("hidden private public unlisted listed", visibility),
  ...each("published draft live", eventStatus),
  ...each("cancelled canceled cancel iscancelled", cancelled),
  ...each("doors dooropen doorsopen doortime doorsat", doors),
  ...each("city address street venuecity province region country", venueParts),
  ...each("slug createdat updatedat remainingquantity sold organizationid", noTransfer),
  ...each("minimumpurchasequantity minpurchase minpurchasequantity minperorder minquantity", noMinimum),
  ...each("event events", {
    message: "A file holds the fields of an event directly.",
    hint: "Remove this line and move its fields to the left, with `---` between several events; what a webhook is told about belongs in webhooks.yaml.",
  }),
  archived: { message: "Whether an event is archived is its `status`.", hint: "Write `status: ARCHIVED`." },
  deleted: { message: "Whether an event is to be deleted is its `status`.", hint: "Write `status: DELETED`." },
  duration: { message: "How long an event is, its end says.", hint: "Write `endDateTime: …`." },
  soldout: {
    message: "Tickets sell out type by type.",
    hint: "Write `soldOut: true` in each entry of `tickets` that is to be closed.",
  },
  free: { message: "Whether an event is free is its `type`.", hint: "Write `type: FREE`." },
  online: { message: "Whether an event is online is its `locationType`.", hint: "Write `locationType: ONLINE`." },
  rsvp: { message: "How people get their tickets is the `journeyType`.", hint: "Write `journeyType: RSVP`." },
};

const forTickets: Readonly<Record<string, Advice>> = {
  ...each("minimumpurchasequantity minpurchase minpurchasequantity minperorder minquantity minimum min", noMinimum),
  ...each("description desc details perks includes benefits", {
    message: "A ticket type has no description.",
    hint: "Write it into the `description` of the event; remove this line.",
  }),
  ...each("hidden private visible", {
    message: "Whether a ticket type is on sale is its `published`.",
    hint: "Write `published: false` until it is to be sold.",
  }),
  status: {
    message: "A ticket type has no status.",
    hint: "Write `published: true` to sell it, `soldOut: true` to close it.",
  },
  currency: { message: "All tickets of an event are sold in PHP.", hint: "Remove this line." },
  seat: { message: "The service knows a `section` and a `row`, and no single seats.", hint: "Remove this line." },
};

function each(words: string, advice: Advice): Record<string, Advice> {
  return Object.fromEntries(words.split(" ").map((word) => [word, advice]));
}

/** What to do instead of a field that does not exist in an event, or in an entry of this list of it; null where there is no advice. */
export function adviceOn(word: string, list: string | null): Advice | null {
  const wanted = bare(word);
  const own = list === "tickets" ? forTickets : {};
  if (Object.hasOwn(own, wanted)) return (own as typeof forTickets)[wanted] ?? null;
  // What an event cannot have, its ticket types cannot have either; the other lists are too small for wishes.
  if (list !== null && list !== "tickets") return null;
  const advice = Object.hasOwn(forEvents, wanted) ? forEvents[wanted] : undefined;
  if (advice === undefined || (list === "tickets" && !sharedAdvice.has(advice))) return null;
  return advice;
}

/** The same for the project file. */
export function adviceOnSetting(word: string): Advice | null {
  return /^(?:templates?|extends|includes?|imports?)$/.test(bare(word)) ? noTemplates : null;
}

const sharedAdvice = new Set([noTimer, noSaleStart, noSaleEnd, noDiscounts, noTemplates, noTransfer]);

/** What to write where a choice has another word for it; by field, by the word without case and signs. */
const otherValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: {
    ...words("live active onsale open public go on enabled publish", "PUBLISHED"),
    ...words("inactive unpublished pending hidden private off disabled new todo", "DRAFT"),
    ...words("ended closed completed complete past finished done over expired", "ARCHIVED"),
    ...words("removed remove gone trashed", "DELETED"),
  },
  visibility: { ...words("hidden unlisted secret", "PRIVATE"), ...words("open listed visible", "PUBLIC") },
  locationType: {
    ...words("physical inperson offline onsite place live", "VENUE"),
    ...words("virtual stream streaming livestream zoom remote web", "ONLINE"),
  },
  journeyType: {
    ...words("normal default paid tickets ticketed", "STANDARD"),
    ...words("presale preorder", "PRESELLING"),
  },
};

const otherTicketTypes = {
  ...words("ga general regular standard normal standing earlybird freeseating", "GENERAL_ADMISSION"),
  ...words("seated reserved seat numbered assigned", "RESERVED_SEAT"),
};

function words(list: string, value: string): Record<string, string> {
  return Object.fromEntries(list.split(" ").map((word) => [word, value]));
}

/** The allowed word that was most likely meant; null where none says it. */
export function valueMeantBy(written: string, field: string, choices: readonly string[]): string | null {
  const known = choices.includes("RESERVED_SEAT") ? otherTicketTypes : (otherValues[field] ?? {});
  const value = Object.entries(known).find(([word]) => word === bare(written))?.[1];
  return value !== undefined && choices.includes(value) ? value : null;
}

/** What to do instead of a value that the service does not know and no other says. */
export function adviceOnValue(written: string, field: string, choices: readonly string[]): Advice | null {
  const word = bare(written);
  if (field === "status" && choices.includes("ARCHIVED")) {
    if (/^cancel/.test(word)) return cancelled;
    if (/^(?:postponed|rescheduled|delayed|moved|tba|tbd)$/.test(word)) {
      return {
        message: "The service has no postponed events.",
        hint: "Change `dateTime` to the new date; until it is known, write `status: DRAFT`. Buyers are not told by the service.",
      };
    }
    if (word === "soldout") return forEvents.soldout as Advice;
    if (/^(?:scheduled|comingsoon|upcoming|announced|presale)$/.test(word)) return noTimer;
  }
  if (field === "backend") {
    return {
      message: "State is kept in a file or not at all; no other backend is built.",
      hint: "Write `backend: file`, and keep .ticketing/ between runs, or `backend: none`.",
    };
  }
  if (field === "type" && choices.includes("FREE")) {
    if (word === "rsvp") return forEvents.rsvp as Advice;
    return {
      message: "The `type` of an event says whether tickets cost money, and nothing else.",
      hint: "Write PAID or FREE; what kind of event it is belongs in `description`.",
    };
  }
  if (field === "locationType" && word === "hybrid") {
    return {
      message: "The service knows events at a venue and online ones, and none that are both.",
      hint: "Write VENUE here, and a second event with `locationType: ONLINE` for those who watch.",
    };
  }
  return null;
}

/** Says of a field that does not exist here where it does: by its own name, else by those that may be meant by it. */
export function whereItBelongs(
  key: string,
  path: readonly PropertyKey[],
  root: Schema,
  meant: readonly string[],
): string | null {
  for (const name of [key, ...meant]) {
    const place =
      below(name, path, root) ?? above(name, path, root) ?? beside(name, path, root) ?? inWebhook(name, root);
    if (place !== null)
      return name === key ? `It belongs ${place}.` : `It is called \`${name}\`, and belongs ${place}.`;
  }
  return null;
}

function below(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  const field = holderOf(name, schemaAt(root, path) ?? root, null);
  return field === null ? null : `one level down, in ${field}`;
}

function above(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  // A default of an entry is not a default of the event.
  if (path.length === 0 || path[0] === "defaults") return null;
  const { schema, field } = holder(path, root);
  return schema !== undefined && keysOf(schema).includes(name) ? `one level up, beside \`${field}\`` : null;
}

/** In another list of the same object. Everything has a name, so that one is at home nowhere else. */
function beside(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  if (path.length === 0 || name === "name" || name === "title") return null;
  const { schema, field } = holder(path, root);
  const other = schema === undefined ? null : holderOf(name, schema, field);
  return other === null ? null : `in ${other}`;
}

function inWebhook(name: string, root: Schema): string | null {
  return root === kindOf("event").schema && keysOf(kindOf("webhook").schema).includes(name)
    ? "in a webhook, in webhooks.yaml"
    : null;
}

/** What the object at the path is part of, and by which field. */
function holder(path: readonly PropertyKey[], root: Schema) {
  const steps = typeof path.at(-1) === "number" ? -2 : -1;
  return { schema: schemaAt(root, path.slice(0, steps)), field: String(path.at(steps)) };
}

/** The field of an object that holds objects with a field of this name. */
function holderOf(name: string, schema: Schema, except: string | null): string | null {
  for (const field of keysOf(schema)) {
    const held = field === except ? undefined : stepInto(schema, field)[0];
    if (held === undefined || !keysWithin(held).includes(name)) continue;
    return `${typeOf(held) === "array" ? "an entry of " : ""}\`${field}\``;
  }
  return null;
}

export interface UnknownKey {
  readonly message: string;
  readonly hint: string;
  /** The field that was meant, where it is one of the same object. */
  readonly meant: string | null;
}

/** A number that a comma within brackets splits: its second half is a key to YAML. */
export interface SplitNumber {
  /** null where the first half is no number either: `₱1,500`. */
  readonly half: LocatedScalar | null;
}

/** `present` are the keys that the object has. */
export function explainUnknownKey(
  key: string,
  path: readonly PropertyKey[],
  root: Schema,
  present: ReadonlySet<string>,
  split: SplitNumber | null,
): UnknownKey {
  const here = schemaAt(root, path) ?? root;
  const known = keysOf(here);
  if (split !== null) return explainSplit(key, split);
  const message = `Unknown field \`${key}\`.`;
  // What is meant at this level comes before what has the same name at another one.
  const same = known.find((name) => bare(name) === bare(key)) ?? null;
  const others = fieldsMeantBy(key).filter((name) => known.includes(name));
  const other = same ?? others.find((name) => !present.has(name)) ?? null;
  const advice = other === null ? adviceAt(key, path, root) : null;
  if (advice !== null) return { message: `${message} ${advice.message}`, hint: advice.hint, meant: null };
  const close = other ?? closest(key, known);
  if (close !== null) return { message, hint: hintOf(close, present), meant: close };
  // Everything has a name or a title: that it has one elsewhere says nothing.
  const isLabel = others.length > 0 && /^(?:name|title)$/.test(key);
  const itself = isLabel ? null : whereItBelongs(key, path, root, []);
  if (itself !== null) return { message: `\`${key}\` does not belong here.`, hint: itself, meant: null };
  const near = others[0] ?? suggest(key, known);
  if (near !== null) return { message, hint: hintOf(near, present), meant: near };
  const elsewhere = whereItBelongs(key, path, root, fieldsMeantBy(key));
  if (elsewhere !== null) return { message: `\`${key}\` does not belong here.`, hint: elsewhere, meant: null };
  return { message, hint: `Known here: ${known.join(", ")}.`, meant: null };
}

function hintOf(near: string, present: ReadonlySet<string>): string {
  return present.has(near)
    ? `\`${near}\` says this, and is here already: remove one of the two.`
    : `Did you mean \`${near}\`?`;
}

function adviceAt(key: string, path: readonly PropertyKey[], root: Schema) {
  const [first, ...rest] = path;
  const steps = first === "defaults" ? rest : path;
  if (root !== kindOf("event").schema && first !== "defaults") return path.length === 0 ? adviceOnSetting(key) : null;
  return steps.length > 2 ? null : adviceOn(key, steps.length === 0 ? null : String(steps[0]));
}

function explainSplit(key: string, { half }: SplitNumber): UnknownKey {
  return {
    message: "Within brackets a comma ends a value, and here it splits a number.",
    hint: half === null ? "Write the number without a comma." : `Write ${String(half.value)}${key}, without the comma.`,
    meant: null,
  };
}
