import { describe, expect, test } from "vitest";
import { child, event, reported } from "../../stage/short-wishes.ts";

function entry(title: string, start: string, end: string, performer?: string) {
  return { title, startTime: `2027-03-${start}`, endTime: `2027-03-${end}`, performer };
}

describe("schedule-outside-event", () => {
  const code = "schedule-outside-event";

  test("is reported at the time that lies outside", () => {
    const wish = event({
      schedules: [
        entry("Doors", "14T18:00", "14T19:00"),
        entry("Clean up", "15T01:00", "15T03:00"),
        entry("Brunch", "16T10:00", "16T12:00"),
      ],
    });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message:
          '"Doors" begins (Sun 14 Mar 2027 18:00 Asia/Manila (10:00Z)) before "Manila Nights" starts (Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z)).',
        hint: "Correct its `startTime`, or the event's `dateTime`. If this is intentional, write `startTime: -1h` and `endTime: +1h`, which move with the event, and add `ignore: [schedule-outside-event]` to the entry.",
        source: child(wish, "schedule", 0).places.startTime,
      },
      {
        hint: "Correct its `endTime`, or the event's `endDateTime`. If this is intentional, add `ignore: [schedule-outside-event]` to the entry.",
        source: child(wish, "schedule", 1).places.endTime,
      },
      { source: child(wish, "schedule", 2).places.startTime },
    ]);
  });

  test.each([
    ["14T17:30", "14T17:30", "write `startTime: -1h30m`, which moves with the event, and add"],
    ["14T18:15", "14T23:15", "write `startTime: -45m` and `endTime: +5h`, which move with the event, and add"],
    // A day or more before, the date is most likely wrong.
    ["13T19:00", "14T20:00", "Correct its `startTime`"],
    ["13T20:00", "13T22:00", "If this is intentional, add `ignore"],
    ["14T18:00:30", "14T20:00", "Correct its `startTime`"],
  ])("a time shortly before the start is written so that it moves along: %s", (start, end, hint) => {
    expect(reported(event({ schedules: [entry("Doors", start, end)] }), code)[0]?.hint).toContain(hint);
  });

  test("a time that moves along is kept", () => {
    const wish = event({ schedules: [entry("Doors", "14T18:00", "14T20:00")] });
    Object.assign(child(wish, "schedule").written, { startTime: "start -1h" });
    expect(reported(wish, code)[0]?.hint).toMatch(/^Correct its `startTime`.* If this is intentional, add `ignore/);
  });

  test("from start to end is fine", () => {
    expect(reported(event({ schedules: [entry("All night", "14T19:00", "15T02:00")] }), code)).toEqual([]);
  });

  test("without an end, or with one before the start, only the start is a limit", () => {
    const schedules = [entry("Late", "16T19:00", "16T20:00")];
    expect(reported(event({ endDateTime: undefined, schedules }), code)).toEqual([]);
    expect(reported(event({ endDateTime: "2027-03-14T02:00", schedules }), code)).toEqual([]);
    expect(
      reported(event({ endDateTime: undefined, schedules: [entry("Early", "14T18:00", "14T20:00")] }), code),
    ).toHaveLength(1);
  });
});

describe("performer-in-two-places", () => {
  const code = "performer-in-two-places";
  const performers = [{ name: "DJ Ana" }, { name: "DJ Ben" }];

  test("is reported at the later entry and points at the earlier", () => {
    const wish = event({
      performers,
      schedules: [entry("Sunset", "14T21:30", "14T22:30", "DJ Ana"), entry("Main", "14T20:00", "14T22:00", "DJ Ana")],
    });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: '"DJ Ana" is in "Main" until Sun 14 Mar 22:00, but also in "Sunset" from Sun 14 Mar 21:30 on.',
        source: child(wish, "schedule", 0).places.performer,
        related: [{ message: 'the entry "Main"', source: child(wish, "schedule", 1).places.performer }],
      },
    ]);
  });

  test("a long entry is remembered past a short one within it", () => {
    const schedules = [
      entry("Host", "14T19:00", "14T23:00", "DJ Ana"),
      entry("Short", "14T19:30", "14T19:45", "DJ Ana"),
      entry("Set", "14T22:00", "14T22:30", "DJ Ana"),
    ];
    expect(reported(event({ performers, schedules }), code)).toHaveLength(2);
  });

  test.each([
    [
      "one after the other",
      [entry("A", "14T20:00", "14T21:00", "DJ Ana"), entry("B", "14T21:00", "14T22:00", "DJ Ana")],
    ],
    ["two performers", [entry("A", "14T20:00", "14T21:00", "DJ Ana"), entry("B", "14T20:30", "14T22:00", "DJ Ben")]],
    ["entries without a performer", [entry("A", "14T20:00", "14T21:00"), entry("B", "14T20:30", "14T22:00")]],
    [
      "an entry without length",
      [entry("A", "14T20:00", "14T21:00", "DJ Ana"), entry("B", "14T20:30", "14T20:30", "DJ Ana")],
    ],
  ])("%s: fine", (_, schedules) => {
    expect(reported(event({ performers, schedules }), code)).toEqual([]);
  });
});
