// The comment on a pull request: first what a promoter must know, then where it comes from and what else waits, then details.
import { isFamilyHead } from "../../kinds/index.ts";
import { type Diagnostic, plainHintOf } from "../../model/diagnostic.ts";
import { besideBlocks, type Change, type Plan, planErrors } from "../../model/plan.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import type { AllowEntry } from "../../model/wish.ts";
import type { ExplainCode } from "../page/frame.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import type { HeadlineView } from "../plan-view/edit-line.ts";
import { madeAt, type PlanView } from "../plan-view/plan-view.ts";
import { laterNotes } from "../plan-view/waiting.ts";
import { codeBlock, codeSpan, escapeProse } from "../text/markdown.ts";
import { safeSentence, safeText } from "../text/sanitize.ts";
import { cutText } from "../text/table.ts";
import {
  allowLists,
  type CommentPlace,
  commitLink,
  decidingBlocks,
  type FixOf,
  fileLink,
  forReview,
  mostUnfolded,
  runLink,
  shareOf,
  yamlFix,
} from "./comment-parts.ts";
import { type Headline, headlinesOf, lineWithCodes, markedText } from "./headlines.ts";
import { detailPortions, fitBudget, remarkMarkdown } from "./plan-markdown.ts";

export interface CommentInput {
  readonly plan: Plan;
  /** The project's folder below the repository's root; empty at the root itself. */
  readonly project: string;
  /** null: no host with its own pages. */
  readonly place: CommentPlace | null;
  /** The commits that were merged for this plan, and the name of the branch. */
  readonly merged: { readonly head: string; readonly into: string; readonly branch: string } | null;
  /** What earlier runs held, that this plan would do. */
  readonly held: ReadonlySet<string>;
  /** Only these addresses were planned; empty: everything. */
  readonly targets?: readonly string[];
  /** The risks that files accept already. */
  readonly allowed?: ReadonlyMap<string, readonly AllowEntry[]>;
  readonly room: number;
  readonly explain: ExplainCode;
}

/** Entries of one `allow` that are shown. */
const mostEntries = 100;

export function renderPlanComment(said: CommentInput): string {
  const input = { ...said, plan: forReview(said.plan) };
  const { plan, place } = input;
  // With their own hints: what accepts a risk is shown below them as YAML.
  const { changes } = said.plan;
  const own = shareOf(changes, "own", input.held);
  const held = [...shareOf(changes, "held", input.held), ...(said.plan.held ?? [])];
  const waiting = shareOf(changes, "waiting", input.held);
  const view = buildPlanView(plan, { full: false, skipBlocked: true, noOptions: true });
  const errors = stoppingErrors(plan).length;
  const warnings = besideBlocks(plan.diagnostics, changes).filter(({ severity }) => severity === "warning").length;
  const later = laterLines(plan);
  const top = [
    commentTitle(plan.target.environment, input.project, plan.target.organization?.slug),
    `**${escapeProse(errors > 0 ? `No plan: fix ${pluralize(errors, "error")} first.` : view.summary)}**${errors > 0 || warnings === 0 ? "" : ` ${pluralize(warnings, "warning")}, below.`}`,
    partLine(input),
    messageList(input, view),
    headlineLines(headlinesOf(own), input),
    boxOf("Already merged and waiting", "to be applied together with this branch", waiting),
    boxOf("Held and waiting", "not reviewed yet; merging this branch counts as the review", held),
    boxOf(
      "Already up to date on the service",
      "so nothing is sent, unless another merge changes this first",
      plan.already ?? [],
      "already",
    ),
    boxOf(
      "Not compared with the service",
      "to be sent after the merge unless already up to date or blocked; this job's API key is not allowed to read webhooks",
      plan.unseen ?? [],
    ),
    later.text,
    originLine(input),
  ].filter((text) => text !== "");
  const whole = runLink(place, "The run has the whole plan") ?? "The artifact plan.html has the whole plan";
  const note = (cut: string) => `> **This comment is shortened:** ${cut} cut. ${whole}.`;
  // What the longest note takes, and what frames the detail.
  const reserved = note("1,000,000 of 1,000,000 events are").length + 128;
  const used = top.reduce((sum, text) => sum + text.length + 2, reserved);
  const shown = topMessages(plan, view).filter(
    ({ message, hint = "" }) => Math.max(message.length, hint.length) <= mostMessage,
  );
  const portions = detailPortions(view, input.explain, shown);
  const { texts, missing, events } = fitBudget([...later.more, ...portions], input.room - used);
  const ofEvents = portions.reduce((sum, portion) => sum + (portion.events ?? 0), 0);
  const cut =
    events > 0
      ? `${formatCount(events)} of ${pluralize(ofEvents, "event")} are`
      : missing === 1
        ? "1 part is"
        : `${formatCount(missing)} parts are`;
  const summary = view.sections.length === 0 && shown.length > 0 ? "More messages" : "Every change and message";
  const isBare = texts.length === 0 || (view.sections.length === 0 && view.remarks.every((one) => shown.includes(one)));
  const detail = isBare ? texts : [`<details>\n<summary>${summary}</summary>`, ...texts, "</details>"];
  const [title = "", ...rest] = top;
  return `${[title, ...(missing === 0 ? [] : [note(cut)]), ...rest, ...detail].join("\n\n")}\n`;
}

const mostLater = 30;

/** Long lines, and those beyond the first few, are shown in full in the details, because every one of them counts as reviewed. */
function laterLines({ upcoming }: Plan) {
  const lines = laterNotes(upcoming, { full: true }).map((text) => `- ${escapeProse(text)}`);
  const short = lines.filter((line) => line.length <= mostMessage);
  const first = short.slice(0, mostLater);
  const rest = [...lines.filter((line) => line.length > mostMessage), ...short.slice(mostLater)];
  const more = rest.map((text) => ({ text, short: null, rank: 0 }));
  if (more.length > 0) first.push(`- Later: ${pluralize(more.length, "more line")}, below`);
  return { text: first.join("\n"), more };
}

function commentTitle(environment: string, project: string, organization?: string): string {
  const whose = organization === undefined ? "" : ` of ${codeSpan(safeText(organization))}`;
  const which = project === "" ? "" : ` (project ${codeSpan(safeText(project))})`;
  return `### Ticketing plan for ${codeSpan(safeText(environment))}${whose}${which}`;
}

function firstLines(
  headlines: readonly Headline[],
  lineOf: (one: Headline) => string,
  tail = "",
  most = mostUnfolded,
): readonly string[] {
  const rest = headlines.slice(most);
  const lines = headlines.slice(0, most).map(lineOf);
  const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);
  // What is new or deleted with an event is not counted beside it.
  const more = rest.every(({ change }) => isFamilyHead(change.kind))
    ? pluralize(sum(rest.map(({ events }) => events)), "more event")
    : pluralize(sum(rest.map(({ count }) => count)), "more change");
  return rest.length === 0 ? lines : [...lines, `- and ${more}${tail}`];
}

/**
 * What a file has to accept is listed once, at the first change that needs it, and for all of them. What is blocked leaves half of the
 * lines to what will be done.
 */
function headlineLines(headlines: readonly Headline[], input: CommentInput): string {
  const blocked = headlines.filter(({ change }) => change.blockedBy.length > 0);
  const others = headlines.filter((one) => !blocked.includes(one));
  const several = new Set(blocked.filter((one) => isOfSeveralFiles(one)).flatMap(({ all }) => all));
  const fixOf: FixOf = (change, block) => yamlFix(change, block, input.plan, several.has(change));
  const changes = blocked.flatMap(({ all }) => all);
  const fixes = {
    fixOf,
    lists: new Map(allowLists(changes, fixOf, input.allowed ?? new Map())),
    asked: new Set<string>(),
  };
  const lineOf = (one: Headline) => headlineMarkdown(one, input, fixes);
  const blockedShown = Math.min(blocked.length, mostUnfolded - Math.min(others.length, mostUnfolded / 2));
  return [
    ...firstLines(blocked, lineOf, ", blocked as well, below", blockedShown),
    ...firstLines(others, lineOf, ", below", mostUnfolded - blockedShown),
  ].join("\n");
}

function isOfSeveralFiles({ all }: Headline): boolean {
  return all.some(({ source }) => source?.file !== all[0]?.source?.file);
}

interface Fixes {
  readonly fixOf: FixOf;
  /** Allow lists per file that no earlier line has shown. */
  readonly lists: Map<string, readonly (readonly string[])[]>;
  /** What earlier lines ask for. */
  readonly asked: Set<string>;
}

function headlineMarkdown(
  headline: Headline,
  { plan, place, allowed }: CommentInput,
  { fixOf, lists, asked: shown }: Fixes,
): string {
  const { change, source, all } = headline;
  const addresses = new Set(all.map(({ address }) => address));
  const warnings = plan.diagnostics.filter(
    ({ severity, address = "" }) => severity === "warning" && addresses.has(address),
  );
  const codes = [...new Set(warnings.map(({ code }) => codeSpan(code)))].join(", ");
  const line = `- ${markedText(headline)}${source === null ? "" : ` (${fileLink(place, source)})`}${codes && ` **warning:** ${codes}`}`;
  if (change.blockedBy.length === 0) return line;
  const blocks = decidingBlocks(change).flatMap((block) => {
    const fix = fixOf(change, block);
    const hint = safeText(plainHintOf(block));
    const said = `${codeSpan(safeText(block.code))}: ${escapeProse(cutText(safeSentence(block.message), mostMessage))}`;
    const yaml = (lines: readonly string[]) => codeBlock(lines, "yaml").map((line) => `  ${line}`);
    if (fix === null) {
      const asked = block.yaml;
      if (asked !== undefined && shown.has(asked)) return [`  ${said} **fix:** as above.`];
      if (asked !== undefined) shown.add(asked);
      const text = hint === "" ? [`  ${said}`] : [`  ${said}`, "", `  **fix:** ${escapeProse(hint)}`];
      return asked === undefined ? text : [...text, ...yaml([asked])];
    }
    const list = lists.get(fix.file);
    lists.delete(fix.file);
    const file = codeSpan(fix.file);
    const first = hint === "" ? "" : `${escapeProse(hint)} If this is intended, `;
    const above = `  **fix:** ${first}the list for ${file} above accepts this risk, too.`;
    if (list === undefined) return [`  ${said}`, "", above];
    const isCut = list.length > mostEntries;
    const entries = list.slice(0, mostEntries);
    const lines = entries.flatMap((fields) => fields.map((field, at) => `  ${at === 0 ? "-" : " "} ${field}`));
    if (isCut) lines.push(`  # and ${pluralize(list.length - mostEntries, "more entry", "more entries")} like these`);
    const has = allowed?.get(fix.file)?.length ? "`allow` in " : "";
    const place = has !== "" && !isCut ? `replace ${has}${file} with` : `add to ${has}${file}`;
    return [`  ${said}`, "", `  **fix:** ${first}${place}:`, ...yaml(["allow:", ...lines])];
  });
  return [line, "", ...blocks].join("\n");
}

function partLine({ targets = [] }: CommentInput): string {
  const addresses = targets.map((target) => codeSpan(safeText(target))).join(", ");
  return targets.length === 0
    ? ""
    : `> **Only a part was planned:** ${addresses}. Other changes of this branch are not listed here: merging does not count as a review of them.`;
}

/**
 * What a merge permits from then on is no detail, and neither is what prevents a plan, or its apply after the merge, or that it is for
 * another time.
 */
const firstCodes: ReadonlySet<string> = new Set([
  "unreviewed",
  "guards-changed",
  "not-as-of-now",
  "older-than-applied",
  "diverged-from-applied",
]);

function topMessages(plan: Plan, view: PlanView): readonly Diagnostic[] {
  const first = plan.diagnostics.filter(({ code }) => firstCodes.has(code));
  // An edit of the branch reads like any other, whoever set the value that it replaces.
  const overwriting = view.remarks.filter(({ code }) => code === "overwrites-a-change");
  return [...first, ...overwriting, ...planErrors(plan).slice(0, mostUnfolded)];
}

function messageList({ plan, place }: CommentInput, view: PlanView): string {
  const lines = topMessages(plan, view).map((error) => {
    const message = cutText(safeSentence(error.message), mostMessage);
    const hint = cutText(safeText(error.hint ?? ""), mostMessage);
    return remarkMarkdown({ ...error, message, hint }, error.source === undefined ? "" : fileLink(place, error.source));
  });
  const more = planErrors(plan).length - mostUnfolded;
  return [...lines, ...(more <= 0 ? [] : [`- and ${pluralize(more, "more error")}, below`])].join("\n");
}

/** The most columns of a message that a service or a file may have made long. */
const mostMessage = 600;

function boxOf(title: string, meaning: string, changes: readonly Change[], view: HeadlineView = "plan"): string {
  if (changes.length === 0) return "";
  const lines = firstLines(headlinesOf(changes, view), lineWithCodes);
  const blocked = changes.filter(({ blockedBy }) => blockedBy.length > 0).length;
  const but = blocked === 0 ? meaning : blocked < changes.length ? `${meaning}, except what is blocked` : "blocked";
  return [
    `> **${title}:** ${pluralize(changes.length, "change")}, ${but}.`,
    ">",
    ...lines.map((one) => `> ${one}`),
  ].join("\n");
}

/** While nobody has decided on some deletions, the rest is applied all the same. */
function stoppingErrors(plan: Plan): readonly Diagnostic[] {
  return planErrors(plan).filter(({ code }) => code !== "unjudged-deletions" || plan.changes.length === 0);
}

function originLine({ plan, place, merged }: CommentInput): string {
  // What has errors may not even have been merged.
  const isPlan = stoppingErrors(plan).length === 0;
  const [did, of, onto] = isPlan ? ["Planned", " for", " as it will be once merged into"] : ["Checked", "", " against"];
  const what =
    merged === null
      ? ""
      : `${of} commit ${commitLink(place, merged.head)}${onto} ${codeSpan(safeText(merged.branch))} at ${commitLink(place, merged.into)}`;
  const run = runLink(place, "run");
  return `${did}${what}, ${madeAt(plan)}${run === null ? "" : `, in this ${run}`}.`;
}

/** For a pull request that has left the project alone since its last plan. */
export function renderUntouchedComment(
  { project, environment }: { readonly project: string; readonly environment: string },
  place: CommentPlace | null,
): string {
  const run = runLink(place, "run");
  const found = run === null ? "" : ` Found in this ${run}.`;
  return `${commentTitle(environment, project)}\n\n**Nothing to plan: this branch changes no file of the project.**${found}\n`;
}
