// What `fmt` did to files, or would do.
import { structuredPatch } from "diff";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { safeJson, safeText } from "../text.ts";

export interface FormattedFile {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

export interface FormatReport {
  /** Nothing was written. */
  readonly check: boolean;
  /** How many were looked at. */
  readonly files: number;
  readonly changed: readonly FormattedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether every file has, or now has, the one layout. */
export function isFormatted({ check, changed, diagnostics }: FormatReport): boolean {
  return !hasErrors(diagnostics) && !(check && changed.length > 0);
}

export function renderFormattedJson(report: FormatReport): string {
  const { check, files, changed, diagnostics } = report;
  const names = changed.map(({ file }) => file);
  return `${safeJson({ formatVersion: 1, ok: isFormatted(report), check, files, changed: names, diagnostics })}\n`;
}

/** One line a file; with `diffs`, what changes in it. */
export function renderFormattedText(report: FormatReport, { diffs }: { readonly diffs: boolean }): string {
  const lines = report.changed.flatMap((file) => [safeText(file.file), ...(diffs ? diffLines(file) : [])]);
  return [...lines, sentence(report)].map((line) => `${line}\n`).join("");
}

function sentence({ check, files, changed, diagnostics }: FormatReport): string {
  const left = new Set(
    diagnostics.flatMap(({ severity, source }) => (severity === "error" && source !== undefined ? [source.file] : [])),
  );
  const errors = left.size === 0 ? "" : ` ${pluralize(left.size, "file")} left alone.`;
  if (changed.length === 0)
    return `${pluralize(files - Math.min(files, left.size), "file")} formatted already.${errors}`;
  const of = `${formatCount(changed.length)} of ${pluralize(files, "file")}`;
  return check ? `${of} would change: run \`ticketing fmt\`.${errors}` : `${of} formatted.${errors}`;
}

const mostLines = 40;

function diffLines({ file, before, text }: FormattedFile): readonly string[] {
  const { hunks } = structuredPatch(file, file, before, text, "", "", { context: 1 });
  const lines = hunks.flatMap(({ oldStart, lines }) => [
    `  line ${oldStart}:`,
    ...lines.map((line) => `  ${safeText(line)}`),
  ]);
  const more = lines.length - mostLines;
  return more <= 0 ? lines : [...lines.slice(0, mostLines), `  … ${pluralize(more, "more line")}`];
}
