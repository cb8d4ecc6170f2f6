// Which operation runs when: as many at once as allowed, none before what it needs, and a failure stops only what needs it.
import { kindOfAddress, parentAddress } from "../../kinds/index.ts";
import type { Operation } from "../../model/plan.ts";
import { endedWith, type OperationResult } from "./run.ts";

// Operations that may begin, the first of the plan first: so events are finished one after another, not begun all at once.

export interface ReadyLine {
  add(index: number): void;
  take(): number | undefined;
}

export function makeReadyLine(): ReadyLine {
  const heap: number[] = [];

  function at(index: number): number {
    return heap[index] ?? Number.POSITIVE_INFINITY;
  }

  function swap(one: number, other: number): void {
    [heap[one], heap[other]] = [at(other), at(one)];
  }

  return {
    add(value) {
      let index = heap.push(value) - 1;
      while (index > 0) {
        const above = (index - 1) >> 1;
        if (at(above) <= at(index)) break;
        swap(above, index);
        index = above;
      }
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        const least = at(left + 1) < at(left) ? left + 1 : left;
        if (at(index) <= at(least)) return first;
        swap(index, least);
        index = least;
      }
    },
  };
}

export interface ScheduleOptions {
  readonly operations: readonly Operation[];
  readonly atOnce: number;
  readonly perform: (operation: Operation) => Promise<OperationResult>;
  /** Why nothing new may begin; null while all is well. */
  readonly halted: () => OperationResult | null;
  readonly onEnd: (operation: Operation, performed: OperationResult) => void;
}

export async function runSchedule(options: ScheduleOptions): Promise<ReadonlyMap<string, OperationResult>> {
  const { operations, atOnce } = options;
  const index = new Map(operations.map((operation, position) => [operation.id, position]));
  const results = new Map<string, OperationResult>();
  const dependants = new Map<string, number[]>();
  const left: number[] = [];
  const ready = makeReadyLine();
  for (const [position, operation] of operations.entries()) {
    const needs = new Set(operation.needs);
    left.push(needs.size);
    for (const need of needs) {
      const waiting = dependants.get(need);
      if (waiting === undefined) dependants.set(need, [position]);
      else waiting.push(position);
    }
    if (needs.size === 0) ready.add(position);
  }

  function end(operation: Operation, performed: OperationResult): void {
    if (results.has(operation.id)) return;
    results.set(operation.id, performed);
    options.onEnd(operation, performed);
    for (const position of dependants.get(operation.id) ?? []) {
      const next = operations[position];
      if (next === undefined) continue;
      left[position] = (left[position] ?? 0) - 1;
      if (performed.result !== "done") end(next, skippedBecause(operation, performed));
      else if (left[position] === 0) ready.add(position);
    }
  }

  await new Promise<void>((resolve) => {
    let running = 0;
    function next(): void {
      while (running < atOnce) {
        const position = ready.take();
        if (position === undefined) break;
        const operation = operations[position];
        if (operation === undefined || results.has(operation.id)) continue;
        const halt = options.halted();
        if (halt !== null) {
          end(operation, halt);
          continue;
        }
        running++;
        void options.perform(operation).then((performed) => {
          running--;
          end(operation, performed);
          next();
        });
      }
      if (running === 0) resolve();
    }
    next();
  });
  // What waits for an operation that is not in the plan, or for itself, can never begin.
  for (const operation of operations) {
    const absent = operation.needs.find((need) => !index.has(need));
    if (!results.has(operation.id)) end(operation, neverReady(absent ?? operation.needs[0] ?? operation.id));
  }
  return results;
}

function skippedBecause(operation: Operation, performed: OperationResult): OperationResult {
  if (performed.result === "skipped") return performed;
  return endedWith(
    "skipped",
    "needs-failed",
    `It needs '${operation.verb} ${operation.address}', which was not done.`,
    "Put that right first; the next `ticketing apply` goes on from there.",
  );
}

function neverReady(need: string): OperationResult {
  return endedWith(
    "skipped",
    "needs-missing",
    `It needs operation ${need}, which the plan does not hold.`,
    "Make a new plan.",
  );
}

// Objects that could be taken for each other are made one after another: a lost answer to one is never settled with the other.

export type InLane = <Result>(operation: Operation, work: () => Promise<Result>) => Promise<Result>;

export function makeLanes(): InLane {
  const last = new Map<string, Promise<unknown>>();
  return (operation, work) => {
    if (operation.verb !== "create") return work();
    const lane = laneOf(operation);
    const before = last.get(lane);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(lane, mine);
    return mine.finally(() => {
      if (last.get(lane) === mine) last.delete(lane);
    });
  };
}

function laneOf({ address, body }: Operation): string {
  const kind = kindOfAddress(address);
  // One secret in hand at a time: it is safe before the next is asked for, so that a crash can cost no more than one.
  if (kind.secret) return kind.plural;
  return `${parentAddress(address) ?? ""}/${kind.plural}/${String(body?.[kind.identity.label])}`;
}
