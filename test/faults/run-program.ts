// The real program as a separate process, in its own folder, against a sandbox in this process.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Fault, type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import { ticketing } from "../stage/test-world.ts";
import type { Files } from "../stage/theater.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

export interface Place {
  readonly directory: string;
  readonly sandbox: Sandbox;
  /** Other files in the place of those that are there. */
  replace(files: Files): void;
  /** A separate process, which can be killed. */
  apply(more?: Readonly<Record<string, string>>, fault?: Fault): Promise<Ended>;
  /** The same command within this process: faster, for runs that no one kills. */
  applyHere(...flags: readonly string[]): Promise<Ended>;
  /** Called after each call that the service answered. */
  watch(watcher: (method: string, path: string) => void): void;
  /** What the file sink holds. */
  secrets(): ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export const program = fileURLToPath(new URL("../../bin/ticketing.js", import.meta.url));
const dieAtSync = pathToFileURL(fileURLToPath(new URL("./die-at-sync.js", import.meta.url))).href;
const everyRisk = ["delete-event", "delete-webhook", "delete-ticket-on-sale"].flatMap((code) => ["--allow", code]);
const now = "2027-01-10T00:00:00Z";
// A response that does not come is waited for half a minute otherwise.
const timeouts = { headersMs: 1000 };

/** The process kills itself at the n-th time that it makes a file durable: a journal by its data, others whole. */
export function dyingAt(what: "journal" | "file", at: number, moment: "before" | "after"): Record<string, string> {
  return { NODE_OPTIONS: `--import=${dieAtSync}`, DIE_WRITING: what, DIE_AT_SYNC: String(at), DIE_MOMENT: moment };
}

export interface PlaceOptions {
  readonly profile?: string;
  readonly settleSeconds?: number;
}

export async function openPlace(files: Files, options: PlaceOptions = {}): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), "ticketing-binary-"));
  const { profile } = options;
  let watcher: (method: string, path: string) => void = () => undefined;
  const sandbox = await startSandbox({
    organization: { slug: "bayside" },
    log(line) {
      const [method = "", path = ""] = line.split(" ");
      watcher(method, path);
    },
    ...(profile === undefined ? {} : { profile }),
  });
  const settle = String(options.settleSeconds ?? 0.05);
  const words = ["apply", "--yes", "--settle", settle, "--parallelism", "2", ...everyRisk];
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  function write(wanted: Files): void {
    for (const [file, text] of Object.entries(wanted)) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), text);
    }
  }
  write(files);
  return {
    directory,
    sandbox,
    replace(wanted) {
      rmSync(join(directory, "events"), { recursive: true, force: true });
      write(wanted);
    },
    apply(more = {}, fault) {
      return new Promise((resolve) => {
        const child = spawn(process.execPath, [program, ...words], {
          cwd: directory,
          env: { PATH: process.env.PATH, HOME: directory, TICKETING_NOW: now, ...env, ...more },
          stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        child.stdout.on("data", (text) => (output += text));
        child.stderr.on("data", (text) => (output += text));
        if (fault !== undefined) sandbox.control.addFault({ ...fault, onKill: () => void child.kill("SIGKILL") });
        child.on("close", (code, signal) => resolve({ code, signal, output }));
      });
    },
    async applyHere(...flags) {
      const { exitCode, stdout, stderr } = await ticketing([...words, ...flags, "-C", directory], {
        env,
        now: () => Date.parse(now),
        timeouts,
      });
      return { code: exitCode, signal: null, output: stdout + stderr };
    },
    watch(wanted) {
      watcher = wanted;
    },
    secrets() {
      const file = join(directory, ".ticketing/secrets.json");
      const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).webhooks : {};
      return new Map(
        Object.entries(kept as Record<string, { secret: string }>).map(([id, { secret }]) => [id, secret]),
      );
    },
    async close() {
      await sandbox.abandon();
      removeFolder(directory);
    },
  };
}
