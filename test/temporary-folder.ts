// One temporary folder for everything that a run of tests leaves behind; removed when it ends.
import { chmodSync, mkdirSync, mkdtempSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { removeFolder } from "./stage/remove-folder.ts";

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
  process.env.GIT_TEMPLATE_DIR = gitTemplate(folder);
  return () => removeFolder(folder);
}

/** What every repository of a test begins with: none lives long enough to be tidied up, and none needs samples of hooks. */
function gitTemplate(folder: string): string {
  const template = join(folder, "git-template");
  for (const each of ["hooks", "info"]) mkdirSync(join(template, each), { recursive: true });
  writeFileSync(
    join(template, "config"),
    "[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n[gc]\n\tauto = 0\n",
  );
  return template;
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
