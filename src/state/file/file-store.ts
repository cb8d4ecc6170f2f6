// State in files next to the project: for one person, one machine, or a runner that keeps its folder.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Diagnostic, errorOf, type Fallible, failed, Halt } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { breakLock, type FileLock, holderOf, isAlive, type LockHolder, tryLock } from "../../system/file-lock.ts";
import { readPrivate, writePrivate } from "../../system/private-files.ts";
import { currentSealer, isInTheFuture, isShowable, sealProblem } from "../seal.ts";
import {
  describeHolder,
  heldByOther,
  type JournalStore,
  type LoadResult,
  type Lock,
  type LockOptions,
  type LockResult,
  lockLost,
  type StateStore,
} from "../store.ts";
import { fileJournal } from "./file-journal.ts";
import { localCaches } from "./local-caches.ts";
import { ensureFolder, fileProblem, fileWord, folderName, folderOf, type StoreSetup } from "./local-folder.ts";
import { continueWithoutState, type ParsedState, parsedOnce, parseState, sealedState } from "./parse-state.ts";

export function fileStore(setup: StoreSetup): StateStore {
  const { directory, environment, secrets } = setup;
  const now = setup.now ?? Date.now;
  const word = fileWord(environment);
  const path = join(folderOf(directory), `state.${word}.json`);
  const shown = `${folderName}/state.${word}.json`;
  const journalShown = `${folderName}/journal.${word}.jsonl`;
  const journal = fileJournal({
    path: join(folderOf(directory), `journal.${word}.jsonl`),
    shown: journalShown,
    prepare: () => ensureFolder(directory),
    seals: { environment, secrets, now },
  });

  const parse = parsedOnce((text) => parseState(text, shown, { environment, secrets, now: now() }));

  /** null: there is none. */
  function read(): ParsedState | null {
    try {
      return parse(readPrivate(path));
    } catch (error) {
      return failed(fileProblem(error, "Reading", shown));
    }
  }

  async function load(): Promise<LoadResult> {
    const found = read();
    if (found === null) return { ok: true, state: null, unverified: null };
    if (!found.ok) return found;
    const problem = sealProblem(found.status, shown);
    if (problem !== null && !isShowable(found.status)) return failed(problem);
    return { ok: true, state: found.state, unverified: problem };
  }

  async function write(state: State): Promise<Diagnostic | null> {
    try {
      const sealer = currentSealer(secrets, environment, "state");
      if (sealer === null) return sealProblem("no-key", shown);
      ensureFolder(directory);
      await writePrivate(path, sealedState(state, sealer, now()));
      return null;
    } catch (error) {
      return fileProblem(error, "Writing", shown);
    }
  }

  async function save(state: State, before: State | null): Promise<Diagnostic | null> {
    const present = await load();
    if (!present.ok) return present.diagnostics[0] ?? fileProblem("no reason given", "Reading", shown);
    if (present.unverified !== null) return present.unverified;
    if (present.state?.serial !== before?.serial || present.state?.lineage !== before?.lineage) {
      return errorOf(
        "state-changed-meanwhile",
        `${shown} was changed by another run in the meantime, so it was left as it is.`,
        `Run the command again: it reads what is live first. ${continueWithoutState(shown)}`,
      );
    }
    return write(state);
  }

  return {
    place: shown,
    load,
    save,
    ...localLock(setup),
    journal,
    ...localCaches(setup),
    seals: {
      async inspect() {
        const found = read();
        if (found?.ok === false) return found;
        const lines = journal.inspect();
        if (!lines.ok) return lines;
        return {
          ok: true,
          state: found === null ? null : { file: shown, status: found.status, state: found.state },
          journal: lines.text === "" ? null : { file: journalShown, status: lines.status, text: lines.text },
        };
      },
      write,
    },
  };
}

// No memory between runs. Within a run everything is as safe as with it, and two runs on one machine exclude each other;
// after a crash the next run finds what is live by name and start.

export function noneStore(setup: StoreSetup): StateStore {
  const local = localLock(setup);
  return {
    place: "`backend: none`, which keeps nothing",
    stateless: true,
    load: async () => ({ ok: true, state: null, unverified: null }),
    save: async () => null,
    ...local,
    async lock(options) {
      const locked = await local.lock(options);
      // Without state the folder need not be writable; then there is no place for a lock.
      return locked.ok || locked.diagnostics[0]?.code !== "state-unusable"
        ? locked
        : { ok: true, lock: noLock(options.command) };
    },
    journal: unkeptJournal(),
    ...localCaches(setup),
  };
}

function noLock(command: string): Lock {
  return {
    holder: { token: "0", pid: process.pid, host: "", began: null, since: "", command, user: "" },
    isHeld: () => true,
    release: async () => null,
  };
}

/** Writes nothing, but allows no call once the lock is lost. */
function unkeptJournal(): JournalStore {
  let held: () => boolean = () => true;
  return {
    read: async () => ({ ok: true, text: "", unverified: null }),
    async open(isHeld) {
      held = isHeld;
      return null;
    },
    async append() {
      if (!held()) throw new Halt(failed(lockLost));
    },
    note: () => undefined,
    replace: async () => null,
    close: async () => undefined,
  };
}

// The lock of a project in one folder: two runs on one machine never run at the same time, nor under two names for one service.

const pollMs = 200;

export function localLock(setup: StoreSetup): Pick<StateStore, "lock" | "unlock" | "holders" | "guard"> {
  const { directory } = setup;
  const pathOf = (name: string) => join(folderOf(directory), name);
  const ownName = `lock.${fileWord(setup.environment)}.json`;
  const howToRemove = (name: string) =>
    name === ownName ? "remove the lock with `ticketing state unlock`" : `delete ${folderName}/${name}`;
  /** Commands that take no lock may write. */
  let isOpen = () => true;

  async function lockFile(
    name: string,
    end: number,
    options: LockOptions,
  ): Promise<Fallible<{ readonly lock: FileLock }>> {
    let announced = false;
    for (;;) {
      const attempt = await tryLock({
        path: pathOf(name),
        command: options.command,
        unlockHint: `If no run is active, ${howToRemove(name)}.`,
      });
      if (attempt.held) return { ok: true, lock: attempt.lock };
      const holder = typeof attempt.holder === "string" ? null : attempt.holder;
      if (holder !== null && isInTheFuture(Date.parse(holder.since), (setup.now ?? Date.now)()))
        return failed(datedAhead(`${folderName}/${name}`, holder, howToRemove(name)));
      if (Date.now() >= end || options.signal?.aborted === true)
        return failed(
          attempt.holder === "unreadable"
            ? unreadableLock(`${folderName}/${name}`, howToRemove(name))
            : lockedByRun(holder, name === ownName),
        );
      if (!announced && holder !== null) {
        options.onWait?.(holder);
        announced = true;
      }
      await sleep(Math.min(pollMs, Math.max(1, end - Date.now())));
    }
  }

  async function lock(options: LockOptions): Promise<LockResult> {
    const end = Date.now() + options.timeoutMs;
    const locks: FileLock[] = [];
    const release = async () => {
      for (const each of locks.reverse()) await each.release();
      return null;
    };
    try {
      ensureFolder(directory);
      for (const name of [ownName, ...serviceLock(setup)]) {
        const locked = await lockFile(name, end, options);
        if (!locked.ok) {
          await release();
          return locked;
        }
        locks.push(locked.lock);
      }
      const [own] = locks;
      if (own === undefined) throw new Error("no lock was taken");
      isOpen = () => locks.every(({ isHeld }) => isHeld());
      return { ok: true, lock: { holder: own.holder, isHeld: isOpen, release } };
    } catch (error) {
      await release();
      return failed(fileProblem(error, "Locking", `${folderName}/${ownName}`));
    }
  }

  function activeHolders(): readonly LockHolder[] {
    const holder = holderOf(pathOf(ownName));
    return holder !== null && isAlive(holder) ? [holder] : [];
  }

  return {
    lock,
    async unlock(shown) {
      const path = pathOf(ownName);
      const problem = heldByOther(activeHolders(), shown);
      if (problem !== null) return failed(problem);
      const isThere = existsSync(path);
      // That of the service goes with it; one that a run under another name holds stays.
      const services = await servicesOf(directory, holderOf(path));
      const holder = await breakLock(path);
      for (const name of services) await breakLock(pathOf(name));
      return { ok: true, holders: holder === null ? [] : [holder], unreadable: holder === null && isThere };
    },
    holders: async () => activeHolders(),
    guard: { isOpen: () => isOpen(), wait: async () => (isOpen() ? null : lockLost) },
  };
}

/** The same for every name under which this folder reaches one service with one key; none for the sandbox, which is the folder's own. */
function serviceLock({ baseUrl, secrets }: StoreSetup): readonly string[] {
  if (baseUrl === null) return [];
  const key = secrets()?.current;
  if (key === undefined) return [];
  const place = new URL(baseUrl).href.replace(/(?<!\/)\/+$/, "");
  const digest = createHash("sha256").update(`${place}\n${key}`).digest("hex");
  return [`service.${digest.slice(0, 12)}.lock.json`];
}

async function servicesOf(directory: string, holder: LockHolder | null): Promise<readonly string[]> {
  const names = holder === null ? [] : await readdir(folderOf(directory)).catch(() => []);
  return names.filter((name) => {
    const found = /^service\.[0-9a-f]{12}\.lock\.json$/.test(name) ? holderOf(join(folderOf(directory), name)) : null;
    return found !== null && found.pid === holder?.pid && found.host === holder.host && found.began === holder.began;
  });
}

/** No run of ours wrote that, or the clock of this machine is wrong; either way, waiting would never end. */
function datedAhead(file: string, holder: LockHolder, removal: string): Diagnostic {
  const message = `The lock ${file} is dated in the future (${holder.since}).`;
  const hint = `Check the clock of this machine. If no run is active, ${removal}.`;
  return errorOf("state-locked", message, hint);
}

/** It may be half written, or damaged: `tryLock` replaces it after a while. */
function unreadableLock(file: string, removal: string): Diagnostic {
  const message = `The lock ${file} cannot be read, so it is not known whether another run is active.`;
  const hint = `Run the command again in 10 seconds: a lock that is still unreadable then is replaced. To continue now, if no run is active, ${removal}.`;
  return errorOf("state-locked", message, hint);
}

function lockedByRun(holder: LockHolder | null, isOwn: boolean): Diagnostic {
  const message = `Another run is active in this project${holder === null ? "" : `: ${describeHolder(holder)}`}.`;
  const place = isOwn ? "`ticketing state unlock`" : "`ticketing state unlock --env NAME` (NAME: its environment)";
  const hint = `Wait for that run to end, or let this one wait with --lock-timeout SECONDS. If that run is no longer active, remove its lock with ${place}.`;
  return errorOf("state-locked", message, hint);
}
