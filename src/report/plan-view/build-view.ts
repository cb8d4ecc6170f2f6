import { kindOfAddress } from "../../kinds/index.ts";
import { type Code, type Diagnostic, sortRemarks } from "../../model/diagnostic.ts";
import {
  besideBlocks,
  type CallCost,
  type Change,
  type Leftover,
  type Plan,
  planErrors,
  type Summary,
} from "../../model/plan.ts";
import { formatDuration, formatMoment, standardZone } from "../../model/time.ts";
import { formatCount, groupBy, pluralize } from "../../model/value.ts";
import { type ReportLine, type TextSpan, value, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { buildSection, note, type SectionSetting } from "./build-section.ts";
import { feesFootnote } from "./edit-line.ts";
import {
  type ChangeFamily,
  distinguish,
  groupAlikeFamilies,
  groupFamilies,
  isPlainlyNew,
  splitDates,
  startInstant,
  startOf,
} from "./group-changes.ts";
import { orderSteps } from "./order-steps.ts";
import { countOf, describeChange, nameOfChange, type PlanView, type Section, type ViewOptions } from "./plan-view.ts";
import { alreadySo, heldChanges, laterNotes, unseenChanges, waitingMerges } from "./waiting.ts";

interface PlanViewOptions extends ViewOptions {
  /** The plan is shown by an apply that leaves out what is blocked. */
  readonly skipBlocked?: boolean;
}

export function buildPlanView(plan: Plan, options: PlanViewOptions): PlanView {
  const fallbacks = new Map(plan.operations.flatMap((one) => (one.fallback ? [[one.because, one.fallback]] : [])));
  const setting: SectionSetting = {
    ...options,
    fallbackOf: (address) => fallbacks.get(address),
    apart: distinguish(plan),
  };
  const { steps, inOrder } = orderSteps(plan, setting);
  const needsSkipBlocked = plan.summary.blocked > 0 && options.skipBlocked !== true;
  return {
    environment: safeText(plan.target.environment),
    baseUrl: safeText(plan.target.baseUrl),
    organization: plan.target.organization === null ? null : safeText(plan.target.organization.slug),
    shard: plan.shard ?? null,
    sections: buildSections(plan.changes, setting),
    waiting: waitingMerges(plan.changes),
    held: heldChanges(plan),
    already: alreadySo(plan),
    unseen: unseenChanges(plan),
    remarks: remarksOf(plan, options),
    steps,
    stepsInOrder: inOrder,
    stepsTitle: `${inOrder ? "Steps" : "In total"}${needsSkipBlocked ? ", with --skip-blocked" : ""}${inOrder && plan.operations.length > 1 ? " (independent ones may run at the same time)" : ""}`,
    notes: [
      ...notesOf(plan, options),
      ...(plan.operations.length === 0 ? [] : [costSentence(plan.calls, needsSkipBlocked)]),
    ],
    summary: summarySentence(plan, options.skipBlocked === true),
  };
}

/** Those that are shown: a message that many files share only a few times, an error always. */
export function remarksOf(plan: Plan, { full, noOptions = false }: ViewOptions): readonly Diagnostic[] {
  const remarks = sortRemarks(besideBlocks(plan.diagnostics, plan.changes));
  const alike = groupBy(remarks, ({ severity, code }) => `${severity} ${code}`);
  const counts = new Map<string, number>();
  return remarks.flatMap((remark) => {
    const { severity, code } = remark;
    const group = alike.get(`${severity} ${code}`) ?? [];
    const nth = (counts.get(`${severity} ${code}`) ?? 0) + 1;
    counts.set(`${severity} ${code}`, nth);
    if (full || severity === "error" || group.length <= fewAlike || nth < fewAlike) return [remark];
    if (nth > fewAlike) return [];
    const message = `${formatCount(group.length - nth + 1)} more like this.`;
    return [{ severity, code, message, hint: noOptions ? "" : "--verbose lists them all, and so does --format json." }];
  });
}

const fewAlike = 3;

function notesOf(plan: Plan, options: ViewOptions): readonly string[] {
  const notes: string[] = [];
  if (plan.changes.some(({ fees = [] }) => fees.some((fee) => fee.price > 0))) notes.push(feesFootnote);
  const unmanaged = plan.summary.unmanaged ?? 0;
  if (unmanaged > 0) {
    const objects = pluralize(unmanaged, "live event or webhook is", "live events or webhooks are");
    notes.push(`${objects} not managed here (not in the files, or a date that is over) and will be left alone.`);
  }
  return [...notes, ...laterNotes(plan.upcoming, options)];
}

function costSentence({ reads, writes, estimateSeconds }: CallCost, isHeldUp: boolean): string {
  const when = isHeldUp ? "with --skip-blocked" : "to come";
  const time = estimateSeconds < 1 ? "no wait for the rate limit" : formatDuration(estimateSeconds);
  return `Calls: ${pluralize(reads, "read")} made for this plan, ${pluralize(writes, "write")} ${when}, ${time}.`;
}

// All sections of a report. A series is one event in full and a line for each further one; and if there are too many
// new events to read one by one, most of them are a line as well.

/** More sections than this are a book; then this many of the new events are shown in full. */
const manySections = 100;
const fullOfMany = 20;
const mostListed = 50;

function buildSections(changes: readonly Change[], setting: SectionSetting): readonly Section[] {
  const groups = groupAlikeFamilies(groupFamilies(changes), !setting.full);
  const isLong = !setting.full && groups.length > manySections;
  const listed: ChangeFamily[] = [];
  let created = 0;
  const sections = groups.flatMap((group) => {
    const [first] = group;
    if (!isPlainlyNew(first)) return [buildSection(group, setting)];
    created += 1;
    if (isLong && created > fullOfMany) {
      listed.push(...group);
      return [];
    }
    const [lead = first, ...others] = [...group].sort((one, other) => startInstant(one) - startInstant(other));
    const section = buildSection([lead], setting);
    return others.length === 0 ? [section] : [section, likeSection(lead, others, setting)];
  });
  const title = [word(`${pluralize(listed.length, "more event")}, each as described in its file`)];
  return listed.length === 0 ? sections : [...sections, listSection(title, listed, null, setting)];
}

function likeSection(lead: ChangeFamily, others: readonly ChangeFamily[], setting: SectionSetting): Section {
  const title = [
    word(`${formatCount(others.length)} more like `),
    value(lead.address ?? ""),
    word(", each with its own dates"),
  ];
  const name = nameOfFamily(lead);
  const dates = splitDates(others, lead, nameOfFamily);
  const section = listSection(title, dates.others, name, setting, others[0]);
  const lines = dates.lines.map((text): ReportLine => ({ type: "note", spans: [{ role: "prose", text }] }));
  return { ...section, lines: [...lines, ...section.lines] };
}

/** `name` is known from the title; `like` is one of those that are not listed. */
function listSection(
  title: readonly TextSpan[],
  families: readonly ChangeFamily[],
  name: string | null,
  { noOptions }: SectionSetting,
  like?: ChangeFamily,
): Section {
  const does = (like === undefined ? families : [...families, like]).map(({ own }) =>
    own === null ? "" : describeChange(own),
  );
  const areSame = does.every((one) => one === does[0]);
  const lines = families.slice(0, mostListed).map((family, index) => {
    return eventLine(family, name, areSame ? "" : `: ${does[index]}`);
  });
  const more = families.length - lines.length;
  if (more > 0)
    lines.push(
      note(
        `and ${formatCount(more)} more: ${noOptions ? "the page plan.html of this run shows" : "--verbose and --format html show"} them`,
      ),
    );
  const verb = areSame ? (does[0] ?? "") : "create";
  const events = families.flatMap(({ address }) => address ?? []);
  return { symbol: "+", title, events, address: null, does: verb, facts: [], lines, parts: [], isBlocked: false };
}

function eventLine(family: ChangeFamily, knownName: string | null, does: string): ReportLine {
  const { own, address } = family;
  const start = own === null ? null : startOf(own);
  const name = nameOfFamily(family);
  const spans = [value(address ?? "")];
  if (name !== knownName) spans.push(word(" "), { role: "name", text: name });
  if (start !== null) spans.push(word(" on "), value(formatMoment(start, own?.context?.timezone ?? standardZone)));
  return { type: "note", spans: [...spans, word(does)] };
}

function nameOfFamily({ own }: ChangeFamily): string {
  return own === null ? "" : nameOfChange(own);
}

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

/** The plan in a sentence or two: what apply would do now, and what is blocked apart from that. */
export function summarySentence(plan: Plan, skipBlocked: boolean): string {
  const held = plan.held?.length ?? 0;
  if (held === 0) return plannedSentence(plan, skipBlocked);
  if (plan.changes.length === 0) return `Nothing to send: ${pluralize(held, "change")} held until reviewed.`;
  return `${plannedSentence(plan, skipBlocked)} Held and waiting: ${pluralize(held, "change")}.`;
}

function plannedSentence(plan: Plan, skipBlocked: boolean): string {
  const all = planErrors(plan);
  // A run that skips blocked changes also continues if some deletions are undecided.
  const errors = all.filter(({ code }) => !(skipBlocked && code === "unjudged-deletions")).length;
  const leftovers = plan.leftovers?.length ?? 0;
  if (plan.changes.length === 0 && all.length > 0)
    return `Cannot continue because of ${pluralize(all.length, "error")}.`;
  if (plan.changes.length === 0 && leftovers === 0) return emptySentence(plan);
  const waiting = plan.changes.filter(({ heldBack }) => heldBack === "change");
  const planned = describePlanned(plan, waiting);
  const blocked = describeBlocked(plan, waiting.length);
  const calls = describeCalls(plan.calls, leftovers > 0);
  if (errors > 0)
    return `Cannot apply this plan because of ${pluralize(errors, "error")}. Otherwise: ${[planned, blocked].filter(Boolean).join("; ")}.`;
  if (blocked === "") return `${planned}; ${calls}.`;
  if (skipBlocked && plan.calls.writes + leftovers === 0)
    return `${describeBlocked(plan, waiting.length, "change")}: nothing will be applied.`;
  if (skipBlocked) return `${planned}; ${calls}. Left out: ${blocked}.`;
  if (plan.calls.writes + leftovers === 0)
    return `${blocked}: apply will refuse this plan; with --skip-blocked there would be nothing left to apply.`;
  return `${blocked}: apply will refuse this plan. With --skip-blocked: ${planned}; ${calls}.`;
}

function describePlanned(plan: Plan, waiting: readonly Change[]): string {
  const calls = groupBy(plan.operations, ({ because }) => because);
  // A ticket type that is only put on sale or marked as sold out counts once, by that verb.
  const namedByVerb = plan.changes.filter(
    ({ action, address }) =>
      action === "update" &&
      calls.get(address)?.every(({ verb }) => verb === "publish" || verb === "sold-out") === true,
  ).length;
  const putOnSale = plan.operations.filter(({ verb, address }) => verb === "publish" && kindOfAddress(address).sold);
  const counts = parts.flatMap(([key, verb]) => {
    const twice = key === "update" ? namedByVerb : key === "publish" ? putOnSale.length : 0;
    const count = (plan.summary[key] ?? 0) - waiting.filter(({ action }) => action === key).length - twice;
    const others = key === "publish" && putOnSale.length > 0 ? [`${formatCount(putOnSale.length)} to put on sale`] : [];
    return [...(count <= 0 ? [] : [`${formatCount(count)} ${verb}`]), ...others];
  });
  const when = ({ once }: Leftover) =>
    once === undefined
      ? " left over from an interrupted run will be deleted"
      : ` will be deleted once ${safeText(once)}`;
  const alike = groupBy(plan.leftovers ?? [], (one) => `${kindOfAddress(one.address).name}${when(one)}`);
  for (const [first, ...others] of alike.values())
    counts.push(`${countOf(kindOfAddress(first.address).name, 1 + others.length)}${when(first)}`);
  return counts.length === 0 ? "Nothing to change" : counts.join(", ");
}

/** "2 blocked, 3 waiting for them"; empty if nothing is. */
function describeBlocked({ summary: { blocked } }: Plan, waiting: number, noun?: string): string {
  if (blocked === 0) return "";
  const others = waiting === 0 ? "" : `, ${formatCount(waiting)} waiting for ${blocked === 1 ? "it" : "them"}`;
  return `${noun === undefined ? formatCount(blocked) : pluralize(blocked, noun)} blocked${others}`;
}

function emptySentence({ summary: { unchanged }, compared, shard, diagnostics, already, upcoming }: Plan): string {
  const none = `No changes${shard === undefined ? "" : ` in shard ${shard}`}`;
  const checked = unchanged === 0 ? "" : ` (${pluralize(unchanged, "object")} checked)`;
  const unread = compared?.webhooksUnread === true ? ", except webhooks, which this API key cannot see" : "";
  if (shard !== undefined && unchanged === 0 && (compared?.base == null || compared.ofEvents === 0))
    return `${none}: nothing that was asked for is in this shard. Nothing was compared with the service.`;
  const reports = (wanted: Code) => diagnostics.some(({ code }) => code === wanted);
  const isPartial = reports("unreadable-fields");
  const matching =
    unchanged === 0 && (reports("no-files-matched") || reports("event-over"))
      ? "there is nothing in the files to compare with the service"
      : "the service matches the files";
  const isSo = reports("nothing-to-do") ? "nothing needs to change on the service" : matching;
  const matches = isPartial ? " in the fields that the service shows" : `: ${isSo}`;
  if (compared === undefined || compared.base === null) return `${none}${matches}${checked}${unread}.`;
  const base = safeText(compared.base);
  if (compared.events + compared.removed === 0 && !compared.webhooks && already === undefined)
    return `${none}: nothing ${shard === undefined ? "" : "in it "}differs from ${base}${unread}. Nothing was compared with the service.`;
  const { removed } = compared;
  const gone = removed === 0 ? "" : `, and ${pluralize(removed, "event")} removed from the files`;
  const shown = isPartial ? ", as far as the service shows it" : "";
  const later = upcoming.length === 0 ? "" : `; ${pluralize(upcoming.length, "change")} will come later`;
  return `${none}: what differs from ${base} needs no change on the service now${shown}${checked}${unread}${later}. Compared with the service: ${formatCount(compared.events)} of ${pluralize(compared.ofEvents, "event")}${gone}.`;
}

/** The deletes of leftovers are not among the calls of a plan. */
function describeCalls({ writes, estimateSeconds }: CallCost, hasLeftovers: boolean): string {
  if (writes === 0) return hasLeftovers ? "nothing else to write" : "no writes";
  return `${pluralize(writes, hasLeftovers ? "more write" : "write")}${estimateSeconds < 1 ? "" : `, ${formatDuration(estimateSeconds)}`}`;
}
