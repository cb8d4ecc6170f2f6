// One section of the report: an event with what changes below it, several events alike, or the webhooks.
import { dateOf } from "../../model/address.ts";
import type { Change, Verb } from "../../model/plan.ts";
import { formatCount, type Group, groupBy } from "../../model/value.ts";
import type { EventStatus } from "../../model/wish.ts";
import { quiet, type ReportLine, type TextSpan, value, word } from "../text/line.ts";
import { safeLines, safeText } from "../text/sanitize.ts";
import { editLine, feesSentence } from "./edit-line.ts";
import {
  areSame,
  type ChangeFamily,
  type Distinguish,
  editsBesideName,
  groupAlike,
  hintForDates,
  shortAddresses,
} from "./group-changes.ts";
import {
  countOf,
  describeChange,
  isSent,
  kindWord,
  nameOfChange,
  numberedName,
  obstacleWords,
  originRemark,
  type Part,
  type Section,
  shownNameIn,
  soldWords,
  symbolOf,
  transitionSentence,
  transitionVerb,
  type ViewOptions,
} from "./plan-view.ts";

export interface SectionSetting extends ViewOptions {
  /** The calls that are made instead, by address, if the service refuses a call. */
  readonly fallbackOf: (address: string) => readonly Verb[] | undefined;
  readonly apart: Distinguish;
}

function fieldLines(change: Change, setting: SectionSetting): readonly ReportLine[] {
  if (change.action === "delete" && !setting.full) return [];
  return editsBesideName(change).map((edit) => editLine(change, edit, setting));
}

function feeLines(change: Change): readonly ReportLine[] {
  return (change.fees ?? []).map((fee) => {
    const whose: readonly TextSpan[] =
      fee.ticket === undefined ? [] : [{ role: "name", text: safeText(fee.ticket) }, word(": ")];
    return { type: "note", spans: [...whose, word(feesSentence(fee))] };
  });
}

function statusLines(change: Change, setting: SectionSetting): readonly ReportLine[] {
  const sentence = transitionSentence(change.transition);
  const fallback = setting.fallbackOf(change.address);
  if (sentence === null) {
    // The one fallback without a status: a service where names are unique.
    return fallback === undefined
      ? []
      : [note("if the service refuses a second one with that name, the old one is deleted first")];
  }
  const lines: ReportLine[] = [note(sentence)];
  if (fallback !== undefined) lines.push(note(`if the service refuses that: ${fallback.join(", then ")}`));
  if (change.heldBack === "status") {
    lines.push(note(`${transitionVerb(change.transition)} waits until the blocks below are resolved`));
  }
  return lines;
}

/** Where the difference of the whole object, or of its status, comes from, unless another line says so. */
function originLines(change: Change): readonly ReportLine[] {
  const { action, origin = "edit", heldBack } = change;
  // If an object is not found, nothing is known to differ.
  if (action === "none" && change.edits.length === 0 && change.transition === null) return [];
  if (origin === "edit" || (origin === "drift" && (action === "create" || action === "delete"))) return [];
  return [note(originRemark(origin, isSent(change) && heldBack !== "status"))];
}

const mostMessages = 8;

/** What forbids them: the same fix is given once. */
function blockedLines(changes: readonly Change[], { noOptions }: SectionSetting): readonly ReportLine[] {
  const blocks = changes.flatMap((change) =>
    change.blockedBy.map((block) => ({ ...block, shared: hintForDates(block, change) })),
  );
  const groups = groupBy(blocks, ({ code, shared }) => JSON.stringify([code, shared]));
  return [...groups.values()].map((group): ReportLine => {
    const [first] = group;
    const distinct = [...new Set(group.map(({ message }) => message))];
    const shown = distinct.length > mostMessages + 1 ? distinct.slice(0, mostMessages) : distinct;
    const more = distinct.length - shown.length;
    const messages = [
      ...shown.map(safeLines),
      ...(more === 0
        ? []
        : [[`${formatCount(more)} more like this${noOptions ? "" : "; --format json lists them all"}.`]]),
    ];
    const isOne = group.every(({ hint }) => hint === first.hint);
    const hint = isOne ? first.hint : `${first.shared} That entry accepts it for all dates of the series.`;
    return { type: "blocked", code: safeText(first.code), messages, hint: safeText(hint) };
  });
}

export function note(text: string): ReportLine {
  return { type: "note", spans: [word(text)] };
}

const shownNames = 24;

/** `families` has one member, or several that change in the same way. */
export function buildSection(families: Group<ChangeFamily>, setting: SectionSetting): Section {
  const [first] = families;
  const children = families.flatMap((family) => family.children);
  // If dates differ only in their days, the first one stands for all.
  const shown = areSame(families) ? families : [first];
  const parts = groupAlike(shown.flatMap((family) => family.children)).map((group) =>
    // If the event is recreated, so is everything below it.
    buildPart(group, shown.length, first.own?.action === "create" ? [] : reasonLines(group[0]), setting),
  );
  const blocked = children.filter((change) => change.blockedBy.length > 0).length;
  const own = first.own;
  return {
    symbol: own === null ? "~" : symbolOf(own),
    title: familyTitle(families, setting),
    events: families.flatMap(({ address }) => address ?? []),
    address: families.length === 1 && first.address !== null ? safeText(first.address) : null,
    does: sectionDoes(own, children, blocked, {
      changes: families.length > 1 ? "the same changes" : "changes",
      how:
        shown.length < families.length && own?.action === "update" ? " in the same way (the first one is shown)" : "",
    }),
    facts: families.length === 1 ? factsOf(first) : reasonSpans(own),
    lines: [
      ...(families.length === 1 ? [] : [namesLine(familyNames(families, setting), "", setting)]),
      ...(own === null ? [] : ownLines(own, families, setting)),
    ],
    parts,
    isBlocked: blocked > 0 || (own !== null && own.blockedBy.length > 0),
  };
}

function familyTitle(families: Group<ChangeFamily>, setting: SectionSetting): readonly TextSpan[] {
  const [first] = families;
  if (families.length > 1) return titleOfAlike(families);
  if (first.address === null) return [word("Webhooks")];
  const name = first.own === null ? first.children[0]?.context?.eventName : nameOfChange(first.own);
  const apart = setting.apart(first.address);
  return [
    { role: "name", text: name === undefined ? shownNameIn(first.address) : safeText(name) },
    // If it is the key, the address next to it already shows it.
    ...(apart.length === 2 ? apart : []),
  ];
}

function titleOfAlike(families: Group<ChangeFamily>): readonly TextSpan[] {
  const [first] = families;
  const series = dateOf(first.address ?? "")?.series;
  if (series === undefined || areSame(families))
    return [word(`${countOf("event", families.length)}${first.own === null ? "" : ", each"}`)];
  return [word(`${formatCount(families.length)} dates of `), value(series)];
}

function sectionDoes(
  own: Change | null,
  children: readonly Change[],
  blocked: number,
  { changes, how }: { readonly changes: string; readonly how: string },
): string {
  const others = children.filter(({ blockedBy }) => blockedBy.length === 0);
  const words =
    own === null
      ? `${changes} in ${childCounts(children)}`
      : own.action === "none" && others.length > 0
        ? `${describeChange(own)}; ${others.every(({ action }) => action === "create") ? "new:" : `${changes} in`} ${childCounts(others)}`
        : describeChange(own) + how;
  return blocked === 0 ? words : `${words}; ${formatCount(blocked)} blocked below`;
}

function childCounts(children: readonly Change[]): string {
  const kinds = [...new Set(children.map((change) => change.kind))];
  const counts = kinds.map((kind) => countOf(kind, children.filter((change) => change.kind === kind).length));
  return counts.join(", ");
}

const statusNames: Readonly<Record<EventStatus, string>> = {
  DRAFT: "currently a draft",
  PUBLISHED: "currently published",
  ARCHIVED: "currently archived",
};

function factsOf(family: ChangeFamily): readonly TextSpan[] {
  const one = family.own ?? family.children[0];
  if (one === undefined || family.address === null) return [];
  const facts: TextSpan[][] = [];
  const status = one.context?.status;
  if (status !== undefined) facts.push([quiet(statusNames[status])]);
  const sold = soldWords(family.own?.context?.sold);
  if (sold !== "") facts.push([quiet(sold)]);
  facts.push(...[reasonSpans(family.own)].filter((spans) => spans.length > 0));
  if (one.source !== null) facts.push([value(`${one.source.file}:${one.source.line}`)]);
  return facts.flatMap((spans, index) => (index === 0 ? spans : [quiet("; "), ...spans]));
}

function reasonSpans(own: Change | null): TextSpan[] {
  return own !== null && needsReason(own) ? [{ role: "prose", text: safeText(own.reason) }] : [];
}

// An update is explained by its fields; so is an object that was blocked before anything was known about it.
function needsReason(change: Change): boolean {
  if (change.action === "delete" || change.action === "replace") return true;
  return change.action === "create" && change.edits.length > 0;
}

function familyNames(families: readonly ChangeFamily[], { full }: SectionSetting): readonly string[] {
  const addresses = families.map((family) => safeText(family.address ?? ""));
  return full ? addresses : shortAddresses(addresses);
}

function ownLines(own: Change, families: readonly ChangeFamily[], setting: SectionSetting): readonly ReportLine[] {
  return [
    ...fieldLines(own, setting),
    ...feeLines(own),
    ...(own.blockedBy.length > 0 && own.transition?.from === null ? [] : statusLines(own, setting)),
    ...originLines(own),
    ...blockedLines(
      families.flatMap((family) => family.own ?? []),
      setting,
    ),
  ];
}

function buildPart(
  group: Group<Change>,
  families: number,
  reason: readonly ReportLine[],
  setting: SectionSetting,
): Part {
  const [first] = group;
  const symbol = symbolOf(first);
  const fields = fieldLines(first, setting);
  const does = describeChange(first);
  const lines = [
    ...feeLines(first),
    ...reason,
    ...statusLines(first, setting),
    ...originLines(first),
    ...blockedLines(group, setting),
  ];
  if (group.length === 1) {
    const title = [word(`${kindWord(first.kind)} `), { role: "name" as const, text: nameOfChange(first) }];
    return {
      symbol,
      title,
      does: [does, soldWords(first.context?.sold)].filter((words) => words !== "").join(", "),
      lines: [...fields, ...lines],
    };
  }
  const names = namesOfGroup(group, families, setting);
  const count = countOf(first.kind, group.length);
  const [only] = fields;
  // One short edit on many objects is a single sentence.
  if (first.action === "update" && only?.type === "field" && editsBesideName(first).length === 1) {
    const title = [{ role: "value" as const, text: only.label }, word(" "), ...only.spans, word(` on ${count}`)];
    return { symbol, title, does: obstacleWords(first), lines: [names, ...lines] };
  }
  return { symbol, title: [word(count)], does, lines: [names, ...fields, ...lines] };
}

function reasonLines(change: Change): readonly ReportLine[] {
  const isLost = change.action === "create" && change.origin === "drift";
  if (change.action !== "delete" && change.action !== "replace" && !isLost) return [];
  return [{ type: "note", spans: [{ role: "prose", text: safeText(change.reason) }] }];
}

/** Only names if they are all of one event, or if all events have the same; else whole addresses. */
function namesOfGroup(group: readonly Change[], families: number, setting: SectionSetting): ReportLine {
  // Entries may start at different times in each event.
  const names = group.map(families === 1 ? nameOfChange : numberedName);
  if (families === 1) return namesLine(names, "", setting);
  const distinct = [...new Set(names)];
  if (distinct.length * families === names.length) return namesLine(distinct, " in each of them", setting);
  return namesLine(
    group.map((change) => safeText(change.address)),
    "",
    setting,
  );
}

function namesLine(names: readonly string[], tail: string, setting: SectionSetting): ReportLine {
  const shown = setting.full ? names : names.slice(0, shownNames);
  return { type: "names", names: shown, more: names.length - shown.length, tail };
}
