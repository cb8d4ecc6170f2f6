// Processes that a measurement needs: bundled once, run, timed, weighed.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** A file of this folder as a separate program. */
export async function bundle(name: string): Promise<string> {
  const outfile = resolve("test", "bench", "out", `${name}.mjs`);
  await build({
    entryPoints: [join("test", "bench", `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    target: "node20.19",
    logLevel: "warning",
  });
  return outfile;
}

/** A service that says where it is once it listens, and what it was asked when it is asked for that. */
export interface BenchService {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Calls since the last time. */
  calls(): Promise<readonly string[]>;
  stop(): void;
}

export async function startService(program: string, argv: readonly string[]): Promise<BenchService> {
  const child: ChildProcess = fork(program, [...argv], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [{ baseUrl, apiKey }] = (await once(child, "message")) as [{ baseUrl: string; apiKey: string }];
  return {
    baseUrl,
    apiKey,
    async calls() {
      child.send("calls");
      return (await once(child, "message"))[0] as readonly string[];
    },
    stop: () => child.kill(),
  };
}

export interface Ran {
  readonly ms: number;
  /** Processor time: what else the machine does hardly counts. */
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly status: number | null;
  readonly stdout: string;
}

/** Runs a program to its end; its peak memory is what the system counted for it. */
export async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const started = performance.now();
  const report =
    "process.on('exit',()=>{const u=process.resourceUsage();process.stderr.write(`\\nused ${u.maxRSS} ${u.userCPUTime+u.systemCPUTime}\\n`)})";
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const child = spawn(process.execPath, ["--import", preload, ...argv], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [status] = (await once(child, "close")) as [number | null];
  const [, kib, microseconds] = /used (\d+) (\d+)/.exec(stderr) ?? [];
  return {
    ms: performance.now() - started,
    cpuMs: Number(microseconds) / 1000,
    peakMb: Number(kib) / 1024,
    status,
    stdout,
  };
}
