import { formatCount } from "../model/money.ts";
import { type CallCost, type Plan, recoveryDeletes, type Summary } from "../model/plan.ts";
import { planErrors } from "../model/plan-errors.ts";
import { formatDuration } from "./duration.ts";

const parts: readonly (readonly [keyof Summary, string])[] = [
  ["create", "to create"],
  ["update", "to change"],
  ["replace", "to replace"],
  ["delete", "to delete"],
  ["publish", "to publish"],
  ["unpublish", "to unpublish"],
  ["archive", "to archive"],
  ["soldOut", "to mark as sold out"],
  ["blocked", "blocked"],
];

/** The plan in one sentence. */
export function summarySentence(plan: Plan): string {
  const errors = planErrors(plan).length;
  const said = parts.flatMap(([key, words]) => {
    const count = plan.summary[key] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${words}`];
  });
  const leftovers = recoveryDeletes(plan).length;
  if (plan.changes.length === 0 && errors > 0) return noPlan(errors);
  if (leftovers > 0) said.push(`${formatCount(leftovers)} left by an interrupted run to delete`);
  else if (plan.changes.length === 0) return emptySentence(plan.summary.unchanged);
  const sentence = said.length === 0 ? "Nothing to change" : said.join(", ");
  const trouble = errors === 0 ? "" : `, ${errors === 1 ? "1 error" : `${formatCount(errors)} errors`}`;
  return `${sentence}${trouble}; ${callWords(plan.calls)}.`;
}

function noPlan(errors: number): string {
  return `No plan: ${errors === 1 ? "1 error stands" : `${formatCount(errors)} errors stand`} in the way.`;
}

function emptySentence(unchanged: number): string {
  if (unchanged === 0) return "No changes: everything is as the files say.";
  const objects = unchanged === 1 ? "1 object" : `${formatCount(unchanged)} objects`;
  return `No changes: everything is as the files say (${objects} looked at).`;
}

function callWords(calls: CallCost): string {
  if (calls.writes === 0) return "no calls to make";
  const count = calls.writes === 1 ? "1 call" : `${formatCount(calls.writes)} calls`;
  return `${count}, ${formatDuration(calls.estimateSeconds)}`;
}
