import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatLocalTime,
  formatMoment,
  formatOffset,
  formatShortMoment,
  isTimezone,
  offsetAt,
  readWallClock,
} from "../../src/model/time.ts";

describe("formatMoment", () => {
  test.each([
    ["2027-03-14T11:00:00.000Z", "Asia/Manila", "Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z)"],
    ["2027-03-14T18:30:00.000Z", "Asia/Manila", "Mon 15 Mar 2027 02:30 Asia/Manila (18:30Z)"],
    ["2026-09-01T16:00:00.000Z", "Asia/Manila", "Wed 2 Sep 2026 00:00 Asia/Manila (16:00Z)"],
    ["2027-07-01T18:00:00.000Z", "Europe/London", "Thu 1 Jul 2027 19:00 Europe/London (18:00Z)"],
    ["2027-01-01T18:00:00.000Z", "Europe/London", "Fri 1 Jan 2027 18:00 Europe/London (18:00Z)"],
    ["2027-01-01T18:00:30.000Z", "Asia/Kathmandu", "Fri 1 Jan 2027 23:45:30 Asia/Kathmandu (18:00:30Z)"],
  ])("%s in %s", (instant, zone, text) => {
    expect(formatMoment(instant, zone)).toBe(text);
    expect(formatMoment(Date.parse(instant), zone)).toBe(text);
  });

  test("a moment in a zone that does not exist is shown in UTC", () => {
    expect(formatMoment("2027-03-14T11:00:00.000Z", "Asia/Manilla")).toBe("Sun 14 Mar 2027 11:00Z");
  });

  test("what is no instant comes back as it is", () => {
    expect(formatMoment("soon", "Asia/Manila")).toBe("soon");
    expect(formatMoment(Number.NaN, "Asia/Manila")).toBe("NaN");
  });

  test("no zone and no instant makes it throw", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double(),
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        ),
        fc.oneof(fc.string(), fc.constantFrom("Asia/Manila", "America/St_Johns", "GMT+8", "+08:00")),
        (instant, zone) => {
          expect(typeof formatMoment(instant, zone)).toBe("string");
          expect(typeof formatLocalTime(instant, zone)).toBe("string");
        },
      ),
    );
  });
});

test("the short form leaves out year and zone", () => {
  expect(formatShortMoment("2026-06-15T18:00:00.000Z", "Asia/Manila")).toBe("Tue 16 Jun 02:00");
});

test("a local time is written as files write it", () => {
  expect(formatLocalTime("2027-03-14T18:00:00.000Z", "Asia/Manila")).toBe("2027-03-15T02:00");
});

test.each([
  [480, "+08:00"],
  [0, "+00:00"],
  [-210, "-03:30"],
])("an offset of %d minutes is %s", (minutes, text) => {
  expect(formatOffset(minutes)).toBe(text);
});

describe("offsetAt", () => {
  test.each([
    ["2027-03-14T05:59:59.999Z", -360],
    ["2027-03-14T07:59:59.999Z", -360],
    ["2027-03-14T08:00:00.000Z", -300],
    ["2027-11-07T06:59:59.999Z", -300],
    ["2027-11-07T07:00:00.000Z", -360],
  ])("knows to the moment when Chicago changes its clocks: %s", (instant, offset) => {
    expect(offsetAt(Date.parse(instant), "America/Chicago")).toBe(offset);
  });

  test("agrees with the runtime for every zone and instant", () => {
    const zones = ["Asia/Manila", "America/Chicago", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca"];
    const instants = fc.integer({ min: Date.parse("1995-01-01"), max: Date.parse("2037-12-31") });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
        const clock = readWallClock(instant, zone);
        const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
        const [hour, minute] = parts.format(instant).split(":").map(Number);
        expect([clock?.hour, clock?.minute]).toEqual([hour, minute]);
      }),
    );
  });

  test("is null for a zone that does not exist", () => {
    expect(offsetAt(0, "Manila")).toBeNull();
    expect(offsetAt(Number.NaN, "Asia/Manila")).toBeNull();
  });
});

describe("isTimezone", () => {
  test.each(["Asia/Manila", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT-8"])("takes %s", (name) => {
    expect(isTimezone(name)).toBe(true);
  });

  test.each(["GMT+8", "+08:00", "PST", "PHT", "Manila", "Asia/Manilla", ""])("refuses '%s'", (name) => {
    expect(isTimezone(name)).toBe(false);
  });
});
