// State in files beside the project: for one person, one machine, or a runner that keeps its folder.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { State } from "../model/state.ts";
import { breakLock, tryLock } from "./file-lock.ts";
import { fileTrouble, isMissing } from "./file-trouble.ts";
import { ensureFolder, fileWord, folderName, folderOf } from "./folder.ts";
import { localJournal } from "./local-journal.ts";
import { holderWords, type LockHolder } from "./lock.ts";
import { goOnWithout, parseState } from "./parse-state.ts";
import type { Loaded, Locked, LockOptions, StateStore } from "./state-store.ts";
import { writeDurably } from "./write-durably.ts";

export interface FileStoreSetup {
  /** The project's directory. */
  readonly directory: string;
  readonly environment: string;
  readonly isAlive?: (holder: LockHolder) => boolean;
}

const pollMs = 200;

export function fileStore(setup: FileStoreSetup): StateStore {
  const { directory } = setup;
  const word = fileWord(setup.environment);
  const path = join(folderOf(directory), `state.${word}.json`);
  const shown = `${folderName}/state.${word}.json`;
  const lockPath = join(folderOf(directory), `lock.${word}.json`);
  const journalName = `journal.${word}.jsonl`;

  async function load(): Promise<Loaded> {
    try {
      const parsed = parseState(await readFile(path, "utf8"), shown);
      return parsed;
    } catch (error) {
      if (isMissing(error)) return { ok: true, state: null };
      return { ok: false, diagnostic: fileTrouble(error, "Reading", shown) };
    }
  }

  async function save(state: State, before: State | null): Promise<Diagnostic | null> {
    const now = await load();
    if (!now.ok) return now.diagnostic;
    if (now.state?.serial !== before?.serial || now.state?.lineage !== before?.lineage) return changedMeanwhile(shown);
    try {
      await ensureFolder(directory);
      await writeDurably(path, `${JSON.stringify(state, null, 1)}\n`);
      return null;
    } catch (error) {
      return fileTrouble(error, "Writing", shown);
    }
  }

  async function lock(options: LockOptions): Promise<Locked> {
    const end = Date.now() + options.timeoutMs;
    let told = false;
    try {
      await ensureFolder(directory);
      for (;;) {
        const attempt = await tryLock({
          path: lockPath,
          command: options.command,
          ...(setup.isAlive === undefined ? {} : { isAlive: setup.isAlive }),
        });
        if (attempt.held) return { ok: true, lock: attempt.lock };
        if (Date.now() >= end || options.signal?.aborted === true)
          return { ok: false, diagnostic: held(attempt.holder) };
        if (!told && attempt.holder !== null) {
          options.onWait?.(attempt.holder);
          told = true;
        }
        await sleep(Math.min(pollMs, Math.max(1, end - Date.now())));
      }
    } catch (error) {
      return { ok: false, diagnostic: fileTrouble(error, "Locking", `${folderName}/lock.${word}.json`) };
    }
  }

  return {
    place: shown,
    load,
    save,
    lock,
    unlock: () => breakLock(lockPath),
    journal: localJournal(join(folderOf(directory), journalName), `${folderName}/${journalName}`, () =>
      ensureFolder(directory),
    ),
  };
}

function held(holder: LockHolder | null): Diagnostic {
  return {
    code: "state-locked",
    severity: "error",
    message:
      holder === null
        ? "Another run is at work on this project."
        : `Another run is at work on this project: ${holderWords(holder)}.`,
    hint: "Wait for it to end, or let this one wait with --lock-timeout SECONDS. If it is not running any more: `ticketing state unlock`.",
  };
}

function changedMeanwhile(file: string): Diagnostic {
  return {
    code: "state-changed-meanwhile",
    severity: "error",
    message: `${file} was changed by somebody else while this run was at work, so it was left as it is.`,
    hint: `Run the command again: it reads what is live first. ${goOnWithout(file)}`,
  };
}
