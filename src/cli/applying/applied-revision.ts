import { currentRevision, runGit } from "../../config/git.ts";

/** The commit that the project's files are, to the byte; null outside git or with edits that are not committed. */
export async function committedRevision(directory: string): Promise<string | null> {
  const status = await runGit(directory, [
    "status",
    "--porcelain",
    "--untracked-files=normal",
    // A submodule has a configuration of its own, and git would run inside it.
    "--ignore-submodules=dirty",
    "--",
    ".",
  ]);
  if (!status.ok || status.output.length > 0) return null;
  return currentRevision(directory);
}
