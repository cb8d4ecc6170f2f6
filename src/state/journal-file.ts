import type { Diagnostic } from "../model/diagnostic.ts";

export interface JournalText {
  /** Everything in it; empty where there is none. */
  readonly text: string;
  /** Why it cannot be told whether a run of ours wrote it; null where it is certain. Then it may be shown, and nothing may rest on it. */
  readonly unverified: Diagnostic | null;
}

/** A file of lines that only grows while a run goes on. What is durable in it survives a power cut. */
export interface JournalFile {
  read(): Promise<JournalText>;
  /** Begins to append for the holder of a lock; a line that was torn by a crash is cut off first. */
  open(isHeld: () => boolean): Promise<void>;
  /** Ends once the lines are durable. Lines of several callers share one write. Rejects where they are not, or the lock is lost. */
  append(lines: string): Promise<void>;
  /** Writes the lines with the next group, in order, without waiting for the disk. */
  note(lines: string): void;
  /** Puts other content in its place, whole or not at all. */
  replace(content: string): Promise<void>;
  close(): Promise<void>;
}
