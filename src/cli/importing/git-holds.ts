import { runGit } from "../../config/git.ts";

/** Whether git has what the file holds now, so that nothing of it can be lost. `file`: relative to the folder, with `/`. */
export async function gitHolds(directory: string, file: string): Promise<boolean> {
  const committed = await runGit(directory, ["rev-parse", "--verify", "--quiet", `HEAD:./${file}`]);
  if (!committed.ok) return false;
  const present = await runGit(directory, ["hash-object", "--", file]);
  return present.ok && present.output.equals(committed.output);
}
