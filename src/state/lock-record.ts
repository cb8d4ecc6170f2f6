// A lock as a file: made whole or not at all, and only where there is none.
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { link, open, rm, writeFile } from "node:fs/promises";
import { codeOf, isMissing } from "./file-trouble.ts";
import type { LockHolder } from "./lock.ts";

/** False where there is one already. */
export async function createRecord(path: string, holder: LockHolder): Promise<boolean> {
  const content = `${JSON.stringify(holder)}\n`;
  const beside = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  await writeFile(beside, content, { flag: "wx", mode: 0o600 });
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // Some file systems have no second names for a file.
    return await createInPlace(path, content);
  } finally {
    await rm(beside, { force: true });
  }
}

async function createInPlace(path: string, content: string): Promise<boolean> {
  try {
    const handle = await open(path, "wx", 0o600);
    await handle.writeFile(content);
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** null: there is none. `unreadable`: there is one that says nothing of its holder. */
export function readRecord(path: string): LockHolder | "unreadable" | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (isHolder(parsed)) return parsed;
  } catch {
    // Said below.
  }
  return "unreadable";
}

export function ageOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs;
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== "object" || value === null) return false;
  const { token, pid, host } = value as Partial<LockHolder>;
  return typeof token === "string" && /^[0-9a-f]+$/.test(token) && typeof pid === "number" && typeof host === "string";
}
