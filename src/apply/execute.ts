// Executes a plan, and nothing else.
import { type Address, rootOf } from "../model/address.ts";
import { type Diagnostic, errorOf, Halt } from "../model/diagnostic.ts";
import type { Attempt, State, StateEntry } from "../model/live.ts";
import type { ApplyReport, Operation, Outcome, Plan } from "../model/plan.ts";
import { executeCreate, makeLanes } from "./create/create-object.ts";
import { recheckAll, refuseWhileUnconfirmed, withParent } from "./create/create-recovery.ts";
import { createOrClear } from "./create/replace-object.ts";
import { findOpenWork } from "./journal/open-work.ts";
import { replayJournal, type StateObjects } from "./journal/replay-journal.ts";
import { recheckHint } from "./run/outcomes.ts";
import {
  type ApplyService,
  done,
  endedWith,
  givePlannedIds,
  makeRun,
  type OperationResult,
  type Run,
  type RunSetup,
  seconds,
} from "./run/run-context.ts";
import { announceOperations, fillOperation, type ObjectTask, runSchedule, type Task } from "./run/task.ts";
import { executeDelete, executeTransition } from "./run/transition.ts";
import { executeUpdate } from "./update/update-object.ts";
import { verifyAll } from "./update/verify.ts";

/** Problems that affect the connection or the key, not a single operation. */
const outOfReach: ReadonlySet<string> = new Set([
  "unreachable",
  "dns",
  "tls",
  "proxy",
  "timeout",
  "connection-lost",
  "UNAUTHORIZED",
]);
const mostFailuresInARow = 5;

/** Returns the reason to stop: too long a wait, a lost lock, or several operations in a row that did not get through. */
function watchForOutage(): (result: OperationResult) => Diagnostic | null {
  let count = 0;
  return (result) => {
    if (result.result === "done") {
      count = 0;
      return null;
    }
    const { code, message, hint } = result.error;
    const isOver = code === "rate-limited-too-long" || code === "lock-lost";
    if (result.result === "skipped" && !isOver) return null;
    count = outOfReach.has(code) ? count + 1 : 0;
    if (!isOver && count < mostFailuresInARow) return null;
    return { code, severity: "error", message, ...(hint === null ? {} : { hint }) };
  };
}

async function perform(run: Run, operation: Operation, more: Pick<Task, "named"> = {}): Promise<OperationResult> {
  const filled = fillOperation(operation, run.ids);
  if (!filled.ok) {
    return endedWith(
      "skipped",
      "no-id",
      `It needs the id of ${run.called(filled.missing)}, which is not known.`,
      recheckHint,
    );
  }
  const task = { ...filled.task, ...more };
  switch (operation.verb) {
    case "create":
      return operation.clearing === undefined
        ? executeCreate(run, task)
        : createOrClear(run, task, (...step) => perform(run, ...step));
    case "update":
      return executeUpdate(run, aboutObject(task));
    case "delete":
      return executeDelete(run, task);
    case "publish":
      return (await refuseWhileUnconfirmed(run, task.operation.address)) ?? executeTransition(run, aboutObject(task));
    case "unpublish":
    case "archive":
    case "sold-out":
      return executeTransition(run, aboutObject(task));
  }
}

/** The task with the id that its call needs. Only a create has none; any other call without an id is a bug, never a guess. */
function aboutObject(task: Task): ObjectTask {
  const { id, operation } = task;
  if (id === null) throw new Error(`${operation.verb} of ${operation.address} names no object`);
  return { ...task, id };
}

export interface ExecuteOptions extends Omit<RunSetup, "notes" | "changes" | "observed" | "unsent"> {
  readonly plan: Plan;
  /** What was remembered before this run. */
  readonly state: State | null;
  /** How many entries of the journal it includes. */
  readonly replayed?: number;
  /** Live objects that the plan matched, to be remembered. */
  readonly matched: StateObjects;
  /** Operations whose effect is live already. */
  readonly reached?: ReadonlySet<string> | undefined;
  readonly parallelism: number;
  /** What is applied, to be recorded before the first write. */
  readonly attempt?: Attempt;
  /** Nothing is sent before this resolves; by then, everything that will be sent is on record. */
  readonly untilDue?: () => Promise<void>;
  /** Read everything back at the end. */
  readonly verify?: boolean;
}

export interface Executed {
  readonly report: ApplyReport;
  /** Recoveries, differences that remain, and other remarks, in the order they came up. */
  readonly notes: readonly Diagnostic[];
  /** False if the service does not show everything that was written. */
  readonly isVerified: boolean;
  /** What is to be remembered. */
  readonly objects: StateObjects;
  /** Why the run stopped by itself; null if it did not. */
  readonly halt: Diagnostic | null;
}

// While some operations wait for the disk, others may be sent; the client limits the calls themselves.
const operationsPerCall = 4;

export async function executePlan(options: ExecuteOptions): Promise<Executed> {
  const { plan, service, journal } = options;
  const before = { ...service.counts };
  const notes: Diagnostic[] = [];
  const remembered = { ...atPresentAddresses(options.state?.objects ?? {}, options.matched), ...options.matched };
  const run = makeRun({ ...options, changes: plan.changes, observed: plan.observed, notes });
  givePlannedIds(run.ids, plan, remembered);
  for (const found of findOpenWork(journal.entries).unconfirmed) {
    const attempts = withParent(run, found);
    if (attempts !== null) run.unconfirmed.add(attempts);
  }
  let halt: Diagnostic | null = await begin(options, run);
  if (halt === null && plan.operations.length > 0) await options.untilDue?.();
  const inLane = makeLanes();
  const outage = watchForOutage();

  /** A replacement has deleted it to get its name. */
  const isCleared = ({ verb, path }: Operation) => verb === "delete" && run.cleared.has(path);

  async function performSafely(operation: Operation): Promise<OperationResult> {
    options.listener?.onBegin?.(operation);
    if (options.reached?.has(operation.id) === true || isCleared(operation)) return done;
    try {
      const performed = await inLane(operation, () => perform(run, operation));
      halt ??= outage(performed);
      return performed;
    } catch (error) {
      halt ??= toDiagnostic(error);
      return endedWith("failed", halt.code, halt.message, halt.hint ?? null);
    }
  }

  const results = await runSchedule({
    operations: plan.operations,
    atOnce: Math.max(1, options.parallelism) * operationsPerCall,
    perform: performSafely,
    halted: () => haltOf(halt, options.signal),
    isDone: isCleared,
    onEnd: (operation, performed) => options.listener?.onEnd?.(operation, performed),
  });
  if (halt === null && options.signal?.aborted !== true) {
    await recheckAll(run);
    if (options.verify === true) await verifyAll(run, plan, results);
  }
  journal.end();
  if (options.unremembered === true) await awaitShown(run, plan);
  return {
    report: reportOf(plan, results, service.counts, before),
    notes,
    isVerified: notes.every(({ code }) => code !== "verify"),
    objects: oneAddressEach(replayJournal(remembered, journal.entries, options.replayed), options.matched),
    halt,
  };
}

/** Without state, the next run knows only from lists what this one wrote, and would do it again if they lagged. */
async function awaitShown(run: Run, plan: Plan): Promise<void> {
  const left = (run.wroteAt() ?? 0) + run.settleTime.ms() - run.clock.now();
  const last = plan.operations.at(-1);
  if (left <= 0 || last === undefined || run.signal?.aborted === true) return;
  run.listener.onWait?.(last.address, `until lists show what was written (${seconds(left)})`);
  await run.clock.sleep(left, run.signal);
}

/** Returns what keeps the run from starting: a journal that cannot be written. */
async function begin({ plan, journal, known, attempt }: ExecuteOptions, run: Run): Promise<Diagnostic | null> {
  if (plan.operations.length === 0) return null;
  try {
    await journal.begin(
      {
        at: Math.round(run.clock.now()),
        organization: plan.target.organization ?? { id: "", slug: "" },
        known: [...new Set(known)],
        ...(attempt === undefined ? {} : { attempt }),
      },
      () => announceOperations(run, plan.operations),
    );
    return null;
  } catch (error) {
    return toDiagnostic(error);
  }
}

/** An event at a new address takes along all that is remembered below it: what its file no longer names was made by us, too. */
function atPresentAddresses(objects: StateObjects, matched: StateObjects): StateObjects {
  const present = addressesById(matched);
  const at: Record<Address, StateEntry> = { ...objects };
  for (const [address, entry] of Object.entries(objects)) {
    const root = rootOf(address);
    const now = present.get(objects[root]?.id ?? "") ?? root;
    if (now === root || address === root) continue;
    if (at[address] === entry) delete at[address];
    at[`${now}${address.slice(root.length)}`] = entry;
  }
  return at;
}

/** After a rename, the object is remembered only under its present address. */
function oneAddressEach(objects: StateObjects, matched: StateObjects): StateObjects {
  const present = addressesById(matched);
  const kept: Record<Address, StateEntry> = { ...objects };
  for (const address in objects) {
    if ((present.get(objects[address]?.id ?? "") ?? address) !== address) delete kept[address];
  }
  return kept;
}

function addressesById(objects: StateObjects): ReadonlyMap<string, Address> {
  return new Map(Object.entries(objects).map(([address, { id }]) => [id, address]));
}

function haltOf(halt: Diagnostic | null, signal: AbortSignal | undefined): OperationResult | null {
  if (halt !== null) return endedWith("skipped", "stopped", `The run stopped: ${halt.message}`, halt.hint ?? null);
  if (signal?.aborted === true)
    return endedWith("skipped", "interrupted", "The run was stopped before this.", recheckHint);
  return null;
}

/** A `Halt` says why itself; anything else is a bug. Either way nothing more is sent. */
function toDiagnostic(error: unknown): Diagnostic {
  const [reported] = error instanceof Halt && "diagnostics" in error.why ? error.why.diagnostics : [];
  return (
    reported ??
    errorOf(
      "internal-error",
      `Internal error: ${error instanceof Error ? error.message : String(error)}`,
      "Run the command again: it checks first. If it happens again, report it.",
    )
  );
}

function reportOf(
  plan: Plan,
  results: ReadonlyMap<string, OperationResult>,
  counts: ApplyService["counts"],
  before: ApplyService["counts"],
): ApplyReport {
  const outcomes: Outcome[] = plan.operations.map(({ id }) => {
    const performed = results.get(id) ?? endedWith("skipped", "stopped", "The run stopped before this.", recheckHint);
    return performed.result === "done"
      ? { operation: id, result: "done" }
      : { operation: id, result: performed.result, error: performed.error };
  });
  const count = (result: Outcome["result"]) => outcomes.filter((outcome) => outcome.result === result).length;
  return {
    formatVersion: 1,
    plan,
    outcomes,
    summary: { done: count("done"), failed: count("failed"), skipped: count("skipped"), unsure: count("unsure") },
    calls: {
      reads: counts.reads - before.reads,
      writes: counts.writes - before.writes,
      rateLimited: counts.rateLimited - before.rateLimited,
    },
  };
}
