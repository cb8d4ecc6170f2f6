// One temporary folder for everything that a run of tests leaves behind; removed when it ends.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "tests-";
/** All suites at once need a fifth of it. */
const roomBytes = 2 ** 31;

// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default function makeTemporaryFolder(): (() => void) | undefined {
  // Each project of a configuration asks for it.
  if (basename(tmpdir()).startsWith(prefix)) return undefined;
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), prefix));
  // A database runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Thousands of small files that live for seconds: on a disk, a third of what a suite with git takes is spent on making them. */
function inMemory(): string | null {
  if (process.env.TMPDIR !== undefined) return null;
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > roomBytes ? "/dev/shm" : null;
  } catch {
    return null;
  }
}
