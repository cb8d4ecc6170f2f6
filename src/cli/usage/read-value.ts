import { InvalidArgumentError } from "commander";
import { suggest } from "../../model/diagnostic.ts";
import type { Flag, Parameter } from "./usage.ts";

/** Checks what was typed for a flag or parameter. A message of it goes on after "… is invalid." */
export function valueReader({ takes, choices }: Flag | Parameter, isList: boolean) {
  return (text: string, before: unknown): unknown => {
    const mistake = choices === undefined ? valueMistake(takes, text) : choiceMistake(text, choices);
    if (mistake !== null) throw new InvalidArgumentError(mistake);
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
const shardExpected = `Expected which part of how many, such as 2/4: the first number from 1 up to the second, and that at most ${mostShards}.`;

function isShard(text: string): boolean {
  const [, index, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  return index !== undefined && Number(index) <= Number(count) && Number(count) <= mostShards;
}

function valueMistake(takes: (Flag | Parameter)["takes"], text: string): string | null {
  if (takes === undefined || takes === "file" || takes === "directory") return text === "" ? "It is empty." : null;
  if (takes === "shard") return isShard(text) ? null : shardExpected;
  if (takes === "duration")
    return secondsOf(text) === null ? "Expected a duration such as 15m, 1h30m, 14d or 2w." : null;
  const { least, most, expected } = numbers[takes];
  const isNumber = takes === "seconds" ? text.trim() !== "" && Number.isFinite(Number(text)) : /^\d+$/.test(text);
  return isNumber && Number(text) >= least && Number(text) <= most ? null : `Expected ${expected}.`;
}
