import { describe, expect, test } from "vitest";
import { child, event, reported, ticket, webhook } from "../../stage/short-wishes.ts";

const code = "invisible-characters";

describe("invisible-characters", () => {
  test("are reported at the name, with what and where", () => {
    const wish = event({ tickets: [ticket({ name: "VIP\u200b Lounge" })] });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: 'The `name` of "VIP\u200b Lounge" contains a zero-width space (U+200B) after "VIP".',
        source: child(wish, "ticket").places.name,
      },
    ]);
  });

  test.each([
    ["Manila  Nights", 'contains a double space after "Manila"'],
    [" Manila Nights", "begins with a space"],
    ["Manila Nights ", "ends with a space"],
    ["Manila Nights\n", "ends with a line break"],
    ["Manila\u00a0Nights", 'contains a no-break space (U+00A0) after "Manila"'],
    ["Manila\tNights", 'contains a tab (U+0009) after "Manila"'],
    ["\ufeffManila", "contains a zero-width no-break space (U+FEFF) at its beginning"],
    ["Manila\u202eNights", 'contains an invisible character (U+202E) after "Manila"'],
    ["Mani\u00adla", 'contains a soft hyphen (U+00AD) after "Mani"'],
    ["Mani\u200dla", 'contains a zero-width joiner (U+200D) after "Mani"'],
  ])("%j %s", (name, what) => {
    expect(reported(event({ name }), code)[0]?.message).toContain(what);
  });

  test.each(["“Jazz Night”", "„Jazz Night“", "« Jazz Night »".replaceAll(" ", " "), "‘Jazz Night’", "”Jazz Night”"])(
    "%s is a name in curly quotes, which a word processor sets",
    (name) => {
      expect(reported(event({ name }), code)).toMatchObject([
        {
          severity: "warning",
          message: `The \`name\` of "${name}" is in curly quotes, which YAML reads as part of the text.`,
          hint: "Write Jazz Night; if the quotes are intentional, add `ignore: [invisible-characters]` next to it.",
        },
      ]);
    },
  );

  test("in curly quotes a name may have an apostrophe", () => {
    expect(reported(event({ name: "“Manila’s Nights”" }), code)[0]?.hint).toContain("Write Manila’s Nights;");
  });

  test.each(["“Hamlet” and “Macbeth”", "Night of “Jazz”", "“Jazz” Night", "Rock ’n’ Roll", "’80s Night", "The Girls’"])(
    "%s has curly quotes of its own",
    (name) => {
      expect(reported(event({ name }), code)).toEqual([]);
    },
  );

  test("are not reported of an empty name, which is an error already", () => {
    expect(reported(event({ name: "   " }), code)).toEqual([]);
  });

  test("are reported in titles, seats and venues", () => {
    const wish = event({
      venue: " Palace",
      tickets: [ticket({ section: "Balcony  A", row: "A " })],
      schedules: [{ title: "Doors ", startTime: "2027-03-14T19:00", endTime: "2027-03-14T20:00" }],
    });
    expect(reported(wish, code).map(({ source }) => source)).toEqual([
      wish.places.venue,
      child(wish, "ticket").places.section,
      child(wish, "ticket").places.row,
      child(wish, "schedule").places.title,
    ]);
  });

  test.each(["Manila Nights", "Gabi ng Piña — ₱99!", "Family 👨‍👩‍👧 Day ❤️", "می‌خواهم", "क्‍ष", "東京 Night", "O"])(
    "%s is fine",
    (name) => {
      expect(reported(event({ name }), code)).toEqual([]);
    },
  );

  test("texts that are no names are not looked at", () => {
    expect(reported(event({ description: "Two  spaces \u200b" }), code)).toEqual([]);
    expect(reported(webhook(), code)).toEqual([]);
  });
});
