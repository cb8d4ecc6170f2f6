// The data file: one JSON document, and beside it a log of what changed since it was written. A write is in the log before
// it is answered; opening and closing fold the log into the document. Both hold whole rows, so folding twice does no harm.
import { existsSync, renameSync, rmSync } from "node:fs";
import {
  appendPrivate,
  checkEntry,
  isUnsafeFile,
  makeFolderOf,
  readPrivate,
  replacePrivate,
} from "../../system/private-files.ts";
import { dataPlaceError, SandboxDataError } from "../errors.ts";
import { type Change, createStore, type Dump, formatVersion, type Store, tableNames } from "./store.ts";

export interface DataFile {
  readonly store: Store;
  /** There was no document yet, or there is a log that should be folded into it. */
  readonly isStale: boolean;
  append(changes: readonly Change[]): void;
  /** Writes the whole document and drops the log. */
  save(dump: Dump): void;
}

export function openDataFile(file: string): DataFile {
  try {
    return open(file);
  } catch (problem) {
    throw dataPlaceError(file, problem);
  }
}

function open(file: string): DataFile {
  makeFolderOf(file);
  const log = `${file}.log`;
  const store = createStore();
  const isKnown = checkEntry(file) !== null;
  const hasLog = checkEntry(log) !== null;
  const isStale = !isKnown || hasLog;
  if (isKnown) load(file, log, store);
  // Only changes are left of data that was there: without its document they mean nothing, and to begin empty would hide it.
  else if (hasLog) throw putAside(file, log, new Error("there is a log of changes, but not the file they belong to"));
  // Before the first change, so that a log never stands alone.
  else save(store.dump());
  store.takeChanges();
  return {
    store,
    isStale,
    append(changes) {
      // Handed to the system, which keeps it when this process dies; only a power cut could lose it.
      appendPrivate(log, `${JSON.stringify(changes)}\n`);
    },
    save,
  };

  function save(dump: Dump): void {
    replacePrivate(file, `${JSON.stringify(dump, null, 1)}\n`);
    rmSync(log, { force: true });
  }
}

function load(file: string, log: string, store: Store): void {
  const text = read(file);
  const lines = read(log).split("\n");
  // What follows the last line end was cut off while it was written, and never answered.
  lines.pop();
  let dump: unknown;
  try {
    dump = JSON.parse(text);
    if (isNewer(dump))
      throw new SandboxDataError(
        file,
        `${file} was written by a newer version.`,
        "Update, or use --data with another file.",
      );
    check(dump);
    store.load(dump);
    for (const line of lines) for (const change of readChanges(line)) store.replay(change);
  } catch (problem) {
    if (problem instanceof SandboxDataError) throw problem;
    throw putAside(file, log, problem);
  }
}

function read(file: string): string {
  try {
    return readPrivate(file) ?? "";
  } catch (problem) {
    if (isUnsafeFile(problem)) throw problem;
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new SandboxDataError(
      file,
      `The sandbox data ${file} cannot be read: ${why}.`,
      "Correct that, or use --data with another file.",
    );
  }
}

/** The ready key of the data; null where there is none. Whoever can read it owns the data. */
export function readyKeyOf(file: string): string | null {
  try {
    const { keys } = JSON.parse(readPrivate(file) ?? "null") as {
      readonly keys: readonly { readonly value: unknown }[];
    };
    const value = keys[0]?.value;
    return typeof value === "string" ? value : null;
  } catch (problem) {
    if (isUnsafeFile(problem)) throw problem;
    return null;
  }
}

function isNewer(dump: unknown): boolean {
  const version = (dump as { formatVersion?: unknown } | null)?.formatVersion;
  return typeof version === "number" && version > formatVersion;
}

function check(dump: unknown): asserts dump is Dump {
  if (typeof dump !== "object" || dump === null) throw new Error("it is not a JSON object");
  const tables = dump as Record<string, unknown>;
  if (tables.formatVersion !== formatVersion) throw new Error("it is not data of the sandbox");
  for (const name of tableNames) {
    const rows = tables[name];
    if (!Array.isArray(rows)) throw new Error(`${name} is missing`);
    for (const row of rows) {
      if (typeof row?.id !== "string") throw new Error(`an entry of ${name} has no id`);
    }
  }
}

function readChanges(line: string): Change[] {
  const changes: unknown = JSON.parse(line);
  const known = (name: unknown) => (tableNames as readonly unknown[]).includes(name);
  if (Array.isArray(changes) && changes.every((change) => Array.isArray(change) && known(change[0]))) return changes;
  throw new Error("its log holds something else than changes");
}

function putAside(file: string, log: string, problem: unknown): SandboxDataError {
  let keptAt = `${file}.damaged`;
  for (let count = 2; existsSync(keptAt) || existsSync(`${keptAt}.log`); count++) keptAt = `${file}.damaged-${count}`;
  if (existsSync(log)) renameSync(log, `${keptAt}.log`);
  if (existsSync(file)) renameSync(file, keptAt);
  else keptAt = `${keptAt}.log`;
  const why = problem instanceof Error ? problem.message : String(problem);
  return new SandboxDataError(
    file,
    `The sandbox data ${file} is damaged: ${why}. It was kept as ${keptAt}.`,
    "Put a good copy in its place, or run the command again to begin with an empty sandbox.",
    keptAt,
  );
}
