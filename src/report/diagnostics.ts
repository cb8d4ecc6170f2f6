// Problems and remarks, in every format.
export {
  renderAnnotations,
  renderDiagnosticsGithub,
  renderDiagnosticsJson,
  renderDiagnosticsSarif,
} from "./diagnostics/formats.ts";
export { type DiagnosticsReport, renderDiagnosticsText } from "./diagnostics/text.ts";
