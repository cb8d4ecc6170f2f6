import { rmSync } from "node:fs";

const patienceMs = 10_000;
const pauseMs = 100;

/**
 * Also one in which a program that was killed has left a child, git for example, that still writes for a moment. Node's own retries do not
 * remove what came since.
 */
export function removeFolder(folder: string): void {
  for (const end = Date.now() + patienceMs; ; ) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
