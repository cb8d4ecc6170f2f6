// Problems and remarks, in every format.
export { renderDiagnosticsGithub, renderDiagnosticsJson, renderDiagnosticsSarif } from "./diagnostics/formats.ts";
export type { DiagnosticsReport } from "./diagnostics/report.ts";
export { renderDiagnosticsText } from "./diagnostics/text.ts";
