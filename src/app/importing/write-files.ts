import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runGit } from "../../system/git.ts";
import { assertInside } from "../../system/inside-project.ts";
import { makeFolder } from "../../system/private-folder.ts";

/** What a file is to hold; `before` is what it held, null if there was none. */
interface FileContent {
  readonly file: string;
  readonly before: string | null;
  readonly text: string | Uint8Array;
}

const mark = "\ufeff";

/**
 * Files that somebody changed while the service was read are left alone. Throws, with nothing written, where one leads out of the project.
 * `onFailure`: whoever wants the others written where the system refuses one.
 */
export async function writeFiles<File extends FileContent>(
  directory: string,
  files: readonly File[],
  onFailure?: (file: File, error: Error) => void,
): Promise<readonly File[]> {
  for (const { file } of files) assertInside(directory, file);
  const refused: File[] = [];
  for (const file of files) {
    try {
      if (!(await writeOne(join(directory, file.file), file))) refused.push(file);
    } catch (error) {
      if (onFailure === undefined || !(error instanceof Error && "syscall" in error)) throw error;
      onFailure(file, error);
    }
  }
  return refused;
}

async function writeOne(path: string, { before, text }: FileContent): Promise<boolean> {
  if (before === null) {
    makeFolder(dirname(path));
    try {
      await writeFile(path, text, { flag: "wx" });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  }
  const real = realpathSync(path);
  const now = readFileSync(real, "utf8");
  if (now !== before && now !== mark + before) return false;
  const beside = `${real}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await writeFile(beside, typeof text === "string" && now.startsWith(mark) ? mark + text : text, {
      flag: "wx",
      mode: 0o600,
    });
    // Afterwards: a mode that is asked for at its creation loses what the user's umask forbids.
    await chmod(beside, statSync(real).mode);
    await rename(beside, real);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return true;
}

/** Whether git has what the file holds now, so that nothing of it can be lost. `file`: relative to the folder, with `/`. */
export async function gitHolds(directory: string, file: string): Promise<boolean> {
  const committed = await runGit(directory, ["rev-parse", "--verify", "--quiet", `HEAD:./${file}`]);
  if (!committed.ok) return false;
  const present = await runGit(directory, ["hash-object", "--", file]);
  return present.ok && present.output.equals(committed.output);
}
