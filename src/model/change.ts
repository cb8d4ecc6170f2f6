import type { Address } from "./address.ts";
import type { KindName } from "./kind-name.ts";
import type { Source } from "./source.ts";
import type { Value } from "./value.ts";
import type { EventStatus, StatusWish } from "./wish.ts";

export type Action = "create" | "update" | "replace" | "delete" | "none";

/** One field that differs. */
export interface Edit {
  /** JSON pointer of the field by its name in YAML. */
  readonly path: string;
  readonly before: Value;
  readonly after: Value;
  /** The service does not show this field; `before` is what was applied last, or null where that is not known. */
  readonly unreadable?: true;
  /** Whether the file was edited or somebody changed the live object, where state or a base tells. */
  readonly label?: "edit" | "drift";
}

export interface Transition {
  readonly from: EventStatus | null;
  readonly to: StatusWish;
}

/** A rule or risk that keeps a change from being made. */
export interface Block {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What a reader of the change needs beside its edits. Nothing is decided by it; each part may be absent. */
export interface Context {
  /** What a person calls the object; an event's address holds its key, not its name. */
  readonly name?: string;
  /** What a person calls the event that the object belongs to. */
  readonly eventName?: string;
  /** The zone in which the event's times are shown. */
  readonly timezone?: string;
  /** The event's live status. */
  readonly status?: EventStatus;
  /** Whether the event's fees come out of the price once the plan is applied. */
  readonly absorbFees?: boolean;
  /** Of an event whose `absorbFees` changes: its ticket types with the prices they will have. */
  readonly prices?: readonly { readonly name: string; readonly price: number }[];
  /** Names of what the ids in edits stand for: "Palace, Baguio" for a venue, "DJ Ana" for a performer. */
  readonly names?: Readonly<Record<string, string>>;
  /** How many tickets are sold: of the ticket type, or of the event; "some" where only that is known. */
  readonly sold?: number | "some";
}

/**
 * What differs between the wish and the live object.
 *
 * | action  | id   | means                                                              |
 * |---------|------|--------------------------------------------------------------------|
 * | create  | null | not live yet                                                       |
 * | update  | set  | some fields differ and the service can change them                 |
 * | replace | set  | some fields differ and only another object can have them           |
 * | delete  | set  | live, and not wished any more                                      |
 * | none    | set  | no field differs; listed only when the status does (`transition`)  |
 */
export interface Change {
  readonly address: Address;
  readonly kind: KindName;
  readonly action: Action;
  readonly id: string | null;
  readonly reason: string;
  readonly edits: readonly Edit[];
  readonly transition: Transition | null;
  readonly blockedBy: readonly Block[];
  readonly source: Source | null;
  readonly context?: Context;
}
