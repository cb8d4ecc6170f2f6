import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import type { CallCost, Plan } from "../../model/plan.ts";
import { formatDuration } from "../../model/time.ts";
import { formatCount, groupBy, pluralize } from "../../model/value.ts";
import { safeText } from "../text/sanitize.ts";
import { buildSections } from "./build-sections.ts";
import type { Setting } from "./change-lines.ts";
import { distinguish } from "./distinct-names.ts";
import { feesFootnote } from "./edit-line.ts";
import { orderSteps } from "./order-steps.ts";
import { summarySentence } from "./summary.ts";
import type { PlanView } from "./view.ts";
import { heldChanges, laterNotes, waitingMerges } from "./waiting.ts";

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
    fallbackOf: (address) => fallbacks.get(address),
    apart: distinguish(plan),
  };
  const { steps, inOrder } = orderSteps(plan, setting);
  const isHeldUp = plan.summary.blocked > 0 && options.skipBlocked !== true;
  return {
    environment: safeText(plan.target.environment),
    baseUrl: safeText(plan.target.baseUrl),
    organization: plan.target.organization === null ? null : safeText(plan.target.organization.slug),
    shard: plan.shard ?? null,
    sections: buildSections(plan.changes, setting),
    waiting: waitingMerges(plan.changes),
    held: heldChanges(plan),
    remarks: foldRemarks(remarksOf(plan), options.full),
    steps,
    stepsInOrder: inOrder,
    stepsTitle: `${inOrder ? "In this order" : "In total"}${isHeldUp ? ", with --skip-blocked" : ""}`,
    notes: [
      ...notesOf(plan, options.full),
      ...(plan.operations.length === 0 ? [] : [costSentence(plan.calls, isHeldUp)]),
    ],
    summary: summarySentence(plan, options.skipBlocked === true),
  };
}

const severityOrder: readonly Severity[] = ["error", "warning", "info"];

function remarksOf(plan: Plan): readonly Diagnostic[] {
  const blocks = new Set(plan.changes.flatMap((change) => change.blockedBy.map((block) => block.message)));
  // A message that a blocked change already shows is not repeated.
  const diagnostics = plan.diagnostics.filter((diagnostic) => !blocks.has(diagnostic.message));
  return severityOrder.flatMap((severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity));
}

const fewAlike = 3;

/** A remark that many files share is shown a few times; an error always is. */
function foldRemarks(remarks: readonly Diagnostic[], full: boolean): readonly Diagnostic[] {
  const alike = groupBy(remarks, ({ severity, code }) => `${severity} ${code}`);
  return remarks.flatMap((remark) => {
    const { severity, code } = remark;
    const group = alike.get(`${severity} ${code}`) ?? [];
    const nth = group.indexOf(remark) + 1;
    if (full || severity === "error" || group.length <= fewAlike || nth < fewAlike) return [remark];
    if (nth > fewAlike) return [];
    const message = `${formatCount(group.length - nth + 1)} more like this, each at another place.`;
    return [{ severity, code, message, hint: "--verbose lists them all, and so does --format json." }];
  });
}

function notesOf(plan: Plan, full: boolean): readonly string[] {
  const notes: string[] = [];
  if (plan.changes.some(({ fees = [] }) => fees.some((fee) => fee.price > 0))) notes.push(feesFootnote);
  const unmanaged = plan.summary.unmanaged ?? 0;
  if (unmanaged > 0) {
    const objects = pluralize(unmanaged, "event or webhook", "events and webhooks");
    notes.push(`Left untouched: ${objects} on the service that the files do not manage.`);
  }
  return [...notes, ...laterNotes(plan.upcoming, full)];
}

function costSentence({ reads, writes, estimateSeconds }: CallCost, isHeldUp: boolean): string {
  const when = isHeldUp ? "with --skip-blocked" : "to come";
  return `Calls: ${pluralize(reads, "read")} made for this plan, ${pluralize(writes, "write")} ${when}, ${formatDuration(estimateSeconds)}.`;
}
