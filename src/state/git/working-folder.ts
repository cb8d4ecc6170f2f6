// The bare repository in the temporary folder that a run works in, and what killed runs left of theirs.
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGitRemote } from "../../system/git.ts";
import { isRunning } from "../../system/processes.ts";
import { type StoreFailure, type StoreResult, storeFailure } from "../shared/shared-files.ts";

export async function makeRepository(objectFormat: string): Promise<StoreResult<string>> {
  try {
    const gitDir = await mkdtemp(join(tmpdir(), `ticketing-state-${process.pid}-`));
    const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${objectFormat}`];
    const made = await runGitRemote({ gitDir, args, settings: [], timeoutMs: 10_000 });
    if (made.ok) return { ok: true, value: gitDir };
    await rm(gitDir, { recursive: true, force: true });
    return notWorking(`could not be created: ${made.message}`);
  } catch (error) {
    return notWorking(`could not be created: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Where we work ourselves: nothing is wrong with the remote or the checkout. */
export function notWorking(why: string): StoreFailure {
  const [first = ""] = why.replace(/(?<=: )(fatal|error): /, "").split("\n");
  const hint = `Make sure that files can be written to ${tmpdir()} and that its disk is not full, or name another folder with TMPDIR, then run the command again.`;
  return storeFailure("setup", `The working folder for git ${first}`, hint);
}

/** A container that shares the temporary folder has processes that are not seen from here; a run touches its folder more often. */
const untouchedMs = 60 * 60_000;

/** Removes the folders of this user's runs that were killed. What cannot be removed stays: nothing depends on it. */
export async function removeAbandoned(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.all(names.map((name) => removeIfAbandoned(name).catch(() => undefined)));
}

async function removeIfAbandoned(name: string): Promise<void> {
  const pid = Number(/^ticketing-state-(\d+)-[0-9A-Za-z]{6}$/.exec(name)?.[1] ?? 0);
  if (pid === 0 || isRunning({ pid, began: null })) return;
  const path = join(tmpdir(), name);
  const found = await lstat(path);
  // Exactly as a run creates it: a real folder, not a link, and private to this user.
  const user = process.geteuid?.();
  const isOurs = found.isDirectory() && (user === undefined || (found.uid === user && (found.mode & 0o077) === 0));
  if (isOurs && found.mtimeMs < Date.now() - untouchedMs) await rm(path, { recursive: true, force: true });
}
