// One sandbox at a time may use a data file. The lock names its holder, so that others can wait for it, or talk to it.
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { makeFolder } from "../system/make-folder.ts";
import { beganAt, isRunning, type ProcessMark } from "../system/process-life.ts";

export interface Holder extends ProcessMark {
  /** Where a sandbox that serves until it is stopped can be reached; null: inside a command that will end. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

export interface Lock {
  /** Tells others where the sandbox is. */
  announce(baseUrl: string, apiKey: string): void;
  release(): void;
}

// A dead process may have had the number that this one has now, as in containers, where it is always the same.
const held = new Set<string>();

/** The lock, or who still holds it after `waitMs`. A holder that serves until stopped is not waited for. */
export async function takeLock(dataFile: string, waitMs: number): Promise<Lock | Holder> {
  const file = `${dataFile}.lock`;
  makeFolder(dirname(dataFile), 0o700);
  for (let waited = 0; ; waited += 50) {
    if (create(file)) return lockOf(file);
    const holder = readHolder(dataFile);
    if (holder === undefined) clearStale(file);
    else if (holder.baseUrl !== null || waited >= waitMs) return holder;
    if (holder !== undefined) await setTimeout(50);
  }
}

function draft(file: string, holder: Holder): string {
  const name = `${file}.${randomUUID()}`;
  writeFileSync(name, JSON.stringify(holder), { mode: 0o600 });
  return name;
}

/** By a link, so that the lock is never seen without its holder in it. */
function create(file: string): boolean {
  const name = draft(file, { ...thisProcess(), baseUrl: null, apiKey: null });
  try {
    linkSync(name, file);
    held.add(file);
    return true;
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw problem;
  } finally {
    rmSync(name, { force: true });
  }
}

/** The lock of a process that died. If another took it over meanwhile, it gets it back. */
function clearStale(file: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (readLock(aside, file) !== undefined) linkSync(aside, file);
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EEXIST") throw problem;
  } finally {
    rmSync(aside, { force: true });
  }
}

function lockOf(file: string): Lock {
  return {
    announce(baseUrl, apiKey) {
      renameSync(draft(file, { ...thisProcess(), baseUrl, apiKey }), file);
    },
    release() {
      rmSync(file, { force: true });
      held.delete(file);
    },
  };
}

/** Who uses a data file now; undefined: nobody that is alive. */
export function readHolder(dataFile: string): Holder | undefined {
  return readLock(`${dataFile}.lock`);
}

/** `file` may be a lock that was moved away from `place`. */
function readLock(file: string, place = file): Holder | undefined {
  let holder: Partial<Holder>;
  try {
    holder = JSON.parse(readFileSync(file, "utf8")) as Partial<Holder>;
  } catch {
    return undefined;
  }
  const { pid, began = null, baseUrl = null, apiKey = null } = holder;
  if (typeof pid !== "number") return undefined;
  if (pid === process.pid ? !held.has(place) : !isRunning({ pid, began })) return undefined;
  return { pid, began, baseUrl, apiKey };
}

function thisProcess(): ProcessMark {
  return { pid: process.pid, began: beganAt(process.pid) };
}
