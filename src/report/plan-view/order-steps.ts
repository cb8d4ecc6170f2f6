// The calls of a plan in their order. Adjacent calls that do the same are one step; a long plan shows only sums.
import { childKinds, kindOfAddress, parentAddress } from "../../kinds/index.ts";
import type { Address, KindName } from "../../model/address.ts";
import type { Operation, Plan, Verb } from "../../model/plan.ts";
import { type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import type { Distinguish } from "./distinct-names.ts";
import { countOf, kindWord, nameOfChange, shownNameIn, verbNames } from "./messages.ts";
import type { PlanStep } from "./view.ts";

const mostSteps = 12;

const verbOrder: readonly Verb[] = ["unpublish", "create", "update", "sold-out", "publish", "archive", "delete"];

interface Run {
  readonly verb: Verb;
  readonly kind: KindName;
  readonly operations: Operation[];
}

interface StepNames {
  readonly nameOf: (address: Address) => string;
  readonly whichOf: (operation: Operation) => string;
  readonly apart: Distinguish;
}

export interface Steps {
  readonly steps: readonly PlanStep[];
  readonly inOrder: boolean;
}

/** `full`: every call on its own. */
export function orderSteps(
  plan: Plan,
  { full, apart }: { readonly full: boolean; readonly apart: Distinguish },
): Steps {
  const names = new Map(plan.changes.map((change) => [change.address, nameOfChange(change)]));
  for (const { address, context } of plan.changes) {
    const parent = parentAddress(address);
    const isKnown = parent === null || names.has(parent) || context?.eventName === undefined;
    if (!isKnown) names.set(parent, safeText(context.eventName));
  }
  const replaced = new Set(plan.changes.flatMap((one) => (one.action === "replace" ? [one.address] : [])));
  const stepNames: StepNames = {
    nameOf: (address) => names.get(address) ?? shownNameIn(address),
    // Two objects of one name: which of them is meant must be said.
    whichOf: ({ verb, address }) => (!replaced.has(address) ? "" : verb === "create" ? "the new " : "the old "),
    apart,
  };
  const runs = plan.operations.map((operation): Run => {
    return { verb: operation.verb, kind: kindOfAddress(operation.address).name, operations: [operation] };
  });
  if (full) return { steps: runs.map((run) => ({ ...describe(run, stepNames), call: callOf(run) })), inOrder: true };
  const neighbors = join(runs, (_, last) => last);
  if (neighbors.length <= mostSteps) return { steps: neighbors.map((run) => describe(run, stepNames)), inOrder: true };
  const sums = join(runs, (run, _, known) => known.find((one) => isSame(one, run)));
  // Sums are in the order in which an event goes through them.
  const inTurn = [...sums].sort((one, other) => verbOrder.indexOf(one.verb) - verbOrder.indexOf(other.verb));
  return { steps: inTurn.map((run) => describe(run, stepNames)), inOrder: false };
}

/** Runs with those that `findPlace` puts into an earlier one. */
function join(
  runs: readonly Run[],
  findPlace: (run: Run, last: Run | undefined, known: readonly Run[]) => Run | undefined,
): readonly Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const place = findPlace(run, joined.at(-1), joined);
    if (place !== undefined && isSame(place, run)) place.operations.push(...run.operations);
    else joined.push({ ...run, operations: [...run.operations] });
  }
  return joined;
}

function isSame(one: Run, other: Run): boolean {
  return one.verb === other.verb && one.kind === other.kind;
}

function describe(run: Run, stepNames: StepNames): PlanStep {
  const [first] = run.operations;
  const verb = verbNames[run.verb];
  const within = childKinds(run.kind).flatMap(({ name, plural }) => {
    const inline = run.operations.reduce((sum, operation) => sum + inlineCount(operation, plural), 0);
    return inline === 0 ? [] : [word(` with ${countOf(name, inline)}`)];
  });
  if (first === undefined || run.operations.length > 1) {
    return {
      words: [word(`${verb} ${countOf(run.kind, run.operations.length)}`), ...within, ...ofEvent(run, stepNames)],
      call: null,
    };
  }
  const head = word(`${verb} ${stepNames.whichOf(first)}${kindWord(run.kind)} `);
  return {
    words: [head, ...nameSpans(first.address, stepNames), ...within, ...ofEvent(run, stepNames)],
    call: null,
  };
}

function callOf(run: Run): string | null {
  const [operation] = run.operations;
  return operation === undefined ? null : safeText(`${operation.method} ${operation.path}`);
}

/** How many objects of a list the create call of their event makes. */
function inlineCount({ verb, body }: Operation, plural: string): number {
  const list = body?.[plural];
  return verb === "create" && Array.isArray(list) ? list.length : 0;
}

/** The event that all calls of the run are below of. */
function ofEvent(run: Run, stepNames: StepNames): readonly TextSpan[] {
  const parents = new Set(run.operations.map((operation) => parentAddress(operation.address)));
  const [parent] = parents;
  if (parents.size !== 1 || parent === undefined || parent === null) return [];
  return [word(" of "), ...nameSpans(parent, stepNames)];
}

function nameSpans(address: Address, { nameOf, apart }: StepNames): readonly TextSpan[] {
  return [{ role: "name", text: nameOf(address) }, ...apart(address)];
}
