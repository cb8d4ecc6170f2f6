// The data file: one JSON document, and next to it a log of changes since then. A write is logged before its response is
// sent; opening and closing fold the log into the document. Both hold whole rows, so folding twice does no harm.
import { existsSync, renameSync, rmSync } from "node:fs";
import { Halt } from "../../model/diagnostic.ts";
import { appendPrivate, makeFolderOf, readPrivate, replacePrivate } from "../../system/private-files.ts";
import { checkEntry, isUnsafeFile } from "../../system/private-folder.ts";
import { dataError, dataPlaceError, messageOf } from "../errors.ts";
import { createStore, type Dump, formatVersion, type RowChange, type Store, tableNames } from "./store.ts";

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
      "Correct that, or use --data with another file.",
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
    throw dataError(`${file} was written by a newer version.`, "Update, or use --data with another file.");
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
  throw new Error("its log holds something other than changes");
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
