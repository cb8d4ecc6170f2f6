// The calls that follow from what a plan shows and saw, and from nothing else. Used to make a plan, and to check a saved
// one: a call that does not follow from the changes is not made.
import type { Kind } from "../../kinds/define.ts";
import { fieldEntries, isFamilyHead, isInFamily, kindOf, kinds, listPath, parentAddress } from "../../kinds/index.ts";
import { type Address, makeAddress } from "../../model/address.ts";
import type { Change, Observed, Operation, Plan, Summary, Verb } from "../../model/plan.ts";
import { groupBy, type Reference, type Value } from "../../model/value.ts";
import type { StatusWish } from "../../model/wish.ts";
import { inOrderOfNames, nameInChange } from "../match/renames.ts";
import { feesWithin } from "../rules/context.ts";
import { orderBelow } from "./call-order.ts";
import {
  addDraft,
  childOperations,
  createBody,
  inlineBody,
  leaversOf,
  type NamesGivenUp,
  type NewDraft,
  type OperationDraft,
  patchBody,
  type Subject,
} from "./child-operations.ts";

interface EventSubject {
  readonly self: Subject;
  readonly children: readonly Subject[];
}

// The calls for one event, in an order that never shows the public anything half done: unpublish, the event itself,
// creates and changes below it, deletes, and publish or archive at the very end.

/** The calls that change an event's status: before all others, or after them. */
function statusDrafts(self: Subject, path: string): { first: readonly OperationDraft[]; last: readonly NewDraft[] } {
  const transition = self.change?.transition ?? null;
  const step = self.kind.steps.find((one) => one.from === (transition?.from ?? "DRAFT") && one.to === transition?.to);
  if (step === undefined) return { first: [], last: [] };
  const drafts = step.verbs.map((verb) => ({
    address: self.address,
    ...statusCall(verb, path),
    because: self.address,
    ...(step.fallback === undefined ? {} : { fallback: step.fallback }),
  }));
  return step.place === "first"
    ? { first: drafts.map((draft) => ({ ...draft, needs: [] })), last: [] }
    : { first: [], last: drafts };
}

function statusCall(verb: Verb, path: string): Pick<OperationDraft, "verb" | "method" | "path"> {
  return verb === "delete" ? { verb, method: "DELETE", path } : { verb, method: "POST", path: `${path}/${verb}` };
}

function eventOperations(event: EventSubject, leaving: NamesGivenUp): readonly OperationDraft[] {
  const { self } = event;
  if (self.change === null && event.children.every((child) => child.change === null)) return [];
  const path = `/${self.kind.plural}/${self.id ?? `{${self.address}}`}`;
  const status = statusDrafts(self, path);
  const needs = [...status.first, ...leaversOf(leaving, self)];
  const drafts: OperationDraft[] = [...status.first];
  const [order, own] = [orderBelow(self, event.children), ownDraft(event, path, needs)];
  const before = own?.verb === "create" ? [...status.first, own] : status.first;
  const first = own !== null && order.place === "first" ? [own] : [];
  const below = childOperations(event.children, path, before, (draft) => (order.isChecked(draft) ? first : []));
  if (own !== null && order.place === "last") {
    const last = { ...own, needs: [...needs, ...below.filter(order.isChecked)] };
    drafts.push(...below, last);
    addDraft(leaving, nameInChange(self, "before"), last);
  } else {
    drafts.push(...(own === null ? [] : [own]), ...below);
    if (own !== null) addDraft(leaving, nameInChange(self, "before"), own);
  }
  // Nothing is published or archived while something below it is not as wished.
  const waits = event.children.some((child) => (child.change?.blockedBy.length ?? 0) > 0);
  if (!waits) for (const step of status.last) drafts.push({ ...step, needs: [...drafts] });
  return drafts;
}

function ownDraft(event: EventSubject, path: string, needs: readonly OperationDraft[]): OperationDraft | null {
  const { kind, change, address } = event.self;
  if (change?.action === "create") {
    const body = { ...createBody(kind, event.self), ...inlineBody(event.children) };
    return { address, verb: "create", method: "POST", path: listPath(kind, null), body, because: address, needs };
  }
  const body = change?.action === "update" ? patchBody(kind, change, event.self) : null;
  return body === null ? null : { address, verb: "update", method: "PATCH", path, body, because: address, needs };
}

// Changes that must wait while a related one is blocked: half of a move or of a rename is worse than none.

/** Addresses of changes that wait although nothing forbids them by themselves: a schedule does not move while its event stays. */
function addressesHeldBack(event: EventSubject): readonly Address[] {
  const changed = event.children.filter((child) => child.change !== null);
  if (isBlocked(event.self)) return changed.map((child) => child.address);
  /** Kinds of which one was to go and cannot. */
  const staying = new Set(
    changed.flatMap((child) => (child.change?.action === "delete" && isBlocked(child) ? child.kind : [])),
  );
  // If a ticket type was to be deleted and cannot be, a new one waits: both would be on sale.
  const waiting = changed.filter((child) => isNewInline(child) && staying.has(child.kind));
  return [...halfBlocked(event), ...waiting.map(({ address }) => address)];
}

function isNewInline({ kind, change }: Subject): boolean {
  return kind.inline === true && change?.action === "create";
}

/** What must change together with a blocked field of a ticket type: an event does not become FREE while a price is blocked. Calls that end a sale do not wait. */
function halfBlocked({ self, children }: EventSubject): readonly Address[] {
  const edited = ({ kind, change }: Subject) =>
    (change?.action === "update" ? change.edits : []).map(({ path }) => ({ path, policy: kind.fields[path.slice(1)] }));
  const together = edited(self).flatMap(({ policy }) => (policy?.role === "value" && policy.decidedWith) || []);
  const alike = children.filter((child) => edited(child).some(({ path }) => together.includes(path.slice(1))));
  if (self.change?.transition?.to === "DRAFT" || !alike.some(isBlocked)) return [];
  return [self, ...alike, ...children.filter(isNewInline)].map(({ address }) => address);
}

function isBlocked(one: Subject): boolean {
  return (one.change?.blockedBy.length ?? 0) > 0;
}

/** Webhooks are created first and deleted after events change: no receiver misses anything. Events are deleted last. */
export function deriveOperations({ changes, observed }: Pick<Plan, "changes" | "observed">): readonly Operation[] {
  const events = eventSubjects(changes, observed);
  const blocked = new Set(changes.filter((change) => change.blockedBy.length > 0).map((change) => change.address));
  for (const event of events) for (const address of addressesHeldBack(event)) blocked.add(address);
  const alone = childOperations(
    topSubjects(changes, observed, ({ address }) => !isInFamily(address)),
    "",
    [],
  );
  const making = alone.filter(({ verb }) => verb !== "delete");
  // Nothing refers to them, so they are deleted in the order of the list.
  const removing = alone.filter(({ verb }) => verb === "delete").reverse();
  const staying: OperationDraft[] = [];
  const going: OperationDraft[] = [];
  const leaving: NamesGivenUp = new Map();
  for (const event of inOrderOfNames(events, ({ self }) => self))
    (event.self.change?.action === "delete" ? going : staying).push(...eventOperations(event, leaving));
  return numberDrafts([...making, ...staying, ...removing, ...going], blocked);
}

function eventSubjects(changes: readonly Change[], observed: readonly Observed[]): readonly EventSubject[] {
  const parents = (address: string) => parentAddress(address) ?? "";
  const changesBelow = groupBy(changes, ({ address }) => parents(address));
  const observedBelow = groupBy(observed, ({ address }) => parents(address));
  return topSubjects(changes, observed, ({ kind }) => isFamilyHead(kind)).map((self) => {
    const below = new Map(observedBelow.get(self.address)?.map((one) => [one.address, one]));
    const changed = [...(changesBelow.get(self.address) ?? [])].sort((one, other) => kindRank(one) - kindRank(other));
    const children = changed.flatMap((change) => {
      const one = below.get(change.address);
      below.delete(change.address);
      return one === undefined ? [] : [subjectOf(one, change)];
    });
    // The others were observed only because something refers to them.
    return { self, children: [...children, ...Array.from(below.values(), (one) => subjectOf(one, null))] };
  });
}

function topSubjects(
  changes: readonly Change[],
  observed: readonly Observed[],
  isMeant: (one: Observed) => boolean,
): readonly Subject[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  return observed.filter(isMeant).map((one) => subjectOf(one, byAddress.get(one.address) ?? null));
}

/** An object comes before those that refer to it. */
function kindRank({ kind }: Change): number {
  return kinds.indexOf(kindOf(kind) as unknown as (typeof kinds)[number]);
}

function subjectOf(observed: Observed, change: Change | null): Subject {
  const kind = kindOf(observed.kind);
  const { address, id } = observed;
  return { kind, address, id, change, fields: sentFields(kind, observed, change), mentions: observed.mentions ?? [] };
}

/** The address that a name in an edit refers to: `performer: DJ Ana` is one of the same event. */
export function namedAddress(kind: Kind, address: Address, field: string, name: string): Address | null {
  const policy = kind.fields[field];
  return policy?.role === "reference" ? makeAddress(parentAddress(address), kindOf(policy.to).plural, name) : null;
}

function sentFields(kind: Kind, observed: Observed, change: Change | null): Subject["fields"] {
  if (change === null) return {};
  // A replacement equals the object it replaces, except for the edits.
  const fields: Record<string, Value | Reference> = change.action === "replace" ? shownFields(kind, observed) : {};
  for (const { path, after } of change.edits) {
    const name = path.slice(1);
    const policy = kind.fields[name];
    if (policy?.role === "value") fields[name] = after;
    const named = typeof after === "string" ? namedAddress(kind, observed.address, name, after) : null;
    if (policy?.role === "reference") fields[policy.sentAs] = named === null ? null : { $id: named };
  }
  return fields;
}

function shownFields(kind: Kind, { fields }: Observed): Record<string, Value> {
  const shown: Record<string, Value> = {};
  for (const [name, policy] of fieldEntries(kind)) {
    const value = fields[name];
    if (policy.role === "value" && value !== undefined) shown[name] = value;
  }
  return shown;
}

/** Numbers drafts in their order and drops those that a blocked change caused, with all that need them. */
function numberDrafts(drafts: readonly OperationDraft[], blocked: ReadonlySet<string>): readonly Operation[] {
  const numbers = new Map<OperationDraft, string>();
  const dropped = new Set<OperationDraft>();
  const operations: Operation[] = [];
  for (const draft of drafts) {
    if (blocked.has(draft.because) || draft.needs.some((need) => dropped.has(need))) {
      dropped.add(draft);
      continue;
    }
    const id = String(operations.length + 1);
    numbers.set(draft, id);
    const { needs, ...rest } = draft;
    operations.push({
      id,
      ...rest,
      needs: needs.map((need) => numbers.get(need)).filter((need) => need !== undefined),
    });
  }
  const waiting = new Set(Array.from(dropped, ({ address }) => address));
  return operations.map((operation) => {
    const { fallback: _, clearing = [], ...rest } = operation;
    // Entries that name the object to be replaced keep naming it, so it cannot be deleted first.
    return clearing.some(({ address, verb }) => verb === "update" && waiting.has(address)) ? rest : operation;
  });
}

/** Counts what would be done: a blocked change counts only as blocked. */
export function summarize(
  changes: readonly Change[],
  operations: readonly Operation[],
  unchanged: number,
  unmanaged: number | null,
): Summary {
  const open = changes.filter((change) => change.blockedBy.length === 0);
  const actions = (action: Change["action"]) => open.filter((change) => change.action === action).length;
  const verbs = (verb: Operation["verb"]) => operations.filter((operation) => operation.verb === verb).length;
  return {
    create: actions("create"),
    update: actions("update"),
    replace: actions("replace"),
    delete: actions("delete"),
    publish: verbs("publish"),
    unpublish: verbs("unpublish"),
    archive: verbs("archive"),
    soldOut: verbs("sold-out"),
    unchanged,
    blocked: changes.length - open.length,
    unmanaged,
  };
}

// What follows from changes and their calls, for people: what prices mean, and which changes wait for others.

/** The changes with their `fees` and `heldBack`, whatever these were before. */
export function explainChanges(changes: readonly Change[], operations: readonly Operation[]): readonly Change[] {
  const feesOf = feesWithin(changes);
  const heldBackOf = findHeldBack(changes, operations);
  return changes.map(({ fees: _, heldBack: __, ...change }) => {
    const fees = feesOf(change);
    const heldBack = heldBackOf(change);
    return { ...change, ...(fees.length === 0 ? {} : { fees }), ...(heldBack === null ? {} : { heldBack }) };
  });
}

const verbOfStatus: Readonly<Record<StatusWish, Verb>> = {
  PUBLISHED: "publish",
  DRAFT: "unpublish",
  ARCHIVED: "archive",
  DELETED: "delete",
};

/** Which changes wait although nothing forbids them, because they need one that is blocked. */
function findHeldBack(changes: readonly Change[], operations: readonly Operation[]) {
  if (changes.every((change) => change.blockedBy.length === 0)) return () => null;
  const byCause = groupBy(operations, ({ because }) => because);
  const does = (address: Address | null, verb: Verb): boolean =>
    address !== null && (byCause.get(address) ?? []).some((operation) => operation.verb === verb);

  return (change: Change): "change" | "status" | null => {
    if (change.blockedBy.length > 0) return null;
    const parent = parentAddress(change.address);
    // Created within the create call of its event, or deleted with it: it has no separate call.
    if (change.action === "create" && kindOf(change.kind).inline && does(parent, "create")) return null;
    if (change.action === "delete" && does(parent, "delete")) return null;
    if (!byCause.has(change.address)) return "change";
    const to = change.transition?.to;
    const staysDraft = change.transition?.from === null && to === "DRAFT";
    return to === undefined || staysDraft || does(change.address, verbOfStatus[to]) ? null : "status";
  };
}
