// How far a command is: waits, reading, and each operation of an apply. Redrawn on a terminal, one line each elsewhere.
import type { ApplyProgress } from "../../app/apply.ts";
import type { Output, World } from "../../app/world.ts";
import type { Plan } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import { operationWords } from "../../report/plan.ts";
import { safeLine, safeText, wrapText } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";

import { type LiveScreen, liveScreen } from "./live-screen.ts";

// Waits for the service's rate limit: counted down on a terminal, one line each elsewhere.

const longWaitMs = 2_000;
const tickMs = 1_000;

/** `onTick` is called with the time left, each time it is shown and once at the end. */
export function reportWaits(screen: LiveScreen, onTick: (leftMs: number) => void = () => undefined): Listener {
  const { world } = screen;
  let until = 0;
  let why = "";
  let timer: NodeJS.Timeout | null = null;

  function end(): void {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    world.interrupted.removeEventListener("abort", end);
    screen.show("wait", []);
    onTick(0);
  }

  function tick(): void {
    const left = until - Date.now();
    if (left <= 0) {
      end();
      return;
    }
    screen.show("wait", [safeLine(`  waiting ${countdown(left)}: ${why}`)]);
    onTick(left);
    timer = setTimeout(tick, Math.min(tickMs, left)).unref();
  }

  return {
    onWait(note) {
      if (!screen.isLive) {
        if (note.ms > longWaitMs) world.stderr.write(`${safeLine(note.message)}\n`);
        return;
      }
      if (timer !== null) clearTimeout(timer);
      until = Date.now() + note.ms;
      why = note.why;
      world.interrupted.addEventListener("abort", end, { once: true });
      tick();
    },
    // Nothing new is sent during a wait.
    onCall: end,
  };
}

function countdown(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}

/** `end` removes what is shown. */
export function readingProgress(screen: LiveScreen) {
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
    // No operation finishes during a wait.
    const left = Math.max(((now - started) / Math.max(1, done)) * (total - done), waitEnds - now);
    const rest = done === 0 || done === total ? "" : `, ${countdown(left)} left`;
    screen.show("work", [`reading ${formatCount(done)} of ${formatCount(total)} events${rest}`]);
  }

  return {
    onProgress(done: number, total: number): void {
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

/** A live screen that shows how far reading is. */
export function openReading(outside: World) {
  const screen = liveScreen(outside);
  return { screen, world: screen.world, ...readingProgress(screen) };
}

// Operations as they happen: a line for each that ends, and on a terminal those in progress below them.

const mostShown = 8;
const gatherMs = 40;

const marks = { done: "done", failed: "FAILED", skipped: "skipped", unsure: "UNCONFIRMED" } as const;

type Steps = Pick<Plan, "operations" | "changes" | "observed">;

/** `json`: standard output belongs to the JSON. */
export function applyProgress(screen: LiveScreen, plan: Steps, json: boolean, parallelism: number): ApplyProgress {
  const { world, isLive } = screen;
  const out: Output = json || isLive ? world.stderr : world.stdout;
  const running = new Map<string, string>();
  const total = plan.operations.length;
  const width = formatCount(total).length;
  const wordsOf = operationWords(plan);
  let count = 0;

  const lines = gatherLines((text) => out.write(text));

  /** Lines that other programs read stay whole. */
  function addWrapped(text: string, mayWrap = true): void {
    const [first = "", ...rest] = mayWrap ? wrapText(text, out.columns - 4, out.columns - 2) : [text];
    lines.add(`  ${first.trimEnd()}`);
    for (const line of rest) lines.add(`    ${line.trim()}`);
  }

  function showRunning(): void {
    // More operations are started than are in flight: the others prepare or queue.
    const all = [...running.values()].slice(0, parallelism);
    const more = all.length > mostShown ? [`  … and ${formatCount(all.length - mostShown)} more`] : [];
    screen.show("work", [...all.slice(0, mostShown), ...more]);
  }

  return {
    listener: {
      onBegin(operation) {
        if (!isLive) return;
        running.set(operation.id, `  … ${wordsOf(operation)}`);
        showRunning();
      },
      onEnd(operation, performed) {
        if (running.delete(operation.id)) showRunning();
        // Operations that had not begun when the run was stopped are reported at the end, in one line.
        if (performed.result === "skipped" && world.interrupted.aborted) return;
        count += 1;
        const why = performed.result === "done" ? "" : `: ${safeText(performed.error.message)}`;
        const place = `[${formatCount(count).padStart(width)}/${formatCount(total)}]`;
        addWrapped(`${place} ${marks[performed.result]}: ${wordsOf(operation)}${why}`, out.isTerminal);
      },
      onWait: (_address, message) => addWrapped(`waiting: ${safeText(message)}`),
    },
    end() {
      lines.flush();
      screen.clear();
    },
  };
}

/** Lines that arrive almost together are written together: thousands of small writes would slow the work itself. */
function gatherLines(write: (text: string) => void) {
  let text = "";
  let timer: NodeJS.Timeout | null = null;
  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (text !== "") write(text);
    text = "";
  }
  return {
    flush,
    add(line: string): void {
      text += `${line}\n`;
      timer ??= setTimeout(flush, gatherMs);
    },
  };
}

/** The function that it returns stops listening. */
export function reportStopping({ stderr, interrupted }: World): () => void {
  function report(): void {
    // The terminal has written ^C where the cursor was.
    const start = stderr.isTerminal ? "\r\u001b[K" : "";
    stderr.write(`${start}stopping: calls in flight finish, nothing new starts\n`);
  }
  interrupted.addEventListener("abort", report, { once: true });
  return () => interrupted.removeEventListener("abort", report);
}
