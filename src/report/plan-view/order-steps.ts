// The calls of a plan in their order. Adjacent calls that do the same are one step; a long plan shows only sums.
import { childKinds, kindOfAddress, parentAddress } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Operation, Plan, Verb } from "../../model/plan.ts";
import { type Group, groupBy } from "../../model/value.ts";
import { type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { type Distinguish, distinguish, type NamedIn } from "./group-changes.ts";
import { countOf, kindWord, labelEdit, nameOfChange, type PlanStep, shownNameIn, verbNames } from "./plan-view.ts";

const mostSteps = 12;

const verbOrder: readonly Verb[] = ["unpublish", "create", "update", "sold-out", "publish", "archive", "delete"];

/** Calls that do the same with objects of one kind. */
type CallGroup = Group<Operation>;

interface StepNames {
  readonly nameOf: (address: Address, verb?: Verb) => string;
  readonly whichOf: (operation: Operation) => string;
  readonly apart: Distinguish;
}

/** `full`: every call on its own. */
export function orderSteps(plan: Plan, { full, apart }: { readonly full: boolean; readonly apart: Distinguish }) {
  const stepNames = namesIn(plan, apart);
  if (full) return { steps: plan.operations.map((operation) => callStep(operation, stepNames)), inOrder: true };
  const runs = adjacent(plan.operations);
  // "2 events" twice would not say which.
  const isUnclear = new Set(runs.map(([first]) => deedOf(first))).size < runs.length;
  const isShort = plan.operations.length <= mostSteps;
  const neighbors = isUnclear && isShort ? plan.operations.map((each): CallGroup => [each]) : runs;
  if (neighbors.length <= mostSteps)
    return { steps: neighbors.map((run) => describeStep(run, stepNames)), inOrder: true };
  // Sums are in the order of an event's steps.
  const sums = [...groupBy(plan.operations, deedOf).values()].sort(
    ([one], [other]) => verbOrder.indexOf(one.verb) - verbOrder.indexOf(other.verb),
  );
  return { steps: sums.map((run) => describeStep(run, stepNames)), inOrder: false };
}

/** One call as the plan words it: `create ticket type "VIP" of "Manila Nights"`. */
export function operationWords(plan: NamedIn): (operation: Operation) => string {
  const stepNames = namesIn(plan, distinguish(plan));
  return (operation) =>
    describeStep([operation], stepNames)
      .words.map(({ role, text }) => (role === "name" ? `"${text}"` : text))
      .join("");
}

function namesIn(plan: NamedIn, apart: Distinguish): StepNames {
  const names = new Map(plan.changes.map((change) => [change.address, nameOfChange(change)]));
  for (const { address, context } of plan.changes) {
    const parent = parentAddress(address);
    const isKnown = parent === null || names.has(parent) || context?.eventName === undefined;
    if (!isKnown) names.set(parent, safeText(context.eventName));
  }
  const replaced = new Map(plan.changes.flatMap((one) => (one.action === "replace" ? [[one.address, one]] : [])));
  return {
    nameOf(address, verb) {
      // Somebody may have renamed what is live.
      const former = verb === "delete" ? labelEdit(replaced.get(address))?.before : null;
      return typeof former === "string" ? safeText(former) : (names.get(address) ?? shownNameIn(address));
    },
    // Two objects of one name: the step must say which of them is meant.
    whichOf: ({ verb, address }) => (!replaced.has(address) ? "" : verb === "create" ? "the new " : "the old "),
    apart,
  };
}

function deedOf({ verb, address }: Operation): string {
  return `${verb} ${kindOfAddress(address).name}`;
}

function adjacent(operations: readonly Operation[]): readonly CallGroup[] {
  const runs: [Operation, ...Operation[]][] = [];
  for (const operation of operations) {
    const last = runs.at(-1);
    if (last !== undefined && deedOf(last[0]) === deedOf(operation)) last.push(operation);
    else runs.push([operation]);
  }
  return runs;
}

function callStep(operation: Operation, stepNames: StepNames): PlanStep {
  return { ...describeStep([operation], stepNames), call: safeText(`${operation.method} ${operation.path}`) };
}

function describeStep(run: CallGroup, stepNames: StepNames): PlanStep {
  const [first] = run;
  const kind = kindOfAddress(first.address).name;
  const verb = verbNames[first.verb];
  const what =
    run.length > 1
      ? [word(`${verb} ${countOf(kind, run.length)}`)]
      : [
          word(`${verb} ${stepNames.whichOf(first)}${kindWord(kind)} `),
          ...nameSpans(first.address, stepNames, first.verb),
        ];
  const created = first.verb === "create" ? childKinds(kind) : [];
  const within = created.flatMap(({ name, plural }) => {
    const inline = run.reduce((sum, operation) => sum + inlineCount(operation, plural), 0);
    return inline === 0 ? [] : [word(` with ${countOf(name, inline)}`)];
  });
  return { words: [...what, ...within, ...ofOneEvent(run, stepNames)], call: null };
}

/** How many objects of a list the create call of their event creates. */
function inlineCount({ body }: Operation, plural: string): number {
  const list = body?.[plural];
  return Array.isArray(list) ? list.length : 0;
}

/** The event that all calls of the run belong to. */
function ofOneEvent(run: CallGroup, stepNames: StepNames): readonly TextSpan[] {
  const parent = parentAddress(run[0].address);
  if (parent === null || run.some(({ address }) => parentAddress(address) !== parent)) return [];
  return [word(" of "), ...nameSpans(parent, stepNames)];
}

function nameSpans(address: Address, { nameOf, apart }: StepNames, verb?: Verb): readonly TextSpan[] {
  return [{ role: "name", text: nameOf(address, verb) }, ...apart(address)];
}
