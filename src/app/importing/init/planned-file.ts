import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { assertInside } from "../../../system/inside-project.ts";

/** A file to be written. `before` is its present content; null if the file does not exist. */
export interface PlannedFile {
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly text: string | Uint8Array;
  /** Whether something would be lost: what is only added to is not overwritten. */
  readonly overwrites: boolean;
  /** The message if the file stays as it is, because nothing can be added to it. */
  readonly remark?: Diagnostic;
}

export function wholeFile(directory: string, file: string, text: string): PlannedFile {
  const before = readIfThere(directory, file);
  return { file, before, text, overwrites: before !== null && before !== text };
}

/** A file that people may edit. Its first line shows whether somebody has: only then would something be lost. */
export function generatedFile(directory: string, file: string, by: string, body: string): PlannedFile {
  const planned = wholeFile(directory, file, `${firstLine(by, body)}\n${body}`);
  const [first = "", ...rest] = planned.before?.replaceAll("\r\n", "\n").split("\n") ?? [];
  // The digest alone: an earlier release may have said it in other words.
  return first.includes(`(${bodyDigest(rest.join("\n"))})`) ? { ...planned, overwrites: false } : planned;
}

function bodyDigest(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 12);
}

function firstLine(by: string, body: string): string {
  return `# Written by \`${by}\` (${bodyDigest(body)}). If you edit this file, init asks before it replaces it.`;
}

/** `merged`: the existing text with something added; null: nothing can be added, and `remark` says so. */
export function addedFile(file: string, before: string | null, merged: string | null, remark: Diagnostic): PlannedFile {
  return { file, before, text: merged ?? before ?? "", overwrites: false, ...(merged === null ? { remark } : {}) };
}

/** Throws if it leads out of the project: what is read here is written back. */
export function readIfThere(directory: string, file: string): string | null {
  assertInside(directory, file);
  try {
    return readFileSync(join(directory, file), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
