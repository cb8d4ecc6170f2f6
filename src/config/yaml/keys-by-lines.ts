// The keys of a file's events, found only from its lines: completion has no time to parse and check whole documents.
import { parse } from "yaml";

/** The key of an event without `key`. */
export function keyOfFile(file: string): string {
  return file
    .slice(file.lastIndexOf("/") + 1)
    .replace(/\.ya?ml$/i, "")
    .normalize("NFC");
}

const mark = /^(?:---|\.\.\.)\s*(?:#.*)?$/;
const nothing = /^\s*(?:#.*)?$/;
const field = /^(?:"[^"]*"|'[^']*'|[A-Za-z]\w*)\s*:(?:\s|$)/;
const keyField = /^(?:key|"key"|'key')\s*:(?=\s|$)(.*)$/;

/** null: the file must be parsed, because of how it is written. At the start of a line, a block map has only keys. */
export function keysByLines(file: string, text: string): readonly string[] | null {
  const keys: (string | null)[] = [];
  let isInside = false;
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (nothing.test(line)) continue;
    if (mark.test(line)) {
      isInside = false;
      continue;
    }
    if (!isInside) {
      if (!field.test(line)) return null;
      isInside = true;
      keys.push(null);
    }
    if (line.startsWith("<<")) return null;
    const written = keyField.exec(line)?.[1];
    if (written === undefined) continue;
    const key = /^\s+\S/.test(lines[index + 1] ?? "") ? null : parseKey(written);
    if (key === null) return null;
    keys[keys.length - 1] = key;
  }
  if (keys.length === 1) return [keys[0] ?? keyOfFile(file)];
  const found = keys.filter((key) => key !== null);
  return found.length === keys.length ? found : null;
}

function parseKey(written: string): string | null {
  if (written.includes("${")) return null;
  try {
    const value: unknown = parse(written);
    return typeof value === "string" ? value.normalize("NFC").trim() : null;
  } catch {
    return null;
  }
}
