// What every step of a run has at hand.

import type { Address } from "../model/address.ts";
import type { Edit } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Operation } from "../model/operation.ts";
import type { OutcomeError } from "../model/outcome.ts";
import type { TicketingClient } from "../service/client.ts";
import type { Clock } from "../service/clock.ts";
import type { Doubts } from "./doubts.ts";
import type { Ids } from "./ids.ts";
import type { Journal } from "./journal.ts";
import type { Fields } from "./journal-entry.ts";
import type { MadeObjects } from "./made-objects.ts";
import type { SecretSink } from "./secret-sink.ts";
import type { Settle } from "./settle.ts";
import type { ShownMemory } from "./shown-memory.ts";

export type Service = Pick<TicketingClient, "request" | "listAll" | "serverDate" | "counts" | "estimateSeconds">;

/** What a person wants to see while it happens. */
export interface ApplyListener {
  onBegin?(operation: Operation): void;
  onEnd?(operation: Operation, performed: Performed): void;
  /** Something takes longer, and why. */
  onWait?(address: Address, message: string): void;
  onNote?(note: Diagnostic): void;
}

export interface Run {
  readonly service: Service;
  readonly journal: Journal;
  readonly ids: Ids;
  readonly doubts: Doubts;
  readonly made: MadeObjects;
  readonly settle: Settle;
  readonly shown: ShownMemory;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly sink: SecretSink | null;
  /** Nothing of this run is kept for the next one. */
  readonly unremembered: boolean;
  /** The name under which a command keeps the secret of a webhook. */
  readonly secretName: (address: Address) => string | null;
  /** Whether its document forbids that anything destructive happens to it. */
  readonly isProtected: (address: Address) => boolean;
  /** What is wished of a new object and need not be sent, because it is so by itself. */
  readonly unsentOf: (address: Address) => Fields;
  /** What the plan says of the fields of a changed object. */
  readonly editsOf: (address: Address) => readonly Edit[];
  readonly listener: ApplyListener;
  note(note: Diagnostic): void;
}

/** How an operation ended. */
export type Performed =
  | { readonly result: "done" }
  | {
      readonly result: "failed" | "unsure" | "skipped";
      readonly error: OutcomeError;
      /** The fields that a refusal is about, where it says so. */
      readonly about?: readonly string[];
    };

export const done: Performed = { result: "done" };

export function ended(
  result: "failed" | "unsure" | "skipped",
  code: string,
  message: string,
  hint: string | null,
): Performed {
  return { result, error: { code, message, hint, requestId: null, status: null } };
}
