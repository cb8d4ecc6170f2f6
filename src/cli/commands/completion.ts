import type { CommonOptions, World } from "../../app/world.ts";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { placesOf } from "../completion/places.ts";
import { zshScript } from "../completion/zsh.ts";
import type { shells } from "../usage/files.ts";
import { usages } from "../usages.ts";

export interface CompletionOptions extends CommonOptions {
  readonly shell: (typeof shells)[number];
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the script that makes a shell complete what can be typed. */
export async function runCompletion(world: World, options: CompletionOptions): Promise<number> {
  world.stdout.write(scripts[options.shell](placesOf(usages)));
  return 0;
}
