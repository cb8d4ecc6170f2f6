// Updates what is remembered with what a journal says was done, at the end of a run and after a crash.
import { kindOf } from "../../kinds/index.ts";
import { type Address, idKey, rootOf, sameId } from "../../model/address.ts";
import type { State, StateEntry } from "../../model/live.ts";
import { statusAfter } from "../../model/plan.ts";
import { compareText, isCleared } from "../../model/value.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { CloseEntry, FieldValues, IntentEntry, JournalEntry, LearnEntry } from "./journal-entry.ts";

// What is remembered while a journal is replayed, found by address, by id, and by parent: state may hold sixty thousand objects,
// and a journal may delete or rename a thousand of them.

export type KnownObjects = ReturnType<typeof knownObjects>;

interface AddressIndex {
  readonly byId: Map<string, Address>;
  readonly byRoot: Map<Address, Set<Address>>;
}

export function knownObjects(before: Readonly<Record<Address, StateEntry>>) {
  const objects: Record<Address, StateEntry> = { ...before };
  // Most journals only create and change what is there: then it is not needed.
  let index: AddressIndex | null = null;

  function indexed(): AddressIndex {
    if (index === null) {
      index = { byId: new Map(), byRoot: new Map() };
      for (const [address, { id }] of Object.entries(objects)) add(index, address, id);
    }
    return index;
  }

  function add({ byId, byRoot }: AddressIndex, address: Address, id: string): void {
    const key = idKey(id);
    if (!sameId(objects[byId.get(key) ?? ""]?.id, id)) byId.set(key, address);
    const root = rootOf(address);
    const below = byRoot.get(root);
    if (below === undefined) byRoot.set(root, new Set([address]));
    else below.add(address);
  }

  function remove(address: Address): void {
    delete objects[address];
    index?.byRoot.get(rootOf(address))?.delete(address);
  }

  return {
    /** What is remembered now. */
    objects,
    set(address: Address, entry: StateEntry) {
      objects[address] = entry;
      if (index !== null) add(index, address, entry.id);
    },
    /** The address that remembers this live object. */
    addressOf(id: string): Address | undefined {
      const address = indexed().byId.get(idKey(id));
      if (address === undefined || sameId(objects[address]?.id, id)) return address;
      // It was remembered twice, and one of the two is gone.
      return Object.keys(objects).find((each) => sameId(objects[each]?.id, id));
    },
    remove,
    /** The addresses of an object and of everything below it. */
    within: (address: Address) =>
      [...(indexed().byRoot.get(rootOf(address)) ?? [])].filter(
        (each) => each === address || each.startsWith(`${address}/`),
      ),
  };
}

export type StateObjects = Readonly<Record<Address, StateEntry>>;

/** `from`: how many of the entries are in `before` already. */
export function replayJournal(before: StateObjects, entries: readonly JournalEntry[], from = 0): StateObjects {
  const known = knownObjects(before);
  const { objects } = known;
  const intents = new Map<number, IntentEntry>();
  const names = new Map<number, string>();
  const settled = new Set(
    entries.flatMap((entry) => (entry.type === "close" && entry.how !== "passed" ? entry.seq : [])),
  );
  for (const [index, entry] of entries.entries()) {
    if (entry.type === "hand" && entry.name !== undefined) names.set(entry.seq, entry.name);
    if (entry.type === "intent") intents.set(entry.seq, entry);
    if (index < from) continue;
    if (entry.type === "intent") {
      noteTarget(known, entry);
      if (!settled.has(entry.seq)) noteUnconfirmed(known, entry);
    } else if (entry.type === "learn") {
      known.set(entry.address, remembered(objects[entry.address], entry.kind, entry.id, entry.fields, entry));
    } else if (entry.type === "close" && (entry.how === "done" || entry.how === "adopted" || entry.how === "passed")) {
      const intent = intents.get(entry.seq);
      if (entry.how === "passed" && intent?.carried === undefined) continue;
      if (intent !== undefined && intent.rotation?.unremembered !== true)
        replayClose(known, intent, entry, names.get(entry.seq));
    }
  }
  return objects;
}

/** When something was changed or deleted, by the key of its id. */
export type RecentWrites = Pick<State, "changed" | "deleted">;

/** A read shows a write much sooner. */
const keptMs = 60_000;

/** Adds what the journal says, and forgets everything long before the newest of it. */
export function recentWrites(before: RecentWrites, entries: readonly JournalEntry[]): RecentWrites {
  const intents = new Map(entries.flatMap((entry) => (entry.type === "intent" ? [[entry.seq, entry] as const] : [])));
  const changed = { ...before.changed };
  const deleted = { ...before.deleted };
  for (const entry of entries) {
    if (entry.type !== "close" || entry.at === undefined) continue;
    const { id = null, verb } = intents.get(entry.seq) ?? {};
    if (id !== null) (verb === "delete" ? deleted : changed)[idKey(id)] = entry.at;
  }
  const newest = Object.values({ ...changed, ...deleted }).reduce((one, other) => (one > other ? one : other), "");
  const kept = (times: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(times)
        .filter(([, at]) => Date.parse(at) > Date.parse(newest) - keptMs)
        .sort(([one], [other]) => compareText(one, other)),
    );
  return { changed: kept(changed), deleted: kept(deleted) };
}

/** However the call ended, the address meant this live object. */
function noteTarget(known: KnownObjects, { address, kind, id, verb, rotation }: IntentEntry): void {
  if (id === null || verb === "create" || verb === "delete" || rotation !== undefined) return;
  if (known.objects[address] !== undefined || known.addressOf(id) !== undefined) return;
  known.set(address, { kind, id, applied: {}, partial: true });
}

/** It may have taken effect: the next plan recognizes that by what the service shows. */
function noteUnconfirmed(known: KnownObjects, intent: IntentEntry): void {
  const { address, id, verb } = intent;
  if (id === null || verb === "create") return;
  const target = sameId(known.objects[address]?.id, id) ? address : known.addressOf(id);
  if (target === undefined) return;
  const status = verb === "delete" ? "DELETED" : statusBy(intent);
  const call = { ...comparable(intent.fields), ...(status === undefined ? {} : { status }) };
  for (const each of verb === "delete" ? known.within(target) : [target]) {
    const entry = known.objects[each];
    const calls = entry?.unconfirmed ?? [];
    if (entry === undefined || calls.some((other) => JSON.stringify(other) === JSON.stringify(call))) continue;
    const named = intent.named === undefined ? {} : { named: { ...entry.named, ...intent.named } };
    known.set(each, { ...entry, unconfirmed: [...calls, call], ...named });
  }
}

function replayClose(known: KnownObjects, intent: IntentEntry, close: CloseEntry, secretName?: string): void {
  const { address } = intent;
  const entry = known.objects[address];
  if (intent.verb === "delete") {
    const { id, kind, carried } = intent;
    // After a replacement the address belongs to the new object already.
    if (entry !== undefined && !sameId(entry.id, id)) {
      const { former, ...rest } = entry;
      if (sameId(former, id)) known.set(address, rest);
      return;
    }
    if (entry !== undefined) for (const each of known.within(address)) known.remove(each);
    // It may be gone, or only about to: if it is still there, this is forgotten.
    if (carried !== undefined && id !== null)
      known.set(address, { ...(entry ?? { kind, id, applied: {}, partial: true }), carried });
    return;
  }
  const id = close.id ?? intent.id;
  if (id === null) return;
  const before = intent.verb === "create" || sameId(entry?.id, id) ? entry : takeFormer(known, id);
  const entryNow = remembered(before, intent.kind, id, intent.fields, { ...close, secretName }, statusBy(intent));
  // If the object was not remembered, only what was sent is known.
  const partial = intent.verb !== "create" && (!sameId(before?.id, id) || before?.partial === true);
  const former = intent.verb === "create" && !sameId(before?.id, id) ? (before?.former ?? before?.id) : undefined;
  known.set(address, {
    ...entryNow,
    ...(former === undefined ? {} : { former }),
    ...(partial ? { partial: true as const } : {}),
    ...(intent.protected === true ? { protected: true as const } : {}),
    ...(intent.named === undefined ? {} : { named: { ...entryNow.named, ...intent.named } }),
  });
}

/** The status that was applied last, even if somebody changes it afterwards; a new event is a draft. */
function statusBy({ kind, verb }: IntentEntry): EventStatus | undefined {
  if (kindOf(kind).steps.length === 0) return undefined;
  return verb === "create" ? "DRAFT" : statusAfter[verb];
}

/** A renamed object is remembered under its former address. */
function takeFormer(known: KnownObjects, id: string): StateEntry | undefined {
  const address = known.addressOf(id);
  if (address === undefined) return undefined;
  const entry = known.objects[address];
  known.remove(address);
  return entry;
}

function remembered(
  before: StateEntry | undefined,
  kind: StateEntry["kind"],
  id: string,
  fields: FieldValues,
  learned: Pick<LearnEntry, "returned" | "uncleared" | "wrong" | "madeAt"> & {
    readonly secretName?: string | undefined;
  },
  status?: EventStatus,
): StateEntry {
  // A service may write an id in capitals in one response and not in the next.
  const same = sameId(before?.id, id) ? before : undefined;
  const otherShapes: Record<string, StateEntry["applied"][string]> = { ...same?.returned };
  // The remembered form of these fields is out of date.
  const wrong = Object.fromEntries((learned.wrong ?? []).map((field) => [field, null]));
  for (const field of Object.keys({ ...fields, ...wrong })) delete otherShapes[field];
  Object.assign(otherShapes, learned.returned);
  const madeAt = learned.madeAt ?? same?.madeAt;
  const secretName = learned.secretName ?? same?.secretName;
  const unknown = without(same?.unknown, fields);
  const named = without(same?.named, fields);
  const uncleared = { ...without(same?.uncleared, fields), ...learned.uncleared };
  const known = { ...comparable(fields), ...(status === undefined ? {} : { status }) };
  const superseded = { ...known, ...learned.uncleared, ...wrong };
  const unconfirmed = same?.unconfirmed?.map((call) => without(call, superseded)).filter(hasFields) ?? [];
  return {
    kind,
    id,
    // A field that the service accepted and did not change does not count as applied.
    applied: without({ ...same?.applied, ...known }, { ...learned.uncleared, ...wrong }),
    ...(hasFields(otherShapes) ? { returned: otherShapes } : {}),
    ...(hasFields(unknown) ? { unknown } : {}),
    ...(hasFields(uncleared) ? { uncleared } : {}),
    ...(unconfirmed.length > 0 ? { unconfirmed } : {}),
    ...(hasFields(named) ? { named } : {}),
    ...(madeAt === undefined ? {} : { madeAt }),
    ...(secretName === undefined ? {} : { secretName }),
    ...(before?.protected === true ? { protected: true as const } : {}),
  };
}

/** An empty list is sent as `[]` and compared as null, as every other empty field is. */
function comparable(fields: FieldValues): FieldValues {
  const compared: Record<string, FieldValues[string]> = {};
  for (const [field, value] of Object.entries(fields)) compared[field] = isCleared(value) ? null : value;
  return compared;
}

function without(fields: FieldValues = {}, others: FieldValues): FieldValues {
  if (!Object.keys(fields).some((field) => field in others)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in others)));
}

function hasFields(fields: FieldValues): boolean {
  return Object.keys(fields).length > 0;
}

/** The id of every record in these responses. */
export function idsIn(
  responses: Iterable<readonly [question: string, response: { readonly data: unknown }]>,
): readonly string[] {
  const ids = new Set<string>();
  for (const [, { data }] of responses) {
    for (const record of Array.isArray(data) ? data : [data]) {
      if (typeof record === "object" && record !== null && "id" in record && typeof record.id === "string")
        ids.add(record.id);
    }
  }
  return [...ids];
}
