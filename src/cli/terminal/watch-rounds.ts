// --watch: a command's work again and again, as files change.

import { createInterface } from "node:readline";
import { changedFiles, nextScan, noSuchFolder, reportProblems, scanFiles, signalAt } from "../../app/session.ts";
import {
  type CommonOptions,
  interruptedCode,
  isOnRunner,
  type Output,
  variantOf,
  type World,
} from "../../app/world.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { pluralize } from "../../model/value.ts";
import { safeLine } from "../../report/text.ts";
import { clearScreen } from "./live-screen.ts";

/** `asked`: a person wants it again, although no file has changed. */
type Round = (world: World, asked: boolean) => Promise<unknown>;

/** Why --watch cannot work; `others` are flags that were typed and mean nothing with it. */
export function whyNotWatched(
  world: World,
  { format }: CommonOptions,
  others: readonly string[] = [],
): Diagnostic | null {
  if (isOnRunner(world))
    return errorOf("bad-option", "--watch waits for people to edit files, but this is a CI job.", "Leave out --watch.");
  const [other] = [...(format === "text" ? [] : [`--format ${format}`]), ...others];
  if (other === undefined) return null;
  const message = `--watch prints text until you press Ctrl-C, so it cannot be combined with ${other}.`;
  return errorOf("bad-option", message, "Leave out one of the two.");
}

interface WatchNotes {
  /** The text below each result. */
  readonly note?: () => string;
  /** When something comes due after the last result; null: nothing does. */
  readonly nextDue?: () => number | null;
}

/** Runs until Ctrl-C, or until the output is closed. */
export async function watchRounds(
  world: World,
  { directory, format, verbose }: CommonOptions,
  round: Round,
  { note = () => "", nextDue = () => null }: WatchNotes = {},
): Promise<number> {
  const missing = noSuchFolder(world, directory);
  if (missing !== null) return reportProblems(world, format, [missing]);
  const isTerminal = world.stdout.isTerminal;
  let scan = await scanFiles(directory);
  let changed: readonly string[] = [];
  let isDue = false;
  for (let count = 1; !world.interrupted.aborted && world.stdout.isClosed !== true; count++) {
    const head = count === 1 ? "" : `${timeOfDay(world.now())} ${isDue ? dateReached : whatChanged(changed, scan)}\n`;
    // Without a terminal results follow one another.
    const start = isTerminal ? `${clearScreen}${head}` : count === 1 ? "" : `\n${head}`;
    const shown = variantOf(world, { stdout: startingWith(world.stdout, start, verbose) });
    await round(shown, count > 1 && changed.length === 0);
    if (world.interrupted.aborted) break;
    const enter = isTerminal ? onEnter(world) : null;
    const again = enter === null ? "" : " Enter runs it again;";
    if (isTerminal || count === 1)
      world.stderr.write(`\nWatching ${pluralize(scan.size, "file")}.${note()}${again} Ctrl-C stops.\n`);
    const due = signalAt(world, nextDue() ?? Number.POSITIVE_INFINITY);
    const stop = AbortSignal.any([world.interrupted, due, ...(enter === null ? [] : [enter.signal])]);
    const now = await nextScan(directory, scan, stop);
    enter?.end();
    changed = changedFiles(scan, now);
    isDue = due.aborted && changed.length === 0;
    scan = now;
  }
  return world.interrupted.aborted ? interruptedCode : 0;
}

export const dateReached = "A date was reached";

/** The screen is redrawn once there is a new result; output that was requested stays. */
function startingWith(out: Output, start: string, atOnce: boolean): Output {
  let left = start;
  const take = () => {
    const text = left;
    left = "";
    return text;
  };
  if (atOnce) out.write(take());
  return variantOf(out, { write: (text: string) => out.write(take() + text) });
}

/** `left`: the files that are there now. */
export function whatChanged(files: readonly string[], left?: ReadonlyMap<string, unknown>): string {
  const [first, ...others] = files;
  if (first === undefined) return "again";
  const does = left !== undefined && files.every((file) => !left.has(file)) ? "deleted" : "changed";
  return safeLine(`${first}${others.length === 0 ? "" : ` and ${pluralize(others.length, "other file")}`} ${does}`);
}

export function timeOfDay(instant: number): string {
  return new Date(instant).toTimeString().slice(0, 8);
}

function onEnter({ stdin }: World): { readonly signal: AbortSignal; end(): void } | null {
  if (stdin.isTTY !== true) return null;
  const pressed = new AbortController();
  const press = () => pressed.abort();
  stdin.once("data", press).resume();
  return {
    signal: pressed.signal,
    end() {
      stdin.off("data", press).pause();
    },
  };
}

// Approval by a person at the terminal.

export function canAsk(world: World): boolean {
  return world.stdin.isTTY === true && world.stderr.isTerminal;
}

/** Only a clear yes is one. The prompt ends with what it is a yes to. */
export function ask(world: World, question: string, yesTo = "confirm"): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: world.stdin, terminal: false });
    function answer(text: string): void {
      // Closing the interface emits an empty answer, which is ignored because the promise is already resolved.
      resolve(/^yes$/i.test(text.trim()));
      world.interrupted.removeEventListener("abort", stop);
      lines.close();
    }
    function stop(): void {
      world.stderr.write("\n");
      answer("");
    }
    const prompt = `Type 'yes' to ${yesTo}: `;
    // Room for the answer is left on the line.
    const isLong = question.length + prompt.length + 5 > world.stderr.columns;
    world.stderr.write(`${question}${question === "" ? "" : isLong ? "\n" : " "}${prompt}`);
    world.interrupted.addEventListener("abort", stop, { once: true });
    lines.once("line", answer);
    lines.once("close", () => answer(""));
  });
}
