// What every step of a run works with.
import { setMaxListeners } from "node:events";
import { kindOfAddress } from "../../kinds/index.ts";
import { type Address, dateOf, idKey, nameInAddress, rootOf } from "../../model/address.ts";
import type { AnyCode, Diagnostic } from "../../model/diagnostic.ts";
import type { State, StateEntry } from "../../model/live.ts";
import type { Change, Edit, Observed, Operation, OutcomeError, Plan } from "../../model/plan.ts";
import { sentenceCase } from "../../model/value.ts";
import type { TicketingClient } from "../../service/client.ts";
import { type Clock, systemClock } from "../../service/clock.ts";
import { attributed, type Problem } from "../../service/problem.ts";
import type { FieldValues, IntentEntry } from "../journal/journal-entry.ts";
import type { Journal } from "../journal/open-journal.ts";
import { makeUnconfirmedCreates } from "../journal/open-work.ts";
import { makeResponseTrust, type ResponseTrust } from "./compare-live.ts";

/** How long the service may take to show what it did. */
export type SettleTime = ReturnType<typeof makeSettleTime>;

const margin = 4;

/** How much longer to wait for what the service itself reported as done. */
export const certainMs = 5000;
export const pollMs = 250;
/** How often to send a call whose effect the service does not show. */
export const mostAttempts = 3;

export function makeSettleTime(leastMs: number) {
  let worst = 0;
  return {
    /** Milliseconds to wait before something that is not shown counts as missing. */
    ms: () => Math.max(leastMs, margin * worst),
    /** A list took this long to show something that was there. */
    sawLag(ms: number): void {
      worst = Math.max(worst, ms);
    },
  };
}

export type ApplyService = Pick<TicketingClient, "request" | "listAll" | "serverDate" | "counts" | "estimateSeconds">;

/** What a person wants to see while it happens. */
export interface ApplyListener {
  onBegin?(operation: Operation): void;
  onEnd?(operation: Operation, result: OperationResult): void;
  /** Something takes longer, and why. */
  onWait?(address: Address, message: string): void;
  onNote?(note: Diagnostic): void;
}

export interface Run {
  readonly service: ApplyService;
  readonly journal: Journal;
  readonly ids: Ids;
  readonly unconfirmed: ReturnType<typeof makeUnconfirmedCreates>;
  /** Paths of objects that were deleted before their own operation, to free a name. */
  readonly cleared: Set<string>;
  /** When its last write took effect, at the latest, by our clock; null: there was none. */
  readonly wroteAt: () => number | null;
  readonly settleTime: SettleTime;
  readonly responses: ResponseTrust;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly sink: SecretStore | null;
  /** Nothing of this run is kept for the next one. */
  readonly unremembered: boolean;
  /** The name under which a command stores the secret of a webhook. */
  readonly secretName: (address: Address) => string | null;
  /** "the event 'Manila Nights'" */
  readonly called: (address: Address) => string;
  /** Whether its document forbids anything destructive. */
  readonly isProtected: (address: Address) => boolean;
  /** Wished fields of a new object that need not be sent, because they have the service's default. */
  readonly unsentOf: (address: Address) => FieldValues;
  /** What the plan says about the fields of a changed object. */
  readonly editsOf: (address: Address) => readonly Edit[];
  /** What state recorded as applied before this run. */
  readonly appliedBefore: (address: Address) => FieldValues;
  /** It was PUBLISHED, and no operation of the plan changes that. */
  readonly staysPublished: (address: Address) => boolean;
  readonly listener: ApplyListener;
  note(note: Diagnostic): void;
}

export interface RunSetup extends Pick<Run, "service" | "journal" | "sink"> {
  readonly secretName?: Run["secretName"];
  /** What the files call their events. */
  readonly names?: ReadonlyMap<Address, string>;
  /** Ids of everything that was live before: none of it was created by this run. */
  readonly known: Iterable<string>;
  readonly settleMs: number;
  readonly unremembered?: boolean;
  /** What was remembered before this run. */
  readonly state?: State | null;
  readonly changes?: readonly Change[];
  /** What the plan saw. */
  readonly observed?: readonly Observed[];
  /** As `unsentOf`, if there is no plan. */
  readonly unsent?: Readonly<Record<Address, FieldValues>>;
  /** Remarks are added here as they come up. */
  readonly notes: Diagnostic[];
  readonly listener?: ApplyListener;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export function makeRun(setup: RunSetup): Run {
  const { service, journal, sink, signal, listener = {} } = setup;
  // Every waiting operation listens to the signal: not a leak to warn about.
  if (signal !== undefined) setMaxListeners(0, signal);
  const changes = new Map(setup.changes?.map((change) => [change.address, change]));
  const observed = new Map(setup.observed?.map((each) => [each.address, each]));
  const clock = setup.clock ?? systemClock;
  let wroteAt: number | null = null;
  return {
    service,
    journal: {
      ...journal,
      close(seq, how, more = {}) {
        const isWritten = how === "done" || how === "adopted";
        if (isWritten) wroteAt = clock.now();
        const at = (service.serverDate ?? new Date(clock.now())).toISOString();
        journal.close(seq, how, { ...more, ...(isWritten && more.madeAt === undefined ? { at } : {}) });
      },
    },
    sink,
    signal,
    listener,
    ids: makeIds(setup.known),
    unconfirmed: makeUnconfirmedCreates(),
    cleared: new Set(),
    wroteAt: () => wroteAt,
    settleTime: makeSettleTime(setup.settleMs),
    responses: makeResponseTrust(),
    clock,
    unremembered: setup.unremembered === true,
    secretName: setup.secretName ?? (() => null),
    called: (address) => describeAddress(address, setup.names),
    isProtected: (address) => observed.get(address)?.protected === true,
    unsentOf: (address) => observed.get(address)?.unsent ?? setup.unsent?.[address] ?? {},
    appliedBefore: (address) => setup.state?.objects[address]?.applied ?? {},
    editsOf: (address) => changes.get(address)?.edits ?? [],
    staysPublished: (address) =>
      observed.get(address)?.status === "PUBLISHED" && (changes.get(address)?.transition ?? null) === null,
    note(note) {
      setup.notes.push(note);
      listener.onNote?.(note);
    },
  };
}

/** "the ticket type 'VIP' of 'Manila Nights'"; by its key if `names` lacks the event. Dates of a series may share a name. */
export function describeAddress(address: Address, names?: ReadonlyMap<Address, string>): string {
  const root = rootOf(address);
  const name = names?.get(root);
  const day = name === undefined ? undefined : dateOf(root)?.day;
  const own = `"${name ?? nameInAddress(root)}"${day === undefined ? "" : ` (${day})`}`;
  return `the ${kindOfAddress(address).words.one} ${address === root ? own : `"${nameInAddress(address)}" of ${own}`}`;
}

/** Waits until the effect of a call made at `since` must be visible; false if the run was stopped meanwhile. */
export async function waitUntilSettled(
  run: Run,
  since: number,
  address: Address,
  why: string | Problem,
  ms = run.settleTime.ms(),
): Promise<boolean> {
  const now = run.clock.now();
  // A time in the future is from another clock: count from now.
  const left = Math.min(since, now) + ms - now;
  if (left > 0) {
    const reason = typeof why === "string" ? why : `${sentenceCase(run.called(address))}: ${lostWords(why)}`;
    run.listener.onWait?.(address, `${reason.replace(/\.$/, "")}; checking in ${seconds(left)}`);
    await run.clock.sleep(left, run.signal);
  }
  return run.signal?.aborted !== true;
}

/** What happened to the connection is reported if the call fails in the end. */
function lostWords(problem: Problem): string {
  return problem.status === null ? "no response came" : attributed(problem);
}

/** How long a command that stores a secret may take. */
export const longestCommandMs = 60_000;

/** The command of a killed run may still be running: what it stores late must not overwrite the next secret. */
export async function outliveCommand(run: Run, { seq, address }: IntentEntry): Promise<void> {
  const handed = run.journal.entries.findLast((entry) => entry.type === "hand" && entry.seq === seq);
  if (handed?.type !== "hand" || handed.at === undefined) return;
  const why = "The command that an interrupted run gave a secret to may still be running";
  await waitUntilSettled(run, handed.at, address, why, longestCommandMs);
}

/** How long a call may have been in flight when its run was cut off. */
const underWayMs = 60_000;

/** The latest time at which a call of an earlier run can have taken effect: only its start is known. */
export function effectTime(run: Run, begun: number): number {
  const now = run.clock.now();
  return now - begun > underWayMs + run.settleTime.ms() ? begun : now;
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
}

export type OperationResult =
  | { readonly result: "done" }
  | {
      readonly result: "failed" | "unsure" | "skipped";
      readonly error: OutcomeError;
      /** The fields that a refusal is about, if it says so. */
      readonly about?: readonly string[];
    };

export type NotDone = Exclude<OperationResult, { readonly result: "done" }>;

export const done: OperationResult = { result: "done" };

export function endedWith(
  result: "failed" | "unsure" | "skipped",
  code: AnyCode,
  message: string,
  hint: string | null,
): OperationResult {
  return { result, error: { code, message, hint, requestId: null, status: null } };
}

/** The live object of each address, as far as it is known. */
export type Ids = ReturnType<typeof makeIds>;

export function makeIds(known: Iterable<string>) {
  const byAddress = new Map<Address, string>();
  const keys = new Set(Array.from(known, idKey));
  return {
    of: (address: Address) => byAddress.get(address),
    give(address: Address, id: string): void {
      byAddress.set(address, id);
      keys.add(idKey(id));
    },
    know: (id: string) => void keys.add(idKey(id)),
    /** True for what was live before this run and for what belongs to an address: it must not be mistaken for ours. */
    isKnown: (id: string) => keys.has(idKey(id)),
  };
}

/** Ids that the plan found; addresses that are yet to be created have none, but what is replaced there is not ours either. */
export function givePlannedIds(ids: Ids, plan: Plan, remembered: Readonly<Record<Address, StateEntry>>): void {
  const toCome = new Set(plan.operations.flatMap((each) => (each.verb === "create" ? [each.address] : [])));
  const give = (address: Address, id: string | null) => id !== null && !toCome.has(address) && ids.give(address, id);
  for (const address in remembered) give(address, remembered[address]?.id ?? null);
  for (const { address, id } of [...plan.observed, ...plan.changes]) {
    if (id !== null) ids.know(id);
    give(address, id);
  }
}

export interface WebhookSecret {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  /** The name for a command; null if the webhook has none. */
  readonly name: string | null;
}

/** Where the secret of a webhook is stored: it is shown only once, so this happens before anything else. */
export interface SecretStore {
  /** Whether the secret of this webhook is stored; null if the sink cannot say. */
  holds(id: string): Promise<boolean | null>;
  /** Resolves once the secret is stored, or with the reason why it is not: one sentence, without the secret. */
  put(secret: WebhookSecret): Promise<string | null>;
}
