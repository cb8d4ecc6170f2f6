import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { baseOf, type FileSource, matcherOf, readText } from "../../config/files.ts";
import type { LoadedSettings } from "../../config/project.ts";
import type { Defaults } from "../../import/describe.ts";
import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { formatLocalDay } from "../../model/time.ts";
import { groupBy, pluralize, sentenceCase } from "../../model/value.ts";
import type { EventStatus, Project } from "../../model/wish.ts";
import type { Recall } from "../../plan/match.ts";
import { renderTable, safeJson, wrapText } from "../../report/text.ts";
import type { Reader } from "../../snapshot/reader.ts";
import { runGit } from "../../system/git.ts";
import { assertInside } from "../../system/inside-project.ts";
import { makeFolder } from "../../system/private-folder.ts";
import { isSystemError } from "../../system/refusal.ts";

export type FileAction = "created" | "updated" | "unchanged";

export interface ImportedEvent {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly status: EventStatus | null;
  /** Its start; null: not shown. */
  readonly dateTime: string | null;
  readonly timezone: string;
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly action: FileAction;
  /** Fields and lists of its file that the import has changed. */
  readonly changed: readonly string[];
}

export interface ImportedWebhooks {
  readonly file: string;
  readonly action: FileAction;
  readonly count: number;
}

/** A file to be written; `before` is what it held, null if there was none. */
export interface FileText {
  readonly file: string;
  readonly before: string | null;
  readonly text: string;
}

export interface Imported {
  readonly events: readonly ImportedEvent[];
  readonly webhooks: ImportedWebhooks | null;
  /** New ones, for series; they are among the files. */
  readonly templates: readonly FileText[];
  readonly files: readonly FileText[];
  /** Whether a plan right after has nothing to change. */
  readonly isSettled: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is needed to read a text that may become a file of the project. */
export interface TextReading {
  /** Those of the project: what a document extends is in them. */
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
  readonly environment: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: number;
}

/** What is needed to compose files: the project as it is, and what is remembered of earlier runs. */
export interface ImportContext extends TextReading {
  /** With the files of the output folder, if that is not part of the project. */
  readonly project: Project;
  readonly state: State | null;
  readonly remember: Recall;
  readonly reader: Reader;
  /** Whether git has a file as it is now: only then may something be removed from it. */
  readonly isCommitted: (file: string) => Promise<boolean>;
  readonly defaults: Defaults;
  /** The zone of a file that says nothing of it. */
  readonly zone: string;
}

/** The file's part of an event's address, if the document gives no key. */
export function stemOf(file: string): string {
  return posix.basename(file).replace(/\.ya?ml$/i, "");
}

/** A new event file, as most projects place it. */
export const usualEvent = "events/new.yaml";

/** Where the project expects a new file: at the usual path, or under that name in the folder of a glob; null: nowhere. */
export function placeFor(globs: readonly string[], usual: string): string | null {
  const inFolders = globs.map((glob) => posix.join(baseOf(glob).folder, posix.basename(usual)));
  return [usual, ...inFolders].find(matcherOf(globs)) ?? null;
}

/** What a file will contain so far; several events may share one. */
export async function currentText(
  context: ImportContext,
  file: string,
  texts: ReadonlyMap<string, FileText>,
): Promise<FileText | null> {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = await readText(context.files, file, []);
  return text === null ? null : { file, before: text, text };
}

/** Where editors find the schema, as the file sees it; null if the project keeps none. */
export async function schemaFor(
  context: ImportContext,
  file: string,
  name: "event" | "template" | "webhooks",
): Promise<string | null> {
  const schema = `schemas/${name}.json`;
  if (typeof (await context.files.read(schema)) === "string") return null;
  return posix.relative(posix.dirname(file), schema);
}

export interface ImportRequest {
  /** Ids or slugs. */
  readonly names: readonly string[];
  readonly statuses: readonly EventStatus[];
  readonly webhooks: boolean;
  /** New events that differ only in their dates become series. */
  readonly series?: boolean;
}

// What an import did, for people and for programs.

export function importJson(imported: Imported, diagnostics: readonly Diagnostic[]): string {
  const { events, webhooks } = imported;
  return `${safeJson({ formatVersion: 1, ok: !hasErrors(diagnostics), events, webhooks, diagnostics })}\n`;
}

const signs: Readonly<Record<FileAction, string>> = { created: "+", updated: "~", unchanged: "=" };

/** `next`: the command that shows what is left to do. */
export function importText(imported: Imported, next: string, columns: number): string {
  const { events, webhooks, templates } = imported;
  // The dates of a series have one name and one file.
  const rows = [...groupBy(events, ({ action, file, name }) => JSON.stringify([action, file, name])).values()].map(
    ([first, ...more]) => {
      const { action, file } = first;
      const statuses = new Set([first, ...more].map(({ status }) => status ?? ""));
      return [signs[action], file, describeDates([first, ...more]), [...statuses].join(", ")];
    },
  );
  for (const { file } of templates) rows.push([signs.created, file, "what the dates of a series share", ""]);
  if (webhooks !== null) rows.push([signs[webhooks.action], webhooks.file, pluralize(webhooks.count, "webhook"), ""]);
  if (rows.length === 0) return "";
  const table = renderTable(
    [{ title: "" }, { title: "File", whole: true }, { title: "What" }, { title: "Status", whole: true }],
    rows,
    { columns },
  );
  return `\n${table}\n${wrapText(importSummary(imported, next), columns - 2, columns).join("\n  ")}\n`;
}

/** "Friday Club, 12 dates, Fri 11 Dec 2026 to Fri 26 Feb 2027" */
function describeDates(events: readonly [ImportedEvent, ...ImportedEvent[]]): string {
  const [{ name, changed }] = events;
  if (events.length === 1) return changed.length === 0 ? name : `${name} (${changed.join(", ")})`;
  const starts = events.flatMap(({ dateTime, timezone }) => (dateTime === null ? [] : { dateTime, timezone }));
  const sorted = starts.sort((one, other) => Date.parse(one.dateTime) - Date.parse(other.dateTime));
  const [from, to] = [sorted[0], sorted.at(-1)].map((each) => each && formatLocalDay(each.dateTime, each.timezone));
  return `${name}, ${pluralize(events.length, "date")}${from === undefined ? "" : `, ${from} to ${to}`}`;
}

/** "Created 3 files (11 events, 2 webhooks)." Several events may be in one file. */
function importSummary({ events, webhooks, templates, isSettled }: Imported, next: string): string {
  const written = [
    ...events,
    ...templates.map((each) => ({ ...each, action: "created" as const })),
    webhooks ?? [],
  ].flat();
  const files = new Map(written.map(({ file, action }) => [file, action]));
  const counts = groupBy([...files.values()], (action) => action);
  const numberOf = (action: FileAction) => counts.get(action)?.length ?? 0;
  const counted = (["created", "updated"] as const).flatMap((action) =>
    numberOf(action) === 0 ? [] : [`${action} ${pluralize(numberOf(action), "file")}`],
  );
  const same = numberOf("unchanged");
  const rest = same === 0 ? "" : `; ${pluralize(same, "file")} ${same === 1 ? "is" : "are"} unchanged`;
  const objects = [pluralize(events.length, "event"), webhooks ? pluralize(webhooks.count, "webhook") : []]
    .flat()
    .join(", ");
  const end = `\`${next}\` ${isSettled ? "should show no changes" : "shows whether anything still differs"}.`;
  if (counted.length === 0) return `Nothing changed (${objects}). ${end}`;
  return `${sentenceCase(counted.join(", "))}${rest} (${objects}). Review the files; ${end}`;
}

interface FileContent extends Omit<FileText, "text"> {
  readonly text: string | Uint8Array;
}

const mark = "\ufeff";

/**
 * Files that somebody changed while the service was read are left alone. Throws, with nothing written, where one leads out of the
 * project. `onFailure`: if given, the others are still written where the system refuses one.
 */
export async function writeFiles<File extends FileContent>(
  directory: string,
  files: readonly File[],
  onFailure?: (file: File, error: Error) => void,
): Promise<readonly File[]> {
  for (const { file } of files) assertInside(directory, file);
  const refused: File[] = [];
  for (const file of files) {
    try {
      if (!(await writeOne(join(directory, file.file), file))) refused.push(file);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // A full disk is reported without a path, others with that of a draft next to the file.
      if (onFailure === undefined) throw Object.assign(error, { path: file.file });
      onFailure(file, error);
    }
  }
  return refused;
}

export function changedMeanwhile(file: string): Diagnostic {
  const message = `${file} was created or changed by someone else just now, so it was not touched.`;
  return errorOf("changed-meanwhile", message, "Run the command again.");
}

async function writeOne(path: string, { before, text }: FileContent): Promise<boolean> {
  if (before === null) {
    makeFolder(dirname(path));
    try {
      await writeFile(path, text, { flag: "wx" });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      // Half a file would keep the next run from writing it.
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  }
  const real = realpathSync(path);
  const now = readFileSync(real, "utf8");
  if (now !== before && now !== mark + before) return false;
  const beside = `${real}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await writeFile(beside, typeof text === "string" && now.startsWith(mark) ? mark + text : text, {
      flag: "wx",
      mode: 0o600,
    });
    // Afterwards, because a mode that is set at its creation loses what the user's umask forbids.
    await chmod(beside, statSync(real).mode);
    await rename(beside, real);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return true;
}

/** Whether git has the file's present content, so that none of it can be lost. `file`: relative to the folder, with `/`. */
export async function gitHolds(directory: string, file: string): Promise<boolean> {
  const committed = await runGit(directory, ["rev-parse", "--verify", "--quiet", `HEAD:./${file}`]);
  if (!committed.ok) return false;
  const present = await runGit(directory, ["hash-object", "--", file]);
  return present.ok && present.output.equals(committed.output);
}
