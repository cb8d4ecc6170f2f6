import { isAbsolute, parse } from "node:path";
import { reportProblems } from "../app/session.ts";
import { interruptedCode, type Output, type World } from "../app/world.ts";
import { errorOf } from "../model/diagnostic.ts";
import { main, redactingWorld } from "./main.ts";
import { asksForJson, reportCrash } from "./report-crash.ts";

/** The clock of all commands: TICKETING_NOW stops it, so that two runs print the same. null if that is not a time. */
export function clockOf(setting: string | undefined): (() => number) | null {
  if (setting === undefined || setting === "") return Date.now;
  // A time without a zone would mean another instant on every machine.
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(setting) || !setting.includes("T") ? setting : `${setting}Z`;
  const instant = Date.parse(zoned);
  return Number.isNaN(instant) || !/^[+-]?\d{4}/.test(setting) ? null : () => instant;
}

export interface RealOutput extends Output {
  /** Resolves when everything is written, with the error if it could not be. */
  drained(): Promise<Error | null>;
}

/** Runs the command that this process's arguments name, until everything it prints is written. */
export async function runArguments(
  times: Pick<World, "lockTimes">,
  stdout: RealOutput,
  stderr: RealOutput,
): Promise<number> {
  const now = clockOf(process.env.TICKETING_NOW);
  const interruption = onInterrupt();
  const world: World = redactingWorld({
    ...times,
    argv: process.argv.slice(2),
    env: process.env,
    cwd: currentFolder(),
    now: now ?? Date.now,
    stdout,
    stderr,
    // Node creates a stream when it is first used, and that takes time.
    get stdin() {
      return process.stdin;
    },
    get interrupted() {
      return interruption();
    },
  });
  process.on("uncaughtException", (error) => {
    reportCrash(world, error);
    process.exit(1);
  });
  const exitCode = now === null ? reportBadClock(world) : await main(world);
  const [failure] = await Promise.all([stdout.drained(), stderr.drained()]);
  if (failure === null) return exitCode;
  reportCrash(world, failure);
  await stderr.drained();
  return exitCode === 0 ? 1 : exitCode;
}

/** Where the command is typed. A folder that was deleted meanwhile no longer has a path, but the shell still knows it. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Libraries ask for the folder, too, and would treat the failure as an empty folder.
    process.chdir(parse(process.execPath).root);
    const known = process.env.PWD ?? "";
    return isAbsolute(known) ? known : process.cwd();
  }
}

function reportBadClock(world: World): number {
  const format = asksForJson(world.argv) ? "json" : "text";
  return reportProblems(world, format, [
    errorOf("bad-clock", "TICKETING_NOW is not a time.", "Write it like 2027-03-01T09:00:00Z, or unset it."),
  ]);
}

/** The signal that the first Ctrl-C aborts. A second one means that somebody does not want to wait. */
function onInterrupt(): () => AbortSignal {
  let controller: AbortController | undefined;
  let interrupted = false;
  function onSignal(): void {
    if (interrupted) process.exit(interruptedCode);
    interrupted = true;
    controller?.abort();
  }
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return () => {
    if (controller === undefined) {
      controller = new AbortController();
      if (interrupted) controller.abort();
    }
    return controller.signal;
  };
}
