// The program as it is installed: bundled, in a separate process.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const program = join(root, "bin", "ticketing.js");

/** Makes sure that the bundle is of these sources. Where it is, it is left alone: another test may be running it. */
export function buildProgram(): void {
  if (builtAt() > changedAt()) return;
  const built = spawnSync(process.execPath, [join(root, "scripts", "build.js")], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stderr}`);
}

// Every build writes this file again, even where no bundle changed.
function builtAt(): number {
  return statSync(join(root, "dist", "third-party-licenses.txt"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function changedAt(): number {
  const times = ["src", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => statSync(join(root, folder, file)).mtimeMs,
    ),
  );
  return Math.max(...times);
}

/** Before everything in the examples, so that they do not grow too old to be created. */
const exampleTime = "2026-12-01T00:00:00Z";

/** This process's environment without what would point the program elsewhere. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(TICKETING_|FORCE_COLOR|GITHUB_|CI$|COLUMNS$)/.test(name),
  );
  return { ...Object.fromEntries(own), NO_COLOR: "1", TICKETING_NOW: exampleTime, ...more };
}

export function runProgram(argv: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const ran = spawnSync(process.execPath, [program, ...argv], {
    cwd: options.cwd ?? root,
    env: cleanEnv(options.env),
    encoding: "utf8",
  });
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

export function startProgram(argv: readonly string[], cwd: string) {
  return spawn(process.execPath, [program, ...argv], { cwd, env: cleanEnv(), stdio: ["ignore", "pipe", "pipe"] });
}

/** A copy of an example in its own folder. */
export function copyExample(name: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), "ticketing-smoke-")), name);
  cpSync(join(root, "examples", name), folder, { recursive: true });
  return folder;
}
