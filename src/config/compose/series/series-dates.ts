// The dates of a series: those of its rule without the skipped ones, and those that are added.
import { type Diagnostic, errorAt, hasErrors, type Source } from "../../../model/diagnostic.ts";
import { countBefore, formatCount, listSome } from "../../../model/value.ts";
import type { SeriesBounds, SeriesPlace } from "../../../model/wish.ts";
import { type CalendarDate, howToWriteDay, readDay } from "../../time/read-time.ts";
import { entryOf, type Located, type LocatedMap } from "../../yaml/located.ts";
import { type RuledStart, ruleOfEvery, ruleOfRfc, type SeriesRule } from "./rule.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

export const mostDates = 1_000;

export interface SeriesDate {
  /** `2027-01-08`, as in the event's key. */
  readonly day: string;
  readonly date: CalendarDate;
  /** What `dates` says about it. */
  readonly entry: Located | null;
  /** What the sheet says about it. */
  readonly row: SheetRow | null;
  readonly namedBy: SeriesPlace["namedBy"];
  readonly bounds: SeriesBounds;
}

interface DatePlace {
  readonly day: string;
  readonly source: Source;
}

/** In order. Empty if the rule or a date cannot be read: a series only half understood must not delete events. */
export async function seriesDates(
  series: LocatedMap,
  sheet: Sheet | null,
  start: () => RuledStart,
  problems: Diagnostic[],
): Promise<readonly SeriesDate[]> {
  const found: Diagnostic[] = [];
  const collected = await collectDays(series, sheet, start, found);
  const isReadable = !hasErrors(found);
  for (const problem of found) problems.push(problem);
  return isReadable ? attach(collected, series, sheet, problems) : [];
}

interface SeriesDays {
  readonly days: readonly string[];
  /** Those that the rule gives, skipped or not; null: there is no rule. */
  readonly ruled: readonly string[] | null;
  readonly skips: ReadonlySet<string>;
}

const secondShow = "Remove the date. Put a second show on that day in a separate file that extends the same template.";

async function collectDays(
  series: LocatedMap,
  sheet: Sheet | null,
  start: () => RuledStart,
  found: Diagnostic[],
): Promise<SeriesDays> {
  const none = { days: [], ruled: null, skips: new Set<string>() };
  const skip = entryOf(series, "skip");
  if (skip !== undefined && nodesIn(skip).length > mostDates) {
    const message = `\`skip\` has more than ${formatCount(mostDates)} dates.`;
    found.push(badSeries(skip.source, message, "Split it into several series."));
    return none;
  }
  const ruled = await daysOfRule(series, start, found);
  const skipped = daysIn(skip, found);
  const skips = new Set(skipped.map(({ day }) => day));
  const added = new Map<string, Source>();
  const once = new Set(ruled);
  for (const { day, source } of daysIn(entryOf(series, "also"), found)) {
    const message = `The series already has ${day}, and it can have only one event a day.`;
    if (once.has(day) && !skips.has(day))
      found.push({ ...badSeries(source, message, secondShow), severity: "warning" });
    once.add(day);
    added.set(day, source);
  }
  if (ruled === null) for (const { day, source } of sheet?.rows ?? []) added.set(day, source);
  const all = [...new Set([...(ruled ?? []), ...added.keys()])].sort();
  for (const { day, source } of skipped) {
    const both = added.get(day);
    if (both === undefined) continue;
    const problem = badSeries(source, `${day} is both skipped and added.`, "Remove it from one of the two.");
    found.push({ ...problem, related: [{ message: "added here", source: both }] });
  }
  const days = all.filter((day) => !skips.has(day));
  if (days.length > mostDates) {
    const message = `The series has more than ${formatCount(mostDates)} dates.`;
    const hint = `${ruled === null ? "Split" : "Give the rule an earlier end, or split"} it into several series.`;
    found.push(badSeries(series.source, message, hint));
  } else if (days.length === 0 && !hasErrors(found)) {
    const [message, hint] = all.length === 0 ? noDates : allSkipped;
    found.push(badSeries(series.source, message, hint));
  }
  // The days of a rule that is not understood are unknown.
  if (hasErrors(found)) return none;
  const known = new Set(all);
  const [first = "", last = ""] = [(ruled ?? all)[0], (ruled ?? all).at(-1)];
  for (const { day, source } of skipped) {
    const advice = day < first || day > last ? toRemove : skipAnother;
    if (!known.has(day))
      found.push({ ...notInSeries({ day, source }, "`skip` has", all, advice), severity: "warning" });
  }
  return { days, ruled, skips };
}

const noDates = [
  "The series has no dates.",
  "Write a rule with `every`, `from` and `until`, dates in `also`, or a `table`.",
] as const;
const allSkipped = ["`skip` removes every date of the series.", "Remove dates from `skip`."] as const;

async function daysOfRule(
  series: LocatedMap,
  start: () => RuledStart,
  found: Diagnostic[],
): Promise<readonly string[] | null> {
  const [every, rrule] = [entryOf(series, "every"), entryOf(series, "rrule")];
  const written = every ?? rrule;
  if (written === undefined) {
    for (const field of ["from", "until", "count"]) {
      const node = entryOf(series, field);
      const hint =
        "Add a rule, such as `every: friday`, or remove this field: it does not limit the dates in `also` and `table`.";
      if (node) found.push(badSeries(node.source, `\`${field}\` limits a rule, but the series has no rule.`, hint));
    }
    return null;
  }
  if (every !== undefined && rrule !== undefined) {
    found.push(badSeries(rrule.source, "The series has two rules.", "Keep `every` or `rrule`."));
    return [];
  }
  const [from] = wordsIn(entryOf(series, "from"));
  const rule = every === undefined ? ruleOfRfc(wordsIn(written)[0] ?? "", start) : ruleOfEvery(wordsIn(every), from);
  if ("message" in rule) {
    found.push(badSeries(written.source, rule.message, rule.hint));
    return [];
  }
  const bounds = boundsOf(series, rule, written, found);
  if (bounds === null) return [];
  const { daysOf } = await import("./recurrence.ts");
  const most = Math.min(
    bounds.count ?? Number.POSITIVE_INFINITY,
    mostDates + nodesIn(entryOf(series, "skip")).length + 1,
  );
  const days = daysOf({ rule: rule.text, from: bounds.from, until: bounds.until, most });
  if (typeof days !== "string") {
    if (days.length > 0) return days;
    const end = bounds.until === null ? "" : ` to ${bounds.until}`;
    const message = `The rule has no date from ${bounds.from}${end}.`;
    found.push(badSeries(written.source, message, "Check the rule, `from` and `until`."));
  } else {
    const message = `The rule cannot be followed: ${days.replace(/\.$/, "")}.`;
    found.push(badSeries(written.source, message, "Check its parts."));
  }
  return [];
}

function boundsOf(series: LocatedMap, rule: SeriesRule, written: Located, found: Diagnostic[]) {
  const [from, until, count] = ["from", "until", "count"].map((field) => entryOf(series, field));
  const bad = (place: Located, message: string, hint: string) => {
    found.push(badSeries(place.source, message, hint));
    return null;
  };
  if (from === undefined)
    return bad(written, "The rule has no first day.", "Add `from` with the first day, written as YYYY-MM-DD.");
  const [first] = daysIn(from, found);
  const ends = [until, count].filter((node) => node !== undefined);
  const own = rule.until ?? rule.count;
  if (ends.length === 0 && own === undefined) {
    const hint = "Add `until` with the last day, written as YYYY-MM-DD, or `count` with the number of dates.";
    return bad(written, "This series has no last date.", hint);
  }
  const [extra] = own === undefined ? ends.slice(1) : ends;
  if (extra !== undefined)
    return own === undefined
      ? bad(extra, "Both `until` and `count` end this series.", "Remove one of the two.")
      : bad(extra, "`rrule` already ends this series.", "Remove this, or UNTIL or COUNT in `rrule`.");
  const last = until === undefined ? (rule.until ?? null) : (daysIn(until, found)[0]?.day ?? null);
  if (first === undefined || (until !== undefined && last === null)) return null;
  if (last !== null && last < first.day) {
    const hint = `Set a later ${until === undefined ? "UNTIL in `rrule`" : "`until`"}, or an earlier \`from\`.`;
    return bad(until ?? written, `The rule ends on ${last}, before \`from\`.`, hint);
  }
  const most = count === undefined ? (rule.count ?? null) : Number(wordsIn(count)[0]);
  if (count !== undefined && !(Number.isInteger(most) && Number(most) > 0))
    return bad(count, "`count` must be a whole number of 1 or more.", "Write how many dates the rule has, such as 50.");
  return { from: first.day, until: last, count: most };
}

/** Gives each date its entry and its row, and reports those that no date has. */
function attach(
  { days, ruled, skips }: SeriesDays,
  series: LocatedMap,
  sheet: Sheet | null,
  found: Diagnostic[],
): readonly SeriesDate[] {
  const known = new Set(days);
  const [first, last] = [ruled?.[0], ruled?.at(-1)];
  const bounds: SeriesBounds = {
    rule: first === undefined || last === undefined ? null : [first, last],
    skip: [...skips],
  };
  const byRule = new Set(ruled);
  const strange = (place: DatePlace, what: string): Diagnostic =>
    skips.has(place.day) ? ofSkipped(place, what) : notInSeries(place, `This ${what} is for`, days, oneMore(what));
  const written = entryOf(series, "dates");
  const entries = new Map<string, Located>();
  for (const [key, { key: source, value }] of written?.type === "map" ? written.entries : []) {
    const day = checkDay(key, source, found);
    if (day !== null && !known.has(day)) found.push(strange({ day, source }, "entry"));
    if (day !== null) entries.set(day, value);
  }
  const rows = new Map<string, SheetRow>();
  for (const row of sheet?.rows ?? []) {
    if (!known.has(row.day)) found.push(strange(row, "row"));
    rows.set(row.day, row);
  }
  if (ruled !== null) found.push(...missingRows(days, entries, [...rows.values()], series));
  const added = new Set(daysIn(entryOf(series, "also"), []).map(({ day }) => day));
  return days.map((day) => ({
    day,
    date: { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), day: Number(day.slice(8)) },
    entry: entries.get(day) ?? null,
    row: rows.get(day) ?? null,
    namedBy: {
      rule: byRule.has(day),
      also: added.has(day),
      entry: entries.has(day),
      sheet: rows.get(day)?.source.file ?? null,
    },
    bounds,
  }));
}

/** Dates without a row between dates that have one: dates that are over or not booked yet have none, but in a gap, rows may have been lost. */
function missingRows(
  days: readonly string[],
  entries: ReadonlyMap<string, Located>,
  rows: readonly SheetRow[],
  series: LocatedMap,
): readonly Diagnostic[] {
  const known = new Set(rows.map(({ day }) => day));
  const [first = "", ...rest] = [...known].sort();
  const last = rest.at(-1) ?? first;
  const gap = days.filter((day) => day > first && day < last && !known.has(day) && !entries.has(day));
  const [row] = rows;
  if (gap.length === 0 || gap.length >= known.size || row === undefined) return [];
  const message = `${row.source.file} has rows for ${formatCount(known.size)} dates, but none for ${listSome(gap, 3)}.`;
  const hint = "Add the missing rows. Where the event's `vars` are right, a row with only its date is enough.";
  const source = entryOf(series, "table")?.source ?? row.source;
  return [{ ...errorAt("bad-sheet", source, message, hint), severity: "warning" }];
}

function badSeries(source: Source, message: string, hint: string): Diagnostic {
  return errorAt("bad-series", source, message, hint);
}

function ofSkipped({ day, source }: DatePlace, what: string): Diagnostic {
  const message = `This ${what} is for ${day}, which \`skip\` removes from the series.`;
  return errorAt("not-in-series", source, message, `Remove the ${what}, or remove the date from \`skip\`.`);
}

/** Skipping another date in place of one that the series no longer has would delete an event. */
const toRemove = (nearest: string) => `Remove this one; the ${nearest}`;
const skipAnother = (nearest: string) => `The ${nearest}: skip one of those instead, or remove this one`;
const oneMore = (what: string) => (nearest: string) =>
  `The ${nearest}; if this is an extra date, add it to \`also\`; if the series no longer has it, remove the ${what}`;

/** `days` in order. */
function notInSeries(
  { day, source }: DatePlace,
  what: string,
  days: readonly string[],
  advice: (nearest: string) => string,
): Diagnostic {
  const next = countBefore(days.length, (index) => (days[index] as string) < day);
  const near = days.slice(Math.max(0, next - 1), next + 1);
  const nearest = `nearest ${near.length === 1 ? "date is" : "dates are"} ${near.join(" and ")}`;
  const message = `${what} ${day}, which is not a date of the series.`;
  return errorAt("not-in-series", source, message, `${advice(nearest)}.`);
}

function daysIn(node: Located | undefined, found: Diagnostic[]): readonly DatePlace[] {
  return nodesIn(node).flatMap((item) => {
    const day = checkDay(item.type === "scalar" ? String(item.value) : "", item.source, found);
    return day === null ? [] : [{ day, source: item.source }];
  });
}

function checkDay(text: string, source: Source, found: Diagnostic[]): string | null {
  const day = readDay(text);
  if (day === null) found.push(badSeries(source, `"${text}" is not a date.`, howToWriteDay(text)));
  return day;
}

/** What `every`, `rrule` or `count` says. */
function wordsIn(node: Located | undefined): readonly string[] {
  return nodesIn(node).map((item) => (item.type === "scalar" ? String(item.value ?? "") : ""));
}

function nodesIn(node: Located | undefined): readonly Located[] {
  return node === undefined ? [] : node.type === "list" ? node.items : [node];
}
