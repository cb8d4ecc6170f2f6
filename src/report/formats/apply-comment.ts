// The result of an apply, on top of the comment whose plan it was, and in the job's summary.
import { type Diagnostic, plainHintOf } from "../../model/diagnostic.ts";
import { type ApplyReport, isFullyApplied, type Outcome, planErrors } from "../../model/plan.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import type { ExplainCode } from "../page/frame.ts";
import { hintsOf, isRefused, resultWord, undoneWords, verbNames } from "../plan-view/plan-view.ts";
import { codeSpan, escapeProse } from "../text/markdown.ts";
import { safeSentence, safeText } from "../text/sanitize.ts";
import { type CommentPlace, codesMarkdown, commitLink, mostUnfolded, runLink } from "./comment-parts.ts";
import { headlinesOf, lineWithCodes } from "./headlines.ts";
import { remarkMarkdown } from "./plan-markdown.ts";

interface ApplyResult {
  readonly report: ApplyReport;
  readonly notes: readonly Diagnostic[];
  /** Why nothing was sent; null: it was, or nothing had to be. */
  readonly refusal: Diagnostic | null;
  /** What went wrong apart from the operations. */
  readonly problem: Diagnostic | null;
  /** Everything was done, the service shows it, and nothing else went wrong. */
  readonly succeeded: boolean;
}

export function renderApplyResult(applied: ApplyResult, place: CommentPlace | null, explain: ExplainCode): string {
  const { report, refusal, succeeded } = applied;
  const { summary, plan, outcomes } = report;
  const held = plan.held ?? [];
  const blocked = plan.changes.filter(({ blockedBy }) => blockedBy.length > 0);
  const waits = blocked.length + held.length > 0 && summary.done === outcomes.length;
  const parts = [
    `${waits ? pluralize(summary.done, "call") : `${formatCount(summary.done)} of ${pluralize(outcomes.length, "call")}`} done`,
    ...undoneWords(summary),
    ...(blocked.length === 0 ? [] : [`${formatCount(blocked.length)} blocked`]),
    ...(held.length === 0 ? [] : [`${formatCount(held.length)} held until reviewed`]),
  ];
  const isIdle = outcomes.length + blocked.length + held.length === 0;
  const sent = !isFullyApplied(report) ? "Not fully applied" : succeeded ? "Applied" : "Applied with problems";
  const verdict = refusal === null ? sent : "Not applied";
  // A job that waits continues with what was merged meanwhile.
  const head = plan.revision?.head ?? place?.head ?? null;
  const at = head === null ? "" : ` at ${commitLink(place, head)}`;
  const run = runLink(place, "run");
  const causes = refusal === null ? outcomes.filter(({ error }) => error && error.code !== "needs-failed") : [];
  const hints = hintsOf(causes);
  const errors = causes.flatMap(({ operation, result, error }, at) => {
    const done = plan.operations.find(({ id }) => id === operation);
    if (error === undefined || done === undefined) return [];
    const words = [safeSentence(error.message), safeText(hints[at] ?? "")].join(" ").trim();
    return [
      `- **${resultWord(result)}:** ${verbNames[done.verb]} ${codeSpan(safeText(done.address))}: ${escapeProse(words)}`,
    ];
  });
  const warnings = succeeded ? [] : applied.notes.filter(({ severity }) => severity === "warning");
  // What keeps a run from beginning stands in the files: all of it, with its places.
  const wrong = refusal === null ? [] : planErrors(plan);
  const lines = [
    ...wrong.map((one) => remarkMarkdown({ ...one, hint: plainHintOf(one) })),
    ...errors,
    ...plan.diagnostics.filter(({ code }) => code === "overwrites-a-change").map((one) => remarkMarkdown(one)),
    ...warnings.map((note) => remarkMarkdown(note)),
    ...headlinesOf(blocked).map(lineWithCodes),
    ...plan.diagnostics.filter(({ code }) => code === "guards-held").map((one) => remarkMarkdown(one)),
    ...headlinesOf(held, "held").map(({ text }) => `- **Held:** ${escapeProse(text)}`),
  ];
  const more = lines.length - mostUnfolded;
  const rest = more > 0 ? [`- and ${pluralize(more, "more line")} in the run`] : [];
  const said = refusal ?? applied.problem;
  const why = wrong.length > 0 ? [] : [safeSentence(said?.message ?? ""), safeText(plainHintOf(said ?? {}))];
  const codes = blocked.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code));
  return [
    `### ${isIdle && refusal === null && succeeded ? "Nothing to apply" : verdict} to ${codeSpan(safeText(plan.target.environment))}${at}`,
    `${isIdle ? "" : `**${escapeProse(parts.join(", "))}.** `}${run === null ? "" : `In this ${run}.`}`.trim(),
    why.map(escapeProse).join(" ").trim(),
    [...lines.slice(0, mostUnfolded), ...rest].join("\n"),
    nextStep(causes),
    held.length === 0
      ? ""
      : "What is held waits until a branch whose plan lists it is merged, or the apply is started by hand with `unreviewed: apply`.",
    blocked.length === 0
      ? ""
      : "What is blocked waits for a pull request that fixes or accepts it: its plan shows how.",
    codesMarkdown(codes, explain),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The hint of what is unconfirmed says itself to run again. */
function nextStep(causes: readonly Outcome[]): string {
  if (causes.some(isRefused))
    return "In a pull request, correct what the service refused: the apply after its merge does only what is missing.";
  const isFailed = causes.some(({ result }) => result === "failed");
  return isFailed ? "After correcting this, run the job again: it does only what is missing." : "";
}

const begin = "<!-- ticketing result -->";
const end = "<!-- /ticketing result -->";

/** Further down than below its marker, the same words would be a text of the files. */
export function hasResult(body: string): boolean {
  return body.startsWith(begin, body.indexOf("\n") + 1);
}

/** A comment with the result right below its marker, in the place of an earlier one. */
export function withResult(body: string, result: string, room: number): string {
  const line = body.indexOf("\n") + 1;
  const [marker, rest] = [body.slice(0, line), body.slice(line)];
  const to = hasResult(body) ? rest.indexOf(end) : -1;
  const plan = to === -1 ? rest : rest.slice(to + end.length).trimStart();
  const whole = `${marker}${begin}\n${result}\n${end}\n\n${plan}`;
  return whole.length <= room ? whole : `${marker}${begin}\n${result}\n${end}\n`;
}
