import { type CallCost, type Change, type Plan, planErrors, recoveryDeletes, type Summary } from "../../model/plan.ts";
import { formatDuration } from "../../model/time.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { safeText } from "../text/sanitize.ts";

const parts: readonly (readonly [keyof Summary, string])[] = [
  ["create", "to create"],
  ["update", "to change"],
  ["replace", "to replace"],
  ["delete", "to delete"],
  ["publish", "to publish"],
  ["unpublish", "to unpublish"],
  ["archive", "to archive"],
  ["soldOut", "to mark as sold out"],
];

/** The plan in a sentence or two: what apply would do now, and what is blocked apart from it. */
export function summarySentence(plan: Plan, skipBlocked: boolean): string {
  const held = plan.held?.length ?? 0;
  if (held === 0) return plannedSentence(plan, skipBlocked);
  if (plan.changes.length === 0) return `Nothing to send: ${pluralize(held, "change")} held until reviewed.`;
  return `${plannedSentence(plan, skipBlocked)} Held until reviewed: ${pluralize(held, "change")}.`;
}

function plannedSentence(plan: Plan, skipBlocked: boolean): string {
  const errors = planErrors(plan).length;
  const leftovers = recoveryDeletes(plan).length;
  if (plan.changes.length === 0 && errors > 0) return `Cannot plan: fix ${pluralize(errors, "error")} first.`;
  if (plan.changes.length === 0 && leftovers === 0) return emptySentence(plan);
  const waiting = heldBackChanges(plan);
  const planned = describePlanned(plan, waiting);
  const blocked = describeBlocked(plan, waiting.length);
  const calls = describeCalls(plan.calls);
  if (errors > 0)
    return `Cannot apply: fix ${pluralize(errors, "error")} first. ${[planned, blocked].filter(Boolean).join("; ")}.`;
  if (blocked === "") return `${planned}; ${calls}.`;
  if (skipBlocked) return `${planned}; ${calls}. Left out: ${blocked}.`;
  if (plan.calls.writes + leftovers === 0)
    return `${blocked}: apply refuses this plan, and --skip-blocked leaves nothing to do.`;
  return `${blocked}: apply refuses this plan. With --skip-blocked: ${planned}; ${calls}.`;
}

/** Changes that nothing forbids, and that need one that is blocked. */
function heldBackChanges(plan: Plan): readonly Change[] {
  return plan.changes.filter(({ heldBack }) => heldBack === "change");
}

function describePlanned(plan: Plan, waiting: readonly Change[]): string {
  const counts = parts.flatMap(([key, verb]) => {
    const count = (plan.summary[key] ?? 0) - waiting.filter(({ action }) => action === key).length;
    return count <= 0 ? [] : [`${formatCount(count)} ${verb}`];
  });
  const leftovers = recoveryDeletes(plan).length;
  if (leftovers > 0) counts.push(`${formatCount(leftovers)} left by an interrupted run to delete`);
  return counts.length === 0 ? "Nothing to change" : counts.join(", ");
}

/** "2 blocked, 3 waiting for them"; empty if nothing is. */
function describeBlocked({ summary: { blocked } }: Plan, waiting: number): string {
  if (blocked === 0) return "";
  const others = waiting === 0 ? "" : `, ${formatCount(waiting)} waiting for ${blocked === 1 ? "it" : "them"}`;
  return `${formatCount(blocked)} blocked${others}`;
}

function emptySentence({ summary: { unchanged }, compared, shard }: Plan): string {
  const none = `No changes${shard === undefined ? "" : ` in shard ${shard}`}`;
  const checked = unchanged === 0 ? "" : ` (${pluralize(unchanged, "object")} checked)`;
  const unseen = compared?.webhooksUnseen === true ? ", except webhooks, which this key cannot see" : "";
  if (shard !== undefined && unchanged === 0)
    return `${none}: nothing that was asked for belongs to it. Nothing was compared with the service.`;
  if (compared === undefined || compared.base === null)
    return `${none}: the service matches the files${checked}${unseen}.`;
  const base = safeText(compared.base);
  if (compared.events + compared.removed === 0 && !compared.webhooks)
    return `${none}: nothing differs from ${base}${unseen}. Nothing was compared with the service.`;
  const { removed } = compared;
  const gone = removed === 0 ? "" : ` and ${pluralize(removed, "removed document")}`;
  return `${none}: what differs from ${base} is already live${checked}${unseen}. Compared with the service: ${formatCount(compared.events)} of ${pluralize(compared.ofEvents, "event")}${gone}.`;
}

function describeCalls(calls: CallCost): string {
  return calls.writes === 0
    ? "no calls to make"
    : `${pluralize(calls.writes, "call")}, ${formatDuration(calls.estimateSeconds)}`;
}
