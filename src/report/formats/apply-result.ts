// What came of an apply, on top of the comment whose plan it was, and in the job's summary.
import type { AnyCode } from "../../model/diagnostic.ts";
import type { ApplyReport } from "../../model/plan.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import type { ExplainCode } from "../page/frame.ts";
import { undoneWords, verbNames } from "../plan-view/messages.ts";
import { codeSpan, escapeProse } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";
import { type CommentPlace, codesMarkdown, commitLink, runLink, withoutFlags } from "./comment-parts.ts";
import { headlinesOf } from "./headlines.ts";

export interface ApplyResult {
  readonly report: ApplyReport;
  /** Why nothing was sent; null: it was, or nothing had to be. */
  readonly refusal: { readonly code: AnyCode; readonly message: string; readonly hint?: string } | null;
  readonly place: CommentPlace | null;
  readonly explain: ExplainCode;
}

const mostListed = 10;

export function renderApplyResult({ report, refusal, place, explain }: ApplyResult): string {
  const { summary, plan, outcomes } = report;
  const held = plan.held ?? [];
  const blocked = plan.changes.filter(({ blockedBy }) => blockedBy.length > 0);
  const parts = [
    `${formatCount(summary.done)} of ${pluralize(outcomes.length, "call")} done`,
    ...undoneWords(summary),
    ...(blocked.length === 0 ? [] : [`${formatCount(blocked.length)} blocked`]),
    ...(held.length === 0 ? [] : [`${formatCount(held.length)} held until reviewed`]),
  ];
  const isClean = refusal === null && summary.done === outcomes.length && blocked.length + held.length === 0;
  const verdict = refusal !== null ? "Not applied" : isClean ? "Applied" : "Not fully applied";
  const head = place?.head ?? null;
  const at = head === null ? "" : ` at ${commitLink(place, head)}`;
  const run = runLink(place, "run");
  const errors = outcomes.flatMap(({ operation, result, error }) => {
    const done = plan.operations.find(({ id }) => id === operation);
    if (result === "done" || error === undefined || done === undefined || error.code === "needs-failed") return [];
    return [
      `- **${result}:** ${verbNames[done.verb]} ${codeSpan(safeText(done.address))}: ${escapeProse(safeText(error.message))}`,
    ];
  });
  const lines = [
    ...(refusal === null ? errors : []),
    ...headlinesOf(blocked).map(({ text, change }) => {
      const codes = change.blockedBy.map(({ code }) => codeSpan(safeText(code))).join(", ");
      return `- **Blocked:** ${escapeProse(text)} (${codes})`;
    }),
    ...headlinesOf(held, "held").map(({ text }) => `- **Held:** ${escapeProse(text)}`),
  ];
  const more = lines.length - mostListed;
  const why =
    refusal === null
      ? []
      : [`${escapeProse(safeText(refusal.message))} ${escapeProse(safeText(withoutFlags(refusal.hint ?? "")))}`.trim()];
  return [
    `### ${verdict} to ${codeSpan(safeText(plan.target.environment))}${at}`,
    `**${escapeProse(parts.join(", "))}.**${run === null ? "" : ` In this ${run}.`}`,
    ...why,
    [...lines.slice(0, mostListed), ...(more > 0 ? [`- and ${pluralize(more, "more line")} in the run`] : [])].join(
      "\n",
    ),
    held.length === 0
      ? ""
      : "What is held waits until a pull request whose plan lists it is merged, or the apply is started by hand with `unreviewed: apply`.",
    codesMarkdown(
      blocked.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code)),
      explain,
    ),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

const begin = "<!-- ticketing result -->";
const end = "<!-- /ticketing result -->";

/** A comment with the result right below its marker, in the place of an earlier one. */
export function withResult(body: string, result: string, room: number): string {
  const from = body.indexOf(begin);
  const to = body.indexOf(end);
  const plain = from !== -1 && to > from ? body.slice(0, from) + body.slice(to + end.length).trimStart() : body;
  const line = plain.indexOf("\n") + 1;
  const [marker, plan] = [plain.slice(0, line), plain.slice(line)];
  const whole = `${marker}${begin}\n${result}\n${end}\n\n${plan}`;
  return whole.length <= room ? whole : `${marker}${begin}\n${result}\n${end}\n`;
}
