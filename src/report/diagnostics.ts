// Problems and remarks, in every format.
import type { AnyCode, Diagnostic, Severity, Source } from "../model/diagnostic.ts";
import { formatCount, groupBy, listSome, pluralize } from "../model/value.ts";
import { projectFile } from "../model/wish.ts";
import { safeJson, safeSentence, safeText } from "./text/sanitize.ts";
import {
  describePlace,
  diagnosticBlocks,
  explainLines,
  joinBlocks,
  type LineAt,
  makePage,
  type Page,
  paragraph,
  piece,
  severityCounts,
  severityNames,
  severityTones,
  type TerminalOptions,
  targetLine,
} from "./text/terminal-text.ts";

// The result of checking the files, for the terminal: place, line and caret, one sentence, the fix; and one sentence at the end.

/** Which environment the files were read for; null: none was chosen, and they were checked as for another. */
export interface OfflineTarget {
  readonly environment: string | null;
  readonly baseUrl: string | null;
  readonly checkedAs: string | null;
  /** The other environments, if variables may differ there. */
  readonly alsoCheckedAs?: readonly string[];
}

/** The one value that every format is made from. */
export interface DiagnosticsReport {
  readonly ok: boolean;
  readonly target: OfflineTarget;
  readonly files: number;
  readonly events: number;
  readonly webhooks: number;
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Problems of these events in files that were not asked for, such as their templates. */
  readonly elsewhere?: readonly Diagnostic[];
  /** Notices that are left out, because --verbose was not given. */
  readonly hidden: number;
  /** Warnings count as errors. */
  readonly strict: boolean;
}

/** `full`: every problem in full, however often it is there. */
export function renderDiagnosticsText(
  report: DiagnosticsReport,
  options: TerminalOptions & { readonly lineAt: LineAt; readonly full?: boolean },
): string {
  const page = makePage(options);
  const { shown, folds } = options.full ? { shown: report.diagnostics, folds: [] } : fold(report.diagnostics);
  return joinBlocks([
    paragraph(page, [piece("heading", offlineTargetLine(report.target))], 0, 2),
    ...diagnosticBlocks(page, shown, options.lineAt, report.diagnostics),
    ...folds.map((group) => alikeLines(page, group)),
    explainLines(
      page,
      [...shown.filter(({ severity }) => severity === "error"), ...shown].map(({ code }) => code),
    ),
    paragraph(page, [piece("heading", diagnosticsSentence(report))], 0, 2),
  ]);
}

/** The first line of what a command says that reads only files. */
export function offlineTargetLine({ environment, baseUrl, checkedAs, alsoCheckedAs = [] }: OfflineTarget): string {
  const others = alsoCheckedAs.map(safeText).join(", ");
  if (environment !== null)
    return `${targetLine(environment, baseUrl)}, offline${others === "" ? "" : `; also checked with the variables of ${others}`}`;
  const names = [checkedAs, ...alsoCheckedAs].map((name) => safeText(name ?? "")).join(", ");
  return `Target: none (offline${checkedAs === null ? "" : `; checked with the settings of ${names}`})`;
}

function diagnosticsSentence({ ok, strict, ...report }: DiagnosticsReport): string {
  const found = severityCounts(report.diagnostics);
  const elsewhere = severityCounts(report.elsewhere ?? []);
  const webhooks = report.webhooks === 0 ? "" : `, ${pluralize(report.webhooks, "webhook")}`;
  const checked = `${pluralize(report.files, "file")} (${pluralize(report.events, "event")}${webhooks})`;
  const more = report.hidden === 0 ? "" : ` ${pluralize(report.hidden, "more notice")} with --verbose.`;
  const isWarned = strict && !ok && report.diagnostics.every(({ severity }) => severity !== "error");
  const verdict = isWarned ? " With --strict, warnings count as errors." : "";
  const here = elsewhere === "" ? "" : report.files === 1 ? " in this file" : " in these files";
  const s = report.elsewhere?.length === 1 ? "s" : "";
  const concern = `concern${s} ${report.events === 1 ? "this event" : "these events"}`;
  const keep = `keep${s} ${report.files === 1 ? "its" : "their"} events from being read`;
  const others =
    elsewhere === ""
      ? ""
      : ` In other files, ${elsewhere} ${report.events === 0 ? keep : concern}: run \`ticketing validate\` without file names.`;
  return `${found || "No problems"}${here}. Checked ${checked}.${others}${more}${verdict}`;
}

const fewAlike = 5;
const shownOfMany = 2;

/** The same mistake in many places is shown twice in full; of the others the place says enough. */
function fold(diagnostics: readonly Diagnostic[]) {
  // Messages name the object; problem and fix are the same wherever the fix is made.
  const alike = groupBy(
    diagnostics.filter(({ source }) => source !== undefined),
    ({ severity, code, hint, message }) => JSON.stringify([severity, code, hint ?? message]),
  );
  const folds = [...alike.values()].filter((group) => group.length > fewAlike);
  const hidden = new Set(folds.flatMap((group) => group.slice(shownOfMany)));
  return { shown: diagnostics.filter((diagnostic) => !hidden.has(diagnostic)), folds };
}

const mostPlaces = 60;

function alikeLines(page: Page, [like, ...alike]: readonly Diagnostic[]): readonly string[] {
  if (like === undefined) return [];
  const others = alike.slice(shownOfMany - 1).map((other) => describePlace(other) ?? "");
  const head = [
    piece(severityTones[like.severity], severityNames[like.severity]),
    piece("quiet", `[${like.code}]`),
    piece("word", ` ${formatCount(others.length)} more like `),
    piece("name", describePlace(like) ?? ""),
    piece("word", " (--verbose shows each)"),
  ];
  return [...paragraph(page, head, 0, 2), ...paragraph(page, [piece("name", listSome(others, mostPlaces))], 2)];
}

// Problems for programs: annotations of GitHub's workflows, JSON, and SARIF.

/** Data comes only after our own words, escaped, and never begins a line. `prefix`: the project's folder as seen from the repository's, "" or ending in a slash. */
export function renderDiagnosticsGithub(report: DiagnosticsReport, prefix: string): string {
  const lines = report.diagnostics.map((diagnostic) => annotation(diagnostic, prefix));
  return `${[offlineTargetLine(report.target), ...lines, diagnosticsSentence(report)].join("\n")}\n`;
}

export function renderAnnotations(diagnostics: readonly Diagnostic[], prefix: string): string {
  return diagnostics.map((diagnostic) => `${annotation(diagnostic, prefix)}\n`).join("");
}

function annotation({ code, severity, message, hint, source, related = [] }: Diagnostic, prefix: string): string {
  const place =
    source === undefined
      ? []
      : [`file=${property(prefix + source.file)}`, `line=${source.line}`, `col=${source.column}`];
  const others = related.map((other) => `${other.message}: ${prefix}${other.source.file}:${other.source.line}`);
  const text = [message, ...(hint === undefined ? [] : [`fix: ${hint}`]), ...others].map((part) =>
    data(safeSentence(part)),
  );
  return `::${severityNames[severity]} ${[...place, `title=${property(code)}`].join(",")}::${text.join("%0A")}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

export function renderDiagnosticsJson(report: DiagnosticsReport): string {
  const { ok, target, files, events, webhooks, strict, hidden } = report;
  const diagnostics = report.diagnostics.map(orderedDiagnostic);
  return `${safeJson({ formatVersion: 1, ok, target, files, events, webhooks, strict, hidden, diagnostics })}\n`;
}

/** The same keys in the same order, regardless of where it was made. */
function orderedDiagnostic({ code, severity, message, hint, address, source, related }: Diagnostic): unknown {
  return { code, severity, message, hint, address, source, related };
}

// SARIF 2.1.0, which code scanning reads.

interface SarifOptions {
  /** The project's folder as seen from the repository's, "" or ending in a slash. */
  readonly prefix: string;
  readonly version: string;
  /** What a code means; null for one of the service's own. */
  readonly helpOf: (code: AnyCode) => RuleHelp | null;
}

interface RuleHelp {
  readonly summary: string;
  readonly text: string;
  readonly markdown: string;
}

export function renderDiagnosticsSarif(report: DiagnosticsReport, { prefix, version, helpOf }: SarifOptions): string {
  const codes = [...new Set(report.diagnostics.map(({ code }) => code))];
  const run = {
    tool: {
      driver: { name: "ticketing", semanticVersion: version, rules: codes.map((code) => toRule(code, helpOf(code))) },
    },
    columnKind: "utf16CodeUnits",
    results: report.diagnostics.map((diagnostic) => sarifResult(diagnostic, codes.indexOf(diagnostic.code), prefix)),
  };
  return `${safeJson({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] })}\n`;
}

function toRule(id: AnyCode, help: RuleHelp | null) {
  if (help === null) return { id, name: id };
  const { summary, text, markdown } = help;
  return {
    id,
    name: id,
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: { text, markdown },
  };
}

const sarifLevels: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

function sarifResult(
  { code, severity, message, hint, source, related }: Diagnostic,
  ruleIndex: number,
  prefix: string,
) {
  const text = `${safeSentence(message)} ${safeText(hint ?? "")}`.trim();
  return {
    ruleId: code,
    ruleIndex,
    level: sarifLevels[severity],
    message: { text },
    // A reader of SARIF wants a place for everything: a problem without one belongs to the project as a whole.
    locations: [{ physicalLocation: sarifLocation(source ?? { file: projectFile, line: 1, column: 1 }, prefix) }],
    ...(related === undefined
      ? {}
      : {
          relatedLocations: related.map((other, id) => ({
            id,
            message: { text: safeText(other.message) },
            physicalLocation: sarifLocation(other.source, prefix),
          })),
        }),
  };
}

function sarifLocation({ file, line, column }: Source, prefix: string) {
  const uri = `${prefix}${file}`.split("/").map(encodeURIComponent).join("/");
  return { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, region: { startLine: line, startColumn: column } };
}
