// A line on a terminal that shows how far reading and importing are; nothing in a pipe.
import { formatCount } from "../../model/value.ts";
import type { Listener } from "../../service/calls.ts";
import { countdown, type LiveScreen, reportWaits } from "./live-screen.ts";

interface ReadingProgress {
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
    const rest = done === 0 ? "" : `, ${countdown(left)} left`;
    screen.show("work", [`reading ${formatCount(done)} of ${formatCount(total)} events${rest}`]);
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
