// What stays behind when last year's file is copied: the old year in a name, another weekday, sold-out ticket types.

import { dateOf } from "../../model/address.ts";
import { dayMs, formatLocalTime, formatMoment, readWallClock, readWeekday, weekdayNames } from "../../model/time.ts";
import { sentenceCase } from "../../model/value.ts";
import { isPinned, type Wish } from "../../model/wish.ts";
import type { LintFinding, LintScene } from "../define.ts";
import { callOf, findingAt, isPhased, isRetired, isStated, textField } from "./finding.ts";

/** Files do not show what is live: a pinned or renamed type is, and types of a pinned event may be. `plan` knows, and reports only types that it would create. */
export function bornSoldOut(ticket: Wish, { event, now, start }: LintScene): LintFinding {
  if (ticket.fields.soldOut !== true || isPhased(ticket, "soldOut") || isKnown(ticket) || isRetired(event)) return null;
  if ((event !== null && isKnown(event)) || (start !== undefined && start < now)) return null;
  return findingAt(ticket, ["soldOut"], {
    code: "born-sold-out",
    message: `${callOf(ticket)} has \`soldOut: true\`: if it is not live yet, apply creates it and then closes its sale.`,
    hint: "Remove `soldOut` if it was copied from an earlier event. If the ticket type is live, add its `id`, or add `ignore: [born-sold-out]`.",
  });
}

function isKnown(wish: Wish): boolean {
  return isPinned(wish) || isStated(wish, "id") || wish.own.renamedFrom !== undefined;
}

export function wrongWeekday(event: Wish, { start, zone }: LintScene): LintFinding {
  const { weekday } = event.own;
  const wanted = weekday === undefined ? null : readWeekday(weekday);
  const clock = start === undefined ? null : readWallClock(start, zone);
  if (wanted === null || clock === null || start === undefined || clock.weekday === wanted) return null;
  const ahead = (wanted - clock.weekday + 7) % 7;
  const [before, after] = [start + (ahead - 7) * dayMs, start + ahead * dayMs].map((time) =>
    formatLocalTime(time, zone),
  );
  const [is = "", wished = ""] = [clock.weekday, wanted].map((index) => weekdayNames[index]);
  const { series } = event.own;
  const day = dateOf(event.address)?.day;
  // A `weekday` that others share stays as it is.
  const isOwn = event.places.weekday?.file === event.source.file;
  const correct = `Write \`dateTime: ${after}\` or \`${before}\`${isOwn ? "" : ` in ${event.source.file}`} for a ${sentenceCase(wished)}, or ${isOwn ? "correct `weekday`" : `give the event its own \`weekday: ${is}\` there`}.`;
  return findingAt(event, ["weekday"], {
    code: "wrong-weekday",
    severity: "error",
    message: `\`weekday\` is ${weekday}, but ${callOf(event)} starts on a ${sentenceCase(is)}: ${formatMoment(start, zone)}.`,
    hint:
      series === undefined
        ? correct
        : series.ruleStart !== undefined
          ? `Correct \`dateTime\` of ${day} under \`dates\`, or write \`weekday: ${is}\` there.`
          : "Correct the rule of the series, remove `weekday`, or write `weekday` only under the `dates` that fall on that day.",
  });
}

export function yearInName(wish: Wish, { event, start, end, zone }: LintScene): LintFinding {
  const name = textField(wish, "name");
  if (name === undefined || start === undefined || isRetired(event)) return null;
  const years = yearsIn(name);
  if (years.length === 0) return null;
  const fitting = yearsOf(start, end, zone);
  const [own = 0] = fitting;
  // Far from the date it is an anniversary, a song or a street number.
  if (years.some((year) => fitting.includes(year)) || years.every((year) => Math.abs(year - own) > 3)) return null;
  const year = years.find((one) => Math.abs(one - own) <= 3);
  return findingAt(wish, ["name"], {
    code: "year-in-name",
    message: `The name ${callOf(wish)} says ${year}, but the event starts in ${own}: ${formatMoment(start, zone)}.`,
    hint: `Correct the name or \`dateTime\`; if both are right, add \`ignore: [year-in-name]\`.`,
  });
}

/** `2026`, and both of `2026-2027` and `2026/27`; not `2020s`, `since 2024`, `Batch 2025`, `₱2026`. */
const yearPattern =
  /(?<![\p{L}\d₱$#.,])((?:since|est\.?|established|founded|class of|batch|best of|hits of|songs of|road to|from|of|anno|vintage) +)?((?:19|20)\d{2})(?:\s*[-–/&]\s*((?:19|20)?\d{2})(?!\d))?(?![\d\p{L}'’]|[.,]\d)/giu;

// A cheap check first: it rules out nearly every name.
const mayHoldYear = /(?:19|20)\d\d/;

function yearsIn(name: string): readonly number[] {
  const years: number[] = [];
  if (!mayHoldYear.test(name)) return years;
  for (const [, before, first = "", second] of name.matchAll(yearPattern)) {
    if (before !== undefined) continue;
    years.push(Number(first));
    if (second !== undefined) years.push(Number(second.length === 2 ? first.slice(0, 2) + second : second));
  }
  return years;
}

/** The years that the event is in; a New Year's party belongs to both. The first is that of its start. */
function yearsOf(start: number, end: number | undefined, zone: string): readonly number[] {
  const first = readWallClock(start, zone);
  const last = end === undefined ? null : readWallClock(end, zone);
  if (first === null) return [];
  const years = [first.year, ...(last === null ? [] : [last.year])];
  if (first.month === 12 && first.day > 24) years.push(first.year + 1);
  if (first.month === 1 && first.day === 1) years.push(first.year - 1);
  return years;
}
