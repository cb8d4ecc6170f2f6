// What a promoter must know about a plan, a line each: what is blocked, deletions, what is on sale, then the rest.
import { isFamilyHead } from "../../kinds/index.ts";
import { dateOf, keyInAddress, rootOf } from "../../model/address.ts";
import type { Source } from "../../model/diagnostic.ts";
import type { Change } from "../../model/plan.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { type Group, groupBy, listSome, pluralize } from "../../model/value.ts";
import { editWords, fieldOf, type HeadlineView, isMoney, mostColumns, policyOf } from "../plan-view/edit-line.ts";
import {
  type ChangeFamily,
  editsBesideName,
  fewestAlike,
  fewestDates,
  groupFamilies,
  hintForDates,
  onDates,
  startOf,
} from "../plan-view/group-changes.ts";
import {
  countOf,
  dayWords,
  eventNameOf,
  isSent,
  kindWord,
  nameOfChange,
  originRemark,
  soldWords,
  subjectWords,
  transitionVerb,
} from "../plan-view/plan-view.ts";
import { codeSpan, escapeProse } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";

/** One thing to know: a change, a whole event that is created or deleted, or several changes alike. */
export interface Headline {
  /** Plain text with data in it, still to be escaped. */
  readonly text: string;
  readonly change: Change;
  /** All that it is about, `change` first. */
  readonly all: readonly Change[];
  /** Its place in the files; null: it has none, or several. */
  readonly source: Source | null;
  readonly count: number;
  /** The same without what is new or deleted together with its event. */
  readonly events: number;
}

/** In the order in which they matter. */
export function headlinesOf(changes: readonly Change[], view: HeadlineView = "plan"): readonly Headline[] {
  const items = groupFamilies(changes).flatMap((family) => familyItems(family, view));
  const alike = [...groupBy(items, ({ key, change }) => key ?? change).values()];
  const single = ({ change, count, subject, does }: Item): Headline => {
    return { text: `${subject}: ${does}`, change, all: [change], source: change.source, count, events: 1 };
  };
  const isFew = ({ length }: readonly Item[]) => length < fewestAlike;
  const similar = groupBy(alike.filter(isFew).flat(), ({ loose, change }) => loose ?? change);
  const lines = [
    ...alike.filter((group) => !isFew(group)).map((group) => joinItems(group)),
    ...[...similar.values()].flatMap((group) =>
      group.length < fewestSimilar ? group.map(single) : [joinItems(group, true)],
    ),
  ];
  // Among equals, what buyers have planned their evening by, then what they pay.
  const rank = ({ change }: Headline) => 3 * changeRank(change) + (isOfStart(change) ? 0 : hasMoney(change) ? 1 : 2);
  return lines.sort((one, other) => rank(one) - rank(other));
}

function hasMoney({ kind, edits }: Change): boolean {
  return edits.some((edit) => isMoney(kind, fieldOf(edit)));
}

function isOfStart(change: Change): boolean {
  return change.action === "update" && startOf(change) !== null;
}

interface Item {
  readonly change: Change;
  readonly count: number;
  readonly subject: string;
  readonly does: string;
  /** The same without what is sold. */
  readonly plain: string;
  /** Equal for items that may share a line; null: it has its own line. */
  readonly key: string | null;
  /** Equal for items that edit the same fields, to values of their own. */
  readonly loose: string | null;
}

const fewestSimilar = 6;
export const shownNames = 3;

function changeRank(change: Change): number {
  if (change.blockedBy.length > 0) return 0;
  if (change.heldBack === "change") return 4;
  if (isRemoval(change)) return 1;
  return change.context?.status === "PUBLISHED" || change.transition?.to === "PUBLISHED" ? 2 : 3;
}

/** Why it is not done with the rest; null if it is. */
export function waitWords({ blockedBy, heldBack }: Change): string | null {
  return blockedBy.length > 0 ? "Blocked" : heldBack === "change" ? "Waits for a blocked change" : null;
}

function isRemoval({ action, transition }: Change): boolean {
  return action === "delete" || transition?.to === "DELETED";
}

/** A new or deleted event is one line, with everything below it; blocked changes below it get their own lines. */
function familyItems({ own, children }: ChangeFamily, view: HeadlineView): readonly Item[] {
  if (own === null) return children.map((child) => itemOf(child, view));
  const isWhole = own.action === "create" || isRemoval(own);
  if (!isWhole) return [own, ...children].map((change) => itemOf(change, view));
  const apart = children.filter(({ blockedBy }) => blockedBy.length > 0);
  const within = children.filter((child) => !apart.includes(child));
  const item = itemOf(own, view);
  const parts = [...groupBy(within, ({ kind }) => kind)].map(([kind, all]) => countOf(kind, all.length));
  const count = 1 + within.length;
  const others = apart.map((child) => itemOf(child, view));
  if (own.action !== "create") return [{ ...item, count }, ...others];
  // Dates of a series that are new in the same way share a line.
  const series = dateOf(own.address)?.series;
  const plain = doesOf(own, view, parts, true);
  const key =
    series === undefined || item.key !== null
      ? item.key
      : JSON.stringify([series, nameOfChange(own), plain, changeRank(own)]);
  return [{ ...item, does: doesOf(own, view, parts), plain, key, count }, ...others];
}

function itemOf(change: Change, view: HeadlineView): Item {
  const does = doesOf(change, view);
  const isBlocked = change.blockedBy.length > 0;
  const isAlone = !isBlocked && (isRemoval(change) || change.action === "create");
  const blocks = change.blockedBy.map((block) => [block.code, block.message, hintForDates(block, change)]);
  const key = isAlone ? null : JSON.stringify([change.kind, does, changeRank(change), blocks]);
  const sold = soldWords(change.context?.sold);
  const whole = sold === "" ? does : `${does}, ${sold}`;
  const { edits, transition, kind } = change;
  const isPlain =
    (view === "plan" || view === "already") && key !== null && !isBlocked && transition === null && !hasMoney(change);
  const isLoose = isPlain && edits.every(({ origin }) => origin !== "drift");
  const loose = isLoose ? JSON.stringify([kind, edits.map(({ path }) => path), changeRank(change)]) : null;
  return { change, count: 1, subject: changeSubject(change, view), plain: does, does: whole, key, loose };
}

/** `isLoose`: the values differ, so one is an example of them. */
function joinItems(group: Group<Item>, isLoose = false): Headline {
  const [first] = group;
  const { change } = first;
  const all = group.map((item) => item.change);
  const { status } = change.context ?? {};
  const isEvent = isFamilyHead(change.kind);
  const [subject, ...others] = subjectsOf(group);
  const fields = editsBesideName(change).map((edit) => fieldOf(edit));
  const published = isEvent ? ", currently published" : " of published events";
  const which = `${countOf(change.kind, group.length)}${status === "PUBLISHED" ? published : ""}`;
  const text = isLoose
    ? `${which}: ${fields.join(", ")}, such as ${first.subject}: ${first.plain}`
    : others.length > 0
      ? `${which}: ${first.plain} (${listSome([subject, ...others], shownNames)})`
      : `${subject}${status === "PUBLISHED" ? " (published)" : status === "DRAFT" ? " (drafts)" : ""}: ${first.plain}`;
  const { source } = change;
  const isOnePlace = all.every((one) => one.source?.file === source?.file && one.source?.line === source?.line);
  const count = group.reduce((sum, item) => sum + item.count, 0);
  return { text, change, all, source: isOnePlace ? source : null, count, events: group.length };
}

/** Each by its name; the dates of a series together, from three on. */
function subjectsOf(group: Group<Item>): Group<string> {
  const [first, ...others] = [
    ...groupBy(
      group,
      ({ change }) => `${dateOf(rootOf(change.address))?.series ?? change.address} ${nameOfChange(change)}`,
    ),
  ].flatMap(([, all]) => {
    const [{ change }] = all;
    if (all.length < fewestDates) return all.map(({ subject }) => subject);
    // Dates may have names of their own: then only the series is what they share.
    const [eventName = "", ...others] = new Set(all.map((item) => eventNameOf(item.change)));
    const series = keyInAddress(dateOf(rootOf(change.address))?.series ?? "");
    const context = { ...change.context, eventName: others.length === 0 ? eventName : `the series ${series}` };
    return onDates(
      subjectWords({ ...change, context }, mostColumns, ""),
      all.map((item) => rootOf(item.change.address)),
    );
  });
  return [first ?? "", ...others];
}

/** With the day of a date of a series, unless its start follows. */
export function changeSubject(change: Change, view: HeadlineView): string {
  const saysStart = view !== "drift" && view !== "already" && change.action === "create" && isFamilyHead(change.kind);
  return subjectWords(change, mostColumns, saysStart ? "" : dayWords(change.address));
}

const shownEdits = 3;

/** `ofEach`: of several dates, whose starts are said before it. */
function doesOf(change: Change, view: HeadlineView, parts: readonly string[] = [], ofEach = false): string {
  if (view === "drift" && isInFilesAlone(change)) return "in the files, not on the service";
  if (view === "drift" && change.action === "delete") return "on the service, not in the files";
  const status = statusWords(change, view);
  const why = change.origin === "drift" ? ` (${safeText(change.reason)})` : "";
  switch (change.action) {
    case "create": {
      if (view === "already") return "on the service already";
      const start = ofEach ? null : startOf(change);
      const when =
        start === null ? "" : ` on ${safeText(formatMoment(start, change.context?.timezone ?? standardZone))}`;
      const what = isFamilyHead(change.kind) ? "" : ` ${kindWord(change.kind)}${saleTerms(change)}`;
      const within = parts.length === 0 ? "" : ` with ${parts.join(", ")}${ofEach ? " each" : ""}`;
      return `new${what}${when}${within}${status === "" ? "" : `, then ${status}`}${why}`;
    }
    case "delete":
      return (status === "" ? "delete" : status) + why;
    case "update":
    case "replace":
    case "none": {
      const edits = editsBesideName(change);
      const due = (one: Pick<Change, "origin">) => dueRemark(one, view);
      const shown = edits.slice(0, shownEdits).map((edit) => editWords(change, edit, view) + due(edit));
      const more = edits.length - shown.length;
      const fields = more > 0 ? [...shown, pluralize(more, "more field")] : shown;
      // Blocked before anything was compared.
      return (
        [...fields, ...(status === "" ? [] : [status + statusRemark(change, view)])].join("; ") ||
        safeText(change.reason)
      );
    }
  }
}

/** What buyers will pay, and whether they can: sold out comes after on sale. */
function saleTerms(change: Change): string {
  const prices = change.edits.filter((edit) => isMoney(change.kind, fieldOf(edit)));
  const sales = change.edits.flatMap((edit) => {
    const policy = policyOf(change.kind, fieldOf(edit));
    const short = policy?.role === "value" ? policy.inShort?.[String(edit.after)] : undefined;
    return short !== undefined && (edit.after === false || change.context?.status === "PUBLISHED") ? short : [];
  });
  const words = [...prices.map((edit) => editWords(change, edit, "plan")), ...sales.slice(-1)];
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function dueRemark({ origin }: Pick<Change, "origin">, view: HeadlineView): string {
  return origin === "phase" && view === "plan" ? ` (${originRemark(origin, false)})` : "";
}

function statusRemark(change: Change, view: HeadlineView): string {
  if (change.origin !== "drift" || view === "drift") return dueRemark(change, view);
  const isUndone = view !== "held" && isSent(change) && change.heldBack !== "status";
  return ` (${originRemark("drift", isUndone)})`;
}

/** Somebody deleted it on the service, be it pinned to an id or not. */
export function isInFilesAlone({ action, blockedBy }: Change): boolean {
  return action === "create" || blockedBy.some(({ code }) => code === "pinned-id-missing");
}

function statusWords({ transition }: Change, view: HeadlineView): string {
  if (view !== "drift" || transition === null) return transitionVerb(transition);
  return `status ${transition.from ?? "unknown"} on the service, ${transition.to} in the files`;
}

export function markedText({ change, text }: Headline): string {
  const wait = waitWords(change);
  return `${wait === null ? "" : `**${wait}:** `}${escapeProse(text)}`;
}

export function lineWithCodes(headline: Headline): string {
  const codes = headline.change.blockedBy.map(({ code }) => codeSpan(safeText(code)));
  return `- ${markedText(headline)}${codes.length === 0 ? "" : ` (${codes.join(", ")})`}`;
}
