// No memory between runs. Within a run everything is as safe as with it, and two runs on one machine exclude each other;
// after a crash the next run finds what is live by name and start.
import { JournalError, type JournalStore, type Lock, lockLost, type StateStore } from "../store.ts";
import type { StoreSetup } from "./folder.ts";
import { localCaches } from "./local-caches.ts";
import { localLock } from "./local-lock.ts";

export function noneStore(setup: StoreSetup): StateStore {
  const local = localLock(setup);
  return {
    place: "no state (backend: none)",
    stateless: true,
    load: async () => ({ ok: true, state: null, unverified: null }),
    save: async () => null,
    async lock(options) {
      const locked = await local.lock(options);
      // Without state the folder need not be writable; then there is no place for a lock.
      return locked.ok || locked.diagnostics[0]?.code !== "state-unusable"
        ? locked
        : { ok: true, lock: noLock(options.command) };
    },
    unlock: local.unlock,
    holders: local.holders,
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

/** Writes nothing, but lets nothing be sent once the lock is lost. */
function unkeptJournal(): JournalStore {
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
