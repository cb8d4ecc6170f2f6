import { createInterface } from "node:readline";
import type { World } from "../world.ts";

/** Whether there is somebody to ask. */
export function canAsk(world: World): boolean {
  return world.stdin.isTTY === true && world.stderr.isTerminal;
}

/** Only a clear yes is one. */
export function ask(world: World, question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: world.stdin, terminal: false });
    function answer(text: string): void {
      // Closing tells of itself as an empty answer, which then comes too late.
      resolve(/^yes$/i.test(text.trim()));
      world.interrupted.removeEventListener("abort", stop);
      lines.close();
    }
    function stop(): void {
      world.stderr.write("\n");
      answer("");
    }
    world.stderr.write(`${question} Only "yes" is taken for yes: `);
    world.interrupted.addEventListener("abort", stop, { once: true });
    lines.once("line", answer);
    lines.once("close", () => answer(""));
  });
}
