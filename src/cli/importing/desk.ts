// What composing files needs at hand: the project as it is, and what is remembered of earlier runs.
import type { FileSource } from "../../config/file-source.ts";
import type { LoadedSettings } from "../../config/load-settings.ts";
import type { Defaults } from "../../import/describe-event.ts";
import type { Project } from "../../model/project.ts";
import type { State } from "../../model/state.ts";
import type { Remember } from "../../plan/memory.ts";
import type { Reader } from "../../snapshot/reader.ts";

export interface Desk {
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
  /** With the files of the folder that is written to, where that is not part of the project. */
  readonly project: Project;
  readonly environment: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: number;
  readonly state: State | null;
  readonly remember: Remember;
  readonly reader: Reader;
  /** Whether git has a file as it is now: only then may something be taken out of it. */
  readonly isCommitted: (file: string) => Promise<boolean>;
  readonly defaults: Defaults;
  /** The zone of a file that says nothing of it. */
  readonly zone: string;
}
