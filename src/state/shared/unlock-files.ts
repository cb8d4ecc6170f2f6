// Taking the lock on shared files away from those that hold it, whether they are alive or not.
import { setTimeout as sleep } from "node:timers/promises";
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import { describeHolder, type UnlockResult } from "../store.ts";
import { holdersIn, isHolderGone, type SharedHolder, withoutLock } from "./holder.ts";
import type { LockTimes } from "./lock-times.ts";
import { type SharedFiles, type StoreWords, storeProblem } from "./shared-files.ts";

export async function unlockFiles(shared: SharedFiles, words: StoreWords, times: LockTimes): Promise<UnlockResult> {
  const end = performance.now() + times.patienceMs;
  for (;;) {
    const version = await shared.read(true);
    if (!version.ok) return failed(storeProblem(words, version, "read"));
    const holders = version.value === null ? [] : holdersIn(version.value.files);
    const [holder] = holders;
    if (version.value === null || holder === undefined) return { ok: true, holders: [] };
    const written = await shared.write(withoutLock(version.value.files), version.value, "state unlock");
    if (written.ok) {
      // A live holder keeps relying on its last confirmation until then, on a clock that may be slightly slower.
      if (!holders.every((each) => each.isForeign === true || isHolderGone(each))) await sleep(times.staleMs * 1.1);
      return { ok: true, holders };
    }
    if (written.reason !== "moved") return failed(storeProblem(words, written, "written"));
    // The holder is alive and has just written. It waits for the service between writes, so retrying out of step gets through.
    if (performance.now() > end) return failed(stillWriting(holder));
    await sleep((Math.random() * times.pollMs) / 4);
  }
}

function stillWriting(holder: SharedHolder): Diagnostic {
  const message = `The lock could not be removed, because its holder keeps writing: ${describeHolder(holder)}.`;
  const hint = "Stop that run, then run `ticketing state unlock` again; or wait until it ends.";
  return errorOf("state-locked", message, hint);
}
