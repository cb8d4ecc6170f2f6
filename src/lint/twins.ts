import { kindOf } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { sameId } from "../model/id.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Wish } from "../model/wish.ts";
import { append } from "./append.ts";
import { callOf } from "./fields.ts";
import { placeOf, remarkAt } from "./remark.ts";
import { none } from "./rule.ts";

/** Two objects of one kind and place that nobody could tell apart: told at each further one. */
export function duplicateName(wishes: readonly Wish[]): readonly Diagnostic[] {
  if (wishes.length < 2) return none;
  const byIdentity = new Map<string, Wish | Wish[]>();
  let found: Diagnostic[] | null = null;
  for (const wish of wishes) {
    const identity = identityOf(wish);
    if (identity === null) continue;
    const same = byIdentity.get(identity);
    if (same === undefined) {
      byIdentity.set(identity, wish);
      continue;
    }
    const earlier = Array.isArray(same) ? same : [same];
    const twin = earlier.find((other) => !differInId(wish, other));
    if (twin !== undefined) {
      found ??= [];
      found.push(explain(wish, twin));
    }
    earlier.push(wish);
    byIdentity.set(identity, earlier);
  }
  return found ?? none;
}

/** The same among the lists of an event. */
export function duplicateNameWithin(event: Wish): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const list of Object.values(event.children)) append(found, duplicateName(list));
  return found;
}

// null: a part of it is not written, so nothing can be said.
function identityOf(wish: Wish): string | null {
  const { keys, standards } = kindOf(wish.kind).identity;
  let identity = "";
  for (const field of keys[0] ?? []) {
    const value = wish.fields[field] ?? standards?.[field];
    if (typeof value !== "string") return null;
    // Outer spaces are gone and letters composed already: fields are in canonical form.
    identity += `${value.toLowerCase()}\n`;
  }
  return identity;
}

function differInId(one: Wish, other: Wish): boolean {
  return one.own.id !== undefined && other.own.id !== undefined && !sameId(one.own.id, other.own.id);
}

function explain(wish: Wish, first: Wish): Diagnostic {
  const label = kindOf(wish.kind).identity.label;
  const words = wordsOf[wish.kind];
  return remarkAt(wish, [label], {
    code: "duplicate-name",
    severity: "error",
    message: `'${callOf(wish)}' is written twice: another ${words.noun} has the same ${words.likeness}.`,
    hint: words.hint,
    related: [{ message: `the first '${callOf(first)}'`, source: placeOf(first, [label]) }],
  });
}

interface Words {
  readonly noun: string;
  readonly likeness: string;
  readonly hint: string;
}

const wordsOf: Readonly<Record<KindName, Words>> = {
  event: {
    noun: "event",
    likeness: "name and start",
    hint: "Remove one of the two, or change its `name` or `dateTime`; if both are live, pin each by its `id`.",
  },
  ticket: {
    noun: "ticket type",
    likeness: "name, section and row",
    hint: "Remove one of the two, or change its `name`, `section` or `row`; if both are live, pin each by its `id`.",
  },
  performer: { noun: "performer", likeness: "name", hint: "Remove one of the two, or change its `name`." },
  schedule: {
    noun: "schedule entry",
    likeness: "title and start",
    hint: "Remove one of the two, or change its `title` or `startTime`.",
  },
  brand: { noun: "brand", likeness: "name", hint: "Remove one of the two, or change its `name`." },
  webhook: {
    noun: "webhook",
    likeness: "address",
    hint: "Keep one of the two and list the `events` of both in it.",
  },
};
