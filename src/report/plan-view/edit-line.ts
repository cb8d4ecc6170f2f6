// One edit as one thing to say: a value, a value and what it becomes, or a piece of text with its changes.
import type { FieldPolicy } from "../../kinds/define.ts";
import { kindOf, sameValue } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import type { Change, Context, Edit } from "../../model/plan.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import {
  commissionPercent,
  type Fee,
  formatCount,
  formatMoney,
  formatShortMoney,
  pluralize,
  type Value,
} from "../../model/value.ts";
import { becomes, type DiffLine, diffLines, quiet, type ReportLine, type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { displayWidth } from "../text/table.ts";
import { isSent, originRemark } from "./plan-view.ts";

// A field's value as people read it.

export function policyOf(kind: KindName, field: string): FieldPolicy | undefined {
  const { fields } = kindOf(kind);
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

export function isMoney(kind: KindName, field: string): boolean {
  const policy = policyOf(kind, field);
  return policy?.role === "value" && policy.money === true;
}

export function fieldText(kind: KindName, field: string, value: Exclude<Value, null>, context: Context = {}): string {
  const policy = policyOf(kind, field);
  const { shownAs, shownUnpublished } = policy?.role === "value" ? policy : {};
  const isPublic = context.status !== undefined && context.status !== "DRAFT";
  const shown = (isPublic ? undefined : shownUnpublished?.[String(value)]) ?? shownAs?.[String(value)];
  if (shown !== undefined) return shown;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return isMoney(kind, field) ? formatMoney(value) : formatCount(value);
  if (typeof value !== "string") return value.map(safeText).join(", ");
  if (policy?.role === "reference") return quotedText(context.names?.[value] ?? value);
  if (policy?.role !== "value") return safeText(context.names?.[value] ?? value);
  switch (policy.form) {
    case "instant":
      return safeText(formatMoment(value, context.timezone ?? standardZone));
    case "id":
      return safeText(context.names?.[value] === undefined ? value : `${context.names[value]} (${value})`);
    case "text":
    case "markup":
      return quotedText(value);
    case "choice":
    case "number":
    case "flag":
    case "color":
    case "set":
    case "list":
    case "url":
      return safeText(value);
  }
}

function quotedText(text: string): string {
  return `"${safeText(text)}"`;
}

const longestInline = 72;
const shownLines = 4;
const shownColumns = 240;

/** `full`: long text as a whole, not its beginning. */
export function editLine(change: Change, edit: Edit, options: { readonly full: boolean }): ReportLine {
  const label = fieldOf(edit);
  const remark = wordsAfter(change, edit);
  if (isLong(change, edit)) {
    const lines = diffLines(valueLines(edit.before), valueLines(edit.after));
    return { type: "text", label, remark, lines: options.full ? lines : openingLines(lines, edit) };
  }
  const field = (...spans: readonly TextSpan[]): ReportLine => ({ type: "field", label, spans: [...spans, ...remark] });
  if (change.action === "create" && edit.before === null && edit.after !== null)
    return field({ role: "value", text: valueText(change, label, edit.after) });
  if (isRestated(edit)) return field({ role: "after", text: valueText(change, label, edit.after) });
  const [before, after] = sides(change, edit);
  return field(before, becomes, after);
}

export function fieldOf(edit: Edit): string {
  return safeText(edit.path.replace(/^\//, "").replaceAll("~1", "/").replaceAll("~0", "~"));
}

function sides(change: Change, edit: Edit): readonly [TextSpan, TextSpan] {
  const label = fieldOf(edit);
  const before = spanOf(change, label, edit.before, "before");
  const after = spanOf(change, label, edit.after, "after");
  if (isValueUnknown(edit)) return [quiet(valueNotShown), after];
  if (before.text !== after.text || before.role === "word") return [before, after];
  // Two things can look alike: venues of one name, URLs that differ only in what is masked.
  if (typeof edit.before === "string" && edit.before.includes("://"))
    return [before, word("the same URL with a different query (hidden)")];
  return [
    { role: "before", text: `${before.text} (${safeText(String(edit.before))})` },
    { role: "after", text: `${after.text} (${safeText(String(edit.after))})` },
  ];
}

export const valueNotShown = "not shown by the service";

/** Not known to be empty: the service does not show it, and nothing else does. */
function isValueUnknown({ unreadable, before }: Edit): boolean {
  return unreadable === true && before === null;
}

function spanOf(change: Change, label: string, value: Value, role: "before" | "after"): TextSpan {
  if (value !== null) return { role, text: valueText(change, label, value) };
  return word(role === "before" ? "none" : "none (cleared)");
}

function valueText({ kind, context }: Change, label: string, value: Exclude<Value, null>): string {
  return fieldText(kind, label, value, context);
}

/** What is sent although it does not differ. */
function isRestated(edit: Edit): edit is Edit & { readonly after: Exclude<Value, null> } {
  return edit.after !== null && sameValue(edit.before, edit.after);
}

/** In parentheses, after the value. */
function wordsAfter(change: Change, edit: Edit): readonly TextSpan[] {
  const notes: string[] = isRestated(edit) ? ["sent again"] : [];
  if (edit.unreadable && edit.before !== null)
    notes.push("the service does not show this field; the old value is the one last applied");
  // For a whole object it is shown once.
  const isWhole = change.action === "create" || change.action === "replace";
  if (edit.origin !== "edit" && !isWhole && !edit.sentAlong) notes.push(originRemark(edit.origin, isSent(change)));
  // Edits come from the file: that is worth saying only next to others that do not.
  const isMixed = change.edits.some((one) => one.origin !== "edit");
  if (edit.origin === "edit" && isMixed && !edit.sentAlong) notes.push("edited");
  return notes.length === 0 ? [] : [quiet(` (${notes.join("; ")})`)];
}

function isLong(change: Change, edit: Edit): boolean {
  const policy = policyOf(change.kind, fieldOf(edit));
  if (policy?.role !== "value") return false;
  const sides = [edit.before, edit.after];
  if (policy.form === "list") return sides.some((side) => Array.isArray(side) && side.length > 1);
  if (policy.form !== "text" && policy.form !== "markup") return false;
  const texts = sides.filter((side) => typeof side === "string");
  if (texts.some((text) => text.includes("\n") || text.length > longestInline)) return true;
  return displayWidth(texts.join("")) > longestInline;
}

function valueLines(value: Value): readonly string[] {
  if (typeof value === "string") return value.split("\n");
  return Array.isArray(value) ? value : [];
}

// The beginning of a text that is added or removed as a whole says enough; the file has the rest.
function openingLines(lines: readonly DiffLine[], edit: Edit): readonly DiffLine[] {
  if (edit.before !== null && edit.after !== null) return lines;
  const shown = lines.slice(0, shownLines).map(cutLine);
  const hidden = lines.length - shown.length;
  if (hidden === 0) return shown;
  return [...shown, { mark: "…", spans: [quiet(pluralize(hidden, "more line"))] }];
}

function cutLine(line: DiffLine): DiffLine {
  return {
    mark: line.mark,
    spans: line.spans.map((span) => {
      const characters = [...span.text];
      return characters.length <= shownColumns
        ? span
        : { ...span, text: `${characters.slice(0, shownColumns).join("")} …` };
    }),
  };
}

// An edit within a sentence.

/** `plan`: what will be done; `held`: what would be, if it were reviewed; `already`: what is done; `drift`: how service and files differ. */
export type HeadlineView = "plan" | "held" | "already" | "drift";

export const mostColumns = 160;

/** An amount of money speaks for itself; any other field is named. */
export function editWords(change: Change, edit: Edit, view: HeadlineView): string {
  const field = fieldOf(edit);
  const before = isValueUnknown(edit) ? valueNotShown : valueWords(change, field, edit.before);
  const after = valueWords(change, field, edit.after);
  const isLong = before.length + after.length > mostColumns || `${edit.before}${edit.after}`.includes("\n");
  if (view === "drift") return isLong ? `${field} differs` : `${field} ${before} on the service, ${after} in the files`;
  const drift = edit.origin === "drift" ? ` (${originRemark("drift", view !== "held" && isSent(change))})` : "";
  const label = isMoney(change.kind, field) && !isValueUnknown(edit) ? "" : `${field} `;
  if (isLong) return `${label}changes${drift}`;
  // A field without a former value: only the new one is shown.
  const isFirst = edit.before === null && (change.action === "create" || typeof edit.after === "boolean");
  return `${label}${isFirst ? "" : `${before} → `}${after}${drift}`;
}

function valueWords({ kind, context }: Change, field: string, value: Value): string {
  if (value === null) return "none";
  if (isMoney(kind, field) && typeof value === "number") return formatShortMoney(value);
  if (field === "venueId" && typeof value === "string") return safeText(context?.names?.[value] ?? value);
  return fieldText(kind, field, value, context);
}

// What a price means to the buyer and to the organizer.

/** Shown once for all amounts that the sentences below name. */
export const feesFootnote = `Amounts take the ${commissionPercent}% commission into account, but not processing fees, which vary by payment method.`;

export function feesSentence({ price, commission, absorbFees }: Fee): string {
  if (price === 0) return "free: the buyer pays nothing and no commission is taken";
  const withCommission = formatMoney(price + commission);
  const lessCommission = formatMoney(price - commission);
  const plain = formatMoney(price);
  if (absorbFees === null) {
    return `if the event absorbs fees, the buyer pays ${plain} and the organizer receives ${lessCommission}; if not, the buyer pays ${withCommission} and the organizer receives ${plain} (the service does not show which)`;
  }
  return absorbFees
    ? `buyer pays ${plain}; organizer receives ${lessCommission} less processing fees`
    : `buyer pays ${withCommission} plus processing fees; organizer receives ${plain}`;
}
