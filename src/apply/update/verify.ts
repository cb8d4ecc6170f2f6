// --verify: everything that was written is read once more, and what differs from what was sent is reported.
import type { Kind } from "../../kinds/define.ts";
import { listPath, sameValue } from "../../kinds/index.ts";
import { type Address, idKey } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Plan, Verb } from "../../model/plan.ts";
import { sentenceCase } from "../../model/value.ts";
import { attributed } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { replayJournal, type StateObjects } from "../journal/replay-journal.ts";
import { confirmFields, hasAny, pick } from "../run/compare-live.ts";
import { findListed, listObjects, type Observation, type Observations, observe } from "../run/observe.ts";
import { describeWithdrawn, describeWrong, publishAgain, reportNormalized, reportWarning } from "../run/outcomes.ts";
import { type Ids, type OperationResult, type Run, waitUntilSettled } from "../run/run-context.ts";
import { fillOperation, type Task } from "../run/task.ts";
import { fieldsAfter, isReached, isWithdrawn } from "../run/transition.ts";
import { isIgnored, stillApplied } from "./confirm.ts";

/** What a finished run must have achieved, for each object that it touched. */
interface Expectation {
  readonly address: Address;
  readonly kind: Kind;
  readonly id: string;
  readonly parentId: string | null;
  /** The change that the plan shows for it. */
  readonly because: Address;
  /** As they were sent last. */
  readonly fields: FieldValues;
  /** The last transition of a kind that has a status. */
  readonly move: Verb | null;
  readonly gone: boolean;
}

/** Operations that were not done promise nothing. */
function expectationsOf(plan: Plan, results: ReadonlyMap<string, OperationResult>, ids: Ids): readonly Expectation[] {
  const byId = new Map<string, Expectation>();
  function expect(made: Omit<Expectation, "move" | "gone"> & Partial<Expectation>): void {
    const before = byId.get(idKey(made.id));
    const fields = { ...before?.fields, ...made.fields };
    byId.set(idKey(made.id), { move: null, gone: false, ...before, ...made, fields });
  }
  for (const operation of plan.operations) {
    if (results.get(operation.id)?.result !== "done") continue;
    const filled = fillOperation(operation, ids);
    const id = filled.ok ? (filled.task.id ?? ids.of(operation.address)) : undefined;
    if (!filled.ok || id === undefined) continue;
    const { kind, parentId } = filled.task;
    const about = { address: operation.address, kind, id, parentId, because: operation.because };
    expect({ ...about, ...afterwards(filled.task) });
    for (const part of filled.task.inline) {
      const partId = ids.of(part.address);
      if (partId !== undefined) expect({ ...part, id: partId, parentId: id, because: part.address });
    }
  }
  return [...byId.values()].map((each) => ({
    ...each,
    // With an object goes everything below it.
    gone: each.gone || (each.parentId !== null && byId.get(idKey(each.parentId))?.gone === true),
  }));
}

function afterwards({ operation, kind, fields }: Task): Pick<Expectation, "fields"> & Partial<Expectation> {
  switch (operation.verb) {
    case "create":
    case "update":
      return { fields };
    case "delete":
      return { fields: {}, gone: true };
    case "publish":
    case "unpublish":
    case "archive":
    case "sold-out":
      return kind.steps.length > 0
        ? { fields: {}, move: operation.verb }
        : { fields: fieldsAfter(kind, operation.verb) };
  }
}

export async function verifyAll(run: Run, plan: Plan, results: ReadonlyMap<string, OperationResult>): Promise<void> {
  const all = expectationsOf(plan, results, run.ids);
  const known = replayJournal({}, run.journal.entries);
  const odd = (await readBackAll(run, all)).filter(([each, observed]) => !isAsExpected(run, each, observed, known));
  const [first] = odd;
  if (first === undefined) return;
  // Lists and reads may be slow to show what was done.
  await waitUntilSettled(run, run.clock.now(), first[0].address, "Some objects do not show what was written");
  const unexpected = odd.map(([each]) => each);
  for (const [each, observed] of await readBackAll(run, unexpected)) reportDifference(run, each, observed, known);
}

type Verified = readonly [Expectation, Observation];

/** Objects that can only be listed are listed once for all of them. */
function readBackAll(run: Run, all: readonly Expectation[]): Promise<readonly Verified[]> {
  const lists = new Map<string, Promise<Observations>>();
  async function read({ kind, parentId, id }: Expectation): Promise<Observation> {
    if (kind.endpoints.get) return observe(run, kind, parentId, id);
    const path = listPath(kind, parentId);
    const listing = lists.get(path) ?? listObjects(run, kind, parentId);
    lists.set(path, listing);
    return findListed(await listing, id);
  }
  return Promise.all(all.map(async (each) => [each, await read(each)] as const));
}

function isAsExpected(run: Run, expectation: Expectation, observed: Observation, known: StateObjects): boolean {
  const { address, kind, fields, move, gone } = expectation;
  if (observed.outcome !== "found") return gone && observed.outcome === "gone";
  const { returned, wrong, uncleared } = confirmFields(kind, fields, observed.live);
  const moved =
    move === null ? !isWithdrawn(run, address, observed.live) : isReached(kind, move, observed.live) !== false;
  return (
    !gone &&
    moved &&
    uncleared.length === 0 &&
    !hasAny(wrong) &&
    differing(run, expectation, returned, known).length === 0
  );
}

const ownRule = "Check it in the dashboard: the service may have its own rule for this value.";
const applyAgain = "Run `ticketing apply` again.";
const planAgain = "Run `ticketing plan` to see how it is.";
const leaveOut = "Remove it from the file, set it to a different value, or clear it in the dashboard.";

function reportDifference(run: Run, expectation: Expectation, observed: Observation, known: StateObjects): void {
  const { address, gone } = expectation;
  switch (observed.outcome) {
    case "unknown":
      report(run, address, `could not be read back (${attributed(observed.problem)})`, planAgain);
      break;
    case "gone":
      if (!gone) report(run, address, "is gone", applyAgain);
      break;
    case "found":
      if (gone) report(run, address, "is still there", applyAgain);
      else reportObject(run, expectation, observed.live, known);
  }
}

function reportObject(run: Run, expectation: Expectation, live: Live, known: StateObjects): void {
  const { address, kind, id, fields, move } = expectation;
  const isUnmoved = move !== null && isReached(kind, move, live) === false;
  const isOff = isWithdrawn(run, address, live);
  if (isUnmoved || isOff) run.journal.learn({ address, kind: kind.name, id, fields: {}, wrong: ["status"] });
  if (isUnmoved) report(run, address, `does not show the effect of "${move}"`, applyAgain);
  if (isOff) report(run, address, describeWithdrawn(live), publishAgain);
  const { returned, wrong, uncleared } = confirmFields(kind, fields, live);
  if (hasAny(wrong)) {
    run.journal.learn({ address, kind: kind.name, id, fields: {}, wrong: Object.keys(wrong) });
    report(run, address, `is not as it should be: ${describeWrong(fields, wrong)}`, ownRule);
  }
  reportFields(run, expectation, returned, known);
  if (uncleared.length === 0) return;
  const shown = Object.fromEntries(uncleared.map((field) => [field, live.fields[field] ?? null]));
  run.journal.learn({ address, kind: kind.name, id, fields: {}, uncleared: shown });
  const names = uncleared.map((field) => `\`${field}\``).join(", ");
  reportWarning(run, "verify", address, `The service did not clear ${names} of ${run.called(address)}.`, leaveOut);
}

function reportFields(run: Run, expectation: Expectation, returned: FieldValues, known: StateObjects): void {
  const { address, kind, id, fields } = expectation;
  for (const field of differing(run, expectation, returned, known)) {
    const one = pick(returned, [field]);
    if (isIgnored(run, { ...expectation, address: expectation.because }, field, one[field] ?? null)) {
      run.journal.learn({ address, kind: kind.name, id, fields: stillApplied(run, kind, address, one) });
      report(run, address, `is not as it should be: ${describeWrong(fields, one)}`, ownRule);
    } else {
      run.journal.learn({ address, kind: kind.name, id, fields: pick(fields, [field]), returned: one });
      reportNormalized(run, kind, address, fields, one);
    }
  }
}

/** Fields that are not as they were sent, without those already reported. */
function differing(run: Run, expectation: Expectation, returned: FieldValues, known: StateObjects): readonly string[] {
  const reported = known[expectation.address]?.returned ?? {};
  return Object.keys(returned).filter((field) => {
    const shown = returned[field] ?? null;
    return (
      !sameValue(reported[field], shown) ||
      isIgnored(run, { ...expectation, address: expectation.because }, field, shown)
    );
  });
}

function report(run: Run, address: string, what: string, hint: string): void {
  reportWarning(run, "verify", address, `${sentenceCase(run.called(address))} ${what}.`, hint);
}
