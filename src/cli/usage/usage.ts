// How a command is typed: everything that the parser, `--help` and shell completion need to know about it.

import { InvalidArgumentError } from "commander";
import type { NameKind } from "../../app/documents.ts";
import { type Diagnostic, riskCodes, runCodes, suggest } from "../../model/diagnostic.ts";
import { asSentence, sentenceCase } from "../../model/value.ts";

export interface Flag {
  /** As commander reads it: `--max-deletes <n>`. */
  readonly flags: string;
  /** Empty: it is accepted, and left out of the help. */
  readonly description: string;
  /** What the value must be; if left out, any text. */
  readonly takes?:
    | "whole"
    | "positive"
    | "port"
    | "port-or-any"
    | "seconds"
    | "duration"
    | "shard"
    | "file"
    | "directory";
  readonly choices?: readonly string[];
  /** The names in the project, or the codes, that it accepts: for completion. */
  readonly names?: NameKind;
  readonly repeatable?: true;
  readonly default?: string | number;
}

export function flag(flags: string, description: string, more: Omit<Flag, "flags" | "description"> = {}): Flag {
  return { flags, description, ...more };
}

export interface Parameter {
  /** Also the name under which the command finds it in its options. */
  readonly name: string;
  readonly description: string;
  readonly need: "required" | "optional" | "many";
  readonly takes?: "file" | "directory" | "positive";
  readonly choices?: readonly string[];
  readonly names?: NameKind;
}

/** A flag that every command accepts, by its long name. */
export type CommonFlag = "directory" | "env" | "base-url" | "no-color" | "verbose" | "format";

export interface Usage {
  readonly name: string;
  readonly summary: string;
  /** More than one line, where the summary does not say enough. */
  readonly details?: string;
  readonly parameters?: readonly Parameter[];
  readonly flags?: readonly Flag[];
  /** What --format accepts, the default first; text and JSON if left out. */
  readonly formats?: readonly string[];
  /** Flags of every command that mean nothing to this one: accepted, so that a script may always pass them, and not listed. */
  readonly without?: readonly CommonFlag[];
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** It changes nothing, so Ctrl-C ends it at once; other commands finish first. */
  readonly harmless?: true;
  /** It says itself what is wrong with the directory. */
  readonly anyDirectory?: true;
  /** It does nothing by itself: the name of a command below must follow. */
  readonly group?: true;
  readonly below?: readonly Usage[];
}

/** A name that does nothing by itself: its help lists the commands below it, with their examples. */
export function commandGroup(name: string, summary: string, below: readonly Usage[]): Usage {
  const examples = below.flatMap((usage) => usage.examples);
  return { name, summary, without: allCommon, examples, group: true, below };
}

const allCommon: readonly CommonFlag[] = ["directory", "env", "base-url", "no-color", "verbose", "format"];

/** Flags that every command accepts, before or after its name. --format is made for each by what it can print. */
const commonFlags: readonly Flag[] = [
  flag("-C, --directory <dir>", "work in this folder", { takes: "directory" }),
  flag("--env <name>", "the environment in ticketing.yaml to use", { names: "environment" }),
  flag("--base-url <url>", "the service's URL; the API key is in TICKETING_API_KEY"),
  flag("--no-color", "turn off color (so does NO_COLOR; FORCE_COLOR turns it on)"),
  flag("--verbose", "print more: notices, full lists, and each call (key masked)"),
];

/** The flags for one command, which may word some itself; without a command, all. */
export function commonFlagsOf(usage?: Usage): readonly Flag[] {
  return commonFlags.filter((common) => !usage?.flags?.some((own) => own.flags === common.flags));
}

/** Whether a flag of every command means something to this one, and belongs in its help. */
export function isInHelp(flag: Flag, usage: Usage): boolean {
  return !(usage.without ?? []).some((name) => flag.flags.split(/[ ,]+/).includes(`--${name}`));
}

export function formatsOf({ formats = ["text", "json"] }: Usage): readonly string[] {
  return formats;
}

export function formatFlag(usage: Usage): Flag {
  return flag("--format <format>", "output format", { choices: formatsOf(usage) });
}

/** Wherever a person may be asked. */
export const yes: Flag = flag("-y, --yes", "do not ask; required without a terminal");

export const settle: Flag = flag(
  "--settle <seconds>",
  "how long the service may take to show a write (default: 2, or as observed)",
  { takes: "seconds" },
);

export const lockTimeout: Flag = flag(
  "--lock-timeout <seconds>",
  "how long to wait for another run to finish (default: 0)",
  { takes: "seconds" },
);

/** Wherever the service may ask to wait: the message then names this flag. */
export const maxWait: Flag = flag("--max-wait <seconds>", "the longest single wait for the rate limit (default: 300)", {
  takes: "seconds",
});

export const shard: Flag = flag(
  "--shard <i/n>",
  "only this part of the events, such as 2/4, for jobs that share the work; together the parts cover all events",
  { takes: "shard" },
);

/** How fast the service is called, and how long calls may wait. */
export const paceFlags: readonly Flag[] = [
  flag("--parallelism <n>", "calls in flight at once (default: 8)", { takes: "positive" }),
  maxWait,
  flag("--tier <tier>", "your rate limit, if the service does not show it", { choices: ["free", "pro", "enterprise"] }),
];

export const changeFlags: readonly Flag[] = [
  flag("--target <address>", "only this object and its children; `*` is a wildcard (repeatable)", {
    names: "address",
    repeatable: true,
  }),
  shard,
  flag("--base <ref>", "only what differs from this git revision; `last`: the last one applied"),
  flag("--merge-into <ref>", "only what merging this checkout into this git revision changes, such as origin/main"),
  flag("--allow <code>", "accept this risk (repeatable)", { choices: [...riskCodes, ...runCodes], repeatable: true }),
  flag(
    "--max-deletes <n>",
    "delete up to this many events, even if it is more than half of them (default: `maxDeletes`, or 5)",
    {
      takes: "whole",
    },
  ),
  ...paceFlags,
  flag("--resend-unreadable", "also send fields that the service never shows and that therefore cannot be compared"),
];

/** Checks what was typed for a flag or parameter. What it returns is shown as the fix. */
export function valueReader({ takes, choices }: Flag | Parameter, isList: boolean) {
  return (typed: string, before: unknown): unknown => {
    const text = choices?.find((choice) => choice.toLowerCase() === typed.toLowerCase()) ?? typed;
    const mistake = choices === undefined ? valueMistake(takes, text) : choiceMistake(text, choices);
    if (mistake !== null) throw new InvalidArgumentError(mistake);
    // For other options the last value counts, so that scripts can override them; two shards would look as if both applied.
    if (takes === "shard" && before !== undefined) throw new InvalidArgumentError(givenTwice);
    const value =
      takes === "duration" ? secondsOf(text) : takes !== undefined && takes in numbers ? Number(text) : text;
    return isList ? [...((before as unknown[] | undefined) ?? []), value] : value;
  };
}

export function choiceMistake(text: string, choices: readonly string[]): string | null {
  if (choices.includes(text)) return null;
  const near = suggest(text, choices);
  return `Choose one of: ${choices.join(", ")}.${near === null ? "" : ` Did you mean ${near}?`}`;
}

/** Commander writes `error: unknown option '--evn'` and, in parentheses on a separate line, a suggestion. */
export function mistakeOf(text: string): Diagnostic {
  const [mistake = "", ...further] = text
    .trimEnd()
    .replace(/^error: /, "")
    .split("\n");
  const [, flag, value, parameter, expected] = invalidValue.exec(mistake) ?? [];
  const message =
    expected === undefined
      ? asSentence(sentenceCase(mistake.replace(/(?<=\s)'|'(?=[\s.,]|$)/g, '"')))
      : expected === givenTwice
        ? `${flag} was passed twice.`
        : `${flag ?? `<${parameter}>`} cannot be "${value}".`;
  const lines = [expected ?? "", ...further.map((line) => line.trim().replace(/^\((.*)\)$/, "$1"))];
  const hint = lines.filter((line) => line !== "").join(" ");
  return { code: "usage", severity: "error", message, ...(hint === "" ? {} : { hint }) };
}

/** What commander says about a value that `valueReader` refuses; what is expected instead is the fix. */
const invalidValue =
  /^(?:option '(?:-\w, )?(--[\w-]+)[^']*' argument|command-argument value) '(.*)' is invalid(?: for argument '(\w+)')?\. (.+)$/;

const numbers = {
  whole: { least: 0, most: Number.MAX_SAFE_INTEGER, expected: "a whole number, 0 or more" },
  positive: { least: 1, most: Number.MAX_SAFE_INTEGER, expected: "a whole number, 1 or more" },
  port: { least: 1, most: 65_535, expected: "a port from 1 to 65535" },
  "port-or-any": { least: 0, most: 65_535, expected: "a port from 1 to 65535, or 0 for any that is free" },
  seconds: { least: 0, most: Number.MAX_VALUE, expected: "a number of seconds, 0 or more" },
} as const;

/** The seconds in `15m`, `1h30m`, `90s`, `14d` or `2w`; null if the text is not a duration. */
function secondsOf(text: string): number | null {
  const found = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (found === null || text === "") return null;
  const sizes = [7 * 86_400, 86_400, 3600, 60, 1];
  return found.slice(1).reduce((sum, digits, index) => sum + Number(digits ?? 0) * (sizes[index] ?? 0), 0);
}

/** More parts than this are read more often than they are planned. */
const mostShards = 256;
const shardExpected = `Write PART/TOTAL, such as 2/4, with PART from 1 to TOTAL and TOTAL up to ${mostShards}.`;

const givenTwice = "Pass it once: each run handles one part.";

function isShard(text: string): boolean {
  const [, index, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  return index !== undefined && Number(index) <= Number(count) && Number(count) <= mostShards;
}

function valueMistake(takes: (Flag | Parameter)["takes"], text: string): string | null {
  if (takes === undefined || takes === "file" || takes === "directory") return text === "" ? "Write a value." : null;
  if (takes === "shard") return isShard(text) ? null : shardExpected;
  if (takes === "duration") return secondsOf(text) === null ? "Write a duration such as 15m, 1h30m, 14d or 2w." : null;
  const { least, most, expected } = numbers[takes];
  const isNumber = takes === "seconds" ? text.trim() !== "" && Number.isFinite(Number(text)) : /^\d+$/.test(text);
  return isNumber && Number(text) >= least && Number(text) <= most ? null : `Write ${expected}.`;
}
