// The project's files in one layout.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { diskFiles, readText } from "../../config/files.ts";
import { everything, findFiles, loadSettings, noFiles, projectFile, selectFiles } from "../../config/project.ts";
import { type FileRole, formatText } from "../../import/text.ts";
import { type Diagnostic, errorAt, type Fallible, failed, sortDiagnostics } from "../../model/diagnostic.ts";
import type { FormatReport, FormattedFile } from "../../report/lists.ts";
import { explainRefusal } from "../../system/refusal.ts";
import { changedMeanwhile, writeFiles } from "../importing/imported.ts";
import { noSuchFolder } from "../session/report-problems.ts";
import type { World } from "../world.ts";

export interface FormatRequest {
  readonly directory: string;
  /** Files, folders or globs; none: all files. */
  readonly paths?: readonly string[];
  /** Nothing is written. */
  readonly check?: boolean;
}

/** A file with problems is left alone; the others are formatted anyway. */
export async function formatFiles(world: World, request: FormatRequest): Promise<Fallible<FormatReport>> {
  const { directory, paths = [], check = false } = request;
  const missing = noSuchFolder(world, directory);
  if (missing !== null) return failed(missing);
  const files = diskFiles(directory);
  const loaded = await loadSettings(files);
  const { settings, found } = loaded;
  const listed = await findFiles(files, settings);
  const roles = rolesOf(listed, found);
  // Otherwise a job in the wrong folder would pass.
  if (roles.length === 0) return failed({ ...noFiles(loaded), severity: "error" }, ...listed.diagnostics);
  const selection = paths.length === 0 ? everything : await selectFiles(files, settings, directory, paths);
  const diagnostics: Diagnostic[] = [...selection.diagnostics];
  diagnostics.push(
    ...listed.diagnostics.filter(({ source }) => source === undefined || selection.includes(source.file)),
  );
  const wrong = new Set(diagnostics.map(({ source }) => source?.file));
  const changed: FormattedFile[] = [];
  const visited = new Set<string>();
  for (const [file, role] of roles) {
    if (!selection.includes(file)) continue;
    // Of several links to one file, the first is enough.
    const real = realPathOf(directory, file);
    if (visited.has(real)) continue;
    visited.add(real);
    if (wrong.has(file)) continue;
    const before = await readText(files, file, diagnostics);
    const formatted = before === null ? null : formatText(file, before, role);
    if (formatted?.ok === false) diagnostics.push(...formatted.diagnostics);
    else if (formatted !== null && before !== null && formatted.text !== before)
      changed.push({ file, before, text: formatted.text, hasSecret: formatted.hasSecret });
  }
  const left = new Set<FormattedFile>();
  function onFailure(file: FormattedFile, error: Error): void {
    left.add(file);
    diagnostics.push(fileNotWritten(file.file, error));
  }
  const refused = check ? [] : await writeFiles(directory, changed, onFailure);
  diagnostics.push(...refused.map(({ file }) => changedMeanwhile(file)));
  return {
    ok: true,
    check,
    files: visited.size,
    changed: changed.filter((file) => !refused.includes(file) && !left.has(file)),
    diagnostics: sortDiagnostics(diagnostics),
  };
}

function rolesOf(
  { eventFiles, templateFiles, webhookFiles }: Awaited<ReturnType<typeof findFiles>>,
  hasProjectFile: boolean,
): readonly (readonly [string, FileRole])[] {
  return [
    ...(hasProjectFile ? [[projectFile, "project"] as const] : []),
    ...eventFiles.map((file) => [file, "event"] as const),
    ...templateFiles.map((file) => [file, "template"] as const),
    ...webhookFiles.map((file) => [file, "webhooks"] as const),
  ];
}

function realPathOf(directory: string, file: string): string {
  const path = join(directory, file);
  try {
    return realpathSync(path);
  } catch {
    // Reading the file reports what is wrong.
    return path;
  }
}

function fileNotWritten(file: string, error: Error): Diagnostic {
  const { reason, fix = "Make sure that this user can write it and its folder." } = explainRefusal(error);
  return errorAt("not-written", { file, line: 1, column: 1 }, `${file} cannot be written: ${reason}.`, fix);
}
