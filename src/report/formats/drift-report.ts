// The result of a drift check: for the log, for the issue on the host, and as JSON.
import { isInFamily, kindOfAddress } from "../../kinds/index.ts";
import { type Address, dateOf, keyInAddress, rootOf } from "../../model/address.ts";
import { type Diagnostic, isRisk, plainHintOf } from "../../model/diagnostic.ts";
import { type Change, partOf } from "../../model/plan.ts";
import { formatLocalDay, standardZone } from "../../model/time.ts";
import { formatCount, groupBy, listSome, pluralize, sentenceCase, shellWord } from "../../model/value.ts";
import { codeBlock, codeSpan, escapeProse } from "../text/markdown.ts";
import { safeJson, safeSentence, safeText } from "../text/sanitize.ts";
import { diagnosticBlocks, type LineAt, makePage, type TerminalOptions } from "../text/terminal-text.ts";
import { type CommentPlace, fileLink, runLink } from "./comment-parts.ts";
import { headlinesOf, isInFilesAlone, waitWords } from "./headlines.ts";
import { fitBudget } from "./plan-markdown.ts";

export interface DriftReport {
  readonly environment: string;
  /** What a command must name to reach that; no job uses a default. */
  readonly flags: readonly string[];
  readonly flagsInJob: readonly string[];
  /** The project's folder below the repository's root; empty at the root itself. */
  readonly project: string;
  readonly drifted: readonly Change[];
  readonly unapplied: readonly Change[];
  /** How a date that has drifted leaves its series. */
  readonly leaving: Readonly<Record<Address, string>>;
  /** In the order in which they start; null: not read. */
  readonly unmanaged: readonly UnmanagedEvent[] | null;
  readonly checked: readonly Address[];
  readonly events: number;
  /** The age of the oldest comparison; null: some events were never compared. */
  readonly oldestDays: number | null;
  readonly never: number;
  /** Events that had drifted when they were last compared, which this run did not do again. */
  readonly driftedBefore: readonly Address[];
  readonly webhooksChecked: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
  readonly calls: number;
}

interface UnmanagedEvent {
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly dateTime: string | null;
}

/** "412 of 2,000 events checked in this run; every event was checked within the last 5 days." */
function coverageSentence({ checked, events, oldestDays, never, webhooksChecked }: DriftReport): string {
  if (events === 0 && webhooksChecked) return "All webhooks checked.";
  if (checked.length === events) return `${pluralize(events, "event")} checked.`;
  const rest =
    oldestDays === null
      ? `${pluralize(never, "is", "are")} still to be checked`
      : `every event was checked within the last ${oldestDays <= 1 ? "day" : pluralize(oldestDays, "day")}`;
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

/** One line, because the rest of an issue needs the room. */
function driftedBefore({ driftedBefore: addresses }: DriftReport): readonly string[] {
  return addresses.length === 0 ? [] : [listSome(addresses.map(safeText), 10)];
}

const notAgain = "Drifted when last checked, and not checked again in this run";

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
    ...titled("Merged and not applied yet:", unappliedTexts(report)),
    ...titled(`${notAgain}:`, driftedBefore(report)),
    ...titled("On the service, not in the files:", (report.unmanaged ?? []).map(unmanagedWords)),
    ...(report.unmanaged?.length ? [`  ${whatIsUnmanaged(report)}`] : []),
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
  return `Drift on ${placeWords({ environment, project })}: the service differs from the files`;
}

/** The heading in the summary of a run, which is written even without drift. */
export function driftHeading(report: DriftReport): string {
  if (report.drifted.length > 0) return driftTitle(report);
  return report.errors.length > 0
    ? `Drift check of ${placeWords(report)}: failed`
    : `No drift on ${placeWords(report)}`;
}

function placeWords({ environment, project }: Pick<DriftReport, "environment" | "project">): string {
  return `${safeText(environment)}${project === "" ? "" : ` (${safeText(project)})`}`;
}

/** The text of the issue while there is drift, or once it is gone. */
export function renderDriftIssue(report: DriftReport, place: CommentPlace | null, room: number): string {
  const run = runLink(place, report.drifted.length > 0 ? "Found in this run" : "Checked in this run");
  const head = `**${escapeProse(driftSentence(report))}** ${escapeProse(coverageSentence(report))}${run === null ? "" : ` ${run}.`}`;
  const objects = objectsOf(report.drifted).map(({ root, changes, texts }) => {
    const source = changes.find((change) => change.source !== null)?.source ?? null;
    const where = source === null ? "" : ` (${fileLink(place, source)})`;
    return [
      `${objectHeading(root)}${where}`,
      "",
      ...texts.map((text) => `- ${escapeProse(text)}`),
      "",
      ...fixesMarkdown(fixesOf(root, changes, report)),
    ].join("\n");
  });
  const unread = report.diagnostics.filter(isReported).map((each) => {
    return `${safeSentence(each.message)} ${safeText(plainHintOf(each))}`.trim();
  });
  const tail = [
    ...section("Merged and not applied yet", unappliedTexts(report)),
    ...section(notAgain, driftedBefore(report)),
    ...section("On the service, not in the files", (report.unmanaged ?? []).map(unmanagedWords)),
    ...(report.unmanaged?.length ? [whatIsUnmanaged(report)] : []),
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

function objectHeading(root: Address): string {
  return `### ${codeSpan(safeText(root))}`;
}

/** Whether the text of an issue reports drift of this object. */
export function reportsDrift(issue: string, root: Address): boolean {
  return issue.includes(objectHeading(root));
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

function unappliedTexts({ unapplied }: DriftReport): readonly string[] {
  const held = headlinesOf(
    unapplied.flatMap((change) => reviewPart(change, true)),
    "held",
  );
  const others = unapplied.flatMap((change) => reviewPart(change, false));
  return [...headlineTexts(others), ...held.map(({ text }) => `Held: ${text}`)];
}

/** The part of a change that is held because nobody reviewed it, or the rest of the change. */
function reviewPart(change: Change, isHeld: boolean): readonly Change[] {
  const part = partOf(change, ({ held }) => (held === true) === isHeld);
  return part === null ? [] : [part];
}

interface Fix {
  readonly what: string;
  readonly command: string | null;
}

/** What is no command is a sentence above those that are. */
function fixesMarkdown(fixes: readonly Fix[]): readonly string[] {
  const said = fixes.filter(({ command }) => command === null).map(({ what }) => `${escapeProse(sentenceCase(what))}.`);
  const lines = fixes.flatMap(({ what, command }) => (command === null ? [] : [`# ${what}`, command]));
  return [...(said.length === 0 ? [] : [said.join(" "), ""]), ...codeBlock(lines, "sh")];
}

/** Both fixes of what differs below a root: the file follows the service, or the service the file. */
function fixesOf(root: Address, changes: readonly Change[], report: DriftReport): readonly Fix[] {
  const own = changes.find((change) => change.address === root && isInFilesAlone(change));
  const gone = own?.source;
  if (own === undefined || gone == null)
    return [keepingFix(root, report), undoingFix(root, changes, report, "to undo it")];
  const [file, how] = [safeText(gone.file), report.leaving[root]];
  const ofKind = isInFamily(root)
    ? `delete ${file}, or only its part if the file has more events`
    : `remove its entry from ${file} (if it is the only entry, write \`[]\` instead)`;
  const remove = how === undefined ? ofKind : `${safeText(how)} in ${file}`;
  const leave = { what: `to leave it deleted, ${remove}`, command: null };
  const again = own.action === "create" ? "to create it again" : `to create it again, first remove its id from ${file}`;
  return [leave, undoingFix(root, changes, report, again)];
}

function keepingFix(root: Address, { flags }: DriftReport): Fix {
  const what = dateOf(root) === null ? "to keep it" : "to keep it (prints what to write for that date)";
  const which = isInFamily(root) ? keyInAddress(root) : "--webhooks";
  return { what, command: commandOf(["import", which, ...flags]) };
}

function undoingFix(
  root: Address,
  changes: readonly Change[],
  { flags, flagsInJob, unapplied }: DriftReport,
  meaning: string,
): Fix {
  const blocks = changes.flatMap(({ blockedBy }) => blockedBy);
  const rule = blocks.find(({ code }) => code !== "pinned-id-missing" && !isRisk(code));
  if (rule?.code === "archived-is-final")
    return { what: "it cannot be undone: an archived event stays archived", command: null };
  if (rule !== undefined)
    return { what: `an apply cannot undo it: ${safeSentence(rule.message).replace(/\.$/, "")}`, command: null };
  const risks = [...new Set(blocks.map(({ code }) => code))].filter(isRisk);
  const what =
    risks.length === 0
      ? meaning
      : `${meaning}, and to accept the ${risks.length === 1 ? "risk" : "risks"} ${risks.join(" and ")}`;
  const more = ["--target", root, ...risks.flatMap((code) => ["--allow", code])];
  // What is held stays held in a plain apply; and one that sends it sends everything that is held here.
  const isHeld = changes.some((change) => reviewPart(change, true).length > 0);
  if (isHeld && unapplied.some((change) => rootOf(change.address) === root && reviewPart(change, true).length > 0)) {
    const how = 'first merge a branch that reverts the held change, or whose plan lists it under "Held and waiting"';
    return { what: `${meaning}, ${how}: until then, an apply holds both or sends both`, command: null };
  }
  return {
    what,
    command: isHeld
      ? commandOf(["ci", "apply", ...flagsInJob, ...more, "--unreviewed", "apply"])
      : commandOf(["apply", ...flags, ...more]),
  };
}

function commandOf(words: readonly string[]): string {
  return ["ticketing", ...words.map((word) => shellWord(safeText(word)))].join(" ");
}

function unmanagedWords({ name, id, status, dateTime }: UnmanagedEvent): string {
  const day = dateTime === null ? null : formatLocalDay(dateTime, standardZone);
  return safeText(`${name} (${[status, day, id].filter((part) => part !== null).join(", ")})`);
}

function whatIsUnmanaged({ flags }: DriftReport): string {
  return `Events without a file are never changed. \`${commandOf(["import", "--all", ...flags])}\` writes files for them.`;
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
