import { describe, expect, test } from "vitest";
import { child, event, reported } from "../../stage/short-wishes.ts";

describe("placeholder-text", () => {
  const code = "placeholder-text";

  test("is reported at the field, in the event and below it", () => {
    const wish = event({
      description: "Doors: tbd.",
      venue: "TBA",
      performers: [{ name: "TBA" }],
      schedules: [{ title: "Lorem ipsum", startTime: "2027-03-14T20:00", endTime: "2027-03-14T21:00" }],
      brands: [{ name: "ACME", description: "Call 09XX-XXX-XXXX" }],
    });
    expect(reported(wish, code).map(({ severity, message, source }) => ({ severity, message, source }))).toEqual([
      {
        severity: "warning",
        message: 'The `description` of "Manila Nights" still says "tbd", but the event will be published.',
        source: wish.places.description,
      },
      {
        severity: "warning",
        message: 'The `venue` of "Manila Nights" still says "TBA", but the event will be published.',
        source: wish.places.venue,
      },
      {
        severity: "warning",
        message: 'The `name` of "TBA" still says "TBA", but the event will be published.',
        source: child(wish, "performer").places.name,
      },
      {
        severity: "warning",
        message: 'The `title` of "Lorem ipsum" still says "Lorem", but the event will be published.',
        source: child(wish, "schedule").places.title,
      },
      {
        severity: "warning",
        message: 'The `description` of "ACME" still says "XXX", but the event will be published.',
        source: child(wish, "brand").places.description,
      },
    ]);
  });

  test("of another program is a variable that was not filled in", () => {
    const [said] = reported(event({ name: "Friday Reggae: {{ act }}" }), code);
    expect(said).toMatchObject({
      message: expect.stringContaining('still says "{{ act }}"'),
      hint: "Write the final text; a variable is written ${var.act}.",
    });
  });

  test.each([
    ["words that hold the letters", { description: "Outback football at the Exxxtreme Dolorem; Part XXXV; ÑTBA" }],
    ["addresses", { imageUrl: "https://example.com/tba/xxx.jpg" }],
    ["a draft", { status: "DRAFT", description: "TBD" }],
    ["a status that is not managed", { status: undefined, description: "TBD" }],
  ])("%s: fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });
});
