// How sales are going: the value that every format of `status` is made from.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { EventStatus } from "../model/wish.ts";

export interface TicketFigures {
  readonly id: string;
  readonly name: string;
  readonly price: number | null;
  readonly published: boolean | null;
  /** null: the service does not show it, and orders do not tell either. */
  readonly sold: number | null;
  /** Some are sold, and nothing tells how many. */
  readonly someSold?: true;
  readonly remaining: number | null;
  readonly quantity: number | null;
}

/** Something in which the live event is not as the files say. */
export interface Divergence {
  readonly address: string;
  /** A field by its name in YAML, `status`, or null for a whole ticket type. */
  readonly field: string | null;
  /** Whether the file was edited or the live object, where state tells; `missing` and `surplus` are of a whole ticket type. */
  readonly how: "edit" | "drift" | "differs" | "missing" | "surplus";
}

export interface EventFigures {
  /** Its key in the project; null where the files do not name it. */
  readonly key: string | null;
  readonly id: string | null;
  readonly slug: string | null;
  readonly name: string;
  /** null: the files name it, and it is not live. */
  readonly status: EventStatus | null;
  readonly dateTime: string | null;
  readonly endDateTime: string | null;
  readonly timezone: string;
  readonly ended: boolean;
  /** False: buyers pay the fees on top of the price; null: not shown. */
  readonly absorbFees: boolean | null;
  /** Whether the files name it; null: there are no files, or nobody can tell. */
  readonly managed: boolean | null;
  /** null: not compared. */
  readonly divergences: readonly Divergence[] | null;
  /** null: they could not be read. */
  readonly tickets: readonly TicketFigures[] | null;
  readonly sold: number | null;
  /** Some are sold, and nothing tells how many. */
  readonly someSold?: true;
  readonly remaining: number | null;
  readonly quantity: number | null;
  readonly capacity: number | null;
  /** Sold tickets as a part of the capacity, 0.5 for half; null where either is not known. */
  readonly capacityUsed: number | null;
  /** COMPLETED orders and their sum in pesos; null: they could not be read. */
  readonly orders: number | null;
  readonly gross: number | null;
  readonly commission: number | null;
  /** What is left of gross after the commission and before processing fees. */
  readonly net: number | null;
}

export interface StatusTotals {
  readonly events: number;
  readonly sold: number;
  readonly gross: number;
  readonly commission: number;
  readonly net: number;
}

export interface StatusReport {
  readonly formatVersion: 1;
  readonly target: {
    readonly environment: string;
    readonly baseUrl: string;
    readonly organization: { readonly id: string; readonly slug: string } | null;
  };
  readonly createdAt: string;
  readonly events: readonly EventFigures[];
  /** Archived events that are not among them; null: not looked at. */
  readonly archived: number | null;
  /** What could be read only; a part that is null there counts as nothing. */
  readonly totals: StatusTotals;
  readonly diagnostics: readonly Diagnostic[];
}
