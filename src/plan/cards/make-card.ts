// From canonical field values to the card of an event, from any source.
import { childKinds, fieldEntries, kindOf, sentName, serviceDefaultOf } from "../../kinds/index.ts";
import { type KindName, nameInAddress } from "../../model/address.ts";
import type { CardFact, CardTicket, EventCard, VenueNames } from "../../model/live.ts";
import { standardZone } from "../../model/time.ts";
import { isReference, type Reference, type Value, type VenueQuery } from "../../model/value.ts";
import type { EventStatus, Wish } from "../../model/wish.ts";
import { commissionOn } from "../rules/context.ts";

/** One object's fields by the service's names, with names in place of ids of other objects of the event. */
export interface CardObject {
  readonly key: string;
  readonly fields: Readonly<Record<string, Value | Reference | undefined>>;
  /** Of a ticket type. */
  readonly left?: number | null;
  readonly sold?: number | "some" | null;
}

export interface CardSource extends CardObject {
  readonly status: EventStatus | null;
  readonly timezone?: string | undefined;
  /** What the file calls the venue. */
  readonly venue?: VenueQuery | undefined;
  /** By kind; one that is left out is not known. */
  readonly children: Readonly<Record<KindName, readonly CardObject[] | undefined>>;
  /** The service shows it: a field that is left out is unknown, rather than at its default. */
  readonly isLive?: boolean;
}

/** The card of an event as its file describes it, with nothing known of the service. */
export function cardOfWish(wish: Wish, venues: VenueNames = () => null): EventCard {
  const objectOf = ({ address, fields }: Wish): CardObject => ({ key: address, fields });
  const status = wish.own.status === "DELETED" ? null : (wish.own.status ?? "DRAFT");
  const lists = childKinds(wish.kind).map(({ name }) => [name, (wish.children[name] ?? []).map(objectOf)]);
  const { timezone, venue } = wish.own;
  return makeCard(
    { ...objectOf(wish), key: wish.name, status, timezone, venue, children: Object.fromEntries(lists) },
    venues,
  );
}

const eventParts = [
  "name",
  "dateTime",
  "endDateTime",
  "timezone",
  "description",
  "imageUrl",
  "galleryUrls",
  "venueId",
  "locationType",
];
const ticketParts = ["price", "quantity", "published", "soldOut"];
/** The texts that a card shows under its own names, by kind: the card's name and the service's. */
const texts = {
  performer: { type: "type", imageUrl: "imageUrl", description: "description" },
  schedule: {
    start: "startTime",
    end: "endTime",
    color: "color",
    performer: "performerId",
    description: "description",
  },
  brand: { url: "url", imageUrl: "imageUrl", description: "description" },
} as const;
const ownParts = new Set(["ticket", ...Object.keys(texts)]);

export function makeCard(source: CardSource, venues: VenueNames = () => null): EventCard {
  const { children } = source;
  const event = readerOf("event", source);
  const zone = source.timezone ?? event.text("timezone") ?? standardZone;
  const flag = event.value("absorbFees");
  const isShown = source.fields.absorbFees !== undefined || source.isLive !== true;
  const absorbFees = typeof flag === "boolean" && isShown ? flag : null;
  const gallery = event.value("galleryUrls");
  return {
    title: event.text("name") ?? source.key,
    status: source.status,
    start: event.text("dateTime"),
    end: event.text("endDateTime"),
    timezone: zone,
    venue: {
      isOnline: event.value("locationType") === "ONLINE",
      words: venueWords(source, event.text("venueId"), venues),
      id: event.text("venueId"),
    },
    imageUrl: event.text("imageUrl"),
    galleryUrls: Array.isArray(gallery) ? gallery : [],
    description: event.text("description"),
    facts: event.otherFacts(eventParts),
    tickets: children.ticket?.map((one) => ticketOf(one, absorbFees)) ?? null,
    performers: children.performer?.map((one) => cardItem("performer", one, texts.performer)) ?? null,
    schedule: children.schedule?.map((one) => cardItem("schedule", one, texts.schedule)) ?? null,
    brands: children.brand?.map((one) => cardItem("brand", one, texts.brand)) ?? null,
    others: childKinds("event").flatMap(({ name }) => {
      const list = ownParts.has(name) ? undefined : children[name];
      return list === undefined ? [] : [{ kind: name, items: list.map((one) => cardItem(name, one, {})) }];
    }),
  };
}

function ticketOf(one: CardObject, absorbFees: boolean | null): CardTicket {
  const { value } = readerOf("ticket", one);
  const price = value("price");
  const quantity = value("quantity");
  const published = value("published");
  const left = one.left ?? null;
  return {
    ...cardItem("ticket", one, {}, ticketParts),
    price: typeof price === "number" ? price : null,
    quantity: typeof quantity === "number" ? quantity : null,
    fee: typeof price === "number" ? { price, commission: commissionOn(price), absorbFees } : null,
    left,
    sold: one.sold ?? null,
    onSale: typeof published === "boolean" ? published : null,
    soldOut: value("soldOut") === true || left === 0,
  };
}

/** `others`: fields that the card shows as something else than a text. */
function cardItem<Part extends string>(
  kind: KindName,
  one: CardObject,
  parts: Readonly<Record<Part, string>>,
  others: readonly string[] = [],
) {
  const { text, otherFacts } = readerOf(kind, one);
  const { label } = kindOf(kind).identity;
  const shown = Object.entries<string>(parts);
  return {
    key: one.key,
    name: text(label) ?? nameInAddress(one.key),
    facts: otherFacts([...shown.map(([, field]) => field), ...others, label]),
    ...(Object.fromEntries(shown.map(([part, field]) => [part, text(field)])) as Record<Part, string | null>),
  };
}

/** The name from the service or a search, else from the file, else the beginning of the id. */
function venueWords({ venue }: CardSource, id: string | null, venues: VenueNames): string {
  const known = id === null ? null : venues(id);
  if (known !== null) return known;
  if (venue !== undefined) {
    const { name, city, state, country } = venue;
    return [name, city, state, country].filter((part) => part !== undefined).join(", ");
  }
  return id === null ? "" : `venue not known here (${id.slice(0, 8)}…)`;
}

/** The values of one object: an empty one has the value that the service uses for it. */
function readerOf(kindName: KindName, { fields }: CardObject) {
  const kind = kindOf(kindName);

  function value(field: string): Value {
    const given = fields[field];
    if (isReference(given)) return nameInAddress(given.$id);
    return given ?? serviceDefaultOf(kind, field) ?? null;
  }

  return {
    value,
    text(field: string): string | null {
      const found = value(field);
      return typeof found === "string" ? found : null;
    },
    otherFacts(parts: readonly string[]): readonly CardFact[] {
      return fieldEntries(kind).flatMap(([name, policy]) => {
        const field = sentName(kind, name);
        if (parts.includes(field) || (policy.role !== "value" && policy.role !== "reference")) return [];
        const found = value(field);
        const isUsual = policy.role === "value" && found === (policy.serviceDefault ?? policy.plainest);
        return found === null || isUsual ? [] : [{ field: name, value: found }];
      });
    },
  };
}
