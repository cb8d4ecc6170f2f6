import type { Address, KindName } from "./address.ts";
import { dayMs } from "./time.ts";
import { comparableText, type Fee, type Value } from "./value.ts";
import type { EventStatus } from "./wish.ts";

export interface Live {
  readonly kind: KindName;
  readonly id: string;
  readonly parentId: string | null;
  /** Fields the service shows, in canonical form. A field that is not here is unreadable. */
  readonly fields: Readonly<Record<string, Value>>;
  /** An event's status; null for the other kinds, or if it is not shown. */
  readonly status: EventStatus | null;
  /** The status as the service shows it, if it is an unknown one: the event may be public. */
  readonly otherStatus?: string;
  /** A ticket type's `remainingQuantity`; null for the other kinds, or if it is not shown. */
  readonly remaining: number | null;
  readonly slug: string | null;
  /** When it was made, if the service shows that. */
  readonly createdAt?: string;
}

/** Over, as far as its fields show: past its end, or a day past its start if they show no end. */
export function hasEnded({ fields }: { readonly fields: Readonly<Record<string, unknown>> }, now: number): boolean {
  const { endDateTime, dateTime } = fields;
  if (typeof endDateTime === "string") return Date.parse(endDateTime) < now;
  return typeof dateTime === "string" && Date.parse(dateTime) + dayMs < now;
}

/** Whose key it is and what it may do. */
export interface Account {
  readonly keyName: string | null;
  /** null: the service does not show them. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: string | null;
  readonly organization: { readonly id: string; readonly slug: string };
}

export interface Venue {
  readonly id: string;
  readonly name: string;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Of the sandbox, which has each venue that the files name. */
  readonly madeUp?: true;
}

/** Names and cities of venues are compared without regard to case. */
export function sameInAnyCase(one: string | null, other: string): boolean {
  return one !== null && comparableText(one) === comparableText(other);
}

/** What a venue is called, by its id; null: not known. */
export type VenueNames = (id: string) => string | null;

export type LiveLists = Readonly<Record<KindName, readonly Live[]>>;

/** Sales of one object: `count` if the number is known, `any` if it is only known whether there are any; both null if neither is known. */
export interface Sold {
  readonly count: number | null;
  readonly any: boolean | null;
  /** Its orders show that none ever were; quantities cannot: a refund may give tickets back. */
  readonly never?: true;
  /** The figures are of the whole event: its orders do not show their ticket types. */
  readonly ofEvent?: true;
  /** Why neither is known, if the reason is not just that this key may not read orders. */
  readonly unknown?: string;
}

export interface TicketsInOrders {
  /** For COMPLETED orders: the number that people are shown. */
  readonly completed: ReadonlyMap<string, number>;
  /** For all orders except CANCELLED ones: what may bind a buyer. */
  readonly notCanceled: ReadonlyMap<string, number>;
  /** Of these, for REFUNDED ones. */
  readonly refunded: ReadonlyMap<string, number>;
}

export interface OrderFigures {
  /** Orders that are not CANCELLED; null: they cannot be read. */
  readonly total: number | null;
  /** Why they cannot be read, if the reason is not just that this key may not read orders. */
  readonly unread?: string;
  /** null: the orders do not show their ticket types; left out: not read. */
  readonly tickets?: TicketsInOrders | null;
  /** Only some of them were read: what they show exists, and what they do not show may exist. */
  readonly isPart?: true;
}

/** What is remembered of one object between runs. Losing it costs speed and some certainty, never correctness. */
export interface StateEntry {
  readonly kind: KindName;
  readonly id: string;
  /** Managed fields as they were last known to be applied, in canonical form. */
  readonly applied: Readonly<Record<string, Value>>;
  /** If the service stores a field in another form than we sent: what it showed after our own write. */
  readonly returned?: Readonly<Record<string, Value>>;
  /** Managed fields that the service does not show and that we never sent, with the value they were wished to have then. */
  readonly unknown?: Readonly<Record<string, Value>>;
  /** Fields that the files clear but the service does not allow to be empty: what it showed after the attempt; null: it does not show them. */
  readonly uncleared?: Readonly<Record<string, Value>>;
  /** What was sent without a known outcome, each call by its fields; `status` for a transition, and DELETED for a delete. Where the service shows it, it is ours. */
  readonly unconfirmed?: readonly Readonly<Record<string, Value>>[];
  /** It was deleted to free its name for a replacement still to be created: its values for fields that the files do not set. */
  readonly carried?: Readonly<Record<string, Value>>;
  /** Addresses by field: a replacement of what it named has cleared these fields, and they must name what took its place. */
  readonly named?: Readonly<Record<string, Value>>;
  /** The id of the object that it replaced, until that is known to be gone. */
  readonly former?: string;
  /** Known only from the journal of an interrupted run: fields missing from `applied` are unknown, not unapplied. */
  readonly partial?: true;
  readonly protected?: true;
  /** When it was created, by the service's clock: a list may not show it for some seconds. */
  readonly madeAt?: string;
  /** The name by which a command was given its secret. */
  readonly secretName?: string;
}

export interface State {
  readonly formatVersion: 1;
  /** Made at random when the state begins; two states of different lineage are never mixed. */
  readonly lineage: string;
  /** Grows by one with each write. */
  readonly serial: number;
  readonly organization: { readonly id: string; readonly slug: string } | null;
  readonly objects: Readonly<Record<Address, StateEntry>>;
  /** The git revision of the last run that applied all of it without a failure, if it is in git, and when that began. */
  readonly appliedRevision?: string;
  readonly appliedAt?: string;
  readonly lastRun?: LastRun;
  /** `state migrate` copied it to a different store, which has been in use since: what is recorded here no longer counts. */
  readonly moved?: { readonly to: string; readonly at: string; readonly by: string };
  /** Edits that were merged unreviewed and wait for a review, by digest. */
  readonly held?: Readonly<Record<string, HeldEdit>>;
  /** What was sent since a run last ended clean, by digest, with the revision that was applied: the reviews merged up to there are used up. */
  readonly sent?: Readonly<Record<string, string>>;
  /** The names of venues of these objects, by the key of their id: the service finds a venue only by its name. */
  readonly venues?: Readonly<Record<string, string>>;
  /** When the last runs changed or deleted something, by id key and service clock: reads may lag for seconds. Only the last minute of the newest run. */
  readonly changed?: Readonly<Record<string, string>>;
  readonly deleted?: Readonly<Record<string, string>>;
  /** The objects of calls that an interrupted run left open, as its journal shows; never stored. Each may have taken effect or not. */
  readonly unfinished?: readonly Address[];
  /** Ids of webhooks whose rotation was cut off while the new secret was being stored, from the journal; never stored in state. */
  readonly unresolvedWebhooks?: readonly string[];
  /** Ids of webhooks that a rotation deletes once a test event has reached the new one, from the journal; never stored in state. */
  readonly replacedWebhooks?: readonly string[];
  /** When each event was last compared with the service, if it was as in the files. */
  readonly verified?: Readonly<Record<Address, string>>;
  /** The same, if somebody had changed it there. */
  readonly drifted?: Readonly<Record<Address, string>>;
}

export interface HeldEdit {
  readonly address: Address;
  readonly path?: string;
  readonly at: string;
  /** It would undo what somebody did on the service. */
  readonly drift?: true;
  /** It is a safeguard, which nothing on the service shows: of the event at that address, or of the project. */
  readonly guard?: true;
}

/** Which part of how many: `2/4`. */
export type Shard = `${number}/${number}`;

export function parseShard(shard: Shard): { readonly index: number; readonly count: number } {
  const [index = 1, count = 1] = shard.split("/").map(Number);
  return { index, count };
}

/** What an apply works from; recorded before its first write. */
export interface Attempt {
  /** The commit that was checked out; null: there was none. */
  readonly revision: string | null;
  /** The files were not exactly that commit. */
  readonly dirty?: true;
  readonly at: string;
  /** Where the merges begin whose reviews count, until a run ends clean; left out: none is known, or one has. */
  readonly since?: string;
  /** The page of the CI run. */
  readonly url?: string;
  /** It applies only this part of the project. */
  readonly shard?: Shard;
}

/** The newest attempt, however it ended. */
export interface LastRun extends Attempt {
  /** All of the project was applied, without a failure; for a shard: by all shards, at the same revision. */
  readonly clean: boolean;
  /** When its saved plan was made: what came due since then is left to the next run. */
  readonly asOf?: string;
  /** When each shard whose part was applied without a failure began, by its number. */
  readonly cleanShards?: Readonly<Record<string, string>>;
}

/** A live entry that names an object to be deleted. */
export interface Mention {
  readonly id: string;
  readonly address: Address;
  /** What it must refer to before the object is deleted; null: nothing. Left out if its own change settles that. */
  readonly target?: Address | null;
}

// An event as a buyer sees it, from files or the service. Texts are as they were given: rendering a card makes them safe.

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
  /** Fields without a fixed place on a card whose value is not the default. */
  readonly facts: readonly CardFact[];
  /** null, here and below: the list was not read, and the files do not mention it. */
  readonly tickets: readonly CardTicket[] | null;
  readonly performers: readonly CardPerformer[] | null;
  readonly schedule: readonly CardEntry[] | null;
  readonly brands: readonly CardBrand[] | null;
  readonly others: readonly CardList[];
}

export interface CardVenue {
  readonly isOnline: boolean;
  /** Empty if the event has no venue. */
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
  readonly series: Address | null;
  /** Dates of that series in the files that stay as they are. */
  readonly staying?: readonly CardDate[];
  /** null: not live yet. */
  readonly before: EventCard | null;
  /** null: it goes. */
  readonly after: EventCard | null;
  /** Addresses of objects whose change is blocked, which are keys of the cards; the event's own among them. */
  readonly blocked: readonly Address[];
}
