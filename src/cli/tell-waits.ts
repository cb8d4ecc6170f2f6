// Waits for the service's rate limit: counted down on a terminal, one line each elsewhere.
import { safeLine } from "../report/safe-text.ts";
import type { Listener } from "../service/listener.ts";
import type { LiveScreen } from "./live-screen.ts";

const longWaitMs = 2_000;
const tickMs = 1_000;

/** `onTick` hears how much of the wait is left, each time that is shown and once more when it is over. */
export function tellWaits(screen: LiveScreen, onTick: (leftMs: number) => void = () => undefined): Listener {
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
