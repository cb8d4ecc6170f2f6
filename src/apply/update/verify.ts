// --verify: everything that was written is read once more, and what is not as it was sent is told.
import type { Kind } from "../../kinds/define.ts";
import { sameValue } from "../../kinds/index.ts";
import { type Address, idKey, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Plan, Verb } from "../../model/plan.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { replayJournal, type StateObjects } from "../journal/replay-journal.ts";
import { formOf, sameReading } from "../run/compare-live.ts";
import {
  listObjects,
  listPath,
  type Observation,
  type Observations,
  observe,
  waitUntilSettled,
} from "../run/observe.ts";
import { capital, nameOf, reportWarning } from "../run/outcomes.ts";
import type { Ids, OperationResult, Run } from "../run/run.ts";
import { fillOperation, type Task } from "../run/task.ts";
import { fieldsAfter, isReached } from "../run/transition.ts";
import { pick } from "./clearing.ts";
import { confirmFields, describeWrong, hasAny, reportNormalized } from "./confirm.ts";

// What a finished run must have led to: one entry for each object that it touched, whatever number of calls that took.

export interface Expectation {
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

/** By what is certain: operations that were not done promise nothing. */
export function expectationsOf(
  plan: Plan,
  results: ReadonlyMap<string, OperationResult>,
  ids: Ids,
): readonly Expectation[] {
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
      if (partId !== undefined) {
        expect({
          address: part.address,
          kind: part.kind,
          id: partId,
          parentId: id,
          because: part.address,
          fields: part.fields,
        });
      }
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
  const odd = (await lookAtAll(run, all)).filter(([each, sight]) => !isAsExpected(run, each, sight, known));
  const [first] = odd;
  if (first === undefined) return;
  // Lists and reads may be slow to show what was done.
  await waitUntilSettled(run, run.clock.now(), first[0].address, "Not all shows as it was written");
  const again = await lookAtAll(
    run,
    odd.map(([each]) => each),
  );
  for (const [each, sight] of again) tellDifference(run, each, sight, known);
}

type Looked = readonly [Expectation, Observation];

/** What can only be listed is listed once for all of it. */
function lookAtAll(run: Run, all: readonly Expectation[]): Promise<readonly Looked[]> {
  const lists = new Map<string, Promise<Observations>>();
  async function look({ kind, parentId, id }: Expectation): Promise<Observation> {
    if (kind.endpoints.get) return observe(run, kind, parentId, id);
    const path = listPath(kind, parentId);
    const listing = lists.get(path) ?? listObjects(run, kind, parentId);
    lists.set(path, listing);
    const listed = await listing;
    if (!listed.ok) {
      const { status } = listed.problem;
      return status === 404 || status === 410 ? { sight: "gone" } : { sight: "unknown", problem: listed.problem };
    }
    const live = listed.lives.find((each) => sameId(each.id, id));
    return live === undefined ? { sight: "gone" } : { sight: "found", live };
  }
  return Promise.all(all.map(async (each) => [each, await look(each)] as const));
}

function isAsExpected(run: Run, expectation: Expectation, sight: Observation, known: StateObjects): boolean {
  const { kind, fields, move, gone } = expectation;
  if (sight.sight !== "found") return gone && sight.sight === "gone";
  const { returned, wrong, uncleared } = confirmFields(kind, fields, sight.live);
  const moved = move === null || isReached(kind, move, sight.live) !== false;
  return (
    !gone &&
    moved &&
    uncleared.length === 0 &&
    !hasAny(wrong) &&
    differing(run, expectation, returned, known).length === 0
  );
}

const ownRule = "Look at it in the dashboard: the service may have its own rule for this value.";
const again = "Run `ticketing apply` again.";
const lookYourself = "Run `ticketing plan` to see how it is.";
const leaveOut = "Leave it out of the file, give it another value, or empty it in the dashboard.";

function tellDifference(run: Run, expectation: Expectation, sight: Observation, known: StateObjects): void {
  const { address, gone } = expectation;
  switch (sight.sight) {
    case "unknown":
      tell(run, address, `could not be read back: ${sight.problem.message.replace(/\.$/, "")}`, lookYourself);
      break;
    case "gone":
      if (!gone) tell(run, address, "is not there any more", again);
      break;
    case "found":
      if (gone) tell(run, address, "is still there", again);
      else tellObject(run, expectation, sight.live, known);
  }
}

function tellObject(run: Run, expectation: Expectation, live: Live, known: StateObjects): void {
  const { address, kind, id, fields, move } = expectation;
  if (move !== null && isReached(kind, move, live) === false) {
    tell(run, address, `is not as '${move}' was to make it`, again);
  }
  const { returned, wrong, uncleared } = confirmFields(kind, fields, live);
  if (hasAny(wrong)) {
    run.journal.learn({ address, kind: kind.name, id, fields: {}, wrong: Object.keys(wrong) });
    tell(run, address, `is not as it was sent: ${describeWrong(fields, wrong)}`, ownRule);
  }
  tellFields(run, expectation, returned, known);
  if (uncleared.length === 0) return;
  const shown = Object.fromEntries(uncleared.map((field) => [field, live.fields[field] ?? null]));
  run.journal.learn({ address, kind: kind.name, id, fields: {}, uncleared: shown });
  const names = uncleared.map((field) => `\`${field}\``).join(", ");
  tell(run, address, `is not emptied where it was to be: ${names}`, leaveOut);
}

function tellFields(run: Run, expectation: Expectation, returned: FieldValues, known: StateObjects): void {
  const { address, kind, id, fields } = expectation;
  for (const field of differing(run, expectation, returned, known)) {
    const one = pick(returned, [field]);
    run.journal.learn({ address, kind: kind.name, id, fields: pick(fields, [field]), returned: one });
    if (!isIgnored(run, expectation, field, one[field] ?? null)) reportNormalized(run, kind, address, fields, one);
    else {
      tell(run, address, `is not as it was sent: ${describeWrong(fields, one)}`, ownRule);
    }
  }
}

/** What is not as it was sent, without what was told already. */
function differing(run: Run, expectation: Expectation, returned: FieldValues, known: StateObjects): readonly string[] {
  const told = known[expectation.address]?.returned ?? {};
  return Object.entries(returned)
    .filter(([field, shown]) => {
      const isTold = told[field] !== undefined && sameValue(told[field], shown);
      return !isTold || isIgnored(run, expectation, field, shown);
    })
    .map(([field]) => field);
}

/** The service may write a text or an address in its own way; the former one is not what was sent. */
function isIgnored(
  run: Run,
  { kind, because, fields }: Expectation,
  field: string,
  shown: FieldValues[string],
): boolean {
  if (sameReading(formOf(kind, field), fields[field] ?? null, shown)) return false;
  return run.editsOf(because).some((edit) => edit.path === `/${field}` && sameValue(edit.before, shown));
}

function tell(run: Run, address: string, what: string, hint: string): void {
  reportWarning(run, "verify", address, `${capital(nameOf(address))} ${what}.`, hint);
}
