import { describe, expect, test } from "vitest";
import { child, event, now, reported } from "../../stage/short-wishes.ts";

describe("ends-before-start", () => {
  const code = "ends-before-start";

  test("an end on the same day is reported with the midnight it forgot", () => {
    const wish = event({ endDateTime: "2027-03-14T02:00" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message:
          '"Manila Nights" ends (Sun 14 Mar 2027 02:00 Asia/Manila (18:00Z)) before it starts (Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z)).',
        hint: "If it runs past midnight, it ends on the next day: write 2027-03-15T02:00.",
        source: wish.places.endDateTime,
      },
    ]);
  });

  test("an end on another day is reported without", () => {
    expect(reported(event({ endDateTime: "2027-03-13T23:00" }), code)).toMatchObject([
      { hint: "Set `endDateTime` to a time after `dateTime`." },
    ]);
  });

  test("the day is the one of the event's zone", () => {
    // 20:00 and 02:00 of the day before.
    const times = { dateTime: "2027-03-14T06:00Z", endDateTime: "2027-03-13T12:00Z", timezone: "Pacific/Honolulu" };
    expect(reported(event(times), code)[0]?.hint).toContain("write 2027-03-14T02:00");
  });

  test("an end shortly before the start is not one of the next day", () => {
    const entries = [
      { title: "Doors", startTime: "2027-03-14T20:00", endTime: "2027-03-14T19:30" },
      { title: "Market", startTime: "2027-03-14T20:00", endTime: "2027-03-14T12:00" },
      { title: "Night", startTime: "2027-03-14T20:00", endTime: "2027-03-14T11:59" },
    ];
    const hints = reported(event({ schedules: entries }), code).map(({ hint }) => hint);
    expect(hints).toEqual([
      "Set `endTime` to a time after `startTime`.",
      "Set `endTime` to a time after `startTime`.",
      "If it runs past midnight, it ends on the next day: write 2027-03-15T11:59.",
    ]);
  });

  test("is reported for schedule entries", () => {
    const wish = event({
      schedules: [{ title: "Closing set", startTime: "2027-03-14T23:30", endTime: "2027-03-14T00:30" }],
    });
    expect(reported(wish, code)).toMatchObject([
      {
        hint: "If it runs past midnight, it ends on the next day: write 2027-03-15T00:30.",
        source: child(wish, "schedule").places.endTime,
      },
    ]);
  });

  test("an entry that counts from a wrong end of the event is not reported as well", () => {
    const entries = [
      { title: "Doors", startTime: "2027-03-14T20:00", endTime: "2027-03-14T02:00" },
      { title: "Last call", startTime: "2027-03-14T01:00", endTime: "2027-03-14T02:00" },
    ];
    const wish = event({ endDateTime: "2027-03-14T02:00", schedules: entries });
    const [doors, last] = [child(wish, "schedule"), child(wish, "schedule", 1)];
    Object.assign(doors.written, { endTime: "end" });
    Object.assign(last.written, { startTime: "end -1h" });
    expect(reported(wish, code).map(({ source }) => source)).toEqual([wish.places.endDateTime]);
    expect(reported(wish, "schedule-outside-event")).toEqual([]);
    // With a sound end, or a time of its own, the entry is wrong itself.
    Object.assign(wish.fields, { endDateTime: "2027-03-15T02:00:00.000Z" });
    expect(reported(wish, code).map(({ source }) => source)).toEqual([doors.places.endTime]);
  });

  test.each([
    ["an end past midnight on the next day", {}],
    ["no end", { endDateTime: undefined }],
    ["a cleared end", { endDateTime: null }],
    ["an unreadable end, which is reported elsewhere", { endDateTime: "soon" }],
    [
      "an entry without length",
      { schedules: [{ title: "Doors", startTime: "2027-03-14T19:00", endTime: "2027-03-14T19:00" }] },
    ],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });
});

describe("starts-in-the-past", () => {
  const code = "starts-in-the-past";

  test("is information at the start", () => {
    const wish = event({ dateTime: "2026-11-15T07:59", endDateTime: "2026-11-15T12:00" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "info",
        message: '"Manila Nights" starts in the past: Sun 15 Nov 2026 07:59 Asia/Manila (23:59Z).',
        source: wish.places.dateTime,
      },
    ]);
  });

  test("a start right now, and an archived event, are fine", () => {
    expect(reported(event({ dateTime: "2026-11-15T08:00" }), code)).toEqual([]);
    expect(reported(event({ dateTime: "2020-01-01T08:00", status: "ARCHIVED" }), code)).toEqual([]);
  });
});

describe("far-future", () => {
  const code = "far-future";

  test("is reported at the start", () => {
    const wish = event({ dateTime: "2072-03-14T19:00", endDateTime: "2072-03-15T02:00" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: '"Manila Nights" starts more than 18 months from now: Mon 14 Mar 2072 19:00 Asia/Manila (11:00Z).',
        source: wish.places.dateTime,
      },
    ]);
  });

  test("18 months to the minute are fine", () => {
    const edge = { dateTime: "2028-05-15T08:00", endDateTime: "2028-05-15T10:00" };
    expect(reported(event(edge), code)).toEqual([]);
    expect(reported(event(edge), code, { now: now - 60_000 })).toHaveLength(1);
  });
});

describe("odd-duration", () => {
  const code = "odd-duration";

  test.each([
    ["2027-03-14T19:14", "only 14 minutes"],
    ["2027-03-14T19:01", "only 1 minute"],
    ["2027-03-17T19:01", "more than 3 days"],
    ["2028-03-14T19:00", "366 days"],
  ])("an end at %s makes it last %s", (endDateTime, words) => {
    const wish = event({ endDateTime });
    expect(reported(wish, code)).toMatchObject([{ severity: "warning", source: wish.places.endDateTime }]);
    expect(reported(wish, code)[0]?.message).toContain(`"Manila Nights" would last ${words}, until `);
  });

  test("an end at the start is said to be that", () => {
    const wish = event({ endDateTime: "2027-03-14T19:00" });
    expect(reported(wish, code)).toMatchObject([
      {
        message:
          '"Manila Nights" ends when it starts (Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z)); the service may refuse that.',
        hint: "Set `endDateTime` to a time after `dateTime`.",
      },
    ]);
  });

  test("an end that is only a time of day before the start falls on the next day", () => {
    const wish = event({ endDateTime: "2027-03-15T18:30" });
    expect(reported(wish, code)).toEqual([]);
    expect(reported({ ...wish, written: { ...wish.written, endDateTime: "18:30" } }, code)).toMatchObject([
      {
        message:
          '"Manila Nights" would last 23h30m, until Mon 15 Mar 2027 18:30 Asia/Manila (10:30Z): 18:30 means the first 18:30 after its start.',
        hint: "Check `dateTime` and `endDateTime`. If they are right, write the length instead: +23h30m.",
        source: wish.places.endDateTime,
      },
    ]);
  });

  test("so does that of a schedule entry", () => {
    const slot = { title: "Set", startTime: "2027-03-14T20:00", endTime: "2027-03-15T19:00" };
    const wish = event({ endDateTime: "2027-03-16T02:00", schedules: [slot] });
    const entry = child(wish, "schedule");
    const written = { ...entry, written: { ...entry.written, endTime: "19:00" } };
    const clocked = { ...wish, children: { ...wish.children, schedule: [written] } };
    expect(reported(wish, code)).toEqual([]);
    expect(reported(clocked, code)).toMatchObject([{ source: entry.places.endTime }]);
  });

  test.each(["2027-03-14T19:15", "2027-03-17T19:00", "2027-03-14T18:00"])("an end at %s is fine", (endDateTime) => {
    expect(reported(event({ endDateTime }), code)).toEqual([]);
  });
});
