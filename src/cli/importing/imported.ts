import type { Diagnostic } from "../../model/diagnostic.ts";
import type { EventStatus } from "../../model/wish.ts";

export type FileAction = "created" | "updated" | "unchanged";

export interface ImportedEvent {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly status: EventStatus | null;
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly action: FileAction;
}

export interface ImportedWebhooks {
  readonly file: string;
  readonly action: FileAction;
  readonly count: number;
}

/** A file to be written; `before` is what it held, null where there was none. */
export interface FileText {
  readonly file: string;
  readonly before: string | null;
  readonly text: string;
}

export interface Imported {
  readonly events: readonly ImportedEvent[];
  readonly webhooks: ImportedWebhooks | null;
  readonly files: readonly FileText[];
  /** Whether a plan right after has nothing to change. */
  readonly isSettled: boolean;
  readonly diagnostics: readonly Diagnostic[];
}
