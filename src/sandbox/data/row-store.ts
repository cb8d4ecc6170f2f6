// All rows of the sandbox, and what changed since the last commit.

import { existsSync, renameSync, rmSync } from "node:fs";
import { Halt } from "../../model/diagnostic.ts";
import { appendPrivate, makeFolderOf, readPrivate, replacePrivate } from "../../system/private-files.ts";
import { checkEntry, isUnsafeFile } from "../../system/private-folder.ts";
import { dataError, dataPlaceError, messageOf } from "../errors.ts";
import type { Row, Rows } from "./rows.ts";

export type RowChange =
  | readonly [table: string, verb: "put", row: Row]
  | readonly [table: string, verb: "remove", id: string];

/** Rows by id, in the order in which they were created. */
export interface Table<T extends Row> {
  readonly size: number;
  get(id: string): T | undefined;
  byAlias(alias: string): T | undefined;
  all(): IterableIterator<T>;
  of(parent: string): T[];
  put(row: T): T;
  remove(id: string): void;
}

/** The parent and the second name by which rows are found. */
interface TableIndex<T extends Row> {
  readonly parentOf?: (row: T) => string;
  readonly aliasOf?: (row: T) => string;
}

function createTable<T extends Row>(
  name: string,
  { parentOf, aliasOf }: TableIndex<T>,
  onChange: (change: RowChange) => void,
): Table<T> {
  const rows = new Map<string, T>();
  const families = new Map<string, Map<string, T>>();
  const aliases = new Map<string, string>();

  function forget(row: T): void {
    if (aliasOf !== undefined) aliases.delete(aliasOf(row));
    if (parentOf === undefined) return;
    const family = families.get(parentOf(row));
    family?.delete(row.id);
    if (family?.size === 0) families.delete(parentOf(row));
  }

  function index(row: T): void {
    if (aliasOf !== undefined) aliases.set(aliasOf(row), row.id);
    if (parentOf === undefined) return;
    const family = families.get(parentOf(row)) ?? new Map<string, T>();
    families.set(parentOf(row), family.set(row.id, row));
  }

  return {
    get size() {
      return rows.size;
    },
    get: (id) => rows.get(id),
    byAlias: (alias) => rows.get(aliases.get(alias) ?? ""),
    all: () => rows.values(),
    of: (parent) => [...(families.get(parent)?.values() ?? [])],
    put(row) {
      const before = rows.get(row.id);
      if (before !== undefined && aliasOf !== undefined) aliases.delete(aliasOf(before));
      // A row that stays with its parent keeps its place there.
      if (before !== undefined && parentOf?.(before) !== parentOf?.(row)) forget(before);
      rows.set(row.id, row);
      index(row);
      onChange([name, "put", row]);
      return row;
    },
    remove(id) {
      const row = rows.get(id);
      if (row === undefined) return;
      rows.delete(id);
      forget(row);
      onChange([name, "remove", id]);
    },
  };
}

const byEvent = { parentOf: (row: { readonly eventId: string }) => row.eventId };
const byOrganization = { parentOf: (row: { readonly organizationId: string }) => row.organizationId };
const bySlug = {
  aliasOf: (row: { readonly organizationId: string; readonly slug: string }) => `${row.organizationId}/${row.slug}`,
};

const indexes: { readonly [Name in keyof Rows]: TableIndex<Rows[Name]> } = {
  organizations: {},
  keys: { ...byOrganization, aliasOf: (key) => key.value },
  events: { ...byOrganization, ...bySlug },
  graves: bySlug,
  tickets: byEvent,
  performers: byEvent,
  schedules: byEvent,
  brands: byEvent,
  orders: byEvent,
  webhooks: byOrganization,
  deliveries: { parentOf: (delivery) => delivery.webhookId },
  venues: {},
};

export const tableNames = Object.keys(indexes) as readonly (keyof Rows)[];
export const formatVersion = 1;

type Tables = { readonly [Name in keyof Rows]: Table<Rows[Name]> };
export type Dump = { readonly formatVersion: number } & { readonly [Name in keyof Rows]: readonly Row[] };

export interface Store extends Tables {
  /** Changes since the last call, in order. */
  takeChanges(): RowChange[];
  dump(): Dump;
  replay(change: RowChange): void;
}

export function createStore(dump?: Dump): Store {
  let changes: RowChange[] = [];
  const tables = Object.fromEntries(
    tableNames.map((name) => [
      name,
      createTable(name, indexes[name] as TableIndex<Row>, (change) => void changes.push(change)),
    ]),
  );
  for (const name of dump === undefined ? [] : tableNames) for (const row of dump?.[name] ?? []) tables[name]?.put(row);
  return {
    ...(tables as unknown as Tables),
    takeChanges() {
      const recent = changes;
      changes = [];
      return recent;
    },
    dump() {
      const rows = tableNames.map((name) => [name, [...(tables[name]?.all() ?? [])]]);
      return { formatVersion, ...Object.fromEntries(rows) } as Dump;
    },
    replay([name, verb, subject]) {
      if (verb === "put") tables[name]?.put(subject);
      else tables[name]?.remove(subject);
    },
  };
}

// A copy that follows the store later, as a read replica does.

export interface Replica {
  note(changes: readonly RowChange[], at: number): void;
  /** The store as reads show it: lists as they were at this time, and `byId` single rows, too. A new row is found by its id at once. */
  asOf(time: number, byId: boolean): Store;
}

export function createReplica(store: Store): Replica {
  const copy = createStore(store.dump());
  const waiting: { readonly at: number; readonly change: RowChange }[] = [];

  function laggingTable<T extends Row>(now: Table<T>, before: Table<T>, byId: boolean): Table<T> {
    return {
      ...now,
      all: before.all,
      of: before.of,
      get: (id) => (byId ? before.get(id) : undefined) ?? now.get(id),
      byAlias: (alias) => (byId ? before.byAlias(alias) : undefined) ?? now.byAlias(alias),
    };
  }

  return {
    note: (changes, at) => void waiting.push(...changes.map((change) => ({ at, change }))),
    asOf(time, byId) {
      const due = waiting.findIndex(({ at }) => at > time);
      for (const { change } of waiting.splice(0, due < 0 ? waiting.length : due)) copy.replay(change);
      copy.takeChanges();
      const tables = tableNames.map((name) => [
        name,
        laggingTable(store[name] as Table<Row>, copy[name] as Table<Row>, byId),
      ]);
      return { ...store, ...Object.fromEntries(tables) };
    },
  };
}

// The data file: one JSON document, and next to it a log of changes since then. A write is logged before its response is
// sent; opening and closing fold the log into the document. Both hold whole rows, so folding twice does no harm.

export type DataFile = ReturnType<typeof openDataFile>;

export function openDataFile(file: string) {
  const log = `${file}.log`;

  /** Writes the whole document and drops the log. */
  function save(dump: Dump): void {
    replacePrivate(file, `${JSON.stringify(dump, null, 1)}\n`);
    rmSync(log, { force: true });
  }

  try {
    makeFolderOf(file);
    const isKnown = checkEntry(file) !== null;
    const hasLog = checkEntry(log) !== null;
    // Changes mean nothing without the document they belong to, and to start empty would hide that it is lost.
    if (!isKnown && hasLog) throw keepDamaged(file, log, "there is a log of changes, but not the file they belong to");
    const store = isKnown ? load(file, log) : createStore();
    // Before the first change, so that a log is never alone.
    if (!isKnown) save(store.dump());
    store.takeChanges();
    return {
      store,
      /** There was no document yet, or there is a log that should be folded into it. */
      isStale: !isKnown || hasLog,
      // Once handed to the system it survives the end of this process; only a power cut could lose it.
      append: (changes: readonly RowChange[]): void => appendPrivate(log, `${JSON.stringify(changes)}\n`),
      save,
    };
  } catch (problem) {
    throw dataPlaceError(file, problem);
  }
}

function load(file: string, log: string): Store {
  const text = readData(file);
  // Text after the last line end was cut off while it was written, and its call never got a response.
  const lines = readData(log).split("\n").slice(0, -1);
  try {
    const dump: unknown = JSON.parse(text);
    check(file, dump);
    const store = createStore(dump);
    for (const line of lines) for (const change of readChanges(line)) store.replay(change);
    return store;
  } catch (problem) {
    throw problem instanceof Halt ? problem : keepDamaged(file, log, messageOf(problem));
  }
}

function readData(file: string): string {
  try {
    return readPrivate(file) ?? "";
  } catch (problem) {
    if (isUnsafeFile(problem)) throw problem;
    throw dataError(
      `The sandbox data ${file} cannot be read: ${messageOf(problem)}.`,
      "Correct that, or move the file (and its .log) away to start with an empty sandbox.",
    );
  }
}

/** The ready key of the data; null if there is none. Anyone who can read it owns the data. */
export function readyKeyOf(file: string): string | null {
  try {
    const value = JSON.parse(readPrivate(file) ?? "null").keys[0]?.value;
    return typeof value === "string" ? value : null;
  } catch (problem) {
    if (isUnsafeFile(problem)) throw problem;
    return null;
  }
}

function check(file: string, dump: unknown): asserts dump is Dump {
  if (typeof dump !== "object" || dump === null) throw new Error("it is not a JSON object");
  const tables = dump as Record<string, unknown>;
  const version = tables.formatVersion;
  if (typeof version === "number" && version > formatVersion)
    throw dataError(`${file} was written by a newer version.`, "Update `ticketing`, or move the file and .log away.");
  if (version !== formatVersion) throw new Error("it is not sandbox data");
  for (const name of tableNames) {
    const rows = tables[name];
    if (!Array.isArray(rows)) throw new Error(`${name} is missing`);
    if (rows.some((row) => typeof row?.id !== "string")) throw new Error(`an entry of ${name} has no id`);
  }
}

function readChanges(line: string): RowChange[] {
  const changes: unknown = JSON.parse(line);
  const known: readonly unknown[] = tableNames;
  if (Array.isArray(changes) && changes.every((change) => Array.isArray(change) && known.includes(change[0])))
    return changes;
  throw new Error("its log contains something other than changes");
}

/** Moves both out of the way; the error says where they are. */
function keepDamaged(file: string, log: string, why: string): Halt {
  let keptAt = `${file}.damaged`;
  for (let count = 2; existsSync(keptAt) || existsSync(`${keptAt}.log`); count++) keptAt = `${file}.damaged-${count}`;
  if (existsSync(log)) renameSync(log, `${keptAt}.log`);
  if (existsSync(file)) renameSync(file, keptAt);
  else keptAt = `${keptAt}.log`;
  return dataError(
    `The sandbox data ${file} is damaged: ${why}. It was kept as ${keptAt}.`,
    "Put a good copy in its place, or run the command again to start with an empty sandbox.",
  );
}
