import { currentRevision, runGit } from "../../config/git.ts";

/** The commit that the project's files are, to the byte; null outside git or with edits that are not committed. */
export async function committedRevision(directory: string): Promise<string | null> {
  const status = await runGit(directory, ["status", "--porcelain", "--untracked-files=normal", "--", "."]);
  if (!status.ok || status.output.length > 0) return null;
  return currentRevision(directory);
}
