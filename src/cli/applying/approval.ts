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
    const rest = 'Only "yes" is taken for yes: ';
    // Room for the answer is left on the line.
    const isLong = question.length + rest.length + 5 > world.stderr.columns;
    world.stderr.write(`${question}${isLong ? "\n" : " "}${rest}`);
    world.interrupted.addEventListener("abort", stop, { once: true });
    lines.once("line", answer);
    lines.once("close", () => answer(""));
  });
}
