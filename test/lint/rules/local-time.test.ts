import { describe, expect, test } from "vitest";
import { child, event, reported } from "../../stage/short-wishes.ts";

const code = "local-time-odd";

function messages(document: Record<string, unknown>) {
  return reported(event(document), code).map(({ message }) => message);
}

describe("local-time-odd", () => {
  test("a Z that falls into the night is reported with what was meant", () => {
    const wish = event({ dateTime: "2027-06-14T18:00Z", endDateTime: undefined });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: "18:00Z is Tue 15 Jun 02:00 in Manila: did you mean 18:00+08:00?",
        hint: "Leave out the offset to use local time in the event's `timezone`.",
        source: wish.places.dateTime,
      },
    ]);
  });

  test.each([
    ["2027-06-14T16:00:00.000Z", "16:00Z is Tue 15 Jun 00:00 in Manila: did you mean 16:00+08:00?"],
    ["2027-06-14T22:59:30z", "22:59:30Z is Tue 15 Jun 06:59:30 in Manila: did you mean 22:59:30+08:00?"],
    ["2027-06-14T19:00+09:00", "19:00+09:00 is Mon 14 Jun 18:00 in Manila: did you mean 19:00+08:00?"],
    ["2027-06-14T19:00+0000", "19:00+00:00 is Tue 15 Jun 03:00 in Manila: did you mean 19:00+08:00?"],
    ["2027-06-14T19:00-05:00", "19:00-05:00 is Tue 15 Jun 08:00 in Manila: did you mean 19:00+08:00?"],
  ])("%s", (dateTime, message) => {
    expect(messages({ dateTime, endDateTime: undefined })).toEqual([message]);
  });

  test.each([
    ["no offset", "2027-06-14T02:00"],
    ["the zone's own offset", "2027-06-14T02:00+08:00"],
    ["a Z in the evening", "2027-06-14T11:00Z"],
    ["a Z at seven", "2027-06-14T23:00Z"],
  ])("%s is fine", (_, dateTime) => {
    expect(messages({ dateTime, endDateTime: undefined })).toEqual([]);
  });

  test("a clock time that clocks skip is answered with the one that they show", () => {
    const night = { timezone: "America/New_York", dateTime: "2027-03-14T02:59-05:00", endDateTime: undefined };
    expect(messages(night)).toEqual(["02:59-05:00 is Sun 14 Mar 03:59 in New York: did you mean 03:59-04:00?"]);
  });

  test("the offset of a zone is the one of that day", () => {
    const timezone = "Europe/London";
    expect(messages({ timezone, dateTime: "2027-07-01T19:00+01:00", endDateTime: undefined })).toEqual([]);
    expect(messages({ timezone, dateTime: "2027-01-01T05:00Z", endDateTime: undefined })).toEqual([]);
    expect(messages({ timezone, dateTime: "2027-07-01T19:00+00:00", endDateTime: undefined })).toEqual([
      "19:00+00:00 is Thu 1 Jul 20:00 in London: did you mean 19:00+01:00?",
    ]);
  });

  test("a zone's name is said as a city", () => {
    expect(messages({ timezone: "America/New_York", dateTime: "2027-07-01T08:00Z", endDateTime: undefined })).toEqual([
      "08:00Z is Thu 1 Jul 04:00 in New York: did you mean 08:00-04:00?",
    ]);
  });

  test("a zone that does not exist is reported elsewhere", () => {
    expect(messages({ timezone: "Asia/Manilla", dateTime: "2027-07-01T18:00Z" })).toEqual([]);
  });

  test("a party that starts in the evening and ends at night may be written with Z throughout", () => {
    const schedules = [{ title: "Late set", startTime: "2027-03-14T17:00Z", endTime: "2027-03-14T18:00Z" }];
    expect(messages({ dateTime: "2027-03-14T11:00Z", endDateTime: "2027-03-14T18:00Z", schedules })).toEqual([]);
  });

  test("a night end with Z next to a local start is reported, and so is a set", () => {
    const schedules = [{ title: "Set", startTime: "2027-03-14T20:00", endTime: "2027-03-14T21:00Z" }];
    const wish = event({ endDateTime: "2027-03-14T22:00Z", schedules });
    expect(reported(wish, code)).toMatchObject([
      { source: wish.places.endDateTime },
      { source: child(wish, "schedule").places.endTime },
    ]);
  });

  test("where the start itself falls into the night, everything is reported", () => {
    expect(messages({ dateTime: "2027-03-14T19:00Z", endDateTime: "2027-03-14T22:00Z" })).toHaveLength(2);
  });
});
