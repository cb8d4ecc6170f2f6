import { execFileSync } from "node:child_process";

/** One call of git after the other, and what they print. To start each from a process as large as this one takes longer than git. */
export function gitCalls(cwd: string, options: readonly string[], calls: readonly (readonly string[])[]): string {
  const lines = calls.map((args) => ["git", ...options, ...args].map(quoted).join(" "));
  return execFileSync("sh", ["-ec", lines.join("\n")], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
}

/** As one word of a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
