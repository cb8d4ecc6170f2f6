// What happens, while it happens: a line for each operation that ends, and on a terminal what is under way below them.
import type { ApplyListener } from "../../apply/run.ts";
import { nameOf } from "../../apply/words.ts";
import type { Operation } from "../../model/operation.ts";
import { safeText } from "../../report/safe-text.ts";
import { verbWords } from "../../report/verb-words.ts";
import type { Output, World } from "../world.ts";

export interface ApplyProgress {
  readonly listener: ApplyListener;
  end(): void;
}

const mostShown = 8;
const redrawMs = 80;
const gatherMs = 40;

const marks = { done: "done", failed: "FAILED", skipped: "skipped", unsure: "UNSURE" } as const;

/** With `json` on, standard output belongs to the JSON. */
export function applyProgress(world: World, total: number, json: boolean): ApplyProgress {
  const out: Output = json || world.stderr.isTerminal ? world.stderr : world.stdout;
  const live = out.isTerminal ? liveLines(out) : null;
  const running = new Map<string, string>();
  const width = String(total).length;
  let count = 0;

  const lines = gatherLines((text) => {
    live?.clear();
    out.write(text);
    live?.draw([...running.values()]);
  });
  const print = lines.add;

  return {
    listener: {
      onBegin(operation) {
        if (live === null) return;
        running.set(operation.id, `  … ${wordsOf(operation)}`);
        live.draw([...running.values()]);
      },
      onEnd(operation, performed) {
        count += 1;
        running.delete(operation.id);
        const why = performed.result === "done" ? "" : `: ${safeText(performed.error.message)}`;
        print(`  [${String(count).padStart(width)}/${total}] ${marks[performed.result]}: ${wordsOf(operation)}${why}`);
      },
      onWait(_address, message) {
        print(`  waiting: ${safeText(message)}`);
      },
    },
    end() {
      lines.flush();
      live?.clear();
    },
  };
}

/** Lines that come within a blink go out together: thousands of small writes would hold up the work itself. */
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

function wordsOf(operation: Operation): string {
  return safeText(`${verbWords[operation.verb]} ${nameOf(operation.address)}`);
}

/** The lowest lines of a terminal, drawn over and over. */
function liveLines(out: Output) {
  let drawn = 0;
  let last = 0;
  return {
    clear() {
      if (drawn > 0) out.write(`\u001b[${drawn}A\u001b[J`);
      drawn = 0;
    },
    draw(lines: readonly string[]) {
      const now = Date.now();
      if (now - last < redrawMs && drawn > 0) return;
      last = now;
      this.clear();
      const room = Math.max(20, out.columns - 1);
      const shown = lines.slice(0, mostShown).map((line) => line.slice(0, room));
      if (lines.length > mostShown) shown.push(`  … and ${lines.length - mostShown} more`);
      if (shown.length > 0) out.write(`${shown.join("\n")}\n`);
      drawn = shown.length;
    },
  };
}
