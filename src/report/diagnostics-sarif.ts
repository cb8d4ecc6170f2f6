// SARIF 2.1.0, which code scanning reads.
import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import { rules } from "../model/rules.ts";
import type { Source } from "../model/source.ts";
import type { DiagnosticsReport } from "./diagnostics-report.ts";
import { safeJson } from "./safe-json.ts";
import { safeText } from "./safe-text.ts";

export interface SarifOptions {
  /** The project's folder as seen from the repository's, "" or ending in a slash. */
  readonly prefix: string;
  readonly version: string;
}

export function renderDiagnosticsSarif(report: DiagnosticsReport, { prefix, version }: SarifOptions): string {
  const codes = [...new Set(report.diagnostics.map(({ code }) => code))];
  const run = {
    tool: { driver: { name: "ticketing", semanticVersion: version, rules: codes.map(ruleOf) } },
    columnKind: "utf16CodeUnits",
    results: report.diagnostics.map((diagnostic) => resultOf(diagnostic, codes.indexOf(diagnostic.code), prefix)),
  };
  return `${safeJson({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] })}\n`;
}

function ruleOf(id: string) {
  const text = Object.hasOwn(rules, id) ? rules[id] : undefined;
  return text === undefined ? { id, name: id } : { id, name: id, shortDescription: { text } };
}

const levels: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

function resultOf({ code, severity, message, hint, source, related }: Diagnostic, ruleIndex: number, prefix: string) {
  const text = safeText(hint === undefined ? message : `${message} ${hint}`);
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
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
