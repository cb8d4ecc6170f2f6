import type { Diagnostic } from "../model/diagnostic.ts";
import type { Source } from "../model/source.ts";

/** What checking the files brought up: the one value that every format of it is made from. */
export interface DiagnosticsReport {
  readonly ok: boolean;
  /** The first line of the text: which environment the files were read for. */
  readonly target: string;
  readonly files: number;
  readonly events: number;
  readonly webhooks: number;
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Remarks that are left out, because nobody asked for them. */
  readonly hidden: number;
  /** Warnings count as errors. */
  readonly strict: boolean;
}

/** A line of a file as it is written; undefined where it is not known. */
export type LineAt = (source: Source) => string | undefined;
