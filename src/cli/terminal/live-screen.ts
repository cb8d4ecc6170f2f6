// The bottom lines of a terminal, redrawn continuously: what is in progress and what is being waited for. Without a terminal, nothing.
import { type Output, variantOf, type World } from "../../app/world.ts";
import { cutText } from "../../report/text.ts";

/** From top to bottom. */
const parts = ["work", "wait"] as const;
type LivePart = (typeof parts)[number];

export type LiveScreen = ReturnType<typeof liveScreen>;

const redrawMs = 80;

export const clearScreen = "\u001b[2J\u001b[3J\u001b[H";

export function liveScreen(world: World) {
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
    /** The same world, but everything is written above the live lines. */
    world: isLive ? worldAbove(world, writeAbove) : world,
    /** In place of what this part showed before. Lines must be safe to be shown. */
    show(part: LivePart, lines: readonly string[]): void {
      if (!isLive) return;
      shown.set(part, lines);
      timer ??= setTimeout(draw, redrawMs).unref();
    },
    clear(): void {
      shown.clear();
      if (isLive) draw();
    },
  };
}

function worldAbove(world: World, write: (out: Output, text: string) => void): World {
  const above = (out: Output) => (out.isTerminal ? variantOf(out, { write: (text: string) => write(out, text) }) : out);
  return variantOf(world, { stdout: above(world.stdout), stderr: above(world.stderr) });
}
