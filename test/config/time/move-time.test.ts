import { beforeAll, describe, expect, it } from "vitest";
import { type Calendar, loadCalendar } from "../../../src/config/time/calendar.ts";
import { daysBetween, moveTime } from "../../../src/config/time/relative-time.ts";

let calendar: Calendar;
beforeAll(async () => {
  calendar = await loadCalendar();
});

describe("a time some days later", () => {
  it.each([
    ["2027-03-12T16:00", 364, "2028-03-10T16:00"],
    ["2027-03-12 16:00:30", -12, "2027-02-28 16:00:30"],
    ["2027-10-16T19:00-04:00", 35, "2027-11-20T19:00-05:00"],
    ["2027-10-16T19:00-0400", 1, "2027-10-17T19:00-0400"],
    ["2027-10-16T19:00:30.5-04:00", 35, "2027-11-20T19:00:30.5-05:00"],
    ["2027-10-16T23:00Z", 35, "2027-11-21T00:00Z"],
    ["2027-10-17T07:00+08:00", 35, "2027-11-21T08:00+08:00"],
    ["+90m", 35, "+90m"],
    ["day 2 13:30", 35, "day 2 13:30"],
    ["22:00", 35, "22:00"],
  ])("%s by %i days", (text, days, expected) => {
    expect(moveTime(text, days, "America/New_York", calendar)).toBe(expected);
  });

  it.each(["${var.start}", "soon", "2027-02-30T10:00", "+2 hours"])("%s is not moved", (text) => {
    expect(moveTime(text, 7, "America/New_York", calendar)).toBeNull();
  });

  it("counts days over months and years", () => {
    expect(daysBetween("2027-03-12", "2028-03-10")).toBe(364);
    expect(daysBetween("2028-03-01", "2028-02-28")).toBe(-2);
  });
});
