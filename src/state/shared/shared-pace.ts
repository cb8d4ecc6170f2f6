// The ledger of the pace in a small separate document, shared by the runs of all projects and environments that call one
// service for one organization. It only saves time and refusals: without a place that can be written, calls go without it.

import { setTimeout as sleep } from "node:timers/promises";
import type { PaceLedger } from "../../model/outside.ts";
import { parseJson } from "../../model/value.ts";
import type { HeldFiles } from "./held-files.ts";
import type { FilesVersion, SharedFiles, StoredFiles, StoreFailure, StoreResult } from "./shared-files.ts";

export const paceFile = "pace.json";

/**
 * After a collision, runs retry one after another: at first within the time of a write to a fast store, and a quarter of that later
 * with each collision, up to the time of a push.
 */
const pauseMs = 150;
const longestPauseMs = 3000;

export interface SharedPaceSetup {
  readonly open: () => Promise<StoreResult<SharedFiles>>;
  /** Serves where the shared one cannot, as for a job that may only read. */
  readonly local: Pick<PaceLedger, "load" | "update">;
  readonly onWritten?: (text: string) => void;
}

export function sharedPace({ open, local, onWritten }: SharedPaceSetup): PaceLedger & { close(): Promise<void> } {
  let opening: Promise<StoreResult<SharedFiles>> | null = null;
  /** undefined: not read yet. The last known version is tried first: for a run that is alone, that saves a read. */
  let known: FilesVersion | null | undefined;
  let isLocal = false;

  /** The shared place, or null if this machine's own ledger is to be used. */
  async function place(): Promise<SharedFiles | null> {
    opening ??= open();
    const opened = await opening;
    if (!opened.ok) noteFailure(opened);
    return isLocal || !opened.ok ? null : opened.value;
  }

  /** A failure that may pass is thrown; after any other, this machine's own ledger is used. */
  function noteFailure({ reason, message }: StoreFailure): void {
    if (reason === "unreachable") throw new Error(message);
    isLocal = true;
  }

  async function load(): Promise<unknown> {
    const found = await (await place())?.read();
    if (found?.ok === true) {
      known = found.value;
      return parsePace(known?.files) ?? local.load();
    }
    if (found !== undefined) noteFailure(found);
    return local.load();
  }

  async function update(change: (kept: unknown) => unknown): Promise<void> {
    const shared = await place();
    const failure = shared === null ? null : await swap(shared, change);
    if (failure !== null) noteFailure(failure);
    if (isLocal) await local.update(change);
  }

  async function swap(files: SharedFiles, change: (kept: unknown) => unknown): Promise<StoreFailure | null> {
    for (let attempt = 1; ; attempt++) {
      const isFresh = known === undefined;
      if (known === undefined) {
        const found = await files.read(true);
        if (!found.ok) return found;
        known = found.value;
      }
      const next = change(parsePace(known?.files));
      if (next === undefined && isFresh) return null;
      const outcome = next === undefined ? await checkKnown(files, known) : await write(files, known, next);
      if (outcome !== "moved") return outcome;
      known = undefined;
      if (next !== undefined) await sleep(Math.random() * Math.min(pauseMs * (1 + attempt / 4), longestPauseMs));
    }
  }

  async function write(files: SharedFiles, before: FilesVersion | null, next: unknown): Promise<SwapOutcome> {
    const text = JSON.stringify(next);
    const written = await files.write(new Map([[paceFile, text]]), before, "pace");
    known = written.ok ? written.value : undefined;
    if (!written.ok) return written.reason === "moved" ? "moved" : written;
    onWritten?.(text);
    return null;
  }

  return {
    load,
    update,
    note: local.update,
    async close() {
      const opened = await opening;
      if (opened?.ok === true) await opened.value.close();
    },
  };
}

/** null: done. "moved": another run has written since that version. */
type SwapOutcome = StoreFailure | "moved" | null;

async function checkKnown(files: SharedFiles, known: FilesVersion | null): Promise<SwapOutcome> {
  const tip = await files.tip();
  if (!tip.ok) return tip;
  return tip.value === (known?.id ?? null) ? null : "moved";
}

/** The copy next to the state, which only the holder of the lock writes; without the lock, this machine's own ledger is written. */
export function heldPace(
  heldFiles: () => HeldFiles | null,
  lastRead: () => Promise<StoreResult<FilesVersion | null>> | null,
  own: Pick<PaceLedger, "load" | "update">,
): Pick<PaceLedger, "load" | "update"> {
  return {
    async load() {
      const read = heldFiles() === null ? await lastRead() : null;
      const found = heldFiles()?.files() ?? (read?.ok === true ? read.value?.files : undefined);
      return parsePace(found) ?? own.load();
    },
    async update(change) {
      const held = heldFiles();
      if (held === null) return own.update(change);
      const next = change(parsePace(held.files()));
      if (next !== undefined) held.set(paceFile, JSON.stringify(next), true);
    },
  };
}

/** null: there is none, or none that can be read. */
function parsePace(files: StoredFiles | undefined): unknown {
  return parseJson(files?.get(paceFile) ?? "") ?? null;
}
