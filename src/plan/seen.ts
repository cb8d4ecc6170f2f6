// What the plan saw of each object it touches: a saved plan is stale when that is not so any more.
import type { KindName } from "../model/kind-name.ts";
import type { Live } from "../model/live.ts";
import type { Seen } from "../model/plan.ts";
import { isReference, type Value } from "../model/value.ts";
import { unsentFields } from "./body.ts";
import type { Case, EventCase } from "./case.ts";

export function seenOfEvent(event: EventCase, allow: readonly string[]): readonly Seen[] {
  const touched = [event.self, ...event.children].filter((one) => one.change !== null);
  if (touched.length === 0) return [];
  const lists: Partial<Record<KindName, readonly string[]>> = {};
  for (const [kind, lives] of Object.entries(event.lists))
    lists[kind as KindName] = lives.map((live) => live.id).sort();
  const children = touched.filter((one) => one !== event.self);
  return [
    {
      ...seenOf(event.self, null, allow),
      lists,
      ...(event.namesakes === undefined ? {} : { namesakes: event.namesakes }),
      ...(event.protected ? { protected: true as const } : {}),
    },
    ...children.map((child) => seenOf(child, event.self.live, allow)),
  ];
}

export function seenOf(one: Case, parent: Live | null, allow: readonly string[]): Seen {
  return {
    address: one.address,
    kind: one.kind.name,
    id: one.live?.id ?? null,
    parentId: parent?.id ?? null,
    fields: one.live === null ? identityFields(one) : managedFields(one, one.live),
    status: one.live?.status ?? null,
    allow,
    ...unsentOf(one),
  };
}

function unsentOf({ kind, wish, change }: Case): Pick<Seen, "unsent"> {
  if (wish === null || (change?.action !== "create" && change?.action !== "replace")) return {};
  const unsent = unsentFields(kind, wish);
  return Object.keys(unsent).length > 0 ? { unsent } : {};
}

function managedFields(one: Case, live: Live): Readonly<Record<string, Value>> {
  const managed = one.wish === null ? Object.keys(live.fields) : Object.keys(one.wish.fields);
  const fields: Record<string, Value> = {};
  for (const name of managed) {
    const value = live.fields[name];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function identityFields(one: Case): Readonly<Record<string, Value>> {
  const fields: Record<string, Value> = {};
  for (const name of one.kind.identity.keys.flat()) {
    const value = one.wish?.fields[name];
    if (value !== undefined && !isReference(value)) fields[name] = value;
  }
  return fields;
}
