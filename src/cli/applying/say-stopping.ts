import type { World } from "../world.ts";

const stoppingWords = "stopping: calls under way end, nothing new starts";

/** Says at once that Ctrl-C was heard, because what is under way may take a while. The function ends that. */
export function sayStopping(world: World): () => void {
  const { stderr, interrupted } = world;
  function say(): void {
    // The terminal has written ^C where the cursor was.
    stderr.write(`${stderr.isTerminal ? "\r\u001b[K" : ""}${stoppingWords}\n`);
  }
  interrupted.addEventListener("abort", say, { once: true });
  return () => interrupted.removeEventListener("abort", say);
}
