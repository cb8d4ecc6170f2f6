// The lock of a project in one folder: two runs on one machine never run at the same time.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import { breakLock, holderOf, isAlive, type LockHolder, tryLock } from "../../system/file-lock.ts";
import { isInTheFuture } from "../seal.ts";
import { describeHolder, type LockOptions, type LockResult, type StateStore } from "../store.ts";
import { ensureFolder, fileProblem, fileWord, folderName, folderOf, type StoreSetup } from "./folder.ts";

const pollMs = 200;

export function localLock(setup: StoreSetup): Pick<StateStore, "lock" | "unlock" | "holders"> {
  const { directory } = setup;
  const name = `lock.${fileWord(setup.environment)}.json`;
  const path = join(folderOf(directory), name);

  async function lock(options: LockOptions): Promise<LockResult> {
    const end = Date.now() + options.timeoutMs;
    let announced = false;
    try {
      ensureFolder(directory);
      for (;;) {
        const attempt = await tryLock({
          path,
          command: options.command,
          unlockHint: "If no run is active, remove it with `ticketing state unlock`.",
        });
        if (attempt.held) {
          const { holder, isHeld, release } = attempt.lock;
          return { ok: true, lock: { holder, isHeld, release: () => release().then(() => null) } };
        }
        const { holder } = attempt;
        if (holder !== null && isInTheFuture(Date.parse(holder.since), (setup.now ?? Date.now)()))
          return failed(datedAhead(`${folderName}/${name}`, holder));
        if (Date.now() >= end || options.signal?.aborted === true) return failed(lockedBy(holder));
        if (!announced && holder !== null) {
          options.onWait?.(holder);
          announced = true;
        }
        await sleep(Math.min(pollMs, Math.max(1, end - Date.now())));
      }
    } catch (error) {
      return failed(fileProblem(error, "Locking", `${folderName}/${name}`));
    }
  }

  return {
    lock,
    async unlock() {
      const holder = await breakLock(path);
      return holder === null ? [] : [holder];
    },
    async holders() {
      const holder = holderOf(path);
      return holder !== null && isAlive(holder) ? [holder] : [];
    },
  };
}

/** No run of ours wrote that, or the clock of this machine is wrong; either way, waiting would never end. */
function datedAhead(file: string, holder: LockHolder): Diagnostic {
  return errorOf(
    "state-locked",
    `The lock ${file} is dated in the future (${holder.since}).`,
    "Check the clock of this machine. If no run is active: `ticketing state unlock`.",
  );
}

function lockedBy(holder: LockHolder | null): Diagnostic {
  return errorOf(
    "state-locked",
    `Another run is active in this project${holder === null ? "" : `: ${describeHolder(holder)}`}.`,
    "Wait for it to end, or let this one wait with --lock-timeout SECONDS. If it no longer runs: `ticketing state unlock`.",
  );
}
