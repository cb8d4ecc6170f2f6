// An operation with its placeholders filled in, and how a call is recorded, sent and closed.
import type { Kind } from "../../kinds/define.ts";
import { kindOf, kindOfAddress, parentAddress } from "../../kinds/index.ts";
import { type Address, makeAddresses, nameInAddress } from "../../model/address.ts";
import type { ResultOr } from "../../model/diagnostic.ts";
import type { Body, BodyValue, Operation } from "../../model/plan.ts";
import { countBefore, isReference, type Value } from "../../model/value.ts";
import type { Problem } from "../../service/problem.ts";
import type { FieldValues, InlinePart, IntentEntry, Rotation } from "../journal/journal-entry.ts";
import type { Intent } from "../journal/open-journal.ts";
import { done, endedWith, type Ids, type OperationResult, type Run } from "./run-context.ts";

export interface Task {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The body's own fields, without what is created along with the object. */
  readonly fields: FieldValues;
  readonly inline: readonly (InlinePart & { readonly kind: Kind })[];
  readonly parentId: string | null;
  /** The object that the call is about; null for a create. */
  readonly id: string | null;
  readonly rotation?: Rotation;
  readonly carried?: FieldValues;
  readonly named?: FieldValues;
}

/** A task that is about an object which exists. */
export interface ObjectTask extends Task {
  readonly id: string;
}

export type Filled = ResultOr<{ readonly task: Task }, { readonly ok: false; readonly missing: Address }>;

/** Everything known about the operations before the first call; ids of objects yet to be created are missing. */
export function announceOperations(run: Run, operations: readonly Operation[]): readonly Intent[] {
  const known = (id: string | null) => (id?.startsWith("{") === true ? null : id);
  return operations.map((operation) => {
    const { task } = fillKnown(operation, run.ids);
    return intentOf(run, { ...task, parentId: known(task.parentId), id: known(task.id) });
  });
}

function intentOf(run: Run, task: Task): Intent {
  const { operation, kind, path, parentId, id, fields, inline, rotation, carried, named } = task;
  const { address, verb, method } = operation;
  return {
    operation: operation.id,
    address,
    kind: kind.name,
    verb,
    method,
    path,
    parentId,
    id,
    fields,
    ...(rotation === undefined ? {} : { rotation }),
    ...(carried === undefined ? {} : { carried }),
    ...(named === undefined ? {} : { named }),
    ...(verb === "create" && run.isProtected(address) ? { protected: true as const } : {}),
    ...(inline.length > 0 ? { inline: inline.map((part) => ({ address: part.address, fields: part.fields })) } : {}),
    ...intentTimes(run),
  };
}

function intentTimes({ clock, service }: Run): Pick<Intent, "at" | "date"> {
  return { at: Math.round(clock.now()), date: service.serverDate?.toISOString() ?? null };
}

export function fillOperation(operation: Operation, ids: Ids): Filled {
  const { task, missing } = fillKnown(operation, ids);
  return missing === null ? { ok: true, task } : { ok: false, missing };
}

/** Fills in what is known. `missing` is the first unknown id; it stays a placeholder in the path and is left out of the fields. */
function fillKnown(operation: Operation, ids: Ids): { readonly task: Task; readonly missing: Address | null } {
  let missing: Address | null = null;
  const { address } = operation;
  const kind = kindOfAddress(address);
  const parent = parentAddress(address);
  let path = operation.path;
  for (const each of parent === null ? [address] : [parent, address]) {
    const placeholder = `{${each}}`;
    if (!path.includes(placeholder)) continue;
    const id = ids.of(each);
    if (id === undefined) missing ??= each;
    else path = path.replaceAll(placeholder, id);
  }
  const fields: Record<string, Value> = {};
  const inline: Task["inline"][number][] = [];
  const body: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(operation.body ?? {})) {
    if (isReference(value)) {
      const id = ids.of(value.$id);
      if (id === undefined) missing ??= value.$id;
      else fields[field] = body[field] = id;
    } else if (isPartList(kind, field, value)) {
      inline.push(...partsOf(kind, field, address, value));
      body[field] = value;
    } else {
      fields[field] = body[field] = value as Value;
    }
  }
  // The placeholder itself contains slashes.
  const segments = path.replace(/\{[^}]*(?:\}|$)/g, "{}").split("/");
  return {
    missing,
    task: {
      operation,
      kind,
      path,
      body: operation.body === undefined ? undefined : body,
      fields,
      inline,
      parentId: kind.parent === null ? null : (segments[2] ?? null),
      id: operation.verb === "create" ? null : (segments[kind.parent === null ? 2 : 4] ?? null),
    },
  };
}

function isPartList(kind: Kind, field: string, value: BodyValue): value is readonly Body[] {
  return kind.fields[field]?.role === "children" && Array.isArray(value);
}

/** Addresses follow the names in order, as they do in the plan. */
function partsOf(kind: Kind, field: string, parent: Address, bodies: readonly Body[]): Task["inline"] {
  const policy = kind.fields[field];
  if (policy?.role !== "children") return [];
  const partKind = kindOf(policy.kind);
  const names = bodies.map((fields) => String(fields[partKind.identity.label] ?? ""));
  const addresses = makeAddresses(parent, partKind.plural, names);
  return bodies.map((fields, index) => ({
    address: addresses[index] ?? "",
    fields: fields as FieldValues,
    kind: partKind,
  }));
}

type IntendedCall = Pick<IntentEntry, "address" | "kind" | "verb" | "method" | "path" | "parentId" | "id" | "fields">;

/** Records what is about to be sent; resolves once that is durable. */
export function writeIntent(run: Run, call: IntendedCall): Promise<IntentEntry> {
  return run.journal.intend({ operation: null, ...call, ...intentTimes(run) });
}

export function writeTaskIntent(run: Run, task: Task, fields: FieldValues = task.fields): Promise<IntentEntry> {
  return run.journal.intend(intentOf(run, { ...task, fields }));
}

export type Sent =
  | { readonly end: "accepted"; readonly data: unknown }
  | { readonly end: "unsent"; readonly problem: Problem }
  /** It was refused, or the response was lost: `closeByEffect` says what became of it. */
  | { readonly end: "not-accepted"; readonly problem: Problem; readonly seq: number };

/** Sends what was written down, and closes that if the response is clear. */
export async function sendIntent(run: Run, { seq, method, path }: IntentEntry, body?: FieldValues): Promise<Sent> {
  const response = await run.service.request(method, path, body === undefined ? {} : { body });
  if (response.ok) {
    run.journal.close(seq, "done");
    return { end: "accepted", data: response.data };
  }
  const { problem } = response;
  if (problem.class === "refused" || problem.class === "ambiguous") return { end: "not-accepted", problem, seq };
  run.journal.close(seq, "unsent");
  return { end: "unsent", problem };
}

/**
 * Closes a call that was not accepted, by whether its effect is visible (`shows`, or why it could not be read). Returns how it was closed,
 * or that problem: a call with a lost response then stays open for the next run. A refused call is always closed.
 */
export function closeByEffect(
  run: Run,
  { problem, seq }: Extract<Sent, { readonly end: "not-accepted" }>,
  shows: boolean | Problem,
): "adopted" | "refused" | "passed" | Problem {
  if (problem.class === "ambiguous" && typeof shows === "object") return shows;
  // Whatever the response was: it is as wished.
  const how = shows === true ? "adopted" : problem.class === "refused" ? "refused" : "passed";
  run.journal.close(seq, how);
  return how;
}

// Which operation runs when: as many at once as allowed, none before what it needs, and a failure stops only what needs it.

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
  if (result.result === "unsure") return `which may not have been ${past}`;
  return result.result === "failed" && result.error.code === "verify"
    ? "which is not as it should be"
    : `which was not ${past}`;
}
