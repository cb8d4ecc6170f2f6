import type { Diagnostic } from "../model/diagnostic.ts";
import type { ApplyReport } from "../model/outcome.ts";
import { renderPlanJson } from "./plan-json.ts";
import { safeJson } from "./safe-json.ts";

/** The report with recoveries and other remarks under `notes`. */
export function renderApplyJson(report: ApplyReport, notes: readonly Diagnostic[]): string {
  const { formatVersion, plan, outcomes, summary, calls } = report;
  return `${safeJson({ formatVersion, plan: JSON.parse(renderPlanJson(plan)), outcomes, summary, calls, notes })}\n`;
}
