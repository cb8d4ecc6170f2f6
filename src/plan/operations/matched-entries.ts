// What is live and as wished, as it is to be remembered.
import type { Kind } from "../../kinds/define.ts";
import { fieldEntries, sentName } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live, StateEntry } from "../../model/live.ts";
import { isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { changeOf } from "../compare/compare-object.ts";
import type { Comparison } from "../compare/comparison.ts";
import { type Recall, type Recalled, stillUncleared, withEffects } from "../match/recall.ts";

/** Not one object each: with thousands of events, every key would be a separate shape in V8. */
export type MatchedEntries = readonly (readonly [Address, StateEntry])[];

export function matchedEntries(cases: readonly Comparison[], remember: Recall): MatchedEntries {
  const entries: [Address, StateEntry][] = [];
  for (const one of cases) {
    const { live, wish, kind, address, unknown } = one;
    const change = one.planned ?? one.change;
    if (live === null || wish === null || change?.action === "delete") continue;
    const memory = withEffects(kind, remember(address, live.id), live);
    const { returned, madeAt, secretName } = memory;
    const uncleared = stillUncleared(kind, change?.edits ?? [], live, memory.uncleared);
    const edited = change === null ? none : new Set(change.edits.map((edit) => sentName(kind, edit.path.slice(1))));
    const open = unknown.length === 0 ? none : new Set(unknown.map((name) => sentName(kind, name)));
    const unsent =
      open.size === 0 ? [] : Object.entries(wish.fields).filter(([name]) => open.has(name) && !edited.has(name));
    const applied = appliedFields(kind, wish, live, memory, edited, open);
    const entry: { -readonly [Name in keyof StateEntry]: StateEntry[Name] } = { kind: kind.name, id: live.id, applied };
    if (Object.keys(returned).length > 0) entry.returned = returned;
    if (unsent.length > 0)
      entry.unknown = Object.fromEntries(unsent.map(([name, value]) => [name, isReference(value) ? value.$id : value]));
    // Kept as long as it is still to be sent: this run may end before that.
    const unconfirmed = memory.unconfirmed.filter((call) => Object.keys(call).some((field) => edited.has(field)));
    if (unconfirmed.length > 0) entry.unconfirmed = unconfirmed;
    const named = Object.entries(memory.named).filter(([field]) => edited.has(field));
    if (named.length > 0) entry.named = Object.fromEntries(named);
    if (Object.keys(uncleared).length > 0) entry.uncleared = uncleared;
    if (wish.own.protected === true) entry.protected = true;
    if (madeAt !== null) entry.madeAt = madeAt;
    if (secretName !== undefined) entry.secretName = secretName;
    entries.push([address, entry]);
  }
  return entries;
}

const none: ReadonlySet<string> = new Set();

/** No longer managed, and not shown: its value is known only from what was applied last. */
function isHidden(kind: Kind, wish: Wish, live: Live, field: string): boolean {
  if (wish.fields[field] !== undefined || live.fields[field] !== undefined) return false;
  return fieldEntries(kind).some(([name]) => sentName(kind, name) === field && changeOf(kind, `/${name}`) === "patch");
}

/** Fields that are as wished now; those that still differ are remembered once they are applied. */
function appliedFields(
  kind: Kind,
  wish: Wish,
  live: Live,
  memory: Recalled,
  edited: ReadonlySet<string>,
  open: ReadonlySet<string>,
): StateEntry["applied"] {
  const fields: Record<string, Value> = {};
  // Only what state itself remembers, because a base says what was wished.
  const former = (memory.id === null ? null : memory.applied) ?? {};
  // Until it is changed, it is as it was applied last; and so is a field that the file has left out since, unseen.
  for (const [field, value] of Object.entries(former)) {
    if (edited.has(field) || isHidden(kind, wish, live, field)) fields[field] = value;
  }
  for (const [name, policy] of fieldEntries(kind)) {
    const field = policy.role === "reference" ? policy.sentAs : name;
    const value = wish.fields[field];
    if (value === undefined || edited.has(field) || open.has(field)) continue;
    // What an entry refers to has an id by now, and is remembered by it; if that is not shown, as it was before.
    const kept = isReference(value) ? (live.fields[field] ?? memory.applied?.[field]) : value;
    if (kept !== undefined) fields[field] = kept;
  }
  const status = live.status !== null && live.status === wish.own.status ? live.status : former.status;
  if (status !== undefined) fields.status = status;
  return fields;
}
