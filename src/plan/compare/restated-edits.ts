// What is sent with a change although it does not differ, or is not known to.
import type { Kind } from "../../kinds/define.ts";
import { fieldEntries, sameValue, sentName } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Edit } from "../../model/plan.ts";
import { isReference, type Reference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { Recalled } from "../match/recall.ts";
import type { References } from "./comparison.ts";

/** An edit without the origin and digest that it gets from its object. */
export type PlainEdit = Omit<Edit, "origin" | "digest"> & Partial<Pick<Edit, "origin">>;

/** A field that can be neither read nor remembered is sent with the next change. */
export function unreadableEdit(kind: Kind, field: string, wish: Wish, references: References): PlainEdit {
  const value = wish.fields[sentName(kind, field)] ?? null;
  return { path: `/${field}`, before: null, after: forPeople(value, references), unreadable: true, sentAlong: true };
}

export function forPeople(value: Value | Reference, references: References): Value {
  return isReference(value) ? references.nameOf(value.$id) : value;
}

/**
 * Fields that do not differ but are sent anyway: everything that a plan does is in its edits. A replacement gets every
 * managed field, even one that the service shows in another form or not at all, and what the service shows of the rest. And a
 * higher quantity puts tickets back on sale, so a type that is to stay sold out is closed again.
 */
export function restatedEdits(
  kind: Kind,
  wish: Wish,
  live: Live,
  edits: readonly PlainEdit[],
  isReplaced: boolean,
  memory: Recalled,
  references: References,
): readonly PlainEdit[] {
  if (edits.length === 0) return [];
  const edited = new Set(edits.map(({ path }) => path.slice(1)));
  const reopened = new Set([...edited].map((name) => loweringOf(kind, name)));
  const restated: PlainEdit[] = [];
  for (const [name, policy] of fieldEntries(kind)) {
    if (edited.has(name) || (policy.role !== "value" && policy.role !== "reference")) continue;
    const field = sentName(kind, name);
    const [wished, shown] = [wish.fields[field], live.fields[field]];
    if (wished === undefined && isReplaced) restated.push(...carriedOver(name, shown, memory));
    if (wished === undefined || wished === null) continue;
    const isShown = shown !== undefined && !isReference(wished) && sameValue(shown, wished);
    if (reopened.has(name) ? wished !== true : !isReplaced || isShown) continue;
    const before = shown ?? memory.applied?.[field] ?? null;
    restated.push({
      path: `/${name}`,
      before: policy.role === "reference" && typeof before === "string" ? references.nameOf(before) : before,
      after: forPeople(wished, references),
      sentAlong: true,
      ...(shown === undefined ? { unreadable: true as const } : {}),
    });
  }
  return restated;
}

/** Unmanaged fields are carried over to the replacement: as they were sent, if that is known, else as they are shown. */
function carriedOver(name: string, shown: Value | undefined, { applied, returned }: Recalled): readonly PlainEdit[] {
  if (shown === undefined || shown === null) return [];
  const sent = applied?.[name];
  const value = sent !== undefined && sent !== null && sameValue(returned[name], shown) ? sent : shown;
  return [{ path: `/${name}`, before: value, after: value, sentAlong: true }];
}

function loweringOf(kind: Kind, name: string): string | undefined {
  const policy = kind.fields[name];
  return policy?.role === "value" ? policy.loweredBy : undefined;
}
