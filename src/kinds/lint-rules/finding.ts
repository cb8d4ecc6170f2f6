// What lint rules share: where a finding is placed, and reading a wish's fields.
import { type Address, dateOf, type KindName } from "../../model/address.ts";
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { formatLocalTime } from "../../model/time.ts";
import { isPinned, type SeriesPlace, type Wish } from "../../model/wish.ts";
import type { LintScene } from "../define.ts";

/** What a rule found; a warning by default. */
export type Finding = Omit<Diagnostic, "address" | "source" | "severity"> & Partial<Pick<Diagnostic, "severity">>;

/** A diagnostic about a wish, placed at the first of these fields that its own file states. */
export function findingAt(
  wish: Wish,
  fields: readonly string[],
  { code, severity = "warning", message, hint, ...finding }: Finding,
): Diagnostic {
  const sentence = message.replace(/^an entry/, "An entry");
  const rest = hint === undefined ? finding : { hint: besideIgnore(wish, hint), ...finding };
  return { code, severity, message: sentence, ...rest, address: wish.address, source: placeOf(wish, fields) };
}

/** The hint for an object that already has an `ignore`: a second one would be a duplicate field. */
function besideIgnore({ places, source, own }: Wish, hint: string): string {
  if (places.ignore?.file !== source.file || own.series !== undefined) return hint;
  return hint.replace(/add `ignore: \[([\w-]+)\]`(?: to the [a-z ]+)?/, "add `$1` to the `ignore` that is there");
}

/** Where the first of these fields is written, else where the wish begins. The object's own file comes before the project's defaults: that is where the conflict can be fixed. */
export function placeOf(wish: Wish, fields: readonly string[]): Source {
  let elsewhere: Source | undefined;
  for (const field of fields) {
    const place = wish.places[field];
    if (place === undefined) continue;
    if (place.file === wish.source.file) return place;
    elsewhere ??= place;
  }
  return elsewhere ?? wish.source;
}

export function textField(wish: Wish, field: string): string | undefined {
  const value = wish.fields[field];
  return typeof value === "string" ? value : undefined;
}

export function numberField(wish: Wish, field: string): number | undefined {
  const value = wish.fields[field];
  return typeof value === "number" ? value : undefined;
}

/** Milliseconds since the epoch. */
export function instantOf(wish: Wish, field: string): number | undefined {
  const instant = Date.parse(textField(wish, field) ?? "");
  return Number.isNaN(instant) ? undefined : instant;
}

/** What to do about a time of a series that is written with a date, which fits one date at most; null if it is not such a time. */
export function withoutDate(wish: Wish, field: string, { event, zone }: LintScene): string | null {
  if (event?.own.series === undefined || !/^\d{4}-/.test(String(wish.written[field]))) return null;
  const clock = formatLocalTime(textField(wish, field) ?? "", zone).slice(11);
  return `In a series, write \`${field}\` without a date, such as ${clock} or +5h: it then moves with each date.`;
}

/** Whether a time counts from the event's end, and that is wrong itself: it is reported there. */
export function isOnBadEnd({ written }: Wish, field: string, { start, end }: LintScene): boolean {
  return start !== undefined && end !== undefined && end < start && /^\s*end\b/.test(String(written[field]));
}

/** What a message calls the object; a missing name is reported separately. */
export function callOf({ name }: Wish): string {
  return name === "" ? "an entry without a name" : `"${name}"`;
}

/** The name of an event in a message, if other dates of its series may have the same name: `"Club" (2027-01-15)`. */
export function callDate(name: string, address: Address): string {
  const day = dateOf(address)?.day;
  return day === undefined ? `"${name}"` : `"${name}" (${day})`;
}

/** How to remove a date from its series, wherever it is listed; `date` is what the sentence calls it. */
export function howToLeave(
  { namedBy: { rule, also, entry, sheet } }: Pick<SeriesPlace, "namedBy">,
  date = "the date",
): string {
  const rest = [
    ...(entry ? ["its entry under `dates`"] : []),
    ...(sheet === null ? [] : [`its row in ${sheet.replace(/^.*\//, "")}`]),
  ].join(" and ");
  const first = [
    ...(also ? [`remove ${date} from \`also\``] : []),
    ...(rule ? [`add ${also ? "it" : date} to \`skip\``] : []),
  ];
  if (first.length === 0) return `delete ${rest.replace("its", `${date}'s`)}`;
  return [...first, ...(rest === "" ? [] : [`delete ${rest}`])].join(" and ");
}

/** Where to silence a check of one event: a date with its own entry has it there, because all dates share the file. */
export function ignoring(code: string, { own, address }: Wish): string {
  const where = own.series?.namedBy.entry ? `${dateOf(address)?.day} under \`dates\`` : "the event";
  return `add \`ignore: [${code}]\` to ${where}`;
}

/** Whether the file says anything about the field, readable or not. */
export function isStated(wish: Wish, field: string): boolean {
  return wish.fields[field] !== undefined || wish.places[field] !== undefined;
}

/** Whether a phase has set the field: then it is meant for now, and was not copied from an earlier event. */
export function isPhased({ own }: Wish, field: string): boolean {
  return own.phased?.includes(field) === true;
}

/** Whether the object will lack the field: cleared, or never given. A pinned object may have on the service what its file leaves out. */
export function lacks(wish: Wish, field: string): boolean {
  if (wish.fields[field] === null || wish.written[field] === null) return true;
  return !isStated(wish, field) && !isPinned(wish);
}

/** Archived and deleted events are done with: advice on how to sell them would be noise. */
export function isRetired(event: Wish | null): boolean {
  return event?.own.status === "ARCHIVED" || event?.own.status === "DELETED";
}

export function childrenOf(event: Wish, kind: KindName): readonly Wish[] {
  return event.children[kind] ?? [];
}
