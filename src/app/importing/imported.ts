import { posix } from "node:path";
import { type FileSource, readText } from "../../config/files.ts";
import type { LoadedSettings } from "../../config/project.ts";
import type { Defaults } from "../../import/describe.ts";
import { type Diagnostic, hasErrors, type Source } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { formatCount, groupBy, pluralize } from "../../model/value.ts";
import type { EventStatus, Project } from "../../model/wish.ts";
import type { Comparison } from "../../plan/compare.ts";
import type { Recall } from "../../plan/match.ts";
import { renderTable, safeJson } from "../../report/text.ts";
import type { Reader } from "../../snapshot/reader.ts";
import type { ComposedEvent } from "./compose-event.ts";

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

// What composing files needs at hand: the project as it is, and what is remembered of earlier runs.

export interface ImportContext {
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
  /** With the files of the folder that is written to, where that is not part of the project. */
  readonly project: Project;
  readonly environment: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: number;
  readonly state: State | null;
  readonly remember: Recall;
  readonly reader: Reader;
  /** Whether git has a file as it is now: only then may something be removed from it. */
  readonly isCommitted: (file: string) => Promise<boolean>;
  readonly defaults: Defaults;
  /** The zone of a file that says nothing of it. */
  readonly zone: string;
}

/** What a file will hold so far; several events may share one. */
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

/** What somebody wants files for. */
export interface ImportRequest {
  /** Ids or slugs. */
  readonly names: readonly string[];
  /** Every event of these statuses. */
  readonly statuses: readonly EventStatus[];
  readonly webhooks: boolean;
  /** New events that are alike but for their dates become series. */
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
  const places = events.map(({ file, name }) => `${file} ${name}`);
  const rows = events.map(({ action, file, name, slug, status }) => {
    // The nights of a series have one name, and may be in one file.
    const place = `${file} ${name}`;
    const isAlone = places.indexOf(place) === places.lastIndexOf(place);
    return [signs[action], file, isAlone || slug === null ? name : `${name} (${slug})`, status ?? ""];
  });
  for (const { file } of templates) rows.push([signs.created, file, "what the dates of a series share", ""]);
  if (webhooks !== null) {
    rows.push([signs[webhooks.action], webhooks.file, pluralize(webhooks.count, "webhook"), ""]);
  }
  if (rows.length === 0) return "";
  const table = renderTable(
    [{ title: "" }, { title: "File", whole: true }, { title: "What" }, { title: "Status", whole: true }],
    rows,
    { columns },
  );
  return `\n${table}\n${sentence(imported, next)}\n`;
}

function sentence({ events, webhooks, isSettled }: Imported, next: string): string {
  const actions = [...events, ...(webhooks === null ? [] : [webhooks])].map(({ action }) => action);
  const parts = (["created", "updated", "unchanged"] as const)
    .map((action) => ({ action, number: actions.filter((each) => each === action).length }))
    .filter(({ number }) => number > 0)
    .map(({ action, number }) => `${formatCount(number)} ${action}`);
  const shows = isSettled ? "shows no changes" : "shows the remaining changes";
  return `${parts.join(", ")}. Next: review the files; then \`${next}\` ${shows}.`;
}

// What to report about the files that were written.

/** Remarks on one file. */
export function remarksOnEvent(composed: ComposedEvent, file: string, name: string): readonly Diagnostic[] {
  const { existing, removedEntries } = composed;
  if (existing === null) return [cannotUpdate(file, name)];
  const { comparisons, errors } = existing;
  const source = { file, line: existing.wish.source.line, column: existing.wish.source.column };
  const remarks: Diagnostic[] = removedEntries.map((entry) => ({
    code: "not-live",
    severity: "warning",
    message: `The file listed ${entry}, which is not live; it was removed from the file.`,
    hint: "If it should still be created, put it back: git has it.",
    source,
  }));
  for (const one of comparisons) {
    if (one.change === null) continue;
    if (one.live === null) {
      remarks.push(stillListed(one, source));
      continue;
    }
    const fields = one.change.edits.map(({ path }) => path.slice(1));
    remarks.push({
      code: "plan-will-differ",
      severity: "warning",
      message: `The file cannot describe what is live of '${one.name}'${fields.length === 0 ? "" : ` (${fields.join(", ")})`}, so \`plan\` will show a change.`,
      hint: "Check `defaults` in ticketing.yaml: an event cannot always undo what they set.",
      source,
    });
  }
  return [...remarks, ...errors.map((error) => ({ ...error, source: error.source ?? source }))];
}

/** Nothing is removed from a file that git could not restore. */
function stillListed({ kind, name, obstacles }: Comparison, source: Source): Diagnostic {
  const next = obstacles.length === 0 ? "the next plan will create it" : "the next plan will block it";
  return {
    code: "not-live",
    severity: "warning",
    message: `${kind.plural}/${name} is not live; ${next}. It was left in the file, because the file has uncommitted changes.`,
    hint: "Remove it if it should not be created; once the file is committed, an import removes what is not live.",
    source,
  };
}

/** The rules that the file of one event now ignores. */
export function silencedIn({ existing, corrections }: ComposedEvent, file: string): readonly Silenced[] {
  if (existing === null) return [];
  const source = { file, line: existing.wish.source.line, column: existing.wish.source.column };
  return existing.comparisons.flatMap(({ name, live }) =>
    (corrections.get(live?.id ?? "")?.learned ?? []).map((code) => ({ code, name, source })),
  );
}

export function cannotUpdate(file: string, name: string): Diagnostic {
  return {
    code: "cannot-update-in-place",
    severity: "error",
    message: `'${name}' is written in a way that cannot be edited in place (an anchor, an entry of a template, or an unusual layout), so the file was left unchanged.`,
    hint: "Write its lists and fields in the usual way and import again, or edit the file by hand: `ticketing plan` shows what differs.",
    source: { file, line: 1, column: 1 },
  };
}

/** The service shows a secret only once: when the webhook is created. */
export function secretsUnknown(file: string, urls: readonly string[]): readonly Diagnostic[] {
  const [first] = urls;
  if (first === undefined) return [];
  const whose =
    urls.length === 1
      ? `The webhook ${first} has`
      : `The webhook ${first} and ${formatCount(urls.length - 1)} more have`;
  return [
    {
      code: "secret-not-held",
      severity: "info",
      message: `${file}: ${whose} a \`secretName\` now, derived from the URL; the secret itself is unknown here, because the service shows it only once.`,
      hint: `Change it to the name you store the secret under. If the secret is lost, \`ticketing webhooks rotate ${first}\` creates a new one.`,
    },
  ];
}

/** The same remark on many files is one remark. */
export function leftOutRemarks(remarks: ReadonlyMap<string, readonly string[]>): readonly Diagnostic[] {
  return [...remarks].map(([remark, files]) => {
    const [first = ""] = files;
    const where =
      files.length === 1
        ? first
        : `${first} and ${formatCount(files.length - 1)} more ${files.length === 2 ? "file" : "files"}`;
    return { code: "left-out", severity: "info", message: `${where}: ${remark[0]?.toLowerCase()}${remark.slice(1)}` };
  });
}

/** A rule that a file now ignores, because a live object breaks it. */
export interface Silenced {
  readonly code: string;
  /** The object's name. */
  readonly name: string;
  readonly source: Source;
}

/** The same rule for many objects is one remark. */
export function silencedRemarks(silenced: readonly Silenced[]): readonly Diagnostic[] {
  return [...groupBy(silenced, ({ code }) => code)].map(([code, group]) => {
    const [first] = group;
    const more = group.length === 1 ? " breaks" : ` and ${formatCount(group.length - 1)} more break`;
    return {
      code: "live-like-this",
      severity: "warning",
      message: `'${first?.name}'${more} the rule ${code} on the service, so the ${group.length === 1 ? "file ignores" : "files ignore"} that rule.`,
      hint: "Correct it on the service or in the file, then remove the `ignore`.",
      ...(first === undefined ? {} : { source: first.source }),
    };
  });
}
