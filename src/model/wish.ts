import type { Address } from "./address.ts";
import type { KindName } from "./kind-name.ts";
import type { Source } from "./source.ts";
import type { Reference, Value, VenueQuery } from "./value.ts";

export type EventStatus = "DRAFT" | "PUBLISHED" | "ARCHIVED";
export type StatusWish = EventStatus | "DELETED";

/** What the files say of one object. */
export interface Wish {
  readonly kind: KindName;
  readonly address: Address;
  readonly parent: Address | null;
  /** The name a person would call it by: name, title or url; for an event without a name its key. */
  readonly name: string;
  /** Managed fields by the service's name, in canonical form. A field that is not here is not managed; null clears it. */
  readonly fields: Readonly<Record<string, Value | Reference>>;
  /** What the document tells this tool and not the service. */
  readonly own: OwnWish;
  /** The lists that the document manages, by kind; a list that is here is complete. */
  readonly children: Readonly<Partial<Record<KindName, readonly Wish[]>>>;
  /** Where the object begins. */
  readonly source: Source;
  /** Where each field's value stands, by its name in YAML. */
  readonly places: Readonly<Record<string, Source>>;
  /** Each scalar as the file writes it (after variables), for remarks about the writing itself. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** Whether a document says that the object is live, in this environment or another. */
export function isPinned({ own }: Pick<Wish, "own">): boolean {
  return own.id !== undefined || own.ids !== undefined;
}

export interface OwnWish {
  /** The id that pins the live object in the environment that was chosen. */
  readonly id?: string;
  /** The ids by environment, where the document gives them so; `id` is the one that holds here, if any does. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly new?: boolean;
  readonly status?: StatusWish;
  readonly venue?: VenueQuery;
  readonly renamedFrom?: string;
  /** The day of the week that the start must fall on. */
  readonly weekday?: string;
  readonly protected?: boolean;
  readonly allow?: readonly string[];
  readonly ignore?: readonly string[];
  readonly secretName?: string;
  /** The zone that local times of this event are written in and shown in. */
  readonly timezone?: string;
}
