// The `git` command, as far as reading a project from it needs.
import { spawn } from "node:child_process";

export type GitAnswer =
  | { readonly ok: true; readonly output: Buffer }
  | { readonly ok: false; readonly reason: "no-git" | "refused"; readonly message: string };

/** Runs git in a folder, with text for its input. It asks nobody anything and changes nothing. */
export function runGit(folder: string, args: readonly string[], input = ""): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const git = spawn("git", ["--no-optional-locks", ...args], {
      cwd: folder,
      env: { ...process.env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1" },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const output: Buffer[] = [];
    const trouble: Buffer[] = [];
    git.stdout.on("data", (part: Buffer) => output.push(part));
    git.stderr.on("data", (part: Buffer) => trouble.push(part));
    git.on("error", (error) => resolve({ ok: false, reason: "no-git", message: error.message }));
    git.on("close", (code) => {
      if (code === 0) resolve({ ok: true, output: Buffer.concat(output) });
      else resolve({ ok: false, reason: "refused", message: Buffer.concat(trouble).toString("utf8").trim() });
    });
    // Git may end before it has read everything; why it did is told by its exit.
    git.stdin.on("error", () => undefined);
    git.stdin.end(input);
  });
}

/** The commit that is checked out; null outside git, or before the first commit. */
export async function currentRevision(root: string): Promise<string | null> {
  const answer = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return answer.ok ? answer.output.toString("utf8").trim() : null;
}
