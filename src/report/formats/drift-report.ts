// The result of a drift check: for the log, for the issue on the host, and as JSON.
import { isInFamily, kindOfAddress } from "../../kinds/index.ts";
import { type Address, dateOf, keyInAddress, rootOf } from "../../model/address.ts";
import { type Diagnostic, plainHintOf } from "../../model/diagnostic.ts";
import type { Change } from "../../model/plan.ts";
import { formatCount, groupBy, pluralize, shellWord } from "../../model/value.ts";
import { codeBlock, codeSpan, escapeProse } from "../text/markdown.ts";
import { diagnosticBlocks, type LineAt, makePage, type TerminalOptions } from "../text/page.ts";
import { safeJson, safeSentence, safeText } from "../text/sanitize.ts";
import { type CommentPlace, fileLink, headlinesOf, runLink, waitWords } from "./comment-parts.ts";
import { fitBudget } from "./plan-markdown.ts";

export interface DriftReport {
  readonly environment: string;
  /** What a command must name to reach that. */
  readonly flags: readonly string[];
  /** The project's folder below the repository's root; empty at the root itself. */
  readonly project: string;
  readonly drifted: readonly Change[];
  readonly unapplied: readonly Change[];
  readonly idOf: Readonly<Record<Address, string>>;
  /** How a date that has drifted leaves its series. */
  readonly leaving: Readonly<Record<Address, string>>;
  /** null: not read. */
  readonly unmanaged: readonly { readonly id: string; readonly name: string; readonly status: string | null }[] | null;
  readonly checked: readonly Address[];
  readonly events: number;
  /** The age of the oldest comparison; null: some events were never compared, or had drifted. */
  readonly oldestDays: number | null;
  readonly never: number;
  readonly webhooksChecked: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
  readonly calls: number;
}

/** "412 of 2,000 events checked in this run; every event was checked within the last 5 days." */
function coverageSentence({ checked, events, oldestDays, never, webhooksChecked }: DriftReport): string {
  if (events === 0 && webhooksChecked) return "All webhooks checked.";
  if (checked.length === events) return `${pluralize(events, "event")} checked.`;
  const rest =
    oldestDays === null
      ? `${pluralize(never, "has", "have")} not been checked yet, or not since ${never === 1 ? "it" : "they"} drifted`
      : `every event was checked within the last ${oldestDays === 1 ? "day" : pluralize(oldestDays, "day")}`;
  return `${formatCount(checked.length)} of ${pluralize(events, "event")} checked in this run; ${rest}.`;
}

function driftSentence({ drifted, errors }: DriftReport): string {
  const roots = [...new Set(drifted.map(({ address }) => rootOf(address)))];
  const words = groupBy(roots, (root) => kindOfAddress(root).words.one);
  const parts = [...words].sort().map(([word, all]) => pluralize(all.length, word));
  if (parts.length > 0) return `Drift: ${parts.join(" and ")} changed on the service.`;
  return errors.length > 0
    ? "The drift check failed, so it is not known whether there is drift."
    : "No drift was found.";
}

export function renderDriftText(
  report: DriftReport,
  { lineAt, ...options }: TerminalOptions & { readonly lineAt?: LineAt | undefined },
): string {
  const page = makePage(options);
  const lines = [
    ...diagnosticBlocks(page, [...report.errors, ...report.diagnostics.filter(isReported)], lineAt).flat(),
    driftSentence(report),
    ...objectsOf(report.drifted).flatMap(({ root, changes, texts }) => [
      ...texts.map((text) => `  ${text}`),
      ...fixesOf(root, changes, report).map(
        ({ what, command }) => `    ${what}${command === null ? "" : `: ${command}`}`,
      ),
    ]),
    ...titled("Merged and not applied yet:", headlineTexts(report.unapplied)),
    ...titled("On the service, not in the files:", (report.unmanaged ?? []).map(unmanagedWords)),
    coverageSentence(report),
  ];
  return `${lines.join("\n")}\n`;
}

export function renderDriftJson(report: DriftReport): string {
  const { environment, drifted, unapplied, unmanaged, checked, events, oldestDays, diagnostics, errors, calls } =
    report;
  const byRoot = groupBy(drifted, ({ address }) => rootOf(address));
  return `${safeJson({
    formatVersion: 1,
    environment,
    drift: drifted.map((change) => {
      const root = rootOf(change.address);
      const fixes = fixesOf(root, byRoot.get(root) ?? [], report);
      return { ...change, fixes: fixes.map(({ what, command }) => command ?? `# ${what}`) };
    }),
    unapplied,
    unmanaged,
    checked: { events: checked.length, of: events, oldestDays },
    diagnostics: [...errors, ...diagnostics],
    calls: { reads: calls },
  })}\n`;
}

export function driftTitle({ environment, project }: Pick<DriftReport, "environment" | "project">): string {
  return `Drift on ${safeText(environment)}${project === "" ? "" : ` (${safeText(project)})`}: the service differs from the files`;
}

/** The text of the issue while there is drift, or once it is gone. */
export function renderDriftIssue(report: DriftReport, place: CommentPlace | null, room: number): string {
  const run = runLink(place, "Found in this run");
  const head = `**${escapeProse(driftSentence(report))}** ${escapeProse(coverageSentence(report))}${run === null ? "" : ` ${run}.`}`;
  const objects = objectsOf(report.drifted).map(({ root, changes, texts }) => {
    const source = changes.find((change) => change.source !== null)?.source ?? null;
    const where = source === null ? "" : ` (${fileLink(place, source)})`;
    return [
      `### ${codeSpan(safeText(root))}${where}`,
      "",
      ...texts.map((text) => `- ${escapeProse(text)}`),
      "",
      ...codeBlock(
        fixesOf(root, changes, report).flatMap(({ what, command }) => [
          `# ${what}`,
          ...(command === null ? [] : [command]),
        ]),
        "sh",
      ),
    ].join("\n");
  });
  const unread = report.diagnostics.filter(isReported).map((each) => {
    return `${safeSentence(each.message)} ${safeText(plainHintOf(each))}`.trim();
  });
  const tail = [
    ...section("Merged and not applied yet", headlineTexts(report.unapplied)),
    ...section("On the service, not in the files", (report.unmanaged ?? []).map(unmanagedWords)),
    ...section("Not checked", unread),
  ];
  const fixed = [head, ...tail].join("\n\n").length + 200;
  const { texts: shown, missing } = fitBudget(
    objects.map((text, rank) => ({ text, short: null, rank })),
    room - fixed,
  );
  const cut = `> **This issue is shortened:** ${pluralize(missing, "object")} left out. ${runLink(place, "The run has all of it") ?? "The log has all of it"}.`;
  const note = missing === 0 ? [] : [cut];
  return `${[...note, head, ...shown, ...tail].join("\n\n")}\n`;
}

function objectsOf(drifted: readonly Change[]) {
  return [...groupBy(drifted, ({ address }) => rootOf(address))].map(([root, changes]) => ({
    root,
    changes,
    texts: headlineTexts(changes, "drift"),
  }));
}

function headlineTexts(changes: readonly Change[], view?: "drift"): readonly string[] {
  return headlinesOf(changes, view).map(({ change, text }) => {
    const wait = view === "drift" ? null : waitWords(change);
    return wait === null ? text : `${wait}: ${text}`;
  });
}

/** Both fixes of what differs below a root: the file follows the service, or the service the file. */
function fixesOf(root: Address, changes: readonly Change[], { flags, idOf, leaving }: DriftReport) {
  const named = flags.map((flag) => ` ${shellWord(safeText(flag))}`).join("");
  const gone = changes.find(({ address, action }) => address === root && action === "create")?.source;
  const event = () => shellWord(safeText(idOf[root] ?? keyInAddress(root)));
  const remove = leaving[root] === undefined ? "remove it from" : `${safeText(leaving[root])} in`;
  const kept = dateOf(root) === null ? "to keep it" : "to keep it (prints what to write for that date)";
  const what = gone == null ? kept : `to leave it deleted, ${remove} ${safeText(gone.file)}`;
  const keep = gone == null ? `ticketing import ${isInFamily(root) ? event() : "--webhooks"}${named}` : null;
  // What is held stays held in a plain apply.
  const isHeld = changes.some((change) => [change, ...change.edits].some(({ held }) => held === true));
  const target = `${named} --target ${shellWord(safeText(root))}`;
  const undo = isHeld ? `ticketing ci apply${target} --unreviewed apply` : `ticketing apply${target}`;
  if (changes.some(({ blockedBy }) => blockedBy.some(({ code }) => code === "archived-is-final")))
    return [
      { what, command: keep },
      { what: "it cannot be undone: what is archived stays so", command: null },
    ];
  return [
    { what, command: keep },
    { what: gone == null ? "to undo it" : "to create it again", command: undo },
  ];
}

function unmanagedWords({ name, id, status }: NonNullable<DriftReport["unmanaged"]>[number]): string {
  return safeText(`${name} (${status === null ? "" : `${status}, `}${id})`);
}

const mostListed = 50;

/** As many as are read; `bullet` is put before each. */
function bulletList(lines: readonly string[], bullet: string): readonly string[] {
  const more = lines.length - mostListed;
  const rest = more > 0 ? [`and ${formatCount(more)} more`] : [];
  return [...lines.slice(0, mostListed), ...rest].map((line) => `${bullet}${line}`);
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...bulletList(lines, "  ")];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[`### ${title}`, "", ...bulletList(lines.map(escapeProse), "- ")].join("\n")];
}

/** What was not read is part of the report; remarks on the files are not. */
function isReported({ code, severity }: Diagnostic): boolean {
  return code === "webhooks-not-read" || code === "scope-missing" || severity === "error";
}
