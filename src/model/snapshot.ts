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
