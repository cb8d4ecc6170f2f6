// One temporary folder for everything that a run of tests leaves behind; removed when it ends.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "tests-";

// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default function makeTemporaryFolder(): (() => void) | undefined {
  // Each project of a configuration asks for it.
  if (basename(tmpdir()).startsWith(prefix)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), prefix));
  // A database runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
