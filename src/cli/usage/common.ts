import type { Flag } from "../usage.ts";

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

/** The --format flag of a command that prints these. */
export function formatFlag(formats: readonly string[]): Flag {
  return { flags: "--format <format>", description: "what is printed", choices: formats };
}
