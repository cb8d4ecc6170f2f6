// Problems for programs: annotations of GitHub's workflows, JSON, and SARIF.
import type { AnyCode, Diagnostic, Severity, Source } from "../../model/diagnostic.ts";
import { severityNames } from "../text/page.ts";
import { safeJson, safeText } from "../text/sanitize.ts";
import { type DiagnosticsReport, diagnosticsSentence } from "./diagnostics-text.ts";

/** Data comes only after our own words, escaped, and never begins a line. `prefix`: the project's folder as seen from the repository's, "" or ending in a slash. */
export function renderDiagnosticsGithub(report: DiagnosticsReport, prefix: string): string {
  const lines = report.diagnostics.map((diagnostic) => annotation(diagnostic, prefix));
  return `${[safeText(report.target), ...lines, diagnosticsSentence(report)].join("\n")}\n`;
}

/** A line for each, for GitHub to show at its place. */
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
    data(safeText(part)),
  );
  return `::${severityNames[severity]} ${[...place, `title=${property(code)}`].join(",")}::${text.join("%0A")}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

export function renderDiagnosticsJson({ ok, files, events, diagnostics }: DiagnosticsReport): string {
  return `${safeJson({ formatVersion: 1, ok, files, events, diagnostics: diagnostics.map(inOrder) })}\n`;
}

/** The same keys in the same order, whoever made it. */
function inOrder({ code, severity, message, hint, address, source, related }: Diagnostic): unknown {
  return { code, severity, message, hint, address, source, related };
}

// SARIF 2.1.0, which code scanning reads.

export interface SarifOptions {
  /** The project's folder as seen from the repository's, "" or ending in a slash. */
  readonly prefix: string;
  readonly version: string;
  /** What a code means; null for one of the service's own. */
  readonly helpOf: (code: AnyCode) => RuleHelp | null;
}

export interface RuleHelp {
  readonly summary: string;
  readonly text: string;
  readonly markdown: string;
}

export function renderDiagnosticsSarif(report: DiagnosticsReport, { prefix, version, helpOf }: SarifOptions): string {
  const codes = [...new Set(report.diagnostics.map(({ code }) => code))];
  const run = {
    tool: {
      driver: { name: "ticketing", semanticVersion: version, rules: codes.map((code) => ruleOf(code, helpOf(code))) },
    },
    columnKind: "utf16CodeUnits",
    results: report.diagnostics.map((diagnostic) => resultOf(diagnostic, codes.indexOf(diagnostic.code), prefix)),
  };
  return `${safeJson({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] })}\n`;
}

function ruleOf(id: AnyCode, help: RuleHelp | null) {
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

function resultOf({ code, severity, message, hint, source, related }: Diagnostic, ruleIndex: number, prefix: string) {
  const text = safeText(hint === undefined ? message : `${message} ${hint}`);
  return {
    ruleId: code,
    ruleIndex,
    level: sarifLevels[severity],
    message: { text },
    // A reader of SARIF wants a place for everything: what has none of its own belongs to the project as a whole.
    locations: [{ physicalLocation: placeOf(source ?? { file: "ticketing.yaml", line: 1, column: 1 }, prefix) }],
    ...(related === undefined
      ? {}
      : {
          relatedLocations: related.map((other, id) => ({
            id,
            message: { text: safeText(other.message) },
            physicalLocation: placeOf(other.source, prefix),
          })),
        }),
  };
}

function placeOf({ file, line, column }: Source, prefix: string) {
  const uri = `${prefix}${file}`.split("/").map(encodeURIComponent).join("/");
  return { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, region: { startLine: line, startColumn: column } };
}
