// Where the program begins. V8 compiles this file at every start, and everything else was compiled with the build: so it is small.
import { version, type World } from "../app/world.ts";
import type { RealOutput } from "./run-arguments.ts";

/** Runs in the real world: this process's arguments, streams, clock and signals. Tests of the program set shorter times. */
export async function run(times: Pick<World, "lockTimes"> = {}): Promise<number> {
  const stdout = outputTo(() => process.stdout);
  const first = process.argv[2];
  if (first === "--version" || first === "-V") {
    stdout.write(`${version}\n`);
    if ((await stdout.drained()) === null) return 0;
  }
  const { runArguments } = await import("./run-arguments.ts");
  return runArguments(
    times,
    stdout,
    outputTo(() => process.stderr),
  );
}

function outputTo(stream: () => NodeJS.WriteStream): RealOutput {
  let used: NodeJS.WriteStream | undefined;
  let open = true;
  let failure: Error | null = null;
  function use(): NodeJS.WriteStream {
    if (used === undefined) {
      used = stream();
      // A reader that has seen enough (`| head`) closes the pipe. That is not a failure, and no reason to stop an apply halfway.
      // A full disk does not stop it either, but output is lost then, so it is reported at the end.
      used.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code !== "EPIPE") failure ??= error;
        open = false;
      });
    }
    return used;
  }
  return {
    write(text) {
      if (open) use().write(text);
    },
    get isClosed() {
      return !open;
    },
    get isTerminal() {
      return use().isTTY === true;
    },
    get columns() {
      if (use().isTTY === true) return use().columns || 80;
      // A file or a job's log has no edge, and sentences can be searched for.
      return Number(process.env.COLUMNS) || Number.POSITIVE_INFINITY;
    },
    get rows() {
      return use().rows || undefined;
    },
    drained() {
      return new Promise((resolve) => {
        // A stream reports the error of a write a moment later.
        const done = () => setImmediate(() => resolve(failure));
        if (used === undefined) resolve(null);
        else if (used.destroyed || !used.writable) done();
        else used.write("", done);
      });
    },
  };
}
