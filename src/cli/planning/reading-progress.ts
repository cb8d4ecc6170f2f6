// A line on a terminal that tells how far the reading is; nothing in a pipe.
import type { Listener } from "../../service/listener.ts";
import type { World } from "../world.ts";

export interface ReadingProgress {
  tell(done: number, total: number): void;
  readonly listener: Listener;
  /** Takes the line away. */
  end(): void;
}

const clearLine = "\r\u001b[K";

export function readingProgress(world: World): ReadingProgress {
  const { stderr } = world;
  const started = Date.now();
  let shown = false;
  let last = 0;

  function show(text: string): void {
    if (!stderr.isTerminal) return;
    stderr.write(`${clearLine}${text.slice(0, Math.max(20, stderr.columns - 1))}`);
    shown = true;
  }

  return {
    tell(done, total) {
      // A short wait needs no words.
      if (Date.now() - started < 500 || (Date.now() - last < 100 && done < total)) return;
      last = Date.now();
      const left = Math.ceil((((last - started) / Math.max(1, done)) * (total - done)) / 1000);
      show(`reading ${done} of ${total} events, ${left} s left`);
    },
    listener: {
      onWait(note) {
        if (stderr.isTerminal) show(note.message);
        else if (note.ms > 2000) stderr.write(`${note.message}\n`);
      },
    },
    end() {
      if (shown) stderr.write(clearLine);
      shown = false;
    },
  };
}
