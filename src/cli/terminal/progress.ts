// A line on a terminal that shows how far reading and importing are; nothing in a pipe.
import type { World } from "../../app/world.ts";
import { formatDuration } from "../../model/time.ts";
import { formatCount } from "../../model/value.ts";
import { sanitize } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";
import { countdown, type LiveScreen, reportWaits } from "./live-screen.ts";

export interface ReadingProgress {
  onProgress(done: number, total: number): void;
  readonly listener: Listener;
  /** Takes what is shown away. */
  end(): void;
}

export function readingProgress(screen: LiveScreen): ReadingProgress {
  const { interrupted } = screen.world;
  const started = Date.now();
  let last = 0;
  let waitEnds = 0;
  let known: { readonly done: number; readonly total: number } | null = null;

  function end(): void {
    interrupted.removeEventListener("abort", end);
    known = null;
    screen.clear();
  }

  function show(): void {
    if (known === null) return;
    // A command that only reads ends there and then, and must leave no line behind.
    interrupted.addEventListener("abort", end, { once: true });
    const { done, total } = known;
    const now = Date.now();
    // Nothing ends before a wait that is under way.
    const left = Math.max(((now - started) / Math.max(1, done)) * (total - done), waitEnds - now);
    screen.show("work", [`reading ${formatCount(done)} of ${formatCount(total)} events, ${countdown(left)} left`]);
  }

  return {
    onProgress(done, total) {
      if (interrupted.aborted) return;
      // A short wait needs no words.
      if (Date.now() - started < 500 || (Date.now() - last < 100 && done < total)) return;
      last = Date.now();
      known = { done, total };
      show();
    },
    listener: reportWaits(screen, (leftMs) => {
      waitEnds = Date.now() + leftMs;
      show();
    }),
    end,
  };
}

// A bar on a terminal that shows how far the reading is; nothing in a pipe.

const clearLine = "\r\u001b[K";
const barWidth = 24;

export function importProgress(world: World): ReadingProgress {
  const { stderr } = world;
  const started = performance.now();
  let shown = false;
  let waitEnds = 0;
  let bar = "";

  function show(text: string): void {
    if (!stderr.isTerminal) return;
    stderr.write(`${clearLine}${sanitize(text).slice(0, Math.max(20, stderr.columns - 1))}`);
    shown = true;
  }

  return {
    onProgress(done, total) {
      const full = Math.round((done / Math.max(1, total)) * barWidth);
      const now = performance.now();
      // Nothing ends before a wait that is under way.
      const rest = Math.max(((now - started) / Math.max(1, done)) * (total - done), waitEnds - now) / 1000;
      const left = done === 0 ? "" : `, ${formatDuration(rest)} left`;
      bar = `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${formatCount(done)} of ${formatCount(total)} events`;
      show(`${bar}${done === total ? "" : left}`);
    },
    listener: {
      onWait(note) {
        waitEnds = performance.now() + note.ms;
        if (stderr.isTerminal) show(bar === "" ? note.message : `${bar}: ${note.message}`);
        else if (note.ms > 2000) stderr.write(`${note.message}\n`);
      },
    },
    end() {
      if (shown) stderr.write(clearLine);
      shown = false;
    },
  };
}
