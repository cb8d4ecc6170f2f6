// No memory between runs. Within a run everything is as safe as with it, and two on one machine exclude each other; after a
// crash the next run finds what is live by name and start.
import { JournalError } from "./journal-error.ts";
import type { JournalFile } from "./journal-file.ts";
import { lockLost } from "./local-journal.ts";
import { type LocalLockSetup, localLock } from "./local-lock.ts";
import type { Lock } from "./lock.ts";
import type { StateStore } from "./state-store.ts";

export function noneStore(setup: LocalLockSetup): StateStore {
  const local = localLock(setup);
  return {
    place: "no state (backend: none)",
    forgets: true,
    load: async () => ({ ok: true, state: null, unverified: null }),
    save: async () => null,
    async lock(options) {
      const locked = await local.lock(options);
      // Who keeps nothing may work in a folder that cannot be written to; there is no place for a lock then.
      return locked.ok || locked.diagnostic.code !== "state-unusable"
        ? locked
        : { ok: true, lock: noLock(options.command) };
    },
    unlock: local.unlock,
    holder: local.holder,
    journal: unkeptJournal(),
  };
}

function noLock(command: string): Lock {
  return {
    holder: { token: "0", pid: process.pid, host: "", began: null, since: "", command, user: "" },
    isHeld: () => true,
    release: async () => undefined,
  };
}

/** Writes nothing, and lets nothing be sent any more once the lock is gone. */
function unkeptJournal(): JournalFile {
  let held: () => boolean = () => true;
  return {
    read: async () => ({ text: "", unverified: null }),
    async open(isHeld) {
      held = isHeld;
    },
    async append() {
      if (!held()) throw new JournalError(lockLost);
    },
    note: () => undefined,
    replace: async () => undefined,
    close: async () => undefined,
  };
}
