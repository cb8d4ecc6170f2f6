// Problems and remarks, in every format.
export {
  renderAnnotations,
  renderDiagnosticsGithub,
  renderDiagnosticsJson,
  renderDiagnosticsSarif,
} from "./formats/diagnostics-formats.ts";
export { type DiagnosticsReport, renderDiagnosticsText } from "./formats/diagnostics-text.ts";
