import type { Diagnostic } from "../model/diagnostic.ts";
import type { DiagnosticsReport } from "./diagnostics-report.ts";
import { safeJson } from "./safe-json.ts";

export function renderDiagnosticsJson({ ok, files, events, diagnostics }: DiagnosticsReport): string {
  return `${safeJson({ formatVersion: 1, ok, files, events, diagnostics: diagnostics.map(inOrder) })}\n`;
}

/** The same keys in the same order, whoever made it. */
function inOrder({ code, severity, message, hint, address, source, related }: Diagnostic): unknown {
  return { code, severity, message, hint, address, source, related };
}
