import type { Diagnostic } from "./diagnostic.ts";
import type { Settings } from "./settings.ts";
import type { Wish } from "./wish.ts";

/** A project as its files describe it, with every problem that reading them brought up. */
export interface Project {
  readonly settings: Settings;
  /** In the order of files and of documents within them. */
  readonly events: readonly Wish[];
  readonly webhooks: readonly Wish[];
  /** Whether there is a webhooks file at all: without one, webhooks are not looked at. */
  readonly webhooksManaged: boolean;
  /** How many files were read, the project file included. */
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
}
