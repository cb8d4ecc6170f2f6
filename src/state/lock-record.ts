// A lock as a file: made whole or not at all, and only where there is none.
import { link, rm } from "node:fs/promises";
import { createPrivate, draftPrivate, readPrivate } from "../system/private-files.ts";
import { codeOf } from "./file-trouble.ts";
import type { LockHolder } from "./lock.ts";

/** False where there is one already. */
export async function createRecord(path: string, holder: LockHolder): Promise<boolean> {
  const content = `${JSON.stringify(holder)}\n`;
  const draft = draftPrivate(path, content);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // Some file systems have no second names for a file.
    return createPrivate(path, content);
  } finally {
    await rm(draft, { force: true });
  }
}

/** null: there is none. `unreadable`: there is one that says nothing of its holder. */
export function readRecord(path: string): LockHolder | "unreadable" | null {
  const text = readPrivate(path);
  if (text === null) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (isHolder(parsed)) return parsed;
  } catch {
    // Said below.
  }
  return "unreadable";
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== "object" || value === null) return false;
  const { token, pid, ...words } = value as Partial<LockHolder>;
  return (
    typeof token === "string" &&
    /^[0-9a-f]{1,64}$/.test(token) &&
    typeof pid === "number" &&
    [words.host, words.since, words.command, words.user].every((word) => typeof word === "string")
  );
}
