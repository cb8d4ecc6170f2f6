import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seriesDates } from "../../../../src/config/compose/series/series-dates.ts";
import { readSheet } from "../../../../src/config/compose/series/sheet.ts";
import type { LocatedMap } from "../../../../src/config/yaml/located.ts";
import { readYaml } from "../../../../src/config/yaml/read-yaml.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { weekdayNames } from "../../../../src/model/time.ts";

async function expand(series: string, csv?: string, start = { zone: "Asia/Manila", clock: "22:00" }) {
  const problems: Diagnostic[] = [];
  const [document] = readYaml("events/a.yaml", series, problems);
  const sheet = csv === undefined ? null : await readSheet("events/a.csv", csv, problems);
  const dates = await seriesDates(document?.content as LocatedMap, sheet, () => start, problems);
  const reported = problems.map(({ code, severity, source, message, hint }) => {
    return `${severity} ${source?.file.slice(7)}:${source?.line}:${source?.column} ${code} ${message} ${hint}`;
  });
  return { days: dates.map(({ day }) => day), dates, reported };
}

function weekdayOf(day: string): string | undefined {
  return weekdayNames[new Date(day).getUTCDay()];
}

describe("the rule of a series", () => {
  it.each([
    ["every: friday", "2027-01-08", "2027-01-08 2027-01-15 2027-01-22 2027-01-29"],
    ["every: Fri", "2027-01-05", "2027-01-08 2027-01-15 2027-01-22 2027-01-29"],
    ["every: [tuesday, friday]", "2027-01-06", "2027-01-08 2027-01-12 2027-01-15 2027-01-19"],
    ["every: day", "2027-01-30", "2027-01-30 2027-01-31 2027-02-01 2027-02-02"],
    ["every: 3 days", "2027-01-30", "2027-01-30 2027-02-02 2027-02-05 2027-02-08"],
    ["every: week", "2027-01-30", "2027-01-30 2027-02-06 2027-02-13 2027-02-20"],
    ["every: 2 weeks", "2027-01-30", "2027-01-30 2027-02-13 2027-02-27 2027-03-13"],
    ["every: first wednesday", "2027-01-07", "2027-02-03 2027-03-03 2027-04-07 2027-05-05"],
    ["every: last friday", "2027-01-07", "2027-01-29 2027-02-26 2027-03-26 2027-04-30"],
    ["every: [first monday, third monday]", "2027-01-05", "2027-01-18 2027-02-01 2027-02-15 2027-03-01"],
    ['rrule: "FREQ=MONTHLY;BYMONTHDAY=31"', "2027-01-01", "2027-01-31 2027-03-31 2027-05-31 2027-07-31"],
    ['rrule: "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"', "2027-01-01", "2028-02-29 2032-02-29 2036-02-29 2040-02-29"],
    [
      'rrule: "freq=weekly;interval=2;byday=tu,fr;wkst=mo"',
      "2027-01-05",
      "2027-01-05 2027-01-08 2027-01-19 2027-01-22",
    ],
    [
      'rrule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"',
      "2027-01-01",
      "2027-01-29 2027-02-26 2027-03-31 2027-04-30",
    ],
  ])("%s from %s", async (rule, from, expected) => {
    const { days, reported } = await expand(`${rule}\nfrom: ${from}\ncount: 4\n`);
    expect(reported).toEqual([]);
    expect(days.join(" ")).toBe(expected);
  });

  it("ends with `until`, inclusive, or with the rule's own end", async () => {
    const until = await expand("every: friday\nfrom: 2027-01-08\nuntil: 2027-12-17\n");
    expect(until.days).toHaveLength(50);
    expect(until.days.at(-1)).toBe("2027-12-17");
    const own = await expand('rrule: "FREQ=WEEKLY;BYDAY=FR;UNTIL=20271217T140000Z"\nfrom: 2027-01-08\n');
    expect(own.days).toEqual(until.days);
    expect((await expand('rrule: "FREQ=WEEKLY;COUNT=50"\nfrom: 2027-01-08\n')).days).toEqual(until.days);
    expect((await expand("every: friday\nfrom: 2027-01-08\ncount: 50\n")).days).toEqual(until.days);
  });

  it.each([
    // Google writes the end of 15 January in New York like this.
    ["20270116T045959Z", "America/New_York", "22:00", "2027-01-15"],
    ["20270116T030000Z", "America/New_York", "22:00", "2027-01-15"],
    ["20270116T025959Z", "America/New_York", "22:00", "2027-01-14"],
    ["20270116T000000Z", "Asia/Manila", "08:00", "2027-01-16"],
    ["20270116T000000Z", "Asia/Manila", "20:00", "2027-01-15"],
    ["20270115T160000Z", "Asia/Manila", "", "2027-01-16"],
    ["20270116", "America/New_York", "22:00", "2027-01-16"],
    ["20270116T000000", "America/New_York", "22:00", "2027-01-16"],
  ])("UNTIL=%s in %s at %s ends it on %s", async (until, zone, clock, last) => {
    const { days } = await expand(`rrule: "FREQ=DAILY;UNTIL=${until}"\nfrom: 2027-01-10\n`, undefined, { zone, clock });
    expect(days.at(-1)).toBe(last);
  });

  it("counts before `skip`, and `also` comes on top, in order", async () => {
    const { days } = await expand(
      "every: friday\nfrom: 2027-01-08\ncount: 3\nskip: [2027-01-15]\nalso: [2027-12-31, 2027-01-09, 2027-01-08]\n",
    );
    expect(days).toEqual(["2027-01-08", "2027-01-09", "2027-01-22", "2027-12-31"]);
  });

  it("is every such weekday between two days, as counted by hand", async () => {
    const first = fc.date({ min: new Date("2026-01-01"), max: new Date("2036-01-01"), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(
        first,
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom(...weekdayNames),
        async (at, n, name) => {
          const all = Array.from({ length: n + 1 }, (_, step) => new Date(at.getTime() + step * 86_400_000));
          const span = all.map((day) => day.toISOString().slice(0, 10));
          const wanted = span.filter((day) => weekdayOf(day) === name);
          const { days } = await expand(`every: ${name}\nfrom: ${span[0]}\nuntil: ${span.at(-1)}\n`);
          expect(days).toEqual(wanted);
        },
      ),
    );
  });
});

describe("a rule that cannot be followed", () => {
  const from = "from: 2027-01-08\n";
  it.each([
    [
      `every: friday\n${from}`,
      "error a.yaml:1:8 bad-series This series has no last date. Add `until` with the last day, written as YYYY-MM-DD, or `count` with the number of dates.",
    ],
    [
      "every: friday\ncount: 3\n",
      "error a.yaml:1:8 bad-series The rule has no first day. Add `from` with the first day, written as YYYY-MM-DD.",
    ],
    [`every: fridy\n${from}count: 3\n`, 'error a.yaml:1:8 bad-series `every` cannot be "fridy". Did you mean friday?'],
    [`every: frist friday\n${from}count: 3\n`, "Did you mean first friday?"],
    [`every: 2 months\n${from}count: 3\n`, "Use one or more weekdays, one or more weekdays of the month"],
    [`every: 0 weeks\n${from}count: 3\n`, '`every` cannot be "0 weeks"'],
    [`every: [friday, first monday]\n${from}count: 3\n`, "mixes weekdays with weekdays of the month"],
    [`every: [2 weeks, friday]\n${from}count: 3\n`, "lists 2 weeks together with other entries"],
    [`every: [friday, day]\n${from}count: 3\n`, "lists day together with other entries"],
    [`every: friday\nrrule: FREQ=DAILY\n${from}count: 3\n`, "a.yaml:2:8 bad-series The series has two rules"],
    [
      `every: friday\n${from}count: 3\nuntil: 2027-02-01\n`,
      "a.yaml:3:8 bad-series Both `until` and `count` end this series.",
    ],
    [
      `rrule: FREQ=DAILY;COUNT=3\n${from}until: 2027-02-01\n`,
      "a.yaml:3:8 bad-series `rrule` already ends this series.",
    ],
    [`every: weekly\n${from}count: 3\n`, "Write `every: friday`."],
    [`every: every other friday\n${from}count: 3\n`, "Write `2 weeks`: it counts from"],
    [`every: friday\n${from}until: 2027-01-01\n`, "before `from`. Set a later `until`, or an earlier `from`."],
    [`rrule: FREQ=DAILY;UNTIL=20270101\n${from}`, "before `from`. Set a later UNTIL in `rrule`, or an earlier `from`."],
    [`every: friday\n${from}until: 2027-02-30\n`, 'a.yaml:3:8 bad-series "2027-02-30" is not a date'],
    [`every: friday\n${from}count: 0\n`, "a.yaml:3:8 bad-series `count` must be a whole number"],
    [`rrule: FREQ=HOURLY\n${from}count: 3\n`, "`rrule` has FREQ=HOURLY, but"],
    [`rrule: FREQ=DAILY;BYHOUR=3\n${from}count: 3\n`, "`rrule` has BYHOUR, but"],
    [`rrule: FREQ=WEEKLY;BYDAY=XX\n${from}count: 3\n`, 'BYDAY cannot be "XX"'],
    [`rrule: FREQ=MONTHLY;BYMONTHDAY=32\n${from}count: 3\n`, 'BYMONTHDAY cannot be "32"'],
    [`rrule: FREQ=WEEKLY;INTERVAL=0\n${from}count: 3\n`, 'INTERVAL cannot be "0"'],
    [`rrule: FREQ=WEEKLY;BYDAYS=FR\n${from}count: 3\n`, "Did you mean BYDAY?"],
    [`rrule: BYDAY=FR\n${from}count: 3\n`, "has no FREQ"],
    [`rrule: FREQ=WEEKLY;BYDAY=2FR\n${from}count: 3\n`, "cannot be followed: BYDAY with numeric value"],
    [`rrule: FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\n${from}count: 3\n`, "days that the calendar does not have"],
    [`rrule: FREQ=WEEKLY;DTSTART=20270108\n${from}count: 3\n`, "Put the first day in `from`"],
    [`every: friday\n${from}until: 2027-01-08\nskip: [2027-01-08]\n`, "`skip` removes every date of the series."],
    [`every: monday\n${from}until: 2027-01-09\n`, "The rule has no date from 2027-01-08 to 2027-01-09"],
    [`every: day\n${from}count: 9999\n`, "more than 1,000 dates. Give the rule an earlier end, or split it into"],
    [`every: day\n${from}until: 2999-01-01\n`, "more than 1,000 dates"],
    ["from: 2027-01-08\nalso: [2027-01-08]\n", "`from` limits a rule, but the series has no rule"],
    ["keepEnded: true\n", "The series has no dates"],
    ["also: [tomorrow]\n", 'a.yaml:1:8 bad-series "tomorrow" is not a date'],
    ["also: [2027-01-08]\nskip: [2027-01-08]\n", "2027-01-08 is both skipped and added"],
  ])("%j", async (series, expected) => {
    const { days, reported } = await expand(series);
    expect(reported.join("\n")).toContain(expected);
    expect(reported).toHaveLength(1);
    expect(days).toEqual([]);
  });

  it.each([
    [
      `every: tuesday\nfrom: 05.01.2027\nuntil: 2027-02-01\n`,
      'a.yaml:2:7 bad-series "05.01.2027" is not a date. Write 2027-01-05.',
    ],
    [`every: Tuesdays\n${from}count: 3\n`, "Did you mean tuesday?"],
  ])("is the only mistake reported: days to skip may well be in it (%j)", async (series, expected) => {
    const { reported } = await expand(`${series}skip: [2027-01-12, 2027-01-19]\n`);
    expect(reported).toEqual([expect.stringContaining(expected)]);
  });

  it("has at most 1,000 days to skip, and costs little with as many", async () => {
    const days = Array.from({ length: 40_000 }, (_, n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
    const { reported } = await expand(`also: [${days}]\nskip: [${days}]\n`);
    expect(reported).toEqual([expect.stringContaining("bad-series `skip` has more than 1,000 dates.")]);
    const many = await expand(`also: [${days.slice(0, 1000)}]\nskip: [${days.slice(20_000, 21_000)}]\n`);
    expect(many.days).toHaveLength(1000);
    expect(many.reported).toHaveLength(1000);
  });

  it.each([`every: friday\n${from}count: 2\nalso: [2027-01-15]\n`, "also: [2027-01-08, 2027-01-15, 2027-01-15]\n"])(
    "has one event a day, and says so of one more: %j",
    async (series) => {
      const { days, reported } = await expand(series);
      expect(days).toEqual(["2027-01-08", "2027-01-15"]);
      expect(reported).toEqual([
        expect.stringMatching(
          /^warning .* bad-series The series already has 2027-01-15, and it can have only one event a day\. .*a separate file/,
        ),
      ]);
    },
  );

  it.each([
    ["5.1.2027", "Write 2027-01-05."],
    ["05.01.27", "Write 2027-01-05."],
    ["1/5/2027", "Write 2027-05-01 or 2027-01-05."],
    ["1/25/2027", "Write 2027-01-25."],
    ["2027/1/5", "Write 2027-01-05."],
    ["5-Jan-27", "Write 2027-01-05."],
    ["January 5, 2027", "Write 2027-01-05."],
    ["2027-01-05 00:00:00", "Write 2027-01-05."],
    ["2027-02-30", "February 2027 has 28 days: write a day from 01 to 28."],
    ["2027-04-31", "April 2027 has 30 days: write a day from 01 to 30."],
    ["2027-13-01", "Write the year, the month and the day, as in 2027-01-08."],
    ["2027-01", "Write the year, the month and the day, as in 2027-01-08."],
  ])("a date of another form is reported as it should be: %s", async (written, hint) => {
    expect((await expand(`also: ["${written}"]\n`)).reported).toEqual([
      expect.stringContaining(` is not a date. ${hint}`),
    ]);
  });

  it("of exactly 1,000 dates is fine, and one more is not", async () => {
    expect((await expand(`every: day\n${from}count: 1000\n`)).days).toHaveLength(1000);
    expect((await expand(`every: day\n${from}count: 1001\nskip: [2027-01-10]\n`)).days).toHaveLength(1000);
    expect((await expand(`every: day\n${from}count: 1001\n`)).days).toEqual([]);
  });
});

describe("what is said of a date", () => {
  const rule = "every: friday\nfrom: 2027-01-08\ncount: 3\n";

  it("belongs to that date", async () => {
    const { dates, reported } = await expand(
      `${rule}dates:\n  2027-01-15: { name: B }\n`,
      "date,headliner\n2027-01-22,DJ Ana\n",
    );
    expect(reported).toEqual([]);
    expect(dates.map(({ entry, row }) => [entry?.type, row?.vars.get("headliner")?.value])).toEqual([
      [undefined, undefined],
      ["map", undefined],
      [undefined, "DJ Ana"],
    ]);
    expect(dates[2]?.date).toEqual({ year: 2027, month: 1, day: 22 });
  });

  it("that is not in the series is an error with the nearest ones; such a skip is a warning", async () => {
    const { days, reported } = await expand(
      `${rule}skip: [2027-01-16, 2027-01-01]\ndates:\n  2027-01-14: { name: B }\n  soon: {}\n`,
      "date,headliner\n2027-02-12,DJ Ana\n",
    );
    expect(days).toHaveLength(3);
    expect(reported).toEqual([
      "warning a.yaml:4:8 not-in-series `skip` has 2027-01-16, which is not a date of the series. The nearest dates are 2027-01-15 and 2027-01-22: skip one of those instead, or remove this one.",
      "warning a.yaml:4:20 not-in-series `skip` has 2027-01-01, which is not a date of the series. Remove this one; the nearest date is 2027-01-08.",
      "error a.yaml:6:3 not-in-series This entry is for 2027-01-14, which is not a date of the series. The nearest dates are 2027-01-08 and 2027-01-15; if this is an extra date, add it to `also`; if the series no longer has it, remove the entry.",
      'error a.yaml:7:3 bad-series "soon" is not a date. Write the year, the month and the day, as in 2027-01-08.',
      "error a.csv:2:1 not-in-series This row is for 2027-02-12, which is not a date of the series. The nearest date is 2027-01-22; if this is an extra date, add it to `also`; if the series no longer has it, remove the row.",
    ]);
  });

  it.each([
    "every: friday\nfrom: 2027-01-08\nuntil: 2027-01-23\nalso: [2027-02-05]\n",
    "every: friday\nfrom: 2027-01-08\ncount: 3\n",
    'rrule: "FREQ=WEEKLY;UNTIL=20270122"\nfrom: 2027-01-08\n',
    "also: [2027-01-08, 2027-01-22]\n",
  ])("that is skipped after the end is removed, and no other is skipped in its place: %j", async (series) => {
    const { reported } = await expand(`${series}skip: [2027-01-29]\n`);
    expect(reported).toEqual([expect.stringContaining("Remove this one; the nearest date")]);
  });

  it("that is skipped as well is an error, which one of the two settles", async () => {
    const { reported } = await expand(
      `${rule}skip: [2027-01-15, 2027-01-22]\ndates:\n  2027-01-15: { name: B }\n`,
      "date,headliner\n2027-01-22,DJ Ana\n",
    );
    expect(reported).toEqual([
      "error a.yaml:6:3 not-in-series This entry is for 2027-01-15, which `skip` removes from the series. Remove the entry, or remove the date from `skip`.",
      "error a.csv:2:1 not-in-series This row is for 2027-01-22, which `skip` removes from the series. Remove the row, or remove the date from `skip`.",
    ]);
  });

  it("makes the dates, where there is no rule", async () => {
    const { days, reported } = await expand("also: [2027-03-01]\n", "date\n2027-02-12\n2027-02-19\n");
    expect({ days, reported }).toEqual({ days: ["2027-02-12", "2027-02-19", "2027-03-01"], reported: [] });
  });
});
