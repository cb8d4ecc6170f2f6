// The simplest rule that makes given days.
import { dayMs, weekdayNames } from "../../model/time.ts";
import { groupBy } from "../../model/value.ts";

/** What `series` says about its dates; days are written like 2027-01-08. */
export interface SeriesRuleText {
  /** null: there is no rule, and the dates are those of `also`. */
  readonly rule: { readonly every: readonly string[]; readonly from: string; readonly until: string } | null;
  readonly skip: readonly string[];
  readonly also: readonly string[];
}

interface Candidate {
  readonly every: readonly string[];
  readonly has: (day: number) => boolean;
}

const ordinals = ["first", "second", "third", "fourth"];
const mostWeeks = 8;
const longest = 20_000;
/** A rule with more exceptions than one in this many dates says less than the dates themselves. */
const datesPerException = 4;

/** `written`: sorted, without duplicates. */
export function ruleOfDays(written: readonly string[]): SeriesRuleText {
  const days = written.map((day) => Date.parse(day) / dayMs);
  const isLong = (days.at(-1) ?? 0) - (days[0] ?? 0) > longest;
  const found = (isLong ? [] : candidates(days))
    .map((candidate) => follow(candidate, days))
    .filter(({ skip, also }) => (skip.length + also.length) * datesPerException <= days.length);
  const [first, ...others] = found;
  if (first === undefined) return { rule: null, skip: [], also: written };
  return others.reduce((best, one) => (exceptions(one) < exceptions(best) ? one : best), first);
}

function exceptions({ skip, also }: SeriesRuleText): number {
  return skip.length + also.length;
}

/** The simplest first. */
function candidates(days: readonly number[]): readonly Candidate[] {
  const usual = mostCommon(days.map(weekdayOf), Number) ?? 0;
  const onUsual = days.filter((day) => weekdayOf(day) === usual);
  const [first = 0] = onUsual;
  const name = weekdayName(usual);
  const all = [...new Set(days.map(weekdayOf))].sort();
  const nth = mostCommon(onUsual.map(nthInMonth), Number) ?? 0;
  return [
    { every: [name], has: (day) => weekdayOf(day) === usual },
    { every: ["day"], has: () => true },
    { every: all.map(weekdayName), has: (day) => all.includes(weekdayOf(day)) },
    ...Array.from({ length: mostWeeks - 1 }, (_, index) => ({
      every: [`${index + 2} weeks`],
      has: (day: number) => (day - first) % (7 * (index + 2)) === 0,
    })),
    ...(nth > ordinals.length
      ? []
      : [
          {
            every: [`${ordinals[nth - 1]} ${name}`],
            has: (day: number) => weekdayOf(day) === usual && nthInMonth(day) === nth,
          },
        ]),
    { every: [`last ${name}`], has: (day) => weekdayOf(day) === usual && monthOf(day) !== monthOf(day + 7) },
  ];
}

function follow({ every, has }: Candidate, days: readonly number[]): SeriesRuleText {
  const ruled = days.filter(has);
  const [first = 0, last = first] = [ruled[0], ruled.at(-1)];
  const known = new Set(days);
  const skip: string[] = [];
  for (let day = first; day <= last; day += 1) if (has(day) && !known.has(day)) skip.push(isoDay(day));
  const also = days.filter((day) => !has(day)).map(isoDay);
  return { rule: { every, from: isoDay(first), until: isoDay(last) }, skip, also };
}

/** Of several equally common ones, the first. */
export function mostCommon<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item | undefined {
  let best: readonly Item[] = [];
  for (const group of groupBy(items, keyOf).values()) if (group.length > best.length) best = group;
  return best[0];
}

function weekdayOf(day: number): number {
  return new Date(day * dayMs).getUTCDay();
}

function weekdayName(weekday: number): string {
  return weekdayNames[weekday] ?? "";
}

function nthInMonth(day: number): number {
  return Math.ceil(new Date(day * dayMs).getUTCDate() / 7);
}

function monthOf(day: number): number {
  return new Date(day * dayMs).getUTCMonth();
}

function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
