import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCalendar, steadyInstant } from "../../../src/config/time/calendar.ts";
import { parseTime } from "../../../src/config/time/read-time.ts";
import { eventProject, reported } from "../project-of.ts";

function instant(text: string): string | null {
  const time = parseTime(text);
  return time.type === "instant" ? new Date(time.milliseconds).toISOString() : null;
}

describe("a written time", () => {
  it.each([
    ["2027-03-14T19:00Z", "2027-03-14T19:00:00.000Z"],
    ["2027-03-14t19:00z", "2027-03-14T19:00:00.000Z"],
    ["2027-03-14T19:00:30.5Z", "2027-03-14T19:00:30.500Z"],
    ["2027-03-14T19:00+08:00", "2027-03-14T11:00:00.000Z"],
    ["2027-03-14 19:00 +0800", "2027-03-14T11:00:00.000Z"],
    ["2027-03-14T19:00-03:30", "2027-03-14T22:30:00.000Z"],
    ["2027-03-14T19:00+08", "2027-03-14T11:00:00.000Z"],
  ])("%s is an instant", (text, expected) => {
    expect(instant(text)).toBe(expected);
  });

  it.each(["2027-03-14T19:00", "2027-03-14 19:00", "2027-03-14T19:00:15", " 2027-03-14T19:00 "])(
    "%j is a local time",
    (text) => {
      expect(parseTime(text).type).toBe("wall");
    },
  );

  it.each([
    ["18:30", "Write both, like 2027-03-14T18:30."],
    ["6:30 pm", "Write both, like 2027-03-14T18:30."],
    ["2027-03-14", "Write both, like 2027-03-14T19:00."],
    ["2027/3/14 7:05", "Write 2027-03-14T07:05."],
    ["12.03.2027 19:00", "Write 2027-03-12T19:00 (read as day, month, year)."],
    ["12.3.2027, 7 pm", "Write 2027-03-12T19:00 (read as day, month, year)."],
    ["25/03/2027 19:00", "Write 2027-03-25T19:00."],
    ["03/12/2027 at 7:30pm", "Write 2027-12-03T19:30 or 2027-03-12T19:30."],
    ["12 March 2027 19.00", "Write 2027-03-12T19:00."],
    ["12.03.2027", "Write both, like 2027-03-12T19:00 (read as day, month, year)."],
    ["2027/03/14", "Write both, like 2027-03-14T19:00."],
    ["12.13.2027 19:00", "Write a date and a time, like 2027-03-14T19:00."],
    ["12.03.2027 29:00", "Write a date and a time, like 2027-03-14T19:00."],
    ["2027-02-30T19:00", "February 2027 has 28 days: write a day from 01 to 28."],
    ["2027-13-01T19:00", "Write the year, the month and the day, as in 2027-01-08."],
    ["0000-01-01T00:00Z", "Write the year with all its digits, as in 2027-03-14."],
    ["0027-03-14T19:00", "Write the year with all its digits, as in 2027-03-14."],
    ["2027-03-14T24:00", "Write 2027-03-15T00:00 for the end of that day."],
    ["2027-03-14T19:75", "Write a time from 00:00 to 23:59."],
    ["2027-03-14T19:00+25:00", "Correct the offset: in Manila, it is +08:00."],
    ["next Friday", "Write a date and a time, like 2027-03-14T19:00."],
    ["", "Write a date and a time, like 2027-03-14T19:00."],
  ])("%j is none, and it is said how to write it", (text, hint) => {
    expect(parseTime(text)).toMatchObject({ type: "unreadable", hint });
  });
});

describe("a local time", () => {
  async function decoded(dateTime: string, timezone?: string) {
    const zone = timezone === undefined ? "" : `timezone: ${timezone}\n`;
    const project = await eventProject(`name: A\ndateTime: ${dateTime}\n${zone}`);
    return { dateTime: project.events[0]?.fields.dateTime, problems: project.diagnostics };
  }

  it("is that of Manila where nothing else is said", async () => {
    expect((await decoded("2027-03-14T19:00")).dateTime).toBe("2027-03-14T11:00:00.000Z");
  });

  it("follows the rules of its zone", async () => {
    expect((await decoded("2027-01-10T12:00", "America/New_York")).dateTime).toBe("2027-01-10T17:00:00.000Z");
    expect((await decoded("2027-07-10T12:00", "America/New_York")).dateTime).toBe("2027-07-10T16:00:00.000Z");
    expect((await decoded("2027-07-10T12:00", "Asia/Kathmandu")).dateTime).toBe("2027-07-10T06:15:00.000Z");
  });

  it("that clocks leap over is an error that says so", async () => {
    const { problems } = await decoded("2027-03-14T02:30", "America/New_York");
    expect(reported(problems)).toEqual(["events/a.yaml:2:11 unreadable-time"]);
    expect(problems[0]?.message).toContain("does not exist in America/New_York");
    expect(problems[0]?.hint).toContain("Write 2027-03-14T03:30");
    expect(problems[0]?.hint).toContain("the nearest times are 2027-03-14T01:59 and 2027-03-14T03:00");
  });

  it("that clocks show twice is an error that names both", async () => {
    const { problems } = await decoded("2027-11-07T01:30", "America/New_York");
    expect(problems[0]?.message).toContain("occurs twice in America/New_York");
    expect(problems[0]?.hint).toContain("2027-11-07T01:30-04:00 is the first, 2027-11-07T01:30-05:00 the second");
  });

  it("with an offset is never uncertain", async () => {
    expect((await decoded("2027-11-07T01:30-05:00", "America/New_York")).problems).toEqual([]);
  });

  it("in a zone that does not exist is left out: the zone is the problem", async () => {
    expect(await decoded("2027-03-14T19:00", "GMT+8")).toEqual({ dateTime: undefined, problems: [] });
  });

  it("in a zone that keeps still is what the calendar says", async () => {
    const calendar = await loadCalendar();
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1991-01-02"), max: new Date("2060-01-01"), noInvalidDate: true }),
        (date) => {
          const time = {
            year: date.getUTCFullYear(),
            month: date.getUTCMonth() + 1,
            day: date.getUTCDate(),
            hour: date.getUTCHours(),
            minute: date.getUTCMinutes(),
            second: date.getUTCSeconds(),
            millisecond: date.getUTCMilliseconds(),
          };
          expect(steadyInstant(time, "Asia/Manila")).toBe(calendar.instantOf(time, "Asia/Manila"));
        },
      ),
    );
  });
});
