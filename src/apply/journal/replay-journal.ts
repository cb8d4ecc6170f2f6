// What a journal says was done, brought into what is remembered. The same walk serves at the end of a run and after a crash.
import type { Address } from "../../model/address.ts";
import type { StateEntry } from "../../model/live.ts";
import {
  type CloseEntry,
  type FieldValues,
  type IntentEntry,
  isEmpty,
  type JournalEntry,
  type LearnEntry,
} from "./journal-entry.ts";

export type StateObjects = Readonly<Record<Address, StateEntry>>;

export function replayJournal(objects: StateObjects, entries: readonly JournalEntry[]): StateObjects {
  const folded: Record<Address, StateEntry> = { ...objects };
  const intents = new Map<number, IntentEntry>();
  for (const entry of entries) {
    if (entry.type === "intent") {
      intents.set(entry.seq, entry);
      noteMeant(folded, entry);
    } else if (entry.type === "learn") {
      folded[entry.address] = remembered(folded[entry.address], entry.kind, entry.id, entry.fields, entry);
    } else if (entry.type === "close" && (entry.how === "done" || entry.how === "adopted")) {
      const intent = intents.get(entry.seq);
      if (intent !== undefined && intent.rotation?.unremembered !== true) foldOne(folded, intent, entry);
    }
  }
  return folded;
}

/** Whatever became of the call: that this live object was meant by the address is worth knowing. */
function noteMeant(folded: Record<Address, StateEntry>, { address, kind, id, verb, rotation }: IntentEntry): void {
  if (id === null || verb === "create" || verb === "delete" || rotation !== undefined) return;
  if (folded[address] !== undefined || Object.values(folded).some((entry) => entry.id === id)) return;
  folded[address] = { kind, id, applied: {}, partial: true };
}

function foldOne(folded: Record<Address, StateEntry>, intent: IntentEntry, close: CloseEntry): void {
  const { address } = intent;
  const entry = folded[address];
  if (intent.verb === "delete") {
    // After a replacement the address is already the other object's.
    if (entry?.id === intent.id) forget(folded, address);
    return;
  }
  const id = close.id ?? intent.id;
  if (id === null) return;
  const before = intent.verb === "create" || entry?.id === id ? entry : takeFormer(folded, id);
  const entryNow = remembered(before, intent.kind, id, intent.fields, close);
  // Of an object that nothing was remembered of, a change tells only what it sent.
  const partial = intent.verb !== "create" && (before === undefined || before.id !== id || before.partial === true);
  folded[address] = {
    ...entryNow,
    ...(partial ? { partial: true as const } : {}),
    ...(intent.protected === true ? { protected: true as const } : {}),
  };
}

/** An object that was renamed is remembered under its former address; it goes on from there. */
function takeFormer(folded: Record<Address, StateEntry>, id: string): StateEntry | undefined {
  const address = Object.keys(folded).find((each) => folded[each]?.id === id);
  if (address === undefined) return undefined;
  const entry = folded[address];
  delete folded[address];
  return entry;
}

/** With an object goes everything below it. */
function forget(folded: Record<Address, StateEntry>, address: Address): void {
  for (const each of Object.keys(folded)) {
    if (each === address || each.startsWith(`${address}/`)) delete folded[each];
  }
}

function remembered(
  before: StateEntry | undefined,
  kind: StateEntry["kind"],
  id: string,
  fields: FieldValues,
  answer: Pick<LearnEntry, "returned" | "uncleared" | "wrong" | "madeAt">,
): StateEntry {
  const same = before !== undefined && before.id === id ? before : undefined;
  const otherShapes: Record<string, StateEntry["applied"][string]> = { ...same?.returned };
  // What was just sent is what counts; how it came back is known afresh or not at all.
  const wrong = Object.fromEntries((answer.wrong ?? []).map((field) => [field, null]));
  for (const field of Object.keys({ ...fields, ...wrong })) delete otherShapes[field];
  Object.assign(otherShapes, answer.returned);
  const madeAt = answer.madeAt ?? same?.madeAt;
  const unknown = without(same?.unknown, fields);
  const uncleared = { ...without(same?.uncleared, fields), ...answer.uncleared };
  return {
    kind,
    id,
    // What the service accepted and did not do is not what is applied.
    applied: without({ ...same?.applied, ...comparable(fields) }, { ...answer.uncleared, ...wrong }),
    ...(Object.keys(otherShapes).length > 0 ? { returned: otherShapes } : {}),
    ...(Object.keys(unknown).length > 0 ? { unknown } : {}),
    ...(Object.keys(uncleared).length > 0 ? { uncleared } : {}),
    ...(madeAt === undefined ? {} : { madeAt }),
    ...(before?.protected === true ? { protected: true as const } : {}),
  };
}

/** An empty list is sent as `[]` and compared as null, as every other empty field is. */
function comparable(fields: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, isEmpty(value) ? null : value]));
}

function without(fields: FieldValues | undefined, others: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([field]) => !(field in others)));
}

/** The id of every record in these answers: all of it was live when it was read. */
export function idsIn(answers: Iterable<{ readonly data: unknown }>): readonly string[] {
  const ids = new Set<string>();
  for (const { data } of answers) {
    for (const record of Array.isArray(data) ? data : [data]) {
      if (typeof record === "object" && record !== null && "id" in record && typeof record.id === "string") {
        ids.add(record.id);
      }
    }
  }
  return [...ids];
}
