// The folders below scenarios/, each a story.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/sandbox/index.ts";
import { readFiles, readJson } from "./golden.ts";
import type { Setup } from "./plan-of.ts";

const root = join(import.meta.dirname, "..", "scenarios");

export function storiesOf(kind: string) {
  return readdirSync(join(root, kind))
    .sort()
    .map((name) => ({ name: name.replaceAll("-", " "), folder: join(root, kind, name) }));
}

/** What a story of a plan begins with. */
export function readSetup(folder: string): Setup {
  const base = join(folder, "base");
  const live = readJson<Seed>(join(folder, "live.json"));
  return {
    ...readJson<Partial<Setup>>(join(folder, "options.json")),
    files: readFiles(join(folder, "files")),
    ...(existsSync(base) ? { base: readFiles(base) } : {}),
    ...(live === undefined ? {} : { live }),
  };
}
