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
}
