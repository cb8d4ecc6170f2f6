import type { Diagnostic } from "../model/diagnostic.ts";
import { maskUrls } from "../model/mask-urls.ts";
import type { DiagnosticsReport } from "./diagnostics-report.ts";
import { safeJson } from "./safe-json.ts";

export function renderDiagnosticsJson({ ok, files, events, diagnostics }: DiagnosticsReport): string {
  return `${safeJson({ formatVersion: 1, ok, files, events, diagnostics: diagnostics.map(inOrder) })}\n`;
}

/** The same keys in the same order, whoever made it, and no tokens of URLs in the words. */
function inOrder({ code, severity, message, hint, address, source, related }: Diagnostic): unknown {
  const advice = hint === undefined ? undefined : maskUrls(hint);
  return { code, severity, message: maskUrls(message), hint: advice, address, source, related };
}
