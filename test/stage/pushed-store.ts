// A store that writes as state in git does, in simulated time: few writes, each whole or not at all. What is noted goes along
// with the next one, or after ten seconds; state, journal and the end of the lock are one write.
import { attempt } from "../../src/model/diagnostic.ts";
import type { After } from "../../src/state/file/file-journal.ts";
import type { StateStore } from "../../src/state/store.ts";
import type { Disk } from "./theater.ts";

const gatherMs = 10_000;

/** `write` appends to the journal; it is where a process can die. */
export function pushedStore(
  store: StateStore,
  disk: Disk,
  write: (lines: string, durable: boolean) => Promise<void>,
  after: After,
): StateStore {
  let pending = "";
  let cancel: (() => void) | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const next: { state?: string; journal?: string } = {};

  function push(): Promise<void> {
    cancel?.();
    cancel = null;
    const done = queue.then(async () => {
      const lines = pending;
      pending = "";
      if (lines !== "") await write(lines, true);
    });
    queue = done.catch(() => undefined);
    return done;
  }

  function note(lines: string): void {
    pending += lines;
    cancel ??= after(gatherMs, () => void push().catch(() => undefined));
  }

  return {
    ...store,
    async save(state) {
      next.state = JSON.stringify(state);
      return null;
    },
    async lock(options) {
      const locked = await store.lock(options);
      if (!locked.ok) return locked;
      async function release() {
        cancel?.();
        await queue;
        const written = await attempt(() => write("", true));
        if (!written.ok) return written.diagnostics[0] ?? null;
        Object.assign(disk, next);
        return null;
      }
      return { ok: true, lock: { ...locked.lock, release } };
    },
    journal: {
      ...store.journal,
      announces: true,
      append(lines, announced) {
        note(lines);
        return announced === true ? Promise.resolve() : push();
      },
      note,
      async replace(content) {
        pending = "";
        next.journal = content;
        return null;
      },
      close: async () => cancel?.(),
    },
  };
}
