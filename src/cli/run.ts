import { clockOf } from "./clock.ts";
import { main } from "./main.ts";
import { tellTrouble } from "./trouble.ts";
import type { Output, World } from "./world.ts";

/** Runs in the real world: this process's arguments, streams, clock and signals. */
export async function run(): Promise<number> {
  const interruption = new AbortController();
  function onSignal(): void {
    // The second one is from somebody who does not want to wait.
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
  }
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  const stdout = outputTo(process.stdout);
  const stderr = outputTo(process.stderr);
  const now = clockOf(process.env.TICKETING_NOW);
  if (now === null) {
    stderr.write("error: TICKETING_NOW is not a time. Write it like 2027-03-01T09:00:00Z, or unset it.\n");
    return 1;
  }
  const world: World = {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    now,
    stdout,
    stderr,
    stdin: process.stdin,
    interrupted: interruption.signal,
  };
  process.on("uncaughtException", (error) => {
    tellTrouble(world, error);
    process.exit(1);
  });
  const exitCode = await main(world);
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
  return exitCode;
}

function outputTo(stream: NodeJS.WriteStream): Output {
  let open = true;
  // A reader that has seen enough (`| head`) closes the pipe. That is no failure, and no reason to stop an apply halfway.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    open = false;
  });
  return {
    write(text) {
      if (open) stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || 80;
    },
  };
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write("", () => resolve());
  });
}
