import type { EventStatus } from "../../model/wish.ts";

/** What somebody wants files for. */
export interface Asked {
  /** Ids or slugs. */
  readonly names: readonly string[];
  /** Every event of these statuses. */
  readonly statuses: readonly EventStatus[];
  readonly webhooks: boolean;
}
