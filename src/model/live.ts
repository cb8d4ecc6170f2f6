import type { KindName } from "./kind-name.ts";
import type { Value } from "./value.ts";
import type { EventStatus } from "./wish.ts";

/** What the service shows of one object. */
export interface Live {
  readonly kind: KindName;
  readonly id: string;
  readonly parentId: string | null;
  /** Fields the service shows, in canonical form. A field that is not here is unreadable. */
  readonly fields: Readonly<Record<string, Value>>;
  /** An event's status; null for the other kinds, or where it is not shown. */
  readonly status: EventStatus | null;
  /** A ticket type's `remainingQuantity`; null for the other kinds, or where it is not shown. */
  readonly remaining: number | null;
  readonly slug: string | null;
}
