// Annotations for GitHub's workflows. Data stands only behind our own words, escaped, and never begins a line.
import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import type { DiagnosticsReport } from "./diagnostics-report.ts";
import { diagnosticsSentence } from "./diagnostics-sentence.ts";
import { safeText } from "./safe-text.ts";

/** `prefix`: the project's folder as seen from the repository's, "" or ending in a slash. */
export function renderDiagnosticsGithub(report: DiagnosticsReport, prefix: string): string {
  const lines = report.diagnostics.map((diagnostic) => annotation(diagnostic, prefix));
  return `${[safeText(report.target), ...lines, diagnosticsSentence(report)].join("\n")}\n`;
}

const levels: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

function annotation({ code, severity, message, hint, source, related = [] }: Diagnostic, prefix: string): string {
  const place =
    source === undefined
      ? []
      : [`file=${property(prefix + source.file)}`, `line=${source.line}`, `col=${source.column}`];
  const others = related.map((other) => `${other.message}: ${prefix}${other.source.file}:${other.source.line}`);
  const text = [message, ...(hint === undefined ? [] : [`Way out: ${hint}`]), ...others].map((part) =>
    data(safeText(part)),
  );
  return `::${levels[severity]} ${[...place, `title=${property(code)}`].join(",")}::${text.join("%0A")}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
