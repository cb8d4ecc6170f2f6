// Completion in a shell: `ticketing completion SHELL` prints a script that asks `ticketing __complete WORD…`, the last word half typed, at each Tab.
import { resolve } from "node:path";
import { listNames } from "../../app/documents.ts";
import type { World } from "../../app/world.ts";
import { schemaText } from "../../config/document-schemas.ts";
import type { schemaNames, shells } from "../usage/files.ts";
import { commonFlagsOf, type Flag, flag, formatFlag, isInHelp, type Parameter, type Usage } from "../usage/usage.ts";
import { usages } from "../usages.ts";
import { completionScripts } from "./scripts.ts";

export async function runCompletion(world: World, options: { readonly shell: (typeof shells)[number] }) {
  world.stdout.write(completionScripts[options.shell]);
  return 0;
}

/**
 * What can replace the last word, a line each: the word, followed by a tab and its meaning if it has one. A line that begins with a
 * tab asks the shell for its own names: of files, or of directories. Whatever goes wrong, nothing is printed.
 */
export async function printCompletions(world: World, [, ...typed]: readonly string[]): Promise<number> {
  try {
    const offers = await offersAt(world, typed.map(unquoted));
    world.stdout.write(offers.map((line) => `${line}\n`).join(""));
  } catch {
    // The shell continues without them.
  }
  return 0;
}

async function offersAt(world: World, words: readonly string[]): Promise<readonly string[]> {
  const typed = words.at(-1) ?? "";
  const { usage, open } = walkWords(words.slice(0, -1));
  const [, name = "", value = ""] = /^(--[a-z-]+)=(.*)$/s.exec(typed) ?? [];
  const asked = open ?? flagsOf(usage).find((one) => takesValue(one) && namesOf(one).includes(name));
  const directory = resolve(world.cwd, directoryIn(words, world) ?? ".");
  if (asked !== undefined) return valuesFor(world, asked, directory, open === undefined ? value : typed);
  if (typed.startsWith("-"))
    return [...flagsOf(usage).filter((one) => isOffered(one, usage)), help].flatMap((one) =>
      namesOf(one).map((each) => `${each}\t${one.description}`),
    );
  const below = (usage === undefined ? usages : (usage.below ?? [])).map((one) => `${one.name}\t${one.summary}`);
  const parameter = usage?.parameters?.[0];
  return parameter === undefined ? below : [...below, ...(await valuesFor(world, parameter, directory, typed))];
}

const help: Flag = flag("-h, --help", "show this help");

/** The command that these words name, and the flag whose value must follow them. */
function walkWords(words: readonly string[]) {
  let usage: Usage | undefined;
  let open: Flag | undefined;
  for (const word of words) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    open = flagsOf(usage).find((one) => takesValue(one) && namesOf(one).includes(word));
    usage = (usage === undefined ? usages : usage.below)?.find((one) => one.name === word) ?? usage;
  }
  return { usage, open };
}

function flagsOf(usage: Usage | undefined): readonly Flag[] {
  return usage === undefined ? commonFlagsOf() : [...(usage.flags ?? []), formatFlag(usage), ...commonFlagsOf(usage)];
}

function isOffered(one: Flag, usage: Usage | undefined): boolean {
  return one.description !== "" && (usage === undefined || isInHelp(one, usage));
}

function takesValue({ flags }: Flag): boolean {
  return flags.includes("<");
}

function namesOf({ flags }: Flag): readonly string[] {
  return flags.match(/--?[a-zA-Z][a-z-]*/g) ?? [];
}

async function valuesFor(
  world: World,
  { choices, names, takes }: Flag | Parameter,
  directory: string,
  typed: string,
): Promise<readonly string[]> {
  if (choices !== undefined) return choices;
  if (names !== undefined) return listNames(world, directory, names, typed);
  return takes === "file" || takes === "directory" ? [`\t${takes}`] : [];
}

function directoryIn(words: readonly string[], { env }: World): string | null {
  const at = words.findLastIndex((word) => /^(?:-C|--directory(?:=.*)?)$/.test(word));
  const word = words[at] ?? "";
  const named = word.includes("=") ? word.slice(word.indexOf("=") + 1) : words[at + 1];
  return at === -1 || named === undefined ? null : named.replace(/^~(?=\/|$)/, env.HOME ?? "~");
}

/** A word as it is typed, without its quotes and backslashes. */
function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "").replace(/\\(.)/g, "$1");
}

/** Prints a JSON Schema: the same bytes as the file in schemas/. */
export async function runSchema(world: World, options: { readonly schema?: (typeof schemaNames)[number] }) {
  world.stdout.write(schemaText(options.schema ?? "event"));
  return 0;
}
