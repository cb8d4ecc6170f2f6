import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import type { CallCost, Plan } from "../../model/plan.ts";
import { formatDuration } from "../../model/time.ts";
import { formatCount } from "../../model/value.ts";
import { safeLines, safeText } from "../text/sanitize.ts";
import { buildSections } from "./build-sections.ts";
import { findHeldBack, type Setting } from "./change-lines.ts";
import { distinguish } from "./distinct-names.ts";
import { feesFootnote, feesOf, findAbsorbs } from "./fees.ts";
import { orderSteps } from "./order-steps.ts";
import { summarySentence } from "./summary.ts";
import type { PlanView, Remark } from "./view.ts";

export interface ViewOptions {
  /** Nothing is shortened. */
  readonly full: boolean;
  /** The plan is shown by an apply that leaves out what is blocked. */
  readonly skipBlocked?: boolean;
}

export function buildPlanView(plan: Plan, options: ViewOptions): PlanView {
  const fallbacks = new Map(plan.operations.flatMap((one) => (one.fallback ? [[one.because, one.fallback]] : [])));
  const setting: Setting = {
    full: options.full,
    heldBack: findHeldBack(plan),
    absorbs: findAbsorbs(plan.changes),
    fallbackOf: (address) => fallbacks.get(address),
    apart: distinguish(plan),
  };
  const { steps, inOrder } = orderSteps(plan, setting);
  const isHeldUp = plan.summary.blocked > 0 && options.skipBlocked !== true;
  return {
    environment: safeText(plan.target.environment),
    baseUrl: safeText(plan.target.baseUrl),
    organization: plan.target.organization === null ? null : safeText(plan.target.organization.slug),
    sections: buildSections(plan.changes, setting),
    remarks: foldRemarks(remarksOf(plan), options.full),
    steps,
    stepsInOrder: inOrder,
    notes: notesOf(plan, setting),
    onlySkipping: isHeldUp,
    cost: plan.operations.length === 0 ? null : costSentence(plan.calls, isHeldUp),
    summary: summarySentence(plan, options.skipBlocked === true),
  };
}

const severityWords: Readonly<Record<Severity, Remark["severity"]>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};
const severityOrder: readonly Severity[] = ["error", "warning", "info"];

function remarksOf(plan: Plan): readonly Remark[] {
  const blocks = new Set(plan.changes.flatMap((change) => change.blockedBy.map((block) => block.message)));
  // What a blocked change says already is not said twice.
  const diagnostics = plan.diagnostics.filter((diagnostic) => !blocks.has(diagnostic.message));
  return severityOrder.flatMap((severity) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).map(remarkOf),
  );
}

const fewAlike = 3;

/** A remark that many files share is told a few times; an error is always told. */
function foldRemarks(remarks: readonly Remark[], full: boolean): readonly Remark[] {
  const sortOf = ({ severity, code }: Remark) => `${severity} ${code}`;
  const counts = new Map<string, number>();
  for (const remark of remarks) counts.set(sortOf(remark), (counts.get(sortOf(remark)) ?? 0) + 1);
  const told = new Map<string, number>();
  return remarks.flatMap((remark) => {
    const sort = sortOf(remark);
    const all = counts.get(sort) ?? 0;
    if (full || remark.severity === "error" || all <= fewAlike) return [remark];
    const nth = (told.get(sort) ?? 0) + 1;
    told.set(sort, nth);
    if (nth < fewAlike) return [remark];
    if (nth > fewAlike) return [];
    const message = [`${formatCount(all - nth + 1)} more like this, each at another place.`];
    return [{ ...remark, message, hint: "--verbose lists them all, and so does --format json.", place: null }];
  });
}

function remarkOf(diagnostic: Diagnostic): Remark {
  const { source, address, hint } = diagnostic;
  const place = source === undefined ? address : `${source.file}:${source.line}:${source.column}`;
  return {
    severity: severityWords[diagnostic.severity],
    code: safeText(diagnostic.code),
    message: safeLines(diagnostic.message),
    hint: hint === undefined ? null : safeText(hint),
    place: place === undefined ? null : safeText(place),
  };
}

function notesOf(plan: Plan, setting: Setting): readonly string[] {
  const notes: string[] = [];
  if (plan.changes.some((change) => feesOf(change, setting.absorbs).some((fee) => fee.price > 0)))
    notes.push(feesFootnote);
  const unmanaged = plan.summary.unmanaged ?? 0;
  if (unmanaged > 0) {
    const objects = unmanaged === 1 ? "1 event or webhook" : `${formatCount(unmanaged)} events and webhooks`;
    notes.push(
      `${objects} on the service ${unmanaged === 1 ? "is" : "are"} in no file and ${unmanaged === 1 ? "is" : "are"} left alone.`,
    );
  }
  return notes;
}

function costSentence(calls: CallCost, isHeldUp: boolean): string {
  const reads = calls.reads === 1 ? "1 read" : `${formatCount(calls.reads)} reads`;
  const writes = calls.writes === 1 ? "1 write" : `${formatCount(calls.writes)} writes`;
  const when = isHeldUp ? "with --skip-blocked" : "to come";
  return `${reads} made for this plan, ${writes} ${when}, ${formatDuration(calls.estimateSeconds)}.`;
}
