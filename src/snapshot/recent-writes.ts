// What this project wrote moments ago. For some seconds a service may still show the previous state, in lists and in reads by id, so it is
// read again until it shows the write or its settle time is over. Only then does a difference count.
import type { Kind } from "../kinds/define.ts";
import {
  fieldEntries,
  hasAppliedStatus,
  kindOf,
  kinds,
  listPath,
  parentAddress,
  readRecord,
  sameValue,
  sentName,
  showsApplied,
} from "../kinds/index.ts";
import { idKey } from "../model/address.ts";
import type { Live, State, StateEntry } from "../model/live.ts";
import type { Leftover } from "../model/plan.ts";
import { asObject } from "../model/value.ts";
import type { Reader } from "./reader.ts";

export interface Patience {
  /** How long the service may take to show a write. */
  readonly settleMs: number;
  /** By the service's clock, as the times in state are: this machine's may be wrong. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** An object as our last write left it. */
interface WrittenObject {
  readonly kind: Kind;
  readonly entry: StateEntry;
  readonly at: number;
}

interface IndexedWrites {
  /** By the path of the object, and of the list that shows it. */
  readonly byPath: ReadonlyMap<string, WrittenObject>;
  readonly byList: ReadonlyMap<string, readonly WrittenObject[]>;
  /** When it was deleted, by the key of its id. */
  readonly deleted: ReadonlyMap<string, number>;
}

/** A service shows its time in whole seconds: a write may be nearly one second younger than it seems. */
const wholeSecondMs = 1000;
const firstPauseMs = 250;

/** If nothing was written recently, or everything is visible, each read is made once, as without this. */
export function showingWrites(
  reader: Reader,
  state: State | null,
  { settleMs, now, sleep }: Patience,
  /** Recovery will delete these, so they count as missing, too. */
  leftovers: readonly Leftover[] = [],
): Reader {
  const hidden = new Set(leftovers.map(({ id }) => idKey(id)));
  // Everything was written before this run, so one wait counts for all.
  let waited = 0;
  let pause = firstPauseMs;
  let waiting: Promise<void> | null = null;
  const isRecent = (at: number) => waited < settleMs && now() - at < settleMs + wholeSecondMs;
  let found: IndexedWrites | null = null;
  // Not before the first question: until a response has come, the service's clock is not known.
  const recent = () => {
    found ??= recentWritesOf(state, isRecent);
    return found;
  };

  function isDeleted(record: unknown): boolean {
    const id = idKey(String(asObject(record).id));
    const at = recent().deleted.get(id);
    return hidden.has(id) || (at !== undefined && isRecent(at));
  }

  function shows(written: WrittenObject, record: unknown): boolean {
    if (!isRecent(written.at)) return true;
    const live = readRecord(written.kind, record, null);
    return live !== null && isAsWritten(written, live);
  }

  /** An object that a list still shows as it was counts as unlisted if it can be read by id. */
  function isNow(path: string, record: unknown): boolean {
    const written = recent().byPath.get(`${path}/${idKey(String(asObject(record).id))}`);
    return !isDeleted(record) && (written === undefined || shows(written, record));
  }

  /** Whether a list shows everything that was written to it; `least`: how many there must be, if their ids are unknown. */
  function showsAll(path: string, records: readonly unknown[], least: number): boolean {
    const all = recent().byList.get(pathKey(path)) ?? [];
    if (all.length === 0) return records.length >= least || !isNew(path.slice(0, path.lastIndexOf("/")));
    const byId = new Map(records.map((record) => [idKey(String(asObject(record).id)), record]));
    return all.every((written) => shows(written, byId.get(idKey(written.entry.id))));
  }

  function isNew(path: string): boolean {
    const madeAt = recent().byPath.get(pathKey(path))?.entry.madeAt;
    return madeAt !== undefined && isRecent(Date.parse(madeAt));
  }

  /** Fewer reads the longer it takes: each costs a call. */
  async function wait(): Promise<void> {
    const ms = Math.max(1, Math.min(pause, settleMs - waited));
    await sleep(ms);
    waited += ms;
    pause *= 2;
    waiting = null;
  }

  async function readUntil<Reading>(
    path: string,
    read: () => Promise<Reading>,
    isUpToDate: (reading: Reading) => boolean,
  ): Promise<Reading> {
    let reading = await read();
    while (waited < settleMs && !isUpToDate(reading)) {
      waiting ??= wait();
      await waiting;
      reader.forget(path);
      reading = await read();
    }
    return reading;
  }

  return {
    ...reader,
    async one(path) {
      const written = recent().byPath.get(pathKey(path));
      const record = await readUntil(
        path,
        () => reader.one(path),
        (each) => written === undefined || shows(written, each),
      );
      return isDeleted(record) ? null : record;
    },
    async page(path, query, sized) {
      const page = await reader.page(path, query, sized);
      if (!page.ok || !readById.has(path)) return page;
      const { records: all, total } = page.data;
      const gone = all.filter(isDeleted).length;
      const records = all.filter((record) => isNow(path, record));
      return { ...page, data: { ...page.data, records, total: total === null ? null : total - gone } };
    },
    async all(path, query, sized, least = 0) {
      if (readById.has(path)) return (await reader.all(path, query, sized)).filter((each) => isNow(path, each));
      const records = await readUntil(
        path,
        () => reader.all(path, query, sized),
        (each) => showsAll(path, each, least),
      );
      return records.filter((record) => !isDeleted(record));
    },
  };
}

/** The lists at the top whose objects can be read one by one. */
const readById = new Set(
  kinds.filter(({ parent, endpoints }) => parent === null && endpoints.get).map((kind) => listPath(kind, null)),
);

/** Ids may be typed in capitals. */
function pathKey(path: string): string {
  return path.toLowerCase();
}

function recentWritesOf(state: State | null, isRecent: (at: number) => boolean): IndexedWrites {
  const { objects = {}, changed = {}, deleted = {} } = state ?? {};
  const byPath = new Map<string, WrittenObject>();
  const byList = new Map<string, WrittenObject[]>();
  for (const [address, entry] of Object.entries(objects)) {
    const latest = changed[idKey(entry.id)] ?? entry.madeAt;
    const at = latest === undefined ? Number.NaN : Date.parse(latest);
    if (!isRecent(at)) continue;
    const kind = kindOf(entry.kind);
    const parent = parentAddress(address);
    const parentId = parent === null ? null : objects[parent]?.id;
    if (parentId === undefined) continue;
    const list = pathKey(listPath(kind, parentId));
    const written = { kind, entry, at };
    byPath.set(`${list}/${idKey(entry.id)}`, written);
    const others = byList.get(list);
    if (others === undefined) byList.set(list, [written]);
    else others.push(written);
  }
  return { byPath, byList, deleted: new Map(Object.entries(deleted).map(([id, at]) => [id, Date.parse(at)])) };
}

/** Whether everything that is shown is as it was applied last, as a plan would see it. */
function isAsWritten({ kind, entry }: WrittenObject, live: Live): boolean {
  const { applied } = entry;
  if (!hasAppliedStatus(live, entry)) return false;
  return fieldEntries(kind).every(([name, policy]) => {
    const field = sentName(kind, name);
    const [shown, sent] = [live.fields[field], applied[field]];
    if (shown === undefined || sent === undefined) return true;
    return policy.role === "value" ? showsApplied(policy, field, shown, entry) : sameValue(shown, sent);
  });
}
