// How many GETs a second one sandbox process answers. The clients run in this process, the sandbox in another, so that
// the figure is that of one core and not of a core shared with its own load.
import { type ChildProcess, fork } from "node:child_process";
import { Agent, request } from "node:http";

export interface Throughput {
  readonly calls: number;
  readonly seconds: number;
  readonly callsPerSecond: number;
  /** Processor time of the sandbox alone, per second of the run. */
  readonly serverLoad: number;
  /** What it would answer with its own core and clients that keep up. */
  readonly callsPerCoreSecond: number;
}

export interface ThroughputOptions {
  /** A program that starts a sandbox with some events and speaks as sandbox-child.ts does. */
  readonly child: string;
  readonly calls?: number;
  readonly concurrency?: number;
}

interface Ready {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly paths: readonly string[];
}

export async function measureSandboxThroughput({
  child,
  calls = 20_000,
  concurrency = 16,
}: ThroughputOptions): Promise<Throughput> {
  const server = fork(child, { stdio: "inherit" });
  try {
    const ready = (await message(server)) as Ready;
    await run(ready, Math.ceil(calls / 4), concurrency);
    server.send("cpu");
    const cpuBefore = Number(await message(server));
    const began = performance.now();
    await run(ready, calls, concurrency);
    const seconds = (performance.now() - began) / 1000;
    server.send("cpu");
    const cpuSeconds = Number(await message(server)) - cpuBefore;
    return {
      calls,
      seconds,
      callsPerSecond: calls / seconds,
      serverLoad: cpuSeconds / seconds,
      callsPerCoreSecond: calls / cpuSeconds,
    };
  } finally {
    server.kill();
  }
}

function message(server: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    server.once("message", resolve);
    server.once("exit", () => reject(new Error("the sandbox ended")));
  });
}

async function run({ baseUrl, apiKey, paths }: Ready, calls: number, concurrency: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let sent = 0;
  async function worker(): Promise<void> {
    while (sent < calls) {
      const path = paths[sent++ % paths.length] ?? "/me";
      await get(baseUrl + path, apiKey, agent);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
}

function get(url: string, apiKey: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { "api-key": apiKey } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on("end", resolve);
    })
      .on("error", reject)
      .end();
  });
}
