// No memory between runs. Within a run everything is as safe as with it; after a crash the next run finds what is live by
// name and start.
import type { JournalFile } from "./journal-file.ts";
import type { StateStore } from "./state-store.ts";

export function noneStore(): StateStore {
  return {
    place: "no state (backend: none)",
    forgets: true,
    load: async () => ({ ok: true, state: null }),
    save: async () => null,
    lock: async ({ command }) => ({
      ok: true,
      lock: {
        holder: { token: "0", pid: process.pid, host: "", began: null, since: "", command, user: "" },
        isHeld: () => true,
        release: async () => undefined,
      },
    }),
    unlock: async () => null,
    journal: unkeptJournal(),
  };
}

function unkeptJournal(): JournalFile {
  return {
    read: async () => "",
    open: async () => undefined,
    append: async () => undefined,
    note: () => undefined,
    replace: async () => undefined,
    close: async () => undefined,
  };
}
