import type { CommonOptions, World } from "../../../app/world.ts";
import { completionScript } from "../../completion/scripts.ts";
import type { shells } from "../../usage/files.ts";
import { usages } from "../../usages.ts";

export interface CompletionOptions extends CommonOptions {
  readonly shell: (typeof shells)[number];
}

/** Prints the script that makes a shell complete what can be typed. */
export async function runCompletion(world: World, options: CompletionOptions): Promise<number> {
  world.stdout.write(completionScript(options.shell, usages));
  return 0;
}
