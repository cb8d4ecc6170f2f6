// What every step of a run has at hand.
import type { Kind } from "../../kinds/define.ts";
import { type Address, idKey } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { StateEntry } from "../../model/live.ts";
import type { Edit, Operation, OutcomeError, Plan } from "../../model/plan.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Clock } from "../../service/clock.ts";
import type { Journal } from "../journal/journal.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import type { ResponseTrust } from "./compare-live.ts";
import type { Settle, UnconfirmedCreates } from "./unconfirmed-creates.ts";

export type ApplyService = Pick<TicketingClient, "request" | "listAll" | "serverDate" | "counts" | "estimateSeconds">;

/** What a person wants to see while it happens. */
export interface ApplyListener {
  onBegin?(operation: Operation): void;
  onEnd?(operation: Operation, performed: OperationResult): void;
  /** Something takes longer, and why. */
  onWait?(address: Address, message: string): void;
  onNote?(note: Diagnostic): void;
}

export interface Run {
  readonly service: ApplyService;
  readonly journal: Journal;
  readonly ids: Ids;
  readonly unconfirmed: UnconfirmedCreates;
  readonly made: MadeObjects;
  readonly settle: Settle;
  readonly responses: ResponseTrust;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly sink: SecretStore | null;
  /** Nothing of this run is kept for the next one. */
  readonly unremembered: boolean;
  /** The name under which a command keeps the secret of a webhook. */
  readonly secretName: (address: Address) => string | null;
  /** Whether its document forbids that anything destructive happens to it. */
  readonly isProtected: (address: Address) => boolean;
  /** What is wished of a new object and need not be sent, because it is so by itself. */
  readonly unsentOf: (address: Address) => FieldValues;
  /** What the plan says of the fields of a changed object. */
  readonly editsOf: (address: Address) => readonly Edit[];
  readonly listener: ApplyListener;
  note(note: Diagnostic): void;
}

/** How an operation ended. */
export type OperationResult =
  | { readonly result: "done" }
  | {
      readonly result: "failed" | "unsure" | "skipped";
      readonly error: OutcomeError;
      /** The fields that a refusal is about, where it says so. */
      readonly about?: readonly string[];
    };

export const done: OperationResult = { result: "done" };

export function endedWith(
  result: "failed" | "unsure" | "skipped",
  code: string,
  message: string,
  hint: string | null,
): OperationResult {
  return { result, error: { code, message, hint, requestId: null, status: null } };
}

// Which live object each address stands for, as far as it is known.

export interface Ids {
  of(address: Address): string | undefined;
  give(address: Address, id: string): void;
  /** True for what was live before this run and for what has been given to an address: it is not to be mistaken for ours. */
  isTaken(id: string): boolean;
}

export function makeIds(known: Iterable<string>): Ids {
  const byAddress = new Map<Address, string>();
  const taken = new Set(Array.from(known, idKey));
  return {
    of: (address) => byAddress.get(address),
    give(address, id) {
      byAddress.set(address, id);
      taken.add(idKey(id));
    },
    isTaken: (id) => taken.has(idKey(id)),
  };
}

/** Ids that the plan found; addresses that are yet to be made have none. */
export function givePlannedIds(ids: Ids, plan: Plan, remembered: Readonly<Record<Address, StateEntry>>): void {
  const toCome = new Set(plan.operations.flatMap((each) => (each.verb === "create" ? [each.address] : [])));
  function give(address: Address, id: string | null): void {
    if (id !== null && !toCome.has(address)) ids.give(address, id);
  }
  for (const [address, entry] of Object.entries(remembered)) give(address, entry.id);
  for (const seen of plan.seen) give(seen.address, seen.id);
  for (const change of plan.changes) give(change.address, change.id);
}

// What this run made, as far as no list has shown it yet.

export interface MadeObject {
  readonly address: Address;
  readonly kind: Kind;
  readonly id: string;
  readonly parentId: string | null;
  readonly fields: FieldValues;
  /** When it was there at the latest, by our clock. */
  readonly at: number;
}

export interface MadeObjects {
  add(made: MadeObject): void;
  /** A list shows it. */
  show(id: string): void;
  isShown(id: string): boolean;
  /**
   * The last one of each kind, the latest first. A list that shows what was made last shows what was made before it, so
   * nothing else need be looked for.
   */
  lastOfEachKind(): readonly MadeObject[];
  /** What was made in the same list. */
  beside(made: MadeObject): readonly MadeObject[];
}

export function makeMadeObjects(): MadeObjects {
  const all: MadeObject[] = [];
  const shown = new Set<string>();
  return {
    add(made) {
      all.push(made);
    },
    show(id) {
      shown.add(idKey(id));
    },
    isShown: (id) => shown.has(idKey(id)),
    lastOfEachKind() {
      const byKind = new Map(all.map((made) => [made.kind.name, made]));
      return [...byKind.values()].sort((one, other) => other.at - one.at);
    },
    beside: ({ kind, parentId }) => all.filter((made) => made.kind === kind && made.parentId === parentId),
  };
}

// Where the secret of a webhook goes: it is shown once, so it must be safe before anything else happens.

export interface WebhookSecret {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  /** The name for a command; null where the webhook has none. */
  readonly name: string | null;
}

export interface SecretStore {
  /** Whether the secret of this webhook is safe; null where the sink cannot tell. */
  holds(id: string): Promise<boolean | null>;
  /** Ends once the secret is safe; otherwise says in one sentence why it is not. Never says the secret. */
  put(secret: WebhookSecret): Promise<string | null>;
}
