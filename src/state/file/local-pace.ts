// The ledger of the pace in the folder of local data: all processes that work in this folder share it.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PaceLedger } from "../../model/outside.ts";
import { type FileLock, tryLock } from "../../system/file-lock.ts";
import { readPrivate, replacePrivate } from "../../system/private-files.ts";
import { ensureFolder, folderOf, type StoreSetup } from "./folder.ts";

/** The name of the ledger of one organization at one service: not of a project or an environment, since limits know neither. */
export function ledgerName({ baseUrl, account }: StoreSetup): string {
  return createHash("sha256")
    .update(JSON.stringify([baseUrl, account ?? ""]))
    .digest("hex")
    .slice(0, 16);
}

/** A ledger is held for a few milliseconds; who finds it held this long is better off without it. */
const ledgerPatienceMs = 2000;

export function localPace(setup: StoreSetup): PaceLedger {
  const name = `pace.${ledgerName(setup)}.json`;
  const path = join(folderOf(setup.directory), name);

  function read(): unknown {
    const text = readPrivate(path);
    try {
      return JSON.parse(text ?? "null");
    } catch {
      return null;
    }
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
