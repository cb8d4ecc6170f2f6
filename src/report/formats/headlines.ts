// What a promoter must know of a plan, a line each: first what is blocked, then deletions, then what is on sale, then the rest.
import { kindOf, parentAddress } from "../../kinds/index.ts";
import type { Source } from "../../model/diagnostic.ts";
import type { Change, Edit } from "../../model/plan.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { formatShortMoney, groupBy, listSome, pluralize, type Value } from "../../model/value.ts";
import { startOf } from "../plan-view/distinct-names.ts";
import { fieldOf, fieldText } from "../plan-view/edit-line.ts";
import { editsBesideName, type Family, groupFamilies } from "../plan-view/group-changes.ts";
import { countOf, eventNameOf, kindWord, nameOfChange, soldWords, transitionVerb } from "../plan-view/messages.ts";
import { safeText } from "../text/sanitize.ts";
import { cutText } from "../text/wrap.ts";

/** One thing to know: a change, a whole event that comes or goes, or several changes alike. */
export interface Headline {
  /** Plain text with data in it, still to be escaped. */
  readonly text: string;
  /** The first of its changes. */
  readonly change: Change;
  /** Its place in the files; null: it has none, or several. */
  readonly source: Source | null;
  /** How many changes it stands for. */
  readonly count: number;
}

/** `plan`: what will be done; `held`: what would be, if it were reviewed; `drift`: how service and files differ. */
export type HeadlineView = "plan" | "held" | "drift";

/** In the order in which they matter. */
export function headlinesOf(changes: readonly Change[], view: HeadlineView = "plan"): readonly Headline[] {
  const items = groupFamilies(changes).flatMap((family) => itemsOf(family, view));
  const alike = [...groupBy(items, ({ key, change }) => key ?? change).values()];
  const lines = alike.flatMap((group) => (group.length < fewestAlike ? group.map(single) : [together(group)]));
  return lines.sort((one, other) => rankOf(one.change) - rankOf(other.change));
}

interface Item {
  readonly change: Change;
  readonly count: number;
  readonly subject: string;
  readonly does: string;
  /** The same without what is sold. */
  readonly plain: string;
  /** Equal for items that may share a line; null: it has a line of its own. */
  readonly key: string | null;
}

const fewestAlike = 3;
const shownNames = 3;
const mostColumns = 160;

function rankOf(change: Change): number {
  if (change.blockedBy.length > 0) return 0;
  if (isRemoval(change)) return 1;
  return change.context?.status === "PUBLISHED" || change.transition?.to === "PUBLISHED" ? 2 : 3;
}

function isRemoval({ action, transition }: Change): boolean {
  return action === "delete" || transition?.to === "DELETED";
}

/** An event that comes or goes has one line, with all below it. What is blocked below it has lines of its own. */
function itemsOf({ own, children }: Family, view: HeadlineView): readonly Item[] {
  if (own === null) return children.map((child) => itemOf(child, view));
  const isWhole = own.action === "create" || isRemoval(own);
  if (!isWhole) return [own, ...children].map((change) => itemOf(change, view));
  const apart = children.filter(({ blockedBy }) => blockedBy.length > 0);
  const within = children.filter((child) => !apart.includes(child));
  const item = itemOf(own, view);
  const parts = [...groupBy(within, ({ kind }) => kind)].map(([kind, all]) => countOf(kind, all.length));
  const does = own.action === "create" ? doesOf(own, view, parts) : item.does;
  return [{ ...item, does, count: 1 + within.length }, ...apart.map((child) => itemOf(child, view))];
}

function itemOf(change: Change, view: HeadlineView): Item {
  const does = doesOf(change, view);
  const isAlone = change.blockedBy.length > 0 || isRemoval(change) || change.action === "create";
  const key = isAlone ? null : JSON.stringify([change.kind, does, rankOf(change)]);
  const sold = soldWords(change.context?.sold);
  const whole = sold === "" ? does : `${does}, ${sold}`;
  return { change, count: 1, subject: subjectOf(change), plain: does, does: whole, key };
}

function single({ change, count, subject, does }: Item): Headline {
  return { text: `${subject}: ${does}`, change, source: change.source, count };
}

function together(group: readonly Item[]): Headline {
  const [first] = group as readonly [Item, ...Item[]];
  const subjects = group.map(({ subject }) => subject);
  const text = `${countOf(first.change.kind, group.length)}: ${first.plain} (${listSome(subjects, shownNames)})`;
  return { text, change: first.change, source: null, count: group.length };
}

/** "GA of Manila Nights", "Manila Nights". */
function subjectOf(change: Change): string {
  const name = cutText(nameOfChange(change), mostColumns);
  if (parentAddress(change.address) === null)
    return change.kind === "event" ? name : `${kindWord(change.kind)} ${name}`;
  return `${name} of ${cutText(eventNameOf(change), mostColumns)}`;
}

const shownEdits = 3;

function doesOf(change: Change, view: HeadlineView, parts: readonly string[] = []): string {
  if (view === "drift" && change.action === "create") return "in the files, not on the service";
  if (view === "drift" && change.action === "delete") return "on the service, not in the files";
  const status = statusWords(change, view);
  switch (change.action) {
    case "create": {
      const start = change.kind === "event" ? startOf(change) : null;
      const when =
        start === null ? "" : ` on ${safeText(formatMoment(start, change.context?.timezone ?? standardZone))}`;
      const what = change.kind === "event" ? "" : ` ${kindWord(change.kind)}`;
      const within = parts.length === 0 ? "" : ` with ${parts.join(", ")}`;
      return `new${what}${when}${within}${status === "" ? "" : `, then ${status}`}`;
    }
    case "delete":
      return status === "" ? "delete" : status;
    case "update":
    case "replace":
    case "none": {
      const edits = editsBesideName(change);
      const shown = edits.slice(0, shownEdits).map((edit) => editWords(change, edit, view));
      const more = edits.length - shown.length;
      const fields = more > 0 ? [...shown, pluralize(more, "more field")] : shown;
      return [...fields, ...(status === "" ? [] : [status])].join("; ");
    }
  }
}

function statusWords({ transition }: Change, view: HeadlineView): string {
  if (view !== "drift" || transition === null) return transitionVerb(transition);
  return `status ${transition.from ?? "unknown"} on the service, ${transition.to} in the files`;
}

/** A price speaks for itself; any other field is named. */
function editWords(change: Change, edit: Edit, view: HeadlineView): string {
  const field = fieldOf(edit);
  const [before, after] = [valueWords(change, field, edit.before), valueWords(change, field, edit.after)];
  if (view === "drift")
    return before.length + after.length > mostColumns
      ? `${field} differs`
      : `${field} ${before} on the service, ${after} in the files`;
  const drift =
    edit.origin !== "drift"
      ? ""
      : view === "held"
        ? " (changed on the service)"
        : " (changed on the service; will be reset)";
  const label = field === "price" && kindOf(change.kind).name === "ticket" ? "" : `${field} `;
  if (before.length + after.length > mostColumns) return `${label}changes${drift}`;
  return `${label}${before} → ${after}${drift}`;
}

function valueWords({ kind, context }: Change, field: string, value: Value): string {
  if (value === null) return "none";
  if (field === "price" && typeof value === "number") return formatShortMoney(value);
  return fieldText(kind, field, value, context);
}
