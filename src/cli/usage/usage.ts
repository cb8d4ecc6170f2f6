// How a command is typed: all that the parser, `--help` and shell completion need to know of it.
import { riskCodes } from "../../kinds/index.ts";

export interface Flag {
  /** As commander reads it: `--max-deletes <n>`. */
  readonly flags: string;
  readonly description: string;
  /** What the value must be; any text where left out. */
  readonly takes?: "whole" | "positive" | "port" | "port-or-any" | "seconds" | "file" | "directory";
  readonly choices?: readonly string[];
  readonly repeatable?: true;
  /** The value where the flag is not typed. */
  readonly standard?: string | number;
}

export interface Parameter {
  /** Also the name under which the command finds it in its options. */
  readonly name: string;
  readonly description: string;
  readonly need: "required" | "optional" | "many";
  readonly takes?: "file" | "directory" | "positive";
  readonly choices?: readonly string[];
}

export interface Example {
  readonly line: string;
  readonly does: string;
}

/** A flag that every command accepts, by its long name. */
export type CommonFlag = "directory" | "env" | "base-url" | "no-color" | "verbose" | "format";

export interface Usage {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** More than one line, where the summary does not say enough. */
  readonly details?: string;
  readonly parameters?: readonly Parameter[];
  readonly flags?: readonly Flag[];
  /** What --format takes, the standard first. */
  readonly formats: readonly string[];
  /** Flags of every command that mean nothing to this one: accepted, so that a script may always pass them, and not listed. */
  readonly without?: readonly CommonFlag[];
  readonly examples: readonly Example[];
  /** It changes nothing, so Ctrl-C ends it at once. The others end by themselves when told to. */
  readonly harmless?: true;
  /** It says itself what is wrong with the directory. */
  readonly anyDirectory?: true;
  /** It does nothing by itself: one of those below must follow. */
  readonly group?: true;
  readonly below?: readonly Usage[];
}

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

/** Wherever the service may ask to wait: what is said then names this flag. */
export const maxWait: Flag = {
  flags: "--max-wait <seconds>",
  description: "the longest single wait for the rate limit (300)",
  takes: "seconds",
};

/** How fast and how long calls to the service may go on. */
export const paceFlags: readonly Flag[] = [
  { flags: "--parallelism <n>", description: "calls under way at once (8)", takes: "positive" },
  maxWait,
  {
    flags: "--tier <tier>",
    description: "the rate limit that was bought, where the service does not tell",
    choices: ["free", "pro", "enterprise"],
  },
];

/** What plan and apply share. */
export const changeFlags: readonly Flag[] = [
  {
    flags: "--target <address>",
    description: "only this object and what is below it; `*` matches anything; repeatable",
    repeatable: true,
  },
  { flags: "--base <ref>", description: "only what differs from this git revision; `last`: the one last applied" },
  { flags: "--allow <code>", description: "accept this risk, repeatable", choices: riskCodes, repeatable: true },
  { flags: "--max-deletes <n>", description: "how many events may be deleted in one go (5)", takes: "whole" },
  ...paceFlags,
  { flags: "--resend-unreadable", description: "send fields whose live value the service does not show" },
];
