// The real program stays for an instant a few seconds ahead, with its state in git and a service behind HTTP.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSandbox } from "../../src/sandbox/index.ts";
import { removeFolder } from "./remove-folder.ts";

export interface Waited {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** Between the instant and the first call that writes, in milliseconds; null: there was none. */
  readonly lateMs: number | null;
  readonly readsAhead: number;
  /** Between the instant and that call. */
  readonly readsBetween: number;
}

export interface WaitedOptions {
  /** How far the instant is ahead when the program starts; further where the machine is so busy that a run takes long. */
  readonly inMs: number;
  /** Called whenever the program has written to stderr. */
  readonly onText?: (text: string, child: ChildProcess) => void;
}

export async function waitedApply({ inMs, onText }: WaitedOptions): Promise<Waited> {
  const place = mkdtempSync(join(tmpdir(), "ticketing-wait-"));
  const project = join(place, "project");
  mkdirSync(join(project, "events"), { recursive: true });
  const calls: { readonly at: number; readonly line: string }[] = [];
  const sandbox = await startSandbox({ log: (line) => void calls.push({ at: Date.now(), line }) });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: project });
  const env = { ...process.env, TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const { TICKETING_NOW: _, ...clean } = env as Readonly<Record<string, string | undefined>>;

  const start = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();

  function write(instant: number): void {
    writeFileSync(
      join(project, "events", "nights.yaml"),
      `name: Nights
dateTime: ${start}
status: DRAFT
locationType: ONLINE
tickets:
  - { name: GA, price: 500, quantity: 100, published: true }
phases:
  - { name: On sale, from: ${new Date(instant).toISOString()}, status: PUBLISHED }
`,
    );
    git("add", "-A");
    git("commit", "-qm", "Edit");
  }

  function run(...argv: readonly string[]): Promise<{ readonly exitCode: number | null; readonly stderr: string }> {
    const child = spawn(process.execPath, [resolve("bin", "ticketing.js"), "apply", "--yes", ...argv, "-C", project], {
      env: clean,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      onText?.(stderr, child);
    });
    return new Promise((done) => child.on("close", (exitCode) => done({ exitCode, stderr })));
  }

  try {
    writeFileSync(join(project, "ticketing.yaml"), "version: 1\nstate: { backend: git }\n");
    git("init", "-q", "--bare", join(place, "remote.git"));
    git("init", "-q", ".");
    git("remote", "add", "origin", join(place, "remote.git"));
    write(Date.now() + 3_600_000);
    const before = Date.now();
    const begun = await run();
    if (begun.exitCode !== 0) throw new Error(begun.stderr);
    const instant = Date.now() + Math.max(inMs, 4 * (Date.now() - before));
    write(instant);
    calls.length = 0;
    const ran = await run("--base", "last", "--wait", "10m");
    const first = calls.findIndex(({ line }) => !line.includes("GET"));
    const reads = first === -1 ? calls : calls.slice(0, first);
    const readsAhead = reads.filter(({ at }) => at < instant).length;
    return {
      ...ran,
      lateMs: first === -1 ? null : (calls[first]?.at ?? 0) - instant,
      readsAhead,
      readsBetween: reads.length - readsAhead,
    };
  } finally {
    await sandbox.close();
    removeFolder(place);
  }
}
