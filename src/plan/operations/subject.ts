// One object as its operations know it: what the plan says of it and saw of it. No file and no memory is at hand here.
import type { Kind, ValuePolicy } from "../../kinds/define.ts";
import { fieldEntries, kindOf, parentAddress, sameValue } from "../../kinds/index.ts";
import { type Address, makeAddress } from "../../model/address.ts";
import type { Mention } from "../../model/live.ts";
import type { Body, BodyValue, Change, Observed, Operation } from "../../model/plan.ts";
import { isReference, type Reference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";

export interface Subject {
  readonly kind: Kind;
  readonly address: Address;
  /** null: not live. */
  readonly id: string | null;
  /** null: observed only because something names it. */
  readonly change: Change | null;
  /** What the calls may send, by the service's names. */
  readonly fields: Readonly<Record<string, Value | Reference>>;
  readonly mentions: readonly Mention[];
}

export interface EventSubject {
  readonly self: Subject;
  readonly children: readonly Subject[];
}

export function subjectOf(observed: Observed, change: Change | null): Subject {
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

/** An operation before it has a number: its needs are other drafts. */
export interface OperationDraft extends Omit<Operation, "id" | "needs"> {
  readonly needs: readonly OperationDraft[];
}

/** Numbers drafts in their order and drops those that a blocked change caused, with all that need them. */
export function numberDrafts(drafts: readonly OperationDraft[], blocked: ReadonlySet<string>): readonly Operation[] {
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
  return operations;
}

// What is sent: only what the service documents, only what is managed.

type Wished = Pick<Wish, "fields">;

/** The id that a reference resolves to: of a live object, or one to come. */
type Resolve = (reference: Reference) => string | Reference;

export function createBody(kind: Kind, wish: Wished, resolve: Resolve): Body {
  const body: Record<string, BodyValue> = {};
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role === "reference") {
      const value = wish.fields[policy.sentAs];
      if (isReference(value)) body[policy.sentAs] = resolve(value);
    }
    if (policy.role !== "value" || policy.create === "after") continue;
    const value = wish.fields[name] ?? policy.alwaysSent;
    if (value !== undefined && value !== null && !isReference(value)) body[name] = value;
  }
  return body;
}

/** The fields that a PATCH carries for this change; null if none of its edits is made by PATCH. */
export function patchBody(kind: Kind, change: Change, wish: Wished, resolve: Resolve): Body | null {
  const body: Record<string, BodyValue> = {};
  for (const edit of change.edits) {
    const name = edit.path.slice(1);
    const policy = kind.fields[name];
    if (policy?.role === "value" && policy.change === "patch") body[name] = sentValue(policy, edit.after);
    if (policy?.role === "reference") {
      const value = wish.fields[policy.sentAs];
      body[policy.sentAs] = isReference(value) ? resolve(value) : null;
    }
  }
  return Object.keys(body).length === 0 ? null : body;
}

/** Fields of a new object that its create call does not accept, and that a later call must set. */
export function afterCreateBody(kind: Kind, wish: Wished): Body | null {
  const body: Record<string, BodyValue> = {};
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role !== "value" || policy.create !== "after" || policy.change !== "patch") continue;
    const value = wish.fields[name];
    if (value !== undefined && !isReference(value) && value !== policy.serviceDefault) body[name] = value;
  }
  return Object.keys(body).length === 0 ? null : body;
}

/** Wished values of a new object that are not sent, because it has them anyway: empty fields and the service's defaults. */
export function unsentFields(kind: Kind, wish: Wished): Readonly<Record<string, Value>> {
  const fields: Record<string, Value> = {};
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role === "reference" && wish.fields[policy.sentAs] === null) fields[policy.sentAs] = null;
    if (policy.role !== "value") continue;
    const value = wish.fields[name];
    if (value === undefined || isReference(value)) continue;
    const isDefault = policy.create === "after" && sameValue(value, policy.serviceDefault);
    if (isDefault || (value === null && policy.alwaysSent === undefined)) fields[name] = value;
  }
  return fields;
}

function sentValue(policy: ValuePolicy, value: Value): Value {
  return value === null && (policy.form === "list" || policy.form === "set") ? [] : value;
}
