import { Readable } from "node:stream";
import type { Output, World } from "../../src/app/world.ts";
import { main } from "../../src/cli/main.ts";

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A world without a person in it, which remembers what was written. */
export function testWorld(argv: readonly string[], world: Partial<World> = {}) {
  const written = { stdout: "", stderr: "" };
  function outputTo(stream: "stdout" | "stderr"): Output {
    const write = (text: string) => {
      written[stream] += text;
    };
    return { write, isTerminal: false, columns: 80 };
  }
  const made: World = {
    argv,
    env: {},
    cwd: process.cwd(),
    now: () => Date.parse("2026-11-15T00:00:00Z"),
    stdout: outputTo("stdout"),
    stderr: outputTo("stderr"),
    stdin: Readable.from([]),
    interrupted: new AbortController().signal,
    ...world,
  };
  return { world: made, written };
}

/** What typing `ticketing …` does. */
export async function ticketing(argv: readonly string[], world: Partial<World> = {}): Promise<Ran> {
  const made = testWorld(argv, world);
  const exitCode = await main(made.world);
  return { exitCode, ...made.written };
}
