// From judged cases to the plan: one JSON value, the same bytes for the same input.
import type { Address } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Operation } from "../model/operation.ts";
import type { Plan, Seen, Target } from "../model/plan.ts";
import type { StateEntry } from "../model/state.ts";
import { allCases, type Case, type EventCase } from "./case.ts";
import { deriveOperations } from "./derive-operations.ts";
import { seal } from "./fingerprint.ts";
import { limitCase } from "./limit-to-targets.ts";
import { matchedEntries } from "./matched-entries.ts";
import type { Remember } from "./memory.ts";
import { seenOf, seenOfEvent } from "./seen.ts";
import { summarise } from "./summarise.ts";
import type { IsTargeted } from "./targets.ts";

export interface AssembleInput {
  readonly events: readonly EventCase[];
  readonly webhooks: readonly Case[];
  readonly diagnostics: readonly Diagnostic[];
  readonly target: Target;
  readonly version: string;
  readonly now: number;
  readonly isTargeted: IsTargeted;
  readonly allowFor: (event: EventCase | null) => readonly string[];
  readonly unmanaged: number | null;
  readonly reads: number;
  readonly estimateSeconds: (writes: number) => number;
  readonly planKey: string | null;
  /** False for a plan that is applied at once and never leaves the process: a fingerprint takes time. */
  readonly sealed: boolean;
  /** For a plan that can be saved: what state need not remember any longer. null: the plan is applied by this process or not at all. */
  readonly forgotten: readonly Address[] | null;
  readonly remember: Remember;
  /** Remarks that depend on the calls to be made. */
  readonly lastDiagnostics: (operations: readonly Operation[]) => readonly Diagnostic[];
}

export interface Assembled {
  readonly plan: Plan;
  /** Objects that are live and as wished: worth remembering. */
  readonly matched: Readonly<Record<Address, StateEntry>>;
}

export function assemblePlan(input: AssembleInput): Assembled {
  const { events } = input;
  const webhooks = input.webhooks.map((one) => limitCase(one, input.isTargeted));
  const cases = [...events.flatMap(allCases), ...webhooks];
  const changes = cases.map((one) => one.change).filter((change) => change !== null);
  const seen: readonly Seen[] = [
    ...events.flatMap((event) => seenOfEvent(event, input.allowFor(event), input.remember)),
    ...webhooks
      .filter((one) => one.change !== null)
      .map((one) => seenOf(one, null, input.allowFor(null), input.remember)),
  ];
  const operations = deriveOperations({ changes, seen });
  // What lies outside the targets is remembered as it is, not as it is wished.
  const matched = matchedEntries([...input.events.flatMap(allCases), ...input.webhooks], input.remember);
  const unchanged = cases.filter(
    (one) => one.change === null && one.live !== null && input.isTargeted(one.address),
  ).length;
  const unsealed: Omit<Plan, "fingerprint"> = {
    formatVersion: 1,
    tool: { name: "ticketing", version: input.version },
    createdAt: new Date(input.now).toISOString(),
    target: input.target,
    changes,
    operations,
    diagnostics: [...input.diagnostics, ...input.lastDiagnostics(operations)],
    summary: summarise(changes, operations, unchanged, input.unmanaged),
    calls: {
      reads: input.reads,
      writes: operations.length,
      estimateSeconds: input.estimateSeconds(operations.length),
    },
    seen,
    ...(input.forgotten === null ? {} : { matched, forgotten: input.forgotten }),
  };
  const plan = input.sealed ? seal(unsealed, input.planKey) : { ...unsealed, fingerprint: "" };
  return { plan, matched };
}
