import { matcherOf } from "../../src/config/files/globs.ts";
import type { FileSource } from "../../src/config/files/read-text.ts";

/** A project that exists in memory only. */
export function memoryFiles(files: Readonly<Record<string, string>>): FileSource {
  return {
    async list(globs) {
      const matches = matcherOf(globs);
      return { files: Object.keys(files).filter(matches).sort(), diagnostics: [] };
    },
    async read(path) {
      const text = files[path];
      return text === undefined ? "missing" : new TextEncoder().encode(text);
    },
  };
}
