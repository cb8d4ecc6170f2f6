// One temporary folder for everything that a run of tests leaves behind; removed when it ends.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default function makeTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "tests-"));
  // A database runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
