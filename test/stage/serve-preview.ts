// `ticketing preview` in this process, until it is stopped.
import { setTimeout } from "node:timers/promises";
import type { World } from "../../src/app/world.ts";
import { ticketing } from "./test-world.ts";

export interface ServedPreview {
  /** Ends with a slash. */
  readonly url: string;
  /** After the line that names the target. */
  readonly reported: () => string;
  /** Ctrl-C; the exit code. */
  stop(): Promise<number>;
}

export async function servePreview(
  directory: string,
  argv: readonly string[] = [],
  world: Partial<World> = {},
): Promise<ServedPreview> {
  const interruption = new AbortController();
  const written = { stdout: "", stderr: "" };
  const outputTo = (stream: "stdout" | "stderr") => ({
    write(text: string) {
      written[stream] += text;
    },
    isTerminal: false,
    columns: 80,
  });
  let ended = false;
  const run = ticketing(["preview", "--port", "0", "--format", "json", "-C", directory, ...argv], {
    stdout: outputTo("stdout"),
    stderr: outputTo("stderr"),
    interrupted: interruption.signal,
    ...world,
  }).finally(() => {
    ended = true;
  });
  while (!written.stdout.includes("\n") && !ended) await setTimeout(5);
  const line = JSON.parse(written.stdout) as { url?: string };
  if (line.url === undefined) throw new Error(`the preview has not started: ${written.stdout}`);
  return {
    url: line.url,
    reported: () => written.stderr.replace(/^Target: .*\n/, ""),
    async stop() {
      interruption.abort();
      return (await run).exitCode;
    },
  };
}
