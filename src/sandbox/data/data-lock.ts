// One sandbox at a time may use a data file. The lock names its holder, so that others can wait for it, or talk to it.
import { randomUUID } from "node:crypto";
import { linkSync, renameSync, rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { draftPrivate, isUnsafeFile, makeFolderOf, readPrivate } from "../../system/private-files.ts";
import { beganAt, isRunning, type ProcessMark } from "../../system/process-life.ts";

export interface Holder extends ProcessMark {
  /**
   * The port of this machine on which a sandbox serves until it is stopped; null: inside a command that will end. Only a
   * port, and without a key: a lock that somebody else wrote must not be able to lead anywhere else.
   */
  readonly port: number | null;
}

export interface Lock {
  /** Tells others where the sandbox is. */
  announce(port: number): void;
  release(): void;
}

// A dead process may have had the number that this one has now, as in containers, where it is always the same.
const held = new Set<string>();

/** The lock, or who still holds it after `waitMs`. A holder that serves until stopped is not waited for. */
export async function takeLock(dataFile: string, waitMs: number): Promise<Lock | Holder> {
  const file = `${dataFile}.lock`;
  makeFolderOf(dataFile);
  for (let waited = 0; ; waited += 50) {
    if (create(file)) return lockOf(file);
    const holder = readHolder(dataFile);
    if (holder === undefined) clearStale(file);
    else if (holder.port !== null || waited >= waitMs) return holder;
    if (holder !== undefined) await setTimeout(50);
  }
}

function draft(file: string, holder: Holder): string {
  return draftPrivate(file, JSON.stringify(holder));
}

/** By a link, so that the lock is never seen without its holder in it. */
function create(file: string): boolean {
  const name = draft(file, { ...thisProcess(), port: null });
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
    announce(port) {
      renameSync(draft(file, { ...thisProcess(), port }), file);
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
    holder = (JSON.parse(readPrivate(file) ?? "null") ?? {}) as Partial<Holder>;
  } catch (problem) {
    if (isUnsafeFile(problem)) throw problem;
    return undefined;
  }
  const { pid, began = null } = holder;
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 1) return undefined;
  if (pid === process.pid ? !held.has(place) : !isRunning({ pid, began })) return undefined;
  const { port } = holder;
  const isPort = typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
  return { pid, began, port: isPort ? port : null };
}

function thisProcess(): ProcessMark {
  return { pid: process.pid, began: beganAt(process.pid) };
}
