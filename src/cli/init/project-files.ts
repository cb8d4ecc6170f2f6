// Every file of a first project, and what becomes of the files that are there already.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { projectFile } from "../../config/load-settings.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { assertInside } from "../../system/inside-project.ts";
import { schemaText } from "../schema-text.ts";
import { schemaNames } from "../usage/schema.ts";
import { version } from "../version.ts";
import type { Answers } from "./answers.ts";
import { editorSettings, editorSettingsFile, editorSettingsLeft } from "./editor-settings.ts";
import { firstEvent, firstEventFile } from "./first-event.ts";
import { ignoredFiles, ignoreFile } from "./ignored-files.ts";
import { projectText } from "./project-text.ts";
import type { Repository } from "./repository.ts";
import { workflowFile, workflowText } from "./workflow.ts";

/** A file as it is to be; `before` is what it holds now, null where there is none. */
export interface PlannedFile {
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly text: string;
  /** Whether something would be lost: what is only added to is not overwritten. */
  readonly overwrites: boolean;
  /** What somebody is told where the file stays as it is, because it cannot be added to. */
  readonly remark?: Diagnostic;
}

export interface ProjectPlan {
  readonly directory: string;
  readonly answers: Answers;
  readonly repository: Repository | null;
  readonly now: number;
  /** Whether a first event is written: not where there are events already, live or in files. */
  readonly withFirstEvent: boolean;
}

export function planProject(plan: ProjectPlan): readonly PlannedFile[] {
  const { directory, answers, now } = plan;
  const files = [
    whole(directory, projectFile, projectText(answers)),
    ...schemaNames.map((name) => whole(directory, `schemas/${name}.json`, schemaText(name))),
    ...(plan.withFirstEvent ? [whole(directory, firstEventFile, firstEvent(now))] : []),
    whole(directory, workflowPath(plan), workflowOf(plan)),
  ];
  const ignored = readIfThere(directory, ignoreFile);
  files.push({ file: ignoreFile, before: ignored, text: ignoredFiles(ignored), overwrites: false });
  const settings = readIfThere(directory, editorSettingsFile);
  const merged = editorSettings(settings);
  files.push({
    file: editorSettingsFile,
    before: settings,
    text: merged ?? settings ?? "",
    overwrites: false,
    ...(merged === null ? { remark: editorSettingsLeft } : {}),
  });
  return files;
}

/** GitHub runs only the workflows at the root of a repository. */
export function workflowPath({ answers, repository }: Pick<ProjectPlan, "answers" | "repository">): string {
  if (!answers.workflowAtRoot || repository === null || repository.folder === "") return workflowFile;
  return posix.join(posix.relative(repository.folder, ""), workflowFile);
}

function workflowOf({ answers, repository }: ProjectPlan): string {
  return workflowText({
    environment: answers.environment?.name ?? null,
    folder: repository?.folder ?? "",
    branch: repository?.branch ?? "main",
    version,
  });
}

function whole(directory: string, file: string, text: string): PlannedFile {
  const before = readIfThere(directory, file);
  return { file, before, text, overwrites: before !== null && before !== text };
}

/** Throws where it leads out of the project: what is read here is written back. */
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
