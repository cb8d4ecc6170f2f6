import type { Diagnostic, Severity, Source } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";

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

/** How it went, in one sentence. */
export function diagnosticsSentence(report: DiagnosticsReport): string {
  const said = [
    count(report, "error", "error"),
    count(report, "warning", "warning"),
    count(report, "info", "remark"),
  ].filter((words) => words !== null);
  const looked = `${plural(report.events, "event")}${report.webhooks === 0 ? "" : ` and ${plural(report.webhooks, "webhook")}`} in ${plural(report.files, "file")}`;
  const more = report.hidden === 0 ? "" : ` (${plural(report.hidden, "remark")} more with --verbose)`;
  if (said.length === 0) return `No problems: ${looked}${more}.`;
  const strict = report.strict && !report.diagnostics.some(({ severity }) => severity === "error") && !report.ok;
  const verdict = report.ok ? "" : strict ? " With --strict, warnings count as errors." : "";
  return `${list(said)}: ${looked}${more}.${verdict}`;
}

function count({ diagnostics }: DiagnosticsReport, severity: Severity, word: string): string | null {
  const found = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return found === 0 ? null : plural(found, word);
}

function plural(number: number, word: string): string {
  return `${formatCount(number)} ${word}${number === 1 ? "" : "s"}`;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
