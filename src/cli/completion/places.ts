import { commonFlags, type Flag, formatFlag, isListed, type Usage } from "../usage/usage.ts";

export interface Word {
  readonly text: string;
  readonly means: string;
}

/** A flag as a shell sees it. */
export interface CompletedFlag {
  readonly names: readonly string[];
  readonly means: string;
  /** What may follow it; null where nothing does. */
  readonly value: Value | null;
}

export type Value =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" | "directory" | "any" };

/** A place on the command line: after these command names, these words and flags can come. */
export interface Place {
  /** `webhooks list`; empty right after the program's name. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly flags: readonly CompletedFlag[];
  readonly values: Value | null;
}

/** Every place that the commands make, the outermost first. */
export function placesOf(usages: readonly Usage[]): readonly Place[] {
  const root: Place = {
    path: "",
    commands: usages.map(wordOf),
    flags: commonFlags.map(completed).concat(help),
    values: null,
  };
  return [root, ...usages.flatMap((usage) => placesBelow("", usage))];
}

const help: CompletedFlag = { names: ["--help", "-h"], means: "show this help", value: null };

function placesBelow(above: string, usage: Usage): Place[] {
  const below = usage.below ?? [];
  const path = above === "" ? usage.name : `${above} ${usage.name}`;
  const common = [formatFlag(usage.formats), ...commonFlags].filter((flag) => isListed(flag, usage));
  const flags = [...(usage.flags ?? []), ...common];
  const parameter = usage.parameters?.[0];
  const place: Place = {
    path,
    commands: below.map(wordOf),
    flags: flags.map(completed).concat(help),
    values: parameter === undefined ? null : valueFor(parameter.choices, parameter.takes),
  };
  return [place, ...below.flatMap((child) => placesBelow(path, child))];
}

function wordOf(usage: Usage): Word {
  return { text: usage.name, means: usage.summary };
}

function completed(flag: Flag): CompletedFlag {
  const names = flag.flags.match(/--?[a-zA-Z][a-z-]*/g) ?? [];
  const value = flag.flags.includes("<") ? valueFor(flag.choices, flag.takes) : null;
  return { names, means: flag.description, value };
}

function valueFor(choices: readonly string[] | undefined, takes: string | undefined): Value {
  if (choices !== undefined) return { kind: "words", words: choices };
  return takes === "file" || takes === "directory" ? { kind: takes } : { kind: "any" };
}
