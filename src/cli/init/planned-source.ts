import type { FileSource } from "../../config/file-source.ts";
import { matcherOf } from "../../config/globs.ts";
import type { PlannedFile } from "./project-files.ts";

/** The project as it will be once the files are written. */
export function plannedSource(disk: FileSource, planned: readonly PlannedFile[]): FileSource {
  const texts = new Map(planned.map(({ file, text }) => [file, text]));
  return {
    async list(globs) {
      const listed = await disk.list(globs);
      const further = [...texts.keys()].filter(matcherOf(globs));
      return { ...listed, files: [...new Set([...listed.files, ...further])].sort() };
    },
    async read(path) {
      const text = texts.get(path);
      return text === undefined ? disk.read(path) : new TextEncoder().encode(text);
    },
  };
}
