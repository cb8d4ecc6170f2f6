// Which operation runs when: as many at once as allowed, none before what it needs, and a failure stops only what needs it.
import { nameInAddress } from "../../model/address.ts";
import type { Operation } from "../../model/plan.ts";
import { countBefore } from "../../model/value.ts";
import { done, endedWith, type OperationResult } from "./run-context.ts";

export interface ScheduleOptions {
  readonly operations: readonly Operation[];
  readonly atOnce: number;
  readonly perform: (operation: Operation) => Promise<OperationResult>;
  /** Why nothing new may begin; null while all is well. */
  readonly halted: () => OperationResult | null;
  /** Whether another operation has already done it. */
  readonly isDone: (operation: Operation) => boolean;
  readonly onEnd: (operation: Operation, result: OperationResult) => void;
}

export async function runSchedule(options: ScheduleOptions): Promise<ReadonlyMap<string, OperationResult>> {
  const { operations, atOnce } = options;
  const results = new Map<string, OperationResult>();
  /** Positions of operations by the id of what they need. */
  const dependents = new Map<string, number[]>();
  const openNeeds: number[] = [];
  /** Positions of operations that may begin, the first of the plan last: so events are finished one after another. */
  const ready: number[] = [];

  function addReady(position: number): void {
    const later = countBefore(ready.length, (index) => (ready[index] ?? 0) > position);
    ready.splice(later, 0, position);
  }

  function end(operation: Operation, result: OperationResult): void {
    if (results.has(operation.id)) return;
    results.set(operation.id, result);
    options.onEnd(operation, result);
    for (const position of dependents.get(operation.id) ?? []) {
      const next = operations[position];
      if (next === undefined) continue;
      openNeeds[position] = (openNeeds[position] ?? 0) - 1;
      if (result.result !== "done") end(next, options.isDone(next) ? done : skippedBecause(operation, result));
      else if (openNeeds[position] === 0) addReady(position);
    }
  }

  for (const [position, { needs }] of operations.entries()) {
    const distinct = new Set(needs);
    openNeeds.push(distinct.size);
    for (const need of distinct) {
      const list = dependents.get(need);
      if (list === undefined) dependents.set(need, [position]);
      else list.push(position);
    }
    if (distinct.size === 0) ready.push(position);
  }
  ready.reverse();
  await new Promise<void>((resolve) => {
    let running = 0;
    function next(): void {
      while (running < atOnce) {
        const position = ready.pop();
        if (position === undefined) break;
        const operation = operations[position];
        if (operation === undefined || results.has(operation.id)) continue;
        const halt = options.halted();
        if (halt !== null) {
          end(operation, halt);
          continue;
        }
        running++;
        void options.perform(operation).then((result) => {
          running--;
          end(operation, result);
          next();
        });
      }
      if (running === 0) resolve();
    }
    next();
  });
  return results;
}

function skippedBecause({ verb, address }: Operation, result: OperationResult): OperationResult {
  if (result.result === "skipped") return result;
  const past = verb === "sold-out" ? "marked as sold out" : verb.replace(/e?$/, "ed");
  return endedWith(
    "skipped",
    "needs-failed",
    `It depends on "${nameInAddress(address)}", ${whatBecameOfIt(result, past)}.`,
    "Fix that first; the next `ticketing apply` continues from there.",
  );
}

/** A call that did not end well may still have had an effect. */
function whatBecameOfIt(result: OperationResult, past: string): string {
  if (result.result === "unsure") return `and it is not confirmed that it was ${past}`;
  return result.result === "failed" && result.error.code === "verify"
    ? "which is not as it should be"
    : `which was not ${past}`;
}
