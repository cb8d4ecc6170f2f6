// What a run leaves in the folder of local data to save the next one time: the pace of our calls, and what an interrupted
// run has read from the service, so that a plan of any size can finish at any rate limit.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PaceLedger } from "../../model/outside.ts";
import { parseJson } from "../../model/value.ts";
import { type FileLock, tryLock } from "../../system/file-lock.ts";
import { readPrivate, removePrivate, replacePrivate, writePrivate } from "../../system/private-files.ts";
import { checkEntry } from "../../system/private-folder.ts";
import { currentSealer, isInTheFuture, isSameCode } from "../seal.ts";
import type { SnapshotCache, StateStore } from "../store.ts";
import { ensureFolder, fileWord, folderOf, type StoreSetup } from "./local-folder.ts";

export function localCaches(setup: StoreSetup): Pick<StateStore, "pace" | "snapshots"> {
  return { pace: localPace(setup), snapshots: snapshotFile(setup) };
}

interface Dated {
  readonly at: number;
}

interface Snapshot {
  readonly baseUrl: string;
  readonly organizationId: string;
  /** Each with the time at which it was read. */
  readonly responses: Readonly<Record<string, Dated>>;
}

interface SealedSnapshot {
  readonly key: string;
  readonly code: string;
  /** The snapshot as text: what is sealed is what is read. */
  readonly kept: string;
}

/**
 * How long a reading may rest before it is continued: at the lowest rate limit, a large organization takes days of runs, not all of
 * them at night. Counted from the last response: the first ones may be as old as such a reading takes.
 */
const longestMs = 24 * 3_600_000;

/** Responses that no run with this key has written count as none: reading them again costs only time. */
function snapshotFile({ directory, environment, secrets, ...setup }: StoreSetup): SnapshotCache {
  const path = join(folderOf(directory), `snapshot.${fileWord(environment)}.json`);
  const baseUrl = setup.baseUrl ?? "embedded";

  function unseal(text: string | null): Snapshot | null {
    const { key, code, kept } = JSON.parse(text ?? "null") as SealedSnapshot;
    const sealer = currentSealer(secrets, environment, "snapshot");
    return sealer?.keyId === key && isSameCode(sealer.codeOf(kept), code) ? JSON.parse(kept) : null;
  }

  return {
    async isThere() {
      try {
        return checkEntry(path) !== null;
      } catch {
        return false;
      }
    },
    async load<Kept>(organizationId: string, now: number) {
      try {
        const kept = unseal(readPrivate(path));
        if (kept?.baseUrl !== baseUrl || kept.organizationId !== organizationId) return [];
        const responses = Object.entries(kept.responses);
        const last = responses.reduce((latest, [, { at }]) => Math.max(latest, at), 0);
        return now - last >= longestMs || isInTheFuture(last, now) ? [] : (responses as [string, Kept & Dated][]);
      } catch {
        // Nothing stored, or nothing that can be used: then everything is read again.
        return [];
      }
    },
    async save(responses, organizationId, now) {
      const sealer = currentSealer(secrets, environment, "snapshot");
      if (sealer === null) return;
      ensureFolder(directory);
      const dated = responses.map(([question, response]): [string, Dated] => [question, { at: now, ...response }]);
      const snapshot: Snapshot = { baseUrl, organizationId, responses: Object.fromEntries(dated) };
      const kept = JSON.stringify(snapshot);
      const sealed: SealedSnapshot = { key: sealer.keyId, code: sealer.codeOf(kept), kept };
      await writePrivate(path, JSON.stringify(sealed));
    },
    clear: () => removePrivate(path),
  };
}

// The ledger of the pace in the folder of local data: all processes that work in this folder share it.

/** The name of the ledger of one organization at one service, not of a project or an environment: limits know neither. */
export function ledgerName({ baseUrl, account }: StoreSetup): string {
  return createHash("sha256")
    .update(JSON.stringify([baseUrl, account ?? ""]))
    .digest("hex")
    .slice(0, 16);
}

/** A ledger is locked for a few milliseconds; if it stays locked this long, it is better to continue without it. */
const ledgerPatienceMs = 2000;

function localPace(setup: StoreSetup): PaceLedger {
  const name = `pace.${ledgerName(setup)}.json`;
  const path = join(folderOf(setup.directory), name);

  function read(): unknown {
    return parseJson(readPrivate(path) ?? "") ?? null;
  }

  async function lockLedger(): Promise<FileLock> {
    const unlockHint = `If no run is active, remove ${name}.lock.`;
    for (const end = Date.now() + ledgerPatienceMs; ; await sleep(2 + Math.random() * 8)) {
      const attempt = await tryLock({ path: `${path}.lock`, command: "pace", unlockHint });
      if (attempt.held) return attempt.lock;
      if (Date.now() > end) throw new Error(`${name} is in use.`);
    }
  }

  async function update(change: (kept: unknown) => unknown): Promise<void> {
    ensureFolder(setup.directory);
    const lock = await lockLedger();
    try {
      const next = change(read());
      if (next !== undefined) replacePrivate(path, JSON.stringify(next));
    } finally {
      await lock.release();
    }
  }

  return { load: async () => read(), update };
}
