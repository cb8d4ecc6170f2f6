// What is sent: only what the service documents, only what is managed.

import type { Kind, ValuePolicy } from "../../kinds/define.ts";
import { fieldEntries, sameValue } from "../../kinds/index.ts";
import type { Body, BodyValue, Change } from "../../model/plan.ts";
import { isReference, type Reference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";

type Wished = Pick<Wish, "fields">;

/** The id that a reference resolves to: of a live object, or one to come. */
export type Resolve = (reference: Reference) => string | Reference;

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
    if (value !== undefined && !isReference(value) && value !== policy.standard) body[name] = value;
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
    const isStandard = policy.create === "after" && sameValue(value, policy.standard);
    if (isStandard || (value === null && policy.alwaysSent === undefined)) fields[name] = value;
  }
  return fields;
}

function sentValue(policy: ValuePolicy, value: Value): Value {
  return value === null && (policy.form === "list" || policy.form === "set") ? [] : value;
}
