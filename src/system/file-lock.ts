// One holder at a time, by files. A lock whose holder died is inherited, never removed by another process: the one that
// creates the file `<lock>.<token of the dead holder>` is the heir, and only one can. So two processes that find the same
// dead holder at the same instant cannot both win, and an heir that dies is inherited in turn.
import { randomBytes } from "node:crypto";
import { lstatSync, renameSync } from "node:fs";
import { link, readdir, rm } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { ageOfPrivate, createPrivate, draftPrivate, readPrivate } from "./private-files.ts";
import { unsafeError } from "./private-folder.ts";
import { beganAt, isRunning, type ProcessMark } from "./processes.ts";

/** Who holds a lock, for messages and for finding out whether it is still alive. */
export interface LockHolder extends ProcessMark {
  /** Made at random for each locking: no two are ever alike. */
  readonly token: string;
  readonly host: string;
  readonly since: string;
  readonly command: string;
  readonly user: string;
  /** Link to its run on the CI host; null or left out outside CI. */
  readonly run?: string | null;
  /** The port of this machine on which the holder serves until it is stopped. A port and no address: a forged lock must not lead elsewhere. */
  readonly port?: number;
}

export interface FileLock {
  readonly holder: LockHolder;
  /** False once the lock was removed by another process. */
  isHeld(): boolean;
  announce(port: number): void;
  release(): Promise<void>;
}

// A lock as a file: created whole or not at all, and only if there is none.

/** False if there is one already. */
async function createLockFile(path: string, holder: LockHolder): Promise<boolean> {
  const content = holderText(holder);
  const draft = draftPrivate(path, content);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // Some file systems have no second names for a file.
    return createPrivate(path, content);
  } finally {
    await rm(draft, { force: true });
  }
}

function holderText(holder: LockHolder): string {
  return `${JSON.stringify(holder)}\n`;
}

/** null: there is none. `unreadable`: there is one that says nothing of its holder. */
function readLockFile(path: string): LockHolder | "unreadable" | null {
  const text = readPrivate(path);
  if (text === null) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (isHolder(parsed)) return parsed;
  } catch {
    // Said below.
  }
  return "unreadable";
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== "object" || value === null) return false;
  const { token, pid, port = 1, ...texts } = value as Partial<LockHolder>;
  return (
    typeof token === "string" &&
    /^[0-9a-f]{1,64}$/.test(token) &&
    typeof pid === "number" &&
    Number.isInteger(port) &&
    port > 0 &&
    port < 65_536 &&
    [texts.host, texts.since, texts.command, texts.user].every((text) => typeof text === "string")
  );
}

// Whether the process that holds a lock still lives.

export function thisUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown user";
  }
}

/** A process on another machine cannot be checked: it counts as alive. */
export function isAlive(holder: LockHolder): boolean {
  return holder.host !== hostname() || isRunning(holder);
}

export interface FileLockSetup {
  readonly path: string;
  readonly command: string;
  /** How a person removes a lock that is damaged. */
  readonly unlockHint: string;
  /** Whether a holder still lives; tests hand in their own. */
  readonly isAlive?: (holder: LockHolder) => boolean;
}

export type LockAttempt =
  | { readonly held: true; readonly lock: FileLock }
  /** null: the line of holders kept changing. */
  | { readonly held: false; readonly holder: LockHolder | "unreadable" | null };

interface LockPlace {
  readonly path: string;
  readonly token: string;
}

// A record is created whole; one that says nothing is damaged, or half written on a system that cannot do better.
const unreadableForMs = 10_000;

export async function tryLock(setup: FileLockSetup): Promise<LockAttempt> {
  const holder = newHolder(setup.command);
  const alive = setup.isAlive ?? isAlive;
  for (let round = 0; round < 20; round++) {
    if (await createLockFile(setup.path, holder)) {
      await sweep(setup.path);
      return { held: true, lock: makeLock(holder, [{ path: setup.path, token: holder.token }]) };
    }
    const attempt = await inherit(setup, holder, alive);
    if (attempt !== null) return attempt;
  }
  return { held: false, holder: null };
}

/** Walks from dead holder to heir until one lives, or the last place is free. null: the line changed meanwhile. */
async function inherit(
  { path: root, unlockHint }: FileLockSetup,
  holder: LockHolder,
  alive: (holder: LockHolder) => boolean,
): Promise<LockAttempt | null> {
  const line: LockPlace[] = [];
  for (let path = root; line.length < longestLine; ) {
    const found = readLockFile(path);
    if (found === null) return null;
    if (found === "unreadable" ? ageOfPrivate(path) < unreadableForMs : alive(found))
      return { held: false, holder: found };
    const token = found === "unreadable" ? "unreadable" : found.token;
    line.push({ path, token });
    path = `${root}.${token}`;
    if (!(await createLockFile(path, holder))) continue;
    // Only the last of the line takes the line down, beginning with its root: a whole line is one that still counts.
    if (line.every((place) => tokenAt(place.path) === place.token)) {
      return { held: true, lock: makeLock(holder, [...line, { path, token: holder.token }]) };
    }
    await rm(path, { force: true });
    return null;
  }
  throw unsafeError(`The lock ${basename(root)} leads from one record to the next without end.`, unlockHint);
}

/** Each heir is another run that died: this many in a row are not ours, and records could name each other in a circle. */
const longestLine = 200;

function makeLock(holder: LockHolder, line: readonly LockPlace[]): FileLock {
  let released = false;
  /** This is asked before every call: a file that was ours is read again only once something about it has changed. */
  const versions = new Map<string, string>();
  function isOurs({ path, token }: LockPlace): boolean {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return false;
    const version = `${stat.ino} ${stat.ctimeMs} ${stat.mtimeMs}`;
    if (versions.get(path) === version) return true;
    if (tokenAt(path) !== token) return false;
    versions.set(path, version);
    return true;
  }
  function isHeld(): boolean {
    return !released && line.every(isOurs);
  }
  return {
    holder,
    isHeld,
    announce(port) {
      const own = line.at(-1);
      if (own === undefined || !isHeld()) return;
      renameSync(draftPrivate(own.path, holderText({ ...holder, port })), own.path);
    },
    async release() {
      const held = isHeld();
      released = true;
      if (!held) return;
      for (const place of line) await rm(place.path, { force: true });
    },
  };
}

function tokenAt(path: string): string | null {
  const found = readLockFile(path);
  if (found === null) return null;
  return found === "unreadable" ? "unreadable" : found.token;
}

/** The holder at the end of the line, alive or not. */
export function holderOf(root: string): LockHolder | null {
  let last: LockHolder | null = null;
  for (let path = root, count = 0; count < longestLine; count++) {
    const found = readLockFile(path);
    if (found === null || found === "unreadable") return last;
    last = found;
    path = `${root}.${found.token}`;
  }
  return last;
}

export async function breakLock(root: string): Promise<LockHolder | null> {
  const holder = holderOf(root);
  await rm(root, { force: true });
  await sweep(root);
  return holder;
}

/** Files of removed lines, left by a process that died while removing them. */
async function sweep(root: string): Promise<void> {
  const folder = dirname(root);
  const start = `${basename(root)}.`;
  const names = await readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    if (name.startsWith(start)) await rm(join(folder, name), { force: true });
  }
}

export function newHolder(command: string): LockHolder {
  return {
    token: randomBytes(12).toString("hex"),
    pid: process.pid,
    host: hostname(),
    began: beganAt(process.pid),
    since: new Date().toISOString(),
    command,
    user: thisUser(),
  };
}
