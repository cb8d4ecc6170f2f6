import { describe, expect, test } from "vitest";
import { event, reported } from "../../stage/short-wishes.ts";

describe("unknown-timezone", () => {
  const code = "unknown-timezone";

  test("is reported at the zone, with the name to use", () => {
    const wish = event({ timezone: "GMT+8" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message: '"GMT+8" is not the name of a time zone.',
        hint: "Use Asia/Manila.",
        source: wish.places.timezone,
      },
    ]);
  });

  test.each([
    ["+08:00", "Use Asia/Manila."],
    ["UTC+08", "Use Asia/Manila."],
    ["PST", "Use Asia/Manila for Philippine time, or America/Los_Angeles for Pacific time."],
    ["Manila", "Use Asia/Manila."],
    ["Asia/Manilla", "Use Asia/Manila."],
    ["Asia/Singapor", "Use Asia/Singapore."],
    ["America/New York", "Use America/New_York."],
    ["GMT+3", "Use the IANA name of the time zone, such as Asia/Manila."],
    ["Mars/Olympus", "Use the IANA name of the time zone, such as Asia/Manila."],
    ["///", "Use the IANA name of the time zone, such as Asia/Manila."],
  ])("%s: %s", (timezone, hint) => {
    expect(reported(event({ timezone }), code)).toMatchObject([{ hint }]);
  });

  test.each(["Asia/Manila", "UTC", "America/Argentina/Buenos_Aires"])("%s is fine", (timezone) => {
    expect(reported(event({ timezone }), code)).toEqual([]);
  });
});

test("EST and MST, which have no summer time, are a warning with the city that is most likely meant", () => {
  const wish = event({ timezone: "EST" });
  expect(reported(wish, "local-time-odd")).toMatchObject([
    {
      severity: "warning",
      message: "The time zone EST has no daylight saving time: in summer, it is an hour behind America/New_York.",
      source: wish.places.timezone,
    },
  ]);
  expect(reported(event({ timezone: "MST" }), "local-time-odd")).toHaveLength(1);
  expect(reported(event({ timezone: "America/New_York" }), "local-time-odd")).toEqual([]);
});

describe("wrong-case", () => {
  test.each([
    ["asia/manila", "Asia/Manila"],
    ["ASIA/TOKYO", "Asia/Tokyo"],
    ["america/new_york", "America/New_York"],
  ])("%s is reported at the zone: %s is meant", (timezone, meant) => {
    const wish = event({ timezone });
    expect(reported(wish, "wrong-case")).toMatchObject([
      { severity: "error", message: expect.stringContaining(meant), source: wish.places.timezone },
    ]);
  });

  test.each(["UTC", "Asia/Kolkata", "US/Pacific", "Etc/GMT+8"])("%s is fine", (timezone) => {
    expect(reported(event({ timezone }), "wrong-case")).toEqual([]);
  });
});
