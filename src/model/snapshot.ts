import type { KindName } from "./kind-name.ts";
import type { Live } from "./live.ts";

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
}

/** The lists of one event that were read, by kind. */
export type LiveLists = Readonly<Partial<Record<KindName, readonly Live[]>>>;

/** What was read of the live service: as little as the wishes need. */
export interface Snapshot {
  readonly account: Account;
  /** Events that were looked at, whatever their status. */
  readonly events: readonly Live[];
  /** How many PUBLISHED and DRAFT events there are; null where the list was not looked at. */
  readonly eventsTotal: number | null;
  /** By event id. */
  readonly lists: ReadonlyMap<string, LiveLists>;
  /** null: not looked at. */
  readonly webhooks: readonly Live[] | null;
  /** What each venue search found, by `venueKey`. */
  readonly venues: ReadonlyMap<string, readonly Venue[]>;
  /** Orders that are not CANCELLED, by event id; null where this key may not see them. */
  readonly orders: ReadonlyMap<string, number | null>;
}
