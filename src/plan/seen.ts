// What the plan saw of each object it touches: a saved plan is stale when that is not so any more, and its calls follow
// from it and from the changes alone.
import { kindOf } from "../kinds/index.ts";
import type { Address } from "../model/address.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Live } from "../model/live.ts";
import type { Seen } from "../model/plan.ts";
import { isReference, type Value } from "../model/value.ts";
import { unsentFields } from "./body.ts";
import type { Case, EventCase } from "./case.ts";
import type { Remember } from "./memory.ts";
import { mentionsOf } from "./mentions.ts";
import { liveByAddress } from "./references.ts";

export function seenOfEvent(event: EventCase, allow: readonly string[], remember: Remember): readonly Seen[] {
  const touched = [event.self, ...event.children].filter((one) => one.change !== null);
  if (touched.length === 0) return [];
  const lists: Partial<Record<KindName, readonly string[]>> = {};
  for (const [kind, lives] of Object.entries(event.lists))
    lists[kind as KindName] = lives.map((live) => live.id).sort();
  const mentions = mentionsOf(event);
  const children = touched
    .filter((one) => one !== event.self)
    .map((child) => ({
      ...seenOf(child, event.self.live, allow, remember),
      ...(mentions.has(child.address) ? { mentions: mentions.get(child.address) ?? [] } : {}),
    }));
  return [
    {
      ...seenOf(event.self, null, allow, remember),
      lists,
      ...(event.namesakes === undefined ? {} : { namesakes: event.namesakes }),
      ...(event.self.live === null && event.self.wish?.own.new === true ? { new: true as const } : {}),
      ...(event.protected ? { protected: true as const } : {}),
    },
    ...children,
    ...namedLives(event, children, allow),
  ];
}

export function seenOf(one: Case, parent: Live | null, allow: readonly string[], remember: Remember): Seen {
  const former = one.live === null ? remember(one.address).id : null;
  return {
    address: one.address,
    kind: one.kind.name,
    id: one.live?.id ?? null,
    parentId: parent?.id ?? null,
    fields: one.live === null ? identityFields(one) : managedFields(one, one.live),
    status: one.live?.status ?? null,
    allow,
    ...unsentOf(one),
    ...(former === null ? {} : { former }),
  };
}

/** What stays as it is and is named by what changes: its id goes into a body, so it must be seen to be what it is called. */
function namedLives(event: EventCase, children: readonly Seen[], allow: readonly string[]): readonly Seen[] {
  const named = new Set<Address>();
  for (const { change, wish } of event.children) {
    if (change === null || change.action === "delete") continue;
    for (const value of Object.values(wish?.fields ?? {})) if (isReference(value)) named.add(value.$id);
  }
  for (const { target } of children.flatMap(({ mentions }) => mentions ?? []))
    if (typeof target === "string") named.add(target);
  for (const { address } of children) named.delete(address);
  const managed = new Map(event.children.map((child) => [child.address, child.live]));
  return [...named].flatMap((address) => {
    const live = managed.get(address) ?? liveByAddress(event, address);
    if (live === undefined) return [];
    const { label } = kindOf(live.kind).identity;
    const name = live.fields[label];
    const about = { address, kind: live.kind, id: live.id, parentId: event.self.live?.id ?? null };
    return [{ ...about, fields: name === undefined ? {} : { [label]: name }, status: null, allow }];
  });
}

function unsentOf({ kind, wish, change }: Case): Pick<Seen, "unsent"> {
  if (wish === null || (change?.action !== "create" && change?.action !== "replace")) return {};
  const unsent = unsentFields(kind, wish);
  return Object.keys(unsent).length > 0 ? { unsent } : {};
}

function managedFields(one: Case, live: Live): Readonly<Record<string, Value>> {
  // What a replacement carries over must still be so when it is made.
  const carried = one.change?.action === "replace" ? one.change.edits.map(({ path }) => path.slice(1)) : [];
  const managed = one.wish === null ? Object.keys(live.fields) : [...Object.keys(one.wish.fields), ...carried];
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
