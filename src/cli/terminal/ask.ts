// Approval by a person at the terminal.
import { createInterface } from "node:readline";
import type { World } from "../../app/world.ts";

/** Whether there is somebody to ask. */
export function canAsk(world: World): boolean {
  return world.stdin.isTTY === true && world.stderr.isTerminal;
}

/** Only a clear yes is one. The prompt ends with what it is a yes to. */
export function ask(world: World, question: string, yesTo = "confirm"): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: world.stdin, terminal: false });
    function answer(text: string): void {
      // Closing the interface emits an empty answer, which is ignored because the promise is already resolved.
      resolve(/^yes$/i.test(text.trim()));
      world.interrupted.removeEventListener("abort", stop);
      lines.close();
    }
    function stop(): void {
      world.stderr.write("\n");
      answer("");
    }
    const prompt = `Type 'yes' to ${yesTo}: `;
    // Room for the answer is left on the line.
    const isLong = question.length + prompt.length + 5 > world.stderr.columns;
    world.stderr.write(`${question}${question === "" ? "" : isLong ? "\n" : " "}${prompt}`);
    world.interrupted.addEventListener("abort", stop, { once: true });
    lines.once("line", answer);
    lines.once("close", () => answer(""));
  });
}
