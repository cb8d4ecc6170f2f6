/** A file of lines that only grows while a run goes on. What is durable in it survives a power cut. */
export interface JournalFile {
  /** Everything in it; empty where there is none. */
  read(): Promise<string>;
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
