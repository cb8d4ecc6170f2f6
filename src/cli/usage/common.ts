import type { CommonFlag, Flag, Usage } from "../usage.ts";

/** Flags that every command takes, before or after its name. --format is made for each command by what it can print. */
export const commonFlags: readonly Flag[] = [
  {
    flags: "-C, --directory <dir>",
    description: "work in this directory instead of the current one",
    takes: "directory",
  },
  { flags: "--env <name>", description: "the environment of ticketing.yaml to talk to (or TICKETING_ENV)" },
  { flags: "--base-url <url>", description: "the service's address, with the key in TICKETING_API_KEY" },
  { flags: "--no-color", description: "no colour (also NO_COLOR; FORCE_COLOR for the contrary)" },
  { flags: "--verbose", description: "say more: remarks, and each call to the service with the key masked" },
];

/** No command of ours, only the name above some: nothing but those below it is to be listed. */
const all: readonly CommonFlag[] = ["directory", "env", "base-url", "no-color", "verbose", "format"];

/** Whether a flag of every command means something to this one, and belongs into its help. */
export function isListed(flag: Flag, usage: Usage): boolean {
  const without = usage.group === true ? all : (usage.without ?? []);
  return !without.some((name) => flag.flags.split(/[ ,]+/).includes(`--${name}`));
}

/** The --format flag of a command that prints these. */
export function formatFlag(formats: readonly string[]): Flag {
  return { flags: "--format <format>", description: "what is printed", choices: formats };
}
