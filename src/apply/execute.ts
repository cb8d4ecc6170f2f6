// Executes a plan, and nothing else.
import type { Address } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Operation } from "../model/operation.ts";
import type { ApplyReport, Outcome } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { State, StateEntry } from "../model/state.ts";
import { awaitShown } from "./await-shown.ts";
import { doubtOf } from "./doubts.ts";
import { foldJournal, type Objects } from "./fold-journal.ts";
import { givePlannedIds } from "./ids.ts";
import { standingOf } from "./journal-standing.ts";
import { makeLanes } from "./lanes.ts";
import { lookAgainAt } from "./look-again.ts";
import { makeRun, type RunSetup } from "./make-run.ts";
import { watchForOutage } from "./outage.ts";
import { perform } from "./perform.ts";
import { lookAgain } from "./problem-outcome.ts";
import { ended, type Performed, type Run, type Service } from "./run.ts";
import { runSchedule } from "./schedule.ts";
import { verifyAll } from "./verify.ts";

export interface ExecuteOptions extends Omit<RunSetup, "notes" | "changes" | "seen" | "unsent"> {
  readonly plan: Plan;
  /** What was remembered before this run. */
  readonly state: State | null;
  /** Live objects that the plan matched, to be remembered. */
  readonly matched: Objects;
  readonly parallelism: number;
  /** Read everything back at the end. */
  readonly verify?: boolean;
}

export interface Executed {
  readonly report: ApplyReport;
  /** Recoveries, differences that remain, and other remarks, in the order they came up. */
  readonly notes: readonly Diagnostic[];
  /** What is to be remembered. */
  readonly objects: Objects;
  /** Why the run stopped by itself; null where it did not. */
  readonly halt: Diagnostic | null;
}

// While some operations wait for the disk, others may be on the wire; the client bounds the calls themselves.
const begunPerCall = 4;

export async function executePlan(options: ExecuteOptions): Promise<Executed> {
  const { plan, service, journal } = options;
  const before = { ...service.counts };
  const notes: Diagnostic[] = [];
  const remembered: Record<Address, StateEntry> = { ...options.state?.objects, ...options.matched };
  const run = makeRun({ ...options, changes: plan.changes, seen: plan.seen, notes });
  givePlannedIds(run.ids, plan, remembered);
  for (const attempts of standingOf(journal.entries).doubtful) run.doubts.add(doubtOf(attempts));
  let halt: Diagnostic | null = await begin(options, run);
  const inLane = makeLanes();
  const outage = watchForOutage();

  async function performSafely(operation: Operation): Promise<Performed> {
    options.listener?.onBegin?.(operation);
    try {
      const performed = await inLane(operation, () => perform(run, operation));
      halt ??= outage(performed);
      return performed;
    } catch (error) {
      halt ??= diagnosticOf(error);
      return ended("failed", halt.code, halt.message, halt.hint ?? null);
    }
  }

  const results = await runSchedule({
    operations: plan.operations,
    atOnce: Math.max(1, options.parallelism) * begunPerCall,
    perform: performSafely,
    halted: () => haltOf(halt, options.signal),
    onEnd: (operation, performed) => options.listener?.onEnd?.(operation, performed),
  });
  if (halt === null && options.signal?.aborted !== true) {
    await lookAtDoubts(run);
    if (options.verify === true) await verifyAll(run, plan, results);
  }
  if (options.unremembered === true) await awaitShown(run, halt === null);
  return {
    report: reportOf(plan, results, service.counts, before),
    notes,
    objects: oneAddressEach(foldJournal(remembered, journal.entries), options.matched),
    halt,
  };
}

/** Gives what keeps the run from beginning: a journal that cannot be written. */
async function begin({ plan, journal, known }: ExecuteOptions, run: Run): Promise<Diagnostic | null> {
  if (plan.operations.length === 0) return null;
  try {
    await journal.begin({
      at: Math.round(run.clock.now()),
      organization: plan.target.organization ?? { id: "", slug: "" },
      known: [...new Set(known)],
    });
    return null;
  } catch (error) {
    return diagnosticOf(error);
  }
}

async function lookAtDoubts(run: Run): Promise<void> {
  try {
    await Promise.all(run.doubts.all().map((doubt) => lookAgainAt(run, doubt)));
  } catch {
    // Nothing could be written down, so nothing was removed: the next run looks.
  }
}

/** After a rename the object is remembered under its present address only. */
function oneAddressEach(objects: Objects, matched: Objects): Objects {
  const present = new Map(Object.entries(matched).map(([address, { id }]) => [id, address]));
  return Object.fromEntries(
    Object.entries(objects).filter(([address, { id }]) => (present.get(id) ?? address) === address),
  );
}

function haltOf(halt: Diagnostic | null, signal: AbortSignal | undefined): Performed | null {
  if (halt !== null) return ended("skipped", "stopped", `The run stopped: ${halt.message}`, halt.hint ?? null);
  if (signal?.aborted === true) return ended("skipped", "interrupted", "The run was stopped before this.", lookAgain);
  return null;
}

/** What could not be written down says so itself; anything else is a mistake of ours, and nothing more is sent. */
function diagnosticOf(error: unknown): Diagnostic {
  if (typeof error === "object" && error !== null && "diagnostic" in error) return error.diagnostic as Diagnostic;
  return {
    code: "internal-error",
    severity: "error",
    message: `Something went wrong inside the program: ${error instanceof Error ? error.message : String(error)}`,
    hint: "Run the command again: it looks first. If it happens again, report it.",
  };
}

function reportOf(
  plan: Plan,
  results: ReadonlyMap<string, Performed>,
  counts: Service["counts"],
  before: Service["counts"],
): ApplyReport {
  const outcomes: Outcome[] = plan.operations.map(({ id }) => {
    const performed = results.get(id) ?? ended("skipped", "stopped", "The run stopped before this.", lookAgain);
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
