import type { Code } from "../../../model/diagnostic.ts";

/** How serious a message is; the top of docs/reference/codes.md says what each level does. */
export type Level = "error" | "warning" | "notice" | "rule" | "risk";

/** What a code means to the reader of a message. */
export interface CodeEntry {
  readonly levels: readonly Level[];
  /** One sentence: what it is about. */
  readonly summary: string;
  /** What else is worth knowing. */
  readonly details?: string;
  /** What to do, in one or two sentences. */
  readonly fix: string;
  /** Text: the situation in which it comes up, if no file shows it. */
  readonly example: FileExample | LiveExample | string;
  /** `validate` reports it, although its example is only described: one file does not show it. */
  readonly ofFiles?: true;
}

/** Lines that bring it up, and lines that do not. A test runs both through `validate`. */
export interface FileExample {
  /** The file that holds the lines; without it they belong to an event that is otherwise correct. */
  readonly file?: string;
  readonly wrong: string;
  /** "": there is nothing to write instead, and the fix says what to remove. */
  readonly right: string;
  /** The line of `wrong` that it is about, counted from 1; without it the last one. */
  readonly line?: number;
}

/** An event that is live, and an edit of its file. A test applies the one and plans the other on the sandbox. */
export interface LiveExample {
  /** The lines of the event that were applied before. */
  readonly live: string;
  /** Tickets of the first type that were sold since. */
  readonly sold?: number;
  /** Nothing remembers the apply: there is no state. */
  readonly stateless?: true;
  /** The lines as they are edited; null: the file is deleted. */
  readonly wrong: string | null;
  readonly right: string | null;
}

/** As it is written: without `levels` it is an error. */
export type WrittenEntry = Omit<CodeEntry, "levels"> & { readonly levels?: readonly Level[] };

export type CodeEntries = Partial<Record<Code, WrittenEntry>>;

/** The same lines with each `«wrong→right»` as it is written by mistake, and as it should be. */
export function swap(lines: string): FileExample {
  const [wrong, right] = ["$1", "$2"].map((side) => lines.replace(/«([^«→]*)→([^«»]*)»/g, side));
  return { wrong: wrong ?? "", right: right ?? "" };
}
