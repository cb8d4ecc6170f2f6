// What waits: merges that were not applied yet, and what is held until it is reviewed. One sentence each.

import { childKinds, kindOfAddress, parentAddress } from "../../kinds/index.ts";
import { type Address, dateOf, type KindName, rootOf } from "../../model/address.ts";
import type { Change, Edit, Operation, Plan, Verb } from "../../model/plan.ts";
import { formatLocalMoment } from "../../model/time.ts";
import { groupBy, pluralize } from "../../model/value.ts";
import type { EventStatus, Upcoming } from "../../model/wish.ts";
import { becomes, type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { fieldOf, fieldText } from "./edit-line.ts";
import { type Distinguish, fewestDates } from "./group-changes.ts";
import {
  countOf,
  dayWords,
  describeChange,
  eventNameOf,
  kindWord,
  nameOfChange,
  type PlanStep,
  shownNameIn,
  transitionVerb,
  verbNames,
} from "./messages.ts";

const mostEvents = 10;
const mostItems = 4;

/** What a list is about: which edits, and which objects as a whole or by their status. */
interface Listing {
  readonly title: string;
  readonly lists: (part: Pick<Edit, "held"> & Partial<Pick<Edit, "origin">>) => boolean;
  /** With the value that a field is to have. */
  readonly values: boolean;
}

export function waitingMerges(changes: readonly Change[]): readonly TextSpan[] {
  return listed(changes, {
    title: "Already merged and waiting: ",
    lists: ({ origin }) => origin === "unapplied",
    values: false,
  });
}

/** What this run holds, and what earlier ones have. */
export function heldChanges({ changes, held = [] }: Pick<Plan, "changes" | "held">): readonly TextSpan[] {
  const whole = held.map((change) => ({
    ...change,
    held: true as const,
    edits: change.edits.map((edit) => ({ ...edit, held: true as const })),
  }));
  return listed([...changes, ...whole], {
    title: "Held and waiting: ",
    lists: (part) => part.held === true,
    values: true,
  });
}

function listed(changes: readonly Change[], listing: Listing): readonly TextSpan[] {
  // Most plans hold nothing, and a plan can be large.
  if (!changes.some((change) => isListed(change, listing.lists) || change.edits.some(listing.lists))) return [];
  const waiting = [...groupBy(changes, ({ address }) => rootOf(address))]
    .map(([root, all]) => ({ name: nameOfRoot(root, all), items: all.flatMap((each) => itemsOf(each, root, listing)) }))
    .filter(({ items }) => items.length > 0);
  if (waiting.length === 0) return [];
  const more = waiting.length - mostEvents;
  return [
    word(listing.title),
    ...waiting
      .slice(0, mostEvents)
      .flatMap(({ name, items }, index): readonly TextSpan[] => [
        word(index === 0 ? "" : ", "),
        { role: "name", text: name },
        word(" ("),
        ...shortList(items),
        word(")"),
      ]),
    word(more > 0 ? `, and ${pluralize(more, "more event")}.` : "."),
  ];
}

function isListed({ origin, held }: Change, lists: Listing["lists"]): boolean {
  return origin !== undefined && lists({ origin, ...(held ? { held } : {}) });
}

function nameOfRoot(root: Address, changes: readonly Change[]): string {
  const named = changes.find(({ address }) => address === root) ?? changes[0];
  return named === undefined ? shownNameIn(root) : eventNameOf(named);
}

function itemsOf(change: Change, root: Address, { lists, values }: Listing): readonly (readonly TextSpan[])[] {
  const whose = change.address === root ? "" : ` of ${nameOfChange(change)}`;
  const isWhole = change.action === "create" || change.action === "replace" || change.action === "delete";
  const edits = isWhole ? [] : change.edits.filter((edit) => !edit.sentAlong && lists(edit));
  const fields = edits.map((edit): readonly TextSpan[] => {
    const name = { role: "prose" as const, text: `${fieldOf(edit)}${whose}` };
    return values ? [name, becomes, afterOf(change, edit)] : [name];
  });
  if (!isListed(change, lists) || (!isWhole && change.transition === null)) return fields;
  const does = describeChange({ ...change, blockedBy: [], ...(isWhole ? {} : { action: "none" as const }) });
  const text = change.address === root ? does : `${does} ${nameOfChange(change)}`;
  return [...fields, [{ role: "prose", text }]];
}

function afterOf({ kind, context }: Change, edit: Edit): TextSpan {
  if (edit.after === null) return word("none");
  return { role: "after", text: fieldText(kind, edit.path.slice(1), edit.after, context) };
}

function shortList(items: readonly (readonly TextSpan[])[]): readonly TextSpan[] {
  const more = items.length - mostItems;
  const shown = items.slice(0, mostItems).flatMap((item, index) => (index === 0 ? item : [word(", "), ...item]));
  return more > 0 ? [...shown, word(`, ${more} more`)] : shown;
}

// What comes due later, in a line each.

const mostShown = 5;

/** "Later: Sun 31 Jan 2027 10:00 Announce: publish "Manila Nights"". What comes on many dates of a series is one line, with its first time. */
export function laterNotes(upcoming: readonly Upcoming[], full: boolean): readonly string[] {
  const alike = groupBy(upcoming, ({ address, type, phase, fields, context }) =>
    JSON.stringify([dateOf(address)?.series ?? address, type, phase, fields, context?.status]),
  );
  const lines = [...alike.values()].flatMap((all) =>
    all.length < fewestDates ? all.map((one) => ({ one, all: [one] })) : all.slice(0, 1).map((one) => ({ one, all })),
  );
  const shown = full ? lines : lines.slice(0, mostShown);
  const more = lines.slice(shown.length).reduce((sum, { all }) => sum + all.length, 0);
  return [
    ...shown.map(({ one, all }) => laterNote(one, all)),
    ...(more > 0
      ? [`Later: ${pluralize(more, "more change")}; --verbose lists them all, and so does --format json.`]
      : []),
  ];
}

function laterNote({ at, address, type, phase, fields, context }: Upcoming, all: readonly Upcoming[]): string {
  const when = formatLocalMoment(at, context?.timezone ?? "UTC");
  const isEnd = type === "phase-end";
  const what = phase === null ? (isEnd ? " end of a phase:" : "") : ` ${safeText(phase)}${isEnd ? " ends" : ""}:`;
  const does = changeWords(fields, context?.status);
  // A status is of the event; anything else is something in it.
  const within = fields.some((pointer) => pointer !== "/status") || fields.length === 0 ? " in" : "";
  const others = all.some((other) => other.at !== at) ? "then" : "and";
  const more = all.length === 1 ? dayWords(address) : `, ${others} ${pluralize(all.length - 1, "more date")}`;
  return `Later: ${when}${what} ${does}${within} "${safeText(context?.name ?? address)}"${more}`;
}

/** "publish, change tickets": what a phase does. `status` is the one that it sets. */
export function changeWords(fields: readonly string[], status: string | undefined): string {
  const names = [...new Set(fields.map((pointer) => pointer.split("/")[1] ?? ""))];
  const others = names.filter((name) => name !== "status" || status === undefined);
  const from = status === "DRAFT" ? "PUBLISHED" : "DRAFT";
  return (
    [
      ...(status === undefined ? [] : [transitionVerb({ from, to: status as EventStatus })]),
      ...(others.length === 0 ? [] : [`change ${safeText(others.join(", "))}`]),
    ].join(", ") || "nothing changes"
  );
}

// The calls of a plan in their order. Adjacent calls that do the same are one step; a long plan shows only sums.

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

/** `full`: every call on its own. */
export function orderSteps(plan: Plan, { full, apart }: { readonly full: boolean; readonly apart: Distinguish }) {
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
  return { words: [head, ...nameSpans(first.address, stepNames), ...within, ...ofEvent(run, stepNames)], call: null };
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
