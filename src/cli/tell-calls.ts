import { safeLine } from "../report/safe-text.ts";
import type { Listener } from "../service/listener.ts";
import type { World } from "./world.ts";

const longWaitMs = 2_000;

/** Tells people of every call (with --verbose) and of every wait that they would wonder about. Notes never hold the key. */
export function tellCalls(world: World, verbose: boolean, also: Listener): Listener {
  function tell(text: string): void {
    world.stderr.write(`${safeLine(text)}\n`);
  }
  return {
    ...also,
    onAnswer(note) {
      also.onAnswer?.(note);
      if (!verbose) return;
      const outcome =
        note.status === null
          ? (note.code ?? "no answer")
          : `${note.status}${note.code === null ? "" : ` ${note.code}`}`;
      const again = note.attempt > 1 ? `, attempt ${note.attempt}` : "";
      tell(`  ${note.method} ${note.path} ${outcome} (${Math.round(note.ms)} ms${again})`);
    },
    onWait(note) {
      also.onWait?.(note);
      if (also.onWait === undefined && (verbose || note.ms >= longWaitMs)) tell(note.message);
    },
    onRetry(note) {
      also.onRetry?.(note);
      if (verbose) tell(`  again in ${Math.round(note.delayMs)} ms: ${note.problem.message}`);
    },
  };
}
