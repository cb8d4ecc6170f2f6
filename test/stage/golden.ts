// Expected texts and files next to the tests. `UPDATE_GOLDEN=1` writes them again.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect } from "vitest";

export type Files = Readonly<Record<string, string>>;

const update = process.env.UPDATE_GOLDEN === "1";

export function expectGolden(path: string, actual: string): void {
  if (update) write(path, actual);
  expect(actual).toBe(readGolden(path) ?? `(there is no ${path})`);
}

/** Like `expectGolden`, with a file only where the text differs from the usual one. */
export function expectGoldenUnless(usual: string, path: string, actual: string): void {
  if (update && actual === usual) rmSync(path, { force: true });
  else if (update) write(path, actual);
  expect(actual).toBe(readGolden(path) ?? usual);
}

export function expectGoldenFiles(folder: string, actual: Files): void {
  if (update) {
    rmSync(folder, { recursive: true, force: true });
    for (const [file, text] of Object.entries(actual)) write(join(folder, file), text);
  }
  expect(actual).toEqual(readFiles(folder));
}

/** Every file below a folder, by its path; none where there is no folder. */
export function readFiles(folder: string): Files {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")]),
  );
}

export function readJson<T>(path: string): T | undefined {
  const text = readGolden(path);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

function readGolden(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
