import { expect, test } from "vitest";
import { eventStems } from "../../src/import/file-names.ts";
import type { Live } from "../../src/model/live.ts";

function live(id: string, slug: string | null, name: string, dateTime?: string, timezone?: string): Live {
  const fields = {
    name,
    ...(dateTime === undefined ? {} : { dateTime }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  return { id: `${id}-0000-4000-8000-000000000000`, slug, fields } as unknown as Live;
}

function firstNames(...lives: readonly Live[]): readonly string[] {
  const stemsOf = eventStems(lives);
  return lives.map((one) => stemsOf(one)[0] ?? "");
}

test("nights of one name carry their local date, whatever number the service gave their slugs", () => {
  const nights = [
    live("1", "friday-club", "Friday Club", "2027-01-08T14:00:00.000Z"),
    live("2", "friday-club-2", "Friday Club", "2027-01-15T20:00:00.000Z", "Asia/Tokyo"),
  ];
  expect(firstNames(...nights)).toEqual(["friday-club-2027-01-08", "friday-club-2027-01-16"]);
});

test.each([1001, 2027, 202701])("also where it counts from %d", (first) => {
  const nights = [8, 15, 22].map((day, index) =>
    live(`${index}`, `club-${first + index}`, "Club", `2027-01-${String(day).padStart(2, "0")}T14:00:00.000Z`),
  );
  expect(firstNames(...nights)).toEqual(["club-2027-01-08", "club-2027-01-15", "club-2027-01-22"]);
});

test.each(["2027", "2028", "20271231", "1231", "1930"])("a number that says when it is stays: %s", (suffix) => {
  const eve = live("1", `gala-${suffix}`, "Gala", "2027-12-31T11:30:00.000Z");
  expect(firstNames(eve)).toEqual([`gala-${suffix}`]);
});

test("and the time, where two share a day", () => {
  const shows = [
    live("1", "magic", "Magic", "2027-01-08T06:00:00.000Z"),
    live("2", "magic-2", "Magic", "2027-01-08T12:00:00.000Z"),
    live("3", "magic-3", "Magic", "2027-01-09T12:00:00.000Z"),
  ];
  expect(firstNames(...shows)).toEqual(["magic-2027-01-08-1400", "magic-2027-01-08-2000", "magic-2027-01-09"]);
});

test("an event that is alone goes by its slug, without the service's number", () => {
  expect(firstNames(live("1", "gala-of-2027", "Gala", "2027-01-08T06:00:00.000Z"))).toEqual(["gala-of-2027"]);
  expect(firstNames(live("1", "gala-2", "Gala", "2027-01-08T06:00:00.000Z"))).toEqual(["gala"]);
  expect(firstNames(live("1", "area-51", "Area 51"))).toEqual(["area-51"]);
});

test("random letters and digits behind the name give way to the date; years, times and words stay", () => {
  const nights = ["270ea3", "abcdef", "part02"].map((suffix, index) =>
    live(`${index}`, `friday-club-${suffix}`, "Friday Club", `2027-01-${15 + index}T14:00:00.000Z`),
  );
  expect(firstNames(...nights)).toEqual(["15", "16", "17"].map((day) => `friday-club-2027-01-${day}`));
  expect(firstNames(live("1", "gala-3f2a91c0-1111-4111-8111-aaaaaaaaaaaa", "Gala"))).toEqual(["gala"]);
  const kept = ["2027", "20270108", "1930", "manila", "part2", "10th", "b2b"].map((suffix) => `gala-${suffix}`);
  expect(firstNames(...kept.map((slug) => live("1", slug, "Gala")))).toEqual(kept);
});

test("where no start is shown, the id distinguishes them", () => {
  expect(firstNames(live("aaaaaaaa", "a", "A"), live("bbbbbbbb", "a-2", "A"))).toEqual(["a-aaaaaaaa", "a-bbbbbbbb"]);
});
