import type { World } from "./world.ts";

/** What every command is handed, besides its own flags and parameters under their camel-cased names. */
/** What to type after a command's name to reach the same service again. */
export function sameTarget({ env, baseUrl }: Pick<CommonOptions, "env" | "baseUrl">): readonly string[] {
  return [...(env === undefined ? [] : ["--env", env]), ...(baseUrl === undefined ? [] : ["--base-url", baseUrl])];
}

export interface CommonOptions {
  /** The project's directory, absolute: -C or where the command was typed. */
  readonly directory: string;
  readonly env?: string;
  readonly baseUrl?: string;
  readonly format: string;
  /** Whether text for people is coloured. */
  readonly color: boolean;
  readonly verbose: boolean;
}

/** --no-color and NO_COLOR win, then FORCE_COLOR, then whether a person looks at where the text goes. */
export function wantsColour(world: World, format: string, flag: boolean): boolean {
  if (!flag || (world.env.NO_COLOR ?? "") !== "") return false;
  const force = world.env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (world.env.TERM === "dumb") return false;
  return (format === "json" ? world.stderr : world.stdout).isTerminal;
}
