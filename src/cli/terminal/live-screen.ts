// The lowest lines of a terminal, drawn over and over: what is under way, and what is waited for. Without a terminal nothing.
import { type Output, variantOf, type World } from "../../app/world.ts";
import { cutText, safeLine } from "../../report/text.ts";
import type { Listener } from "../../service/calls.ts";

/** From top to bottom. */
const parts = ["work", "wait"] as const;
export type LivePart = (typeof parts)[number];

export interface LiveScreen {
  /** The same world, where whatever is written goes above the live lines. */
  readonly world: World;
  readonly isLive: boolean;
  /** In place of what this part showed before. Lines must be safe to be shown. */
  show(part: LivePart, lines: readonly string[]): void;
  /** Takes all live lines away. */
  clear(): void;
}

const redrawMs = 80;

export const clearScreen = "\u001b[2J\u001b[3J\u001b[H";

export function liveScreen(world: World): LiveScreen {
  const { stderr } = world;
  const isLive = stderr.isTerminal;
  const shown = new Map<LivePart, readonly string[]>();
  let drawn = 0;
  let midLine = false;
  let timer: NodeJS.Timeout | null = null;

  // A key that the terminal shows, as ^C, moves the cursor from where it was left.
  function erasure(): string {
    return drawn === 0 ? "" : `\r\u001b[${drawn}A\u001b[J`;
  }

  function frame(): string {
    const room = Math.max(20, stderr.columns) - 1;
    const lines = midLine ? [] : parts.flatMap((part) => shown.get(part) ?? []);
    drawn = lines.length;
    return lines.map((line) => `${cutText(line, room)}\n`).join("");
  }

  function draw(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = erasure() + frame();
    if (text !== "") stderr.write(text);
  }

  function writeAbove(out: Output, text: string): void {
    if (text === "") return;
    const erase = erasure();
    midLine = !text.endsWith("\n");
    if (out === stderr) stderr.write(erase + text + frame());
    else {
      if (erase !== "") stderr.write(erase);
      out.write(text);
      const below = frame();
      if (below !== "") stderr.write(below);
    }
  }

  return {
    isLive,
    world: isLive ? worldAbove(world, writeAbove) : world,
    show(part, lines) {
      if (!isLive) return;
      shown.set(part, lines);
      timer ??= setTimeout(draw, redrawMs).unref();
    },
    clear() {
      shown.clear();
      if (isLive) draw();
    },
  };
}

function worldAbove(world: World, write: (out: Output, text: string) => void): World {
  const above = (out: Output) => (out.isTerminal ? variantOf(out, { write: (text: string) => write(out, text) }) : out);
  return variantOf(world, { stdout: above(world.stdout), stderr: above(world.stderr) });
}

// Waits for the service's rate limit: counted down on a terminal, one line each elsewhere.

const longWaitMs = 2_000;
const tickMs = 1_000;

/** `onTick` hears how much of the wait is left, each time that is shown and once more when it is over. */
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

/** How long something still takes, to the second. */
export function countdown(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}
