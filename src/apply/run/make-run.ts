import type { Address } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Change, Observed } from "../../model/plan.ts";
import { type Clock, systemClock } from "../../service/clock.ts";
import type { Journal } from "../journal/journal.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { makeResponseTrust } from "./compare-live.ts";
import { type ApplyListener, type ApplyService, makeIds, makeMadeObjects, type Run, type SecretStore } from "./run.ts";
import { makeSettle, makeUnconfirmedCreates } from "./unconfirmed-creates.ts";

export interface RunSetup {
  readonly service: ApplyService;
  readonly journal: Journal;
  readonly sink: SecretStore | null;
  readonly secretName?: (address: Address) => string | null;
  /** Ids of everything that was seen live: none of it is made by this run. */
  readonly known: Iterable<string>;
  readonly settleMs: number;
  /** Nothing of this run is kept for the next one. */
  readonly unremembered?: boolean;
  readonly changes?: readonly Change[];
  /** What the plan saw: it knows what is protected. */
  readonly seen?: readonly Observed[];
  /** Where there is no plan that knows it: what need not be sent of a new object. */
  readonly unsent?: Readonly<Record<Address, FieldValues>>;
  /** Remarks are added here as they come up. */
  readonly notes: Diagnostic[];
  readonly listener?: ApplyListener;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export function makeRun(setup: RunSetup): Run {
  const edits = new Map(setup.changes?.map((change) => [change.address, change.edits]));
  const guarded = new Set(setup.seen?.flatMap((seen) => (seen.protected === true ? [seen.address] : [])));
  const unsent = new Map(setup.seen?.map((seen) => [seen.address, seen.unsent]));
  const listener = setup.listener ?? {};
  return {
    service: setup.service,
    journal: setup.journal,
    ids: makeIds(setup.known),
    unconfirmed: makeUnconfirmedCreates(),
    made: makeMadeObjects(),
    settle: makeSettle(setup.settleMs),
    responses: makeResponseTrust(),
    clock: setup.clock ?? systemClock,
    signal: setup.signal,
    sink: setup.sink,
    unremembered: setup.unremembered === true,
    secretName: setup.secretName ?? (() => null),
    isProtected: (address) => guarded.has(address),
    unsentOf: (address) => unsent.get(address) ?? setup.unsent?.[address] ?? {},
    editsOf: (address) => edits.get(address) ?? [],
    listener,
    note(note) {
      setup.notes.push(note);
      listener.onNote?.(note);
    },
  };
}
