// The result of an apply, on top of the comment whose plan it was, and in the job's summary.
import { type Diagnostic, plainHintOf } from "../../model/diagnostic.ts";
import { type ApplyReport, isFullyApplied, type Outcome, planErrors } from "../../model/plan.ts";
import { formatCount, listSome, pluralize } from "../../model/value.ts";
import type { ExplainCode } from "../page/frame.ts";
import { hintsOf, isRefused, resultWord, undoneWords, verbNames } from "../plan-view/plan-view.ts";
import { codeSpan, escapeProse } from "../text/markdown.ts";
import { safeSentence, safeText } from "../text/sanitize.ts";
import { type CommentPlace, codesMarkdown, commitLink, mostUnfolded, runLink } from "./comment-parts.ts";
import { headlinesOf, lineWithCodes, shownNames } from "./headlines.ts";
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
  /** Something of other pull requests was left out, too: that is said on theirs. */
  readonly elsewhere?: boolean;
  /** Calls made for changes of other pull requests that this one lists, too. */
  readonly doneElsewhere?: number;
}

/** `targets`: what the run was limited to. */
export function renderApplyResult(
  applied: ApplyResult,
  place: CommentPlace | null,
  explain: ExplainCode,
  targets: readonly string[] = [],
): string {
  const { report, refusal, succeeded, elsewhere = false, doneElsewhere = 0 } = applied;
  const { summary, plan, outcomes } = report;
  const request = requestOn[place?.host ?? "github"];
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
  const whole = isIdle ? words.idle : words.whole;
  const sent = !isFullyApplied(report) ? "Not fully applied" : succeeded ? whole : "Applied with problems";
  const verdict = refusal === null ? sent : "Not applied";
  const only = targets.map((target) => codeSpan(safeText(target)));
  const said =
    only.length === 0 ? verdict : `Only ${listSome(only, shownNames)}: ${verdict[0]?.toLowerCase()}${verdict.slice(1)}`;
  const needless = said === words.idle ? needlessWords(doneElsewhere, plan.upcoming.length > 0, request) : "";
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
  // If a run could not begin because of errors in the files: all of them, with their places.
  const wrong = refusal === null ? [] : planErrors(plan);
  const lines = [
    ...wrong.map((one) => remarkMarkdown({ ...one, hint: plainHintOf(one) })),
    ...errors,
    ...plan.diagnostics.filter(({ code }) => toReviewers.has(code)).map((one) => remarkMarkdown(one)),
    ...warnings.map((note) => remarkMarkdown(note)),
    ...headlinesOf(blocked).map(lineWithCodes),
    ...plan.diagnostics.filter(({ code }) => code === "guards-held").map((one) => remarkMarkdown(one)),
    ...headlinesOf(held, "held").map(({ text }) => `- **Held:** ${escapeProse(text)}`),
  ];
  const more = lines.length - mostUnfolded;
  const rest = more > 0 ? [`- and ${pluralize(more, "more line")} in the run`] : [];
  const problem = refusal ?? applied.problem;
  const why = wrong.length > 0 ? [] : [safeSentence(problem?.message ?? ""), safeText(plainHintOf(problem ?? {}))];
  const codes = blocked.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code));
  return [
    `### ${said} to ${codeSpan(safeText(plan.target.environment))}${at}`,
    `${isIdle ? needless : `**${escapeProse(parts.join(", "))}.** `}${run === null ? "" : `${needless === "" ? "In" : "Checked in"} this ${run}.`}`.trim(),
    why.map(escapeProse).join(" ").trim(),
    [...lines.slice(0, mostUnfolded), ...rest].join("\n"),
    nextStep(causes, request),
    ...whatWaits({ held: held.length, blocked: blocked.length, elsewhere }, request),
    codesMarkdown(codes, explain),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** What those who reviewed a pull request must know, although all went well. */
const toReviewers: ReadonlySet<string> = new Set(["overwrites-a-change", "review-not-counted"]);

const words = { whole: "Applied", idle: "Nothing left to apply" };

/** A pull request may only release what others brought, such as by accepting a risk. */
function needlessWords(doneElsewhere: number, isMoreToCome: boolean, request: string): string {
  if (doneElsewhere > 0)
    return `Nothing of its own is left to send. ${pluralize(doneElsewhere, "call")} ${doneElsewhere === 1 ? "was" : "were"} made for changes of earlier ${request}s that the plan below lists, too. `;
  // A job that was killed may have sent it, or somebody else.
  const why = isMoreToCome ? "it is live already, comes later," : "it is live already,";
  return `What was merged needs no change on the service now: ${why} or a later merge reverted it. `;
}

function whatWaits(
  { held, blocked, elsewhere }: { readonly held: number; readonly blocked: number; readonly elsewhere: boolean },
  request: string,
): readonly string[] {
  const input = request === requestOn.gitlab ? "`TICKETING_UNREVIEWED` set to `apply`" : "`unreviewed: apply`";
  return [
    ...(!elsewhere ? [] : [`Changes of other ${request}s were left out: the job shows which, and why.`]),
    ...(held === 0
      ? []
      : [
          `What is held waits until a branch whose plan lists it is merged, or the apply is started by hand with ${input}.`,
        ]),
    ...(blocked === 0 ? [] : [`What is blocked waits for a ${request} that fixes or accepts it: its plan shows how.`]),
  ];
}

const requestOn = { github: "pull request", gitlab: "merge request" };

/** The hint of what is unconfirmed says itself to run again. */
function nextStep(causes: readonly Outcome[], request: string): string {
  if (causes.some(isRefused))
    return `In a ${request}, correct what the service refused: the apply after its merge does only what is missing.`;
  const isFailed = causes.some(({ result }) => result === "failed");
  return isFailed ? "After correcting this, run the job again: it does only what is missing." : "";
}

const begin = "<!-- ticketing result -->";
const end = "<!-- /ticketing result -->";

/**
 * The result that a comment has: `open` if it leaves something to do, or is of targets only. Further down than below its marker, the
 * same words would be a text of the files.
 */
export function resultIn(body: string): "none" | "open" | "done" {
  const text = body.slice(body.indexOf("\n") + 1);
  if (!text.startsWith(begin)) return "none";
  const isDone = Object.values(words).some((verdict) => text.startsWith(`${begin}\n### ${verdict} to `));
  return isDone ? "done" : "open";
}

/** A comment with the result right below its marker, in the place of an earlier one, or above it if that is kept. */
export function withResult(body: string, result: string, room: number, keep = false): string {
  const line = body.indexOf("\n") + 1;
  const [marker, rest] = [body.slice(0, line), body.slice(line)];
  const to = resultIn(body) === "none" ? -1 : rest.indexOf(end);
  const earlier = keep && to !== -1 ? `\n\n${rest.slice(begin.length, to).trim()}` : "";
  const plan = to === -1 ? rest : rest.slice(to + end.length).trimStart();
  const whole = `${marker}${begin}\n${result}${earlier}\n${end}\n\n${plan}`;
  return whole.length <= room ? whole : `${marker}${begin}\n${result}\n${end}\n`;
}
