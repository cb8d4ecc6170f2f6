import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readWallClock } from "../../../src/model/time.ts";
import { eventProject, reported } from "../project-of.ts";

interface Written {
  readonly dateTime?: string;
  readonly endDateTime?: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly timezone?: string;
}

async function resolve({ startTime, endTime, ...event }: Written) {
  const entry = Object.entries({ startTime, endTime }).flatMap(([key, text]) => (text ? [`, ${key}: ${text}`] : []));
  const lines = Object.entries({ name: "A", ...event }).map(([key, text]) => `${key}: ${text}\n`);
  const schedules = entry.length === 0 ? "" : `schedules:\n  - { title: Set${entry.join("")} }\n`;
  const { events, diagnostics } = await eventProject(lines.join("") + schedules);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [wish] = events;
  const set = wish?.children.schedule?.[0];
  return {
    start: wish?.fields.dateTime,
    end: wish?.fields.endDateTime,
    from: set?.fields.startTime,
    to: set?.fields.endTime,
    errors,
  };
}

/** 19:00 on a Sunday in Manila. */
const dateTime = "2027-03-14T19:00";

function utc(manila: string): string {
  return new Date(`${manila}:00+08:00`).toISOString();
}

describe("a time that counts from the start", () => {
  it.each([
    ["+90m", "2027-03-14T20:30"],
    ["+6h", "2027-03-15T01:00"],
    ["+1d2h30m", "2027-03-15T21:30"],
    ["+1d 2h 30m", "2027-03-15T21:30"],
    ["-6w", "2027-01-31T19:00"],
    ["22:00", "2027-03-14T22:00"],
    ["19:00", "2027-03-14T19:00"],
    ["18:59", "2027-03-15T18:59"],
    ["day 1 09:00", "2027-03-14T09:00"],
    ["day 2 13:30", "2027-03-15T13:30"],
    ["-6w at 10:00", "2027-01-31T10:00"],
    ["+1d at 00:00", "2027-03-15T00:00"],
    ["start -2h", "2027-03-14T17:00"],
    ["start +1d at 10:00", "2027-03-15T10:00"],
  ])("%s as endDateTime and as startTime", async (text, expected) => {
    const { end, errors } = await resolve({ dateTime, endDateTime: text });
    expect({ end, errors }).toEqual({ end: utc(expected), errors: [] });
    const { from } = await resolve({ dateTime, startTime: text, endTime: "2027-12-31T00:00" });
    expect(from).toBe(utc(expected));
  });

  it.each([
    ["end +3d", "2027-03-18T02:00"],
    ["end +3d at 10:00", "2027-03-18T10:00"],
    ["end -1h", "2027-03-15T01:00"],
    ["end", "2027-03-15T02:00"],
  ])("%s counts from endDateTime", async (text, expected) => {
    const { from, errors } = await resolve({ dateTime, endDateTime: "02:00", startTime: text, endTime: "+1h" });
    expect({ from, errors }).toEqual({ from: utc(expected), errors: [] });
  });

  it.each([
    ["+90m", "2027-03-15T00:30"],
    ["23:30", "2027-03-14T23:30"],
    ["23:00", "2027-03-15T23:00"],
    ["start +90m", "2027-03-14T20:30"],
    ["end -1h", "2027-03-15T01:00"],
    ["day 2 01:30", "2027-03-15T01:30"],
    ["+1d at 10:00", "2027-03-15T10:00"],
  ])("%s as endTime counts from its own startTime, if nothing else is said", async (text, expected) => {
    const { to, errors } = await resolve({ dateTime, endDateTime: "+7h", startTime: "+4h", endTime: text });
    expect({ to, errors }).toEqual({ to: utc(expected), errors: [] });
  });

  it("is read in whatever order the fields are written", async () => {
    const text = `schedules: [{ endTime: +1h, startTime: end -2h, title: Set }]\nendDateTime: +6h\nname: A\ndateTime: ${dateTime}\n`;
    const { events, diagnostics } = await eventProject(text);
    expect(diagnostics).toEqual([]);
    expect(events[0]?.children.schedule?.[0]?.fields.endTime).toBe(utc("2027-03-15T00:00"));
    expect(Object.keys(events[0]?.fields ?? {})).toEqual(["endDateTime", "name", "dateTime"]);
  });
});

describe("what cannot be counted", () => {
  it.each<[string, Written, string, string]>([
    ["without a start", { endDateTime: "+6h" }, "`dateTime`, which is missing", "Add `dateTime`"],
    ["without an end", { dateTime, startTime: "end +3d", endTime: "+1h" }, "`endDateTime`, which is missing", "Add"],
    ["without its own start", { dateTime, endTime: "+1h" }, "its `startTime`, which is missing", "Add `startTime`"],
    ["from a cleared end", { dateTime, endDateTime: "null", startTime: "end", endTime: "+1h" }, "missing", "Add"],
    ["the end from itself", { dateTime, endDateTime: "end +1h" }, "counts from the end, but this is the end", "+6h"],
    ["the start from itself", { dateTime: "+6h" }, "counts from the start, but this is the start", "2027-03-14T19:00"],
    ["the start by its hour alone", { dateTime: "22:00" }, "is a time without a date", "T22:00"],
    ["a start that no clock shows", { dateTime: "24:00" }, "is not a date and time", "like 2027-03-14T19:00"],
    ["hours before at", { dateTime, endDateTime: "+2h at 10:00" }, "before `at`", "-6w at 10:00"],
    ["an hour that does not exist", { dateTime, endDateTime: "24:00" }, "does not exist", "00 to 23"],
    ["day 0", { dateTime, endDateTime: "day 0 10:00" }, "counts days from 0", "day 1"],
    ["a day without a time", { dateTime, endDateTime: "day 2" }, "is not a day and a time", "day 2 13:30"],
    [
      "a day with `at`",
      { dateTime, endDateTime: "Day 2 at 1:30pm" },
      "not in a supported format",
      "Write day 2 13:30.",
    ],
    ["a day without a number", { dateTime, endDateTime: "day at 13:30" }, "is not a day and a time", "day 2 13:30"],
    ["other units", { dateTime, endDateTime: "+2 hours" }, "is not an offset", "Write +2h."],
    ["units in another order", { dateTime, endDateTime: "+2h1d" }, "is not an offset", "in this order"],
    ["no sign", { dateTime, endDateTime: "6h" }, "has no sign", "Write +6h for later, or -6h for earlier."],
    ["a time without its `at`", { dateTime, endDateTime: "-4w 10:00" }, "not an offset", "Write -4w at 10:00."],
    [
      "such a one from the end",
      { dateTime, endDateTime: "+1d", startTime: "end +3d 9.30" },
      "not an offset",
      "Write end +3d at 09:30.",
    ],
    ["such a one from the start", { dateTime, endDateTime: "start 10:00" }, "not an offset", "Write start at 10:00."],
    [
      "a number for a clock",
      { dateTime, endDateTime: "23.00" },
      "where a date and time is expected",
      "Write 23:00, or a date",
    ],
    ["an hour in words", { dateTime, endDateTime: "11pm" }, "not in a supported format", "Write 23:00"],
    ["an hour with an h", { dateTime, endDateTime: "day 2 13h30" }, "cannot be read", "Write the time like 13:30."],
    ["an hour without a colon", { dateTime, endDateTime: "-6w at 1330" }, "cannot be read", "like 13:30."],
    ["an hour that is none", { dateTime, endDateTime: "day 2 13-30" }, "cannot be read", "like 19:00."],
    ["from at and a loose hour", { dateTime, endDateTime: "+1d at 9:00" }, "cannot be read", "09:00"],
    ["the end at an hour", { dateTime, startTime: "end 10:00", endTime: "+1h" }, "is not an offset", "end at 10:00"],
    [
      "a thousand years",
      { dateTime: "9999-03-14T19:00", endDateTime: "+9999w" },
      "outside the years 100 to 9999",
      "Check",
    ],
  ])("%s", async (_, written, message, hint) => {
    const { errors } = await resolve(written);
    const found = errors.filter(({ code }) => code === "unreadable-time");
    expect(found.map((one) => one.message).join()).toContain(message);
    expect(found.map((one) => one.hint).join()).toContain(hint);
  });

  it("is reported once where what it counts from has its own problem", async () => {
    const { errors } = await resolve({ dateTime: "soon", endDateTime: "+6h", startTime: "end -1h", endTime: "+1h" });
    expect(reported(errors)).toEqual(["events/a.yaml:2:11 unreadable-time"]);
  });
});

describe("where clocks are moved", () => {
  const timezone = "America/New_York";

  it("days are calendar days, hours are exact", async () => {
    const before = "2027-03-13T19:00"; // clocks go forward in the night
    const days = await resolve({ dateTime: before, endDateTime: "+1d", timezone });
    const hours = await resolve({ dateTime: before, endDateTime: "+24h", timezone });
    expect(days.end).toBe("2027-03-14T23:00:00.000Z");
    expect(hours.end).toBe("2027-03-15T00:00:00.000Z");
  });

  it.each(["+1d", "02:30", "day 2 02:30", "+1d at 02:30"])("%s that does not exist is an error", async (text) => {
    const start = text === "02:30" ? "2027-03-13T22:00" : "2027-03-13T02:30";
    const { errors } = await resolve({ dateTime: start, endDateTime: text, timezone });
    expect(errors[0]?.message).toContain(`"${text}" is 2027-03-14T02:30, which does not exist`);
    expect(errors[0]?.hint).toContain("the nearest times are 2027-03-14T01:59 and 2027-03-14T03:00");
  });

  it.each(["+1d", "01:30", "day 2 01:30", "+1d at 01:30"])("%s that happens twice names both", async (text) => {
    const start = text === "01:30" ? "2027-11-06T22:00" : "2027-11-06T01:30";
    const { errors } = await resolve({ dateTime: start, endDateTime: text, timezone });
    expect(errors[0]?.message).toContain(`"${text}" is 2027-11-07T01:30, which occurs twice`);
    expect(errors[0]?.hint).toContain("2027-11-07T01:30-04:00 is the first, 2027-11-07T01:30-05:00 the second");
  });

  it.each([
    ["+1d1h", "2027-03-13T02:30", "2027-03-14T02:30", "Write 2027-03-14T04:30, which counts from 2027-03-14T03:30,"],
    [
      "+1d1h",
      "2027-11-06T01:30",
      "2027-11-07T01:30",
      "2027-11-07T01:30-05:00 counts from the first, 2027-11-07T02:30-05:00 the second",
    ],
  ])(
    "%s from %s names the time that it counts from, and adds its hours in the fix",
    async (text, start, from, hint) => {
      const { errors } = await resolve({ dateTime: start, endDateTime: text, timezone });
      expect(errors[0]?.message).toContain(`"${text}" counts from ${from}, which`);
      expect(errors[0]?.hint).toContain(hint);
    },
  );

  it("of a series is to be written for its date alone, and then it is right", async () => {
    const written = `name: A\ndateTime: 02:30\ntimezone: ${timezone}\nseries: { every: sunday, from: 2027-03-07, count: 2`;
    const hintsOf = async (text: string) => (await eventProject(text)).diagnostics.map(({ hint }) => hint);
    expect(await hintsOf(`${written} }\n`)).toEqual([
      expect.stringMatching(/^Write 2027-03-14T03:30, .* under `series.dates`.$/),
    ]);
    expect(await hintsOf(`${written}, dates: { 2027-03-14: { dateTime: 2027-03-14T03:30 } } }\n`)).toEqual([]);
  });

  it("a clock time that was skipped before the start is the next day's", async () => {
    const { end, errors } = await resolve({ dateTime: "2027-03-14T12:00", endDateTime: "02:30", timezone });
    expect({ end, errors }).toEqual({ end: "2027-03-15T06:30:00.000Z", errors: [] });
  });

  const zones = ["America/New_York", "Europe/London", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu"];
  const secondOf = (day: string) => Date.parse(day) / 1000;
  const starts = fc
    .integer({ min: secondOf("2020-01-01"), max: secondOf("2040-01-01") })
    .map((seconds) => new Date(seconds * 1000));

  it("calendar days keep the clock's time, and hours the length, at any time of any year", async () => {
    await fc.assert(
      fc.asyncProperty(starts, fc.constantFrom(...zones), fc.integer({ min: -400, max: 400 }), async (at, zone, n) => {
        const sign = n < 0 ? "-" : "+";
        const size = Math.abs(n);
        const event = { dateTime: at.toISOString(), timezone: zone };
        const exact = await resolve({ ...event, endDateTime: `${sign}${size}h` });
        expect(Date.parse(String(exact.end)) - at.getTime()).toBe(n * 3_600_000);
        const days = await resolve({ ...event, endDateTime: `${sign}${size}d` });
        if (days.errors.length > 0) return expect(days.errors[0]?.message).toMatch(/does not exist|happens twice/);
        const [one, other] = [at.toISOString(), String(days.end)].map((instant) => readWallClock(instant, zone));
        expect([other?.hour, other?.minute, other?.second]).toEqual([one?.hour, one?.minute, one?.second]);
        const dates = [one, other].map((wall) => Date.UTC(wall?.year ?? 0, (wall?.month ?? 0) - 1, wall?.day));
        expect(((dates[1] ?? 0) - (dates[0] ?? 0)) / 86_400_000).toBe(n);
      }),
    );
  });

  it("a clock time is the first at or after the start", async () => {
    const minutes = fc.integer({ min: 0, max: 1439 });
    await fc.assert(
      fc.asyncProperty(starts, fc.constantFrom(...zones), minutes, async (at, zone, minute) => {
        const clock = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
        const { end, errors } = await resolve({ dateTime: at.toISOString(), timezone: zone, endDateTime: clock });
        if (errors.length > 0) return expect(errors[0]?.message).toMatch(/does not exist|happens twice/);
        const wall = readWallClock(String(end), zone);
        expect((wall?.hour ?? 0) * 60 + (wall?.minute ?? 0)).toBe(minute);
        const after = Date.parse(String(end)) - at.getTime();
        expect(after).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThan(25 * 3_600_000);
      }),
    );
  });
});
