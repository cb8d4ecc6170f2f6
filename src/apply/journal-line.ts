// One entry per line, with a checksum as the last member: a line that was torn or altered is told from a whole one.
import { crc32 } from "node:zlib";
import type { JournalEntry } from "./journal-entry.ts";

export function toLine(entry: JournalEntry): string {
  const text = JSON.stringify(entry);
  return `${text.slice(0, -1)},"sum":"${sumOf(text)}"}\n`;
}

export interface JournalText {
  readonly entries: readonly JournalEntry[];
  /** Numbers of lines that cannot be read. The torn end of a file is not among them: nothing was sent on its account. */
  readonly damaged: readonly number[];
}

const ending = /,"sum":"([0-9a-f]{8})"\}$/;

export function readLines(text: string): JournalText {
  const entries: JournalEntry[] = [];
  const damaged: number[] = [];
  const lines = text.split("\n");
  // What follows the last line break is empty, or torn.
  lines.pop();
  for (const [index, line] of lines.entries()) {
    const entry = fromLine(line);
    if (entry === null) damaged.push(index + 1);
    else entries.push(entry);
  }
  return { entries, damaged };
}

function fromLine(line: string): JournalEntry | null {
  const found = ending.exec(line);
  if (found === null) return null;
  const text = `${line.slice(0, found.index)}}`;
  return sumOf(text) === found[1] ? (JSON.parse(text) as JournalEntry) : null;
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
