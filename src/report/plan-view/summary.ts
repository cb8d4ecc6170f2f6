import { type CallCost, type Change, type Plan, planErrors, recoveryDeletes, type Summary } from "../../model/plan.ts";
import { formatDuration } from "../../model/time.ts";
import { formatCount } from "../../model/value.ts";
import { safeText } from "../text/sanitize.ts";
import { findHeldBack } from "./change-lines.ts";

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
  const errors = planErrors(plan).length;
  const leftovers = recoveryDeletes(plan).length;
  if (plan.changes.length === 0 && errors > 0) return noPlan(errors);
  if (plan.changes.length === 0 && leftovers === 0) return emptySentence(plan);
  const blocked = blockedWords(plan);
  const calls = callWords(plan.calls);
  if (errors > 0)
    return `${errorWords(errors)}: apply does nothing. ${[doesWords(plan), blocked].filter(Boolean).join("; ")}.`;
  if (blocked === "") return `${doesWords(plan)}; ${calls}.`;
  if (skipBlocked) return `${doesWords(plan)}; ${calls}. Left out: ${blocked}.`;
  if (plan.calls.writes + leftovers === 0)
    return `${blocked}: apply does nothing, and --skip-blocked leaves nothing to do.`;
  return `${blocked}: apply does nothing now. With --skip-blocked: ${doesWords(plan)}; ${calls}.`;
}

function doesWords(plan: Plan): string {
  const waits = waitingOf(plan);
  const said = parts.flatMap(([key, words]) => {
    const count = (plan.summary[key] ?? 0) - waits.filter(({ action }) => action === key).length;
    return count <= 0 ? [] : [`${formatCount(count)} ${words}`];
  });
  const leftovers = recoveryDeletes(plan).length;
  if (leftovers > 0) said.push(`${formatCount(leftovers)} left by an interrupted run to delete`);
  return said.length === 0 ? "Nothing to change" : said.join(", ");
}

/** Changes that nothing forbids, and that need one that is blocked. */
function waitingOf(plan: Plan): readonly Change[] {
  const heldBack = findHeldBack(plan);
  return plan.changes.filter((change) => heldBack(change) === "all");
}

function errorWords(errors: number): string {
  return errors === 1 ? "1 error" : `${formatCount(errors)} errors`;
}

/** "2 blocked, 3 waiting for them"; empty where nothing is. */
function blockedWords(plan: Plan): string {
  const { blocked } = plan.summary;
  if (blocked === 0) return "";
  const waiting = waitingOf(plan).length;
  const others = waiting === 0 ? "" : `, ${formatCount(waiting)} waiting for ${blocked === 1 ? "it" : "them"}`;
  return `${formatCount(blocked)} blocked${others}`;
}

function noPlan(errors: number): string {
  return `No plan: ${errors === 1 ? "1 error stands" : `${formatCount(errors)} errors stand`} in the way.`;
}

function emptySentence({ summary: { unchanged }, compared }: Plan): string {
  const objects = unchanged === 1 ? "1 object" : `${formatCount(unchanged)} objects`;
  const looked = unchanged === 0 ? "" : ` (${objects} looked at)`;
  const unseen = compared?.webhooksUnseen === true ? ", apart from webhooks, which this key cannot see" : "";
  if (compared === undefined || compared.base === null)
    return `No changes: everything is as the files say${looked}${unseen}.`;
  const base = safeText(compared.base);
  if (compared.events + compared.removed === 0 && !compared.webhooks)
    return `Nothing differs from ${base}${unseen}; the service was not compared.`;
  const events = compared.ofEvents === 1 ? "1 event" : `${formatCount(compared.ofEvents)} events`;
  const { removed } = compared;
  const gone =
    removed === 0 ? "" : ` and ${removed === 1 ? "1 removed document" : `${formatCount(removed)} removed documents`}`;
  return `No changes: what differs from ${base} is as the files say${looked}${unseen}; ${formatCount(compared.events)} of ${events}${gone} compared with the service.`;
}

function callWords(calls: CallCost): string {
  if (calls.writes === 0) return "no calls to make";
  const count = calls.writes === 1 ? "1 call" : `${formatCount(calls.writes)} calls`;
  return `${count}, ${formatDuration(calls.estimateSeconds)}`;
}
