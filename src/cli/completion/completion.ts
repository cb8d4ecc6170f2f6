import { resolve } from "node:path";
import { listNames, type NameKind, nameKinds } from "../../app/documents.ts";
import type { World } from "../../app/world.ts";
import { schemaText } from "../../config/document-schemas.ts";
import type { schemaNames, shells } from "../usage/files.ts";
import { usages } from "../usages.ts";
import { completionScript } from "./scripts.ts";

export async function runCompletion(world: World, options: { readonly shell: (typeof shells)[number] }) {
  world.stdout.write(completionScript(options.shell, usages));
  return 0;
}

// What a shell asks for while somebody types: `ticketing __complete KIND WORD…`, the last word half typed. Whatever goes wrong, it prints nothing.

export async function printNames(world: World, [kind, ...words]: readonly string[]): Promise<number> {
  if (!nameKinds.includes(kind as NameKind)) return 0;
  const typed = bare(words.at(-1) ?? "").replace(/^--[a-z-]+=/, "");
  const directory = resolve(world.cwd, directoryIn(words, world) ?? ".");
  try {
    const names = await listNames(world, directory, kind as NameKind, typed);
    world.stdout.write(names.map((name) => `${name}\n`).join(""));
  } catch {
    // The shell goes on without.
  }
  return 0;
}

function directoryIn(words: readonly string[], { env }: World): string | null {
  const at = words.findLastIndex((word) => /^(?:-C|--directory(?:=.*)?)$/.test(word));
  const word = words[at] ?? "";
  const named = word.includes("=") ? word.slice(word.indexOf("=") + 1) : words[at + 1];
  return at === -1 || named === undefined ? null : bare(named).replace(/^~(?=\/|$)/, env.HOME ?? "~");
}

/** A word as it is typed, without its quotes and backslashes. */
function bare(word: string): string {
  return word.replace(/^["']|["']$/g, "").replace(/\\(.)/g, "$1");
}

/** Prints a JSON Schema: the same bytes as the file in schemas/. */
export async function runSchema(world: World, options: { readonly schema?: (typeof schemaNames)[number] }) {
  world.stdout.write(schemaText(options.schema ?? "event"));
  return 0;
}
