// An event as a buyer sees it, whether files or the service say so. Texts are as they were given: whoever renders a card makes them safe.
import type { Address, KindName } from "./address.ts";
import type { Fee, Value } from "./value.ts";
import type { EventStatus } from "./wish.ts";

export interface EventCard {
  readonly title: string;
  /** null: not known. A wish without a status becomes a draft. */
  readonly status: EventStatus | null;
  readonly start: string | null;
  readonly end: string | null;
  /** The zone in which all times of the card are shown. */
  readonly timezone: string;
  readonly venue: CardVenue;
  readonly imageUrl: string | null;
  readonly galleryUrls: readonly string[];
  readonly description: string | null;
  /** Fields that have no place of their own on a card, and are not what a file need not say. */
  readonly facts: readonly CardFact[];
  /** null, here and below: the list was not read, and the files say nothing of it. */
  readonly tickets: readonly CardTicket[] | null;
  readonly performers: readonly CardPerformer[] | null;
  readonly schedule: readonly CardEntry[] | null;
  readonly brands: readonly CardBrand[] | null;
  /** Lists of further kinds. */
  readonly others: readonly CardList[];
}

/** `words` is empty if there is none. */
export interface CardVenue {
  readonly isOnline: boolean;
  readonly words: string;
  readonly id: string | null;
}

export interface CardFact {
  /** Its name in files. */
  readonly field: string;
  readonly value: Exclude<Value, null>;
}

interface CardItem {
  /** The same before and after. */
  readonly key: string;
  readonly name: string;
  readonly facts: readonly CardFact[];
}

export interface CardTicket extends CardItem {
  /** null, here and below: the service does not show it. */
  readonly price: number | null;
  readonly quantity: number | null;
  /** What the price means to the buyer and to the organizer. */
  readonly fee: Fee | null;
  readonly left: number | null;
  readonly sold: number | "some" | null;
  readonly onSale: boolean | null;
  readonly soldOut: boolean;
}

export interface CardPerformer extends CardItem {
  readonly type: string | null;
  readonly imageUrl: string | null;
  readonly description: string | null;
}

export interface CardEntry extends CardItem {
  readonly start: string | null;
  readonly end: string | null;
  /** Of the form #RRGGBB, as a wish has it; what the service shows may be anything. */
  readonly color: string | null;
  readonly performer: string | null;
  readonly description: string | null;
}

export interface CardBrand extends CardItem {
  readonly url: string | null;
  readonly imageUrl: string | null;
  readonly description: string | null;
}

export interface CardList {
  readonly kind: KindName;
  readonly items: readonly CardItem[];
}

export interface CardDate {
  readonly start: string;
  readonly timezone: string;
}

/** One event of a plan, as it is and as it will be. */
export interface CardPair {
  readonly address: Address;
  /** The series that it is a date of. */
  readonly series: Address | null;
  /** Dates of that series in the files that stay as they are. */
  readonly staying?: readonly CardDate[];
  /** null: not live yet. */
  readonly before: EventCard | null;
  /** null: it goes. */
  readonly after: EventCard | null;
  /** Addresses of what something forbids to change, which are keys of the cards; the event's own among them. */
  readonly blocked: readonly Address[];
}
