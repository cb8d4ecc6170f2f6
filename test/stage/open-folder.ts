// Files in their own folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface OpenFolder {
  readonly directory: string;
  close(): void;
}

export function openFolder(files: Readonly<Record<string, string>>): OpenFolder {
  const directory = mkdtempSync(join(tmpdir(), "ticketing-folder-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return { directory, close: () => rmSync(directory, { recursive: true, force: true }) };
}
