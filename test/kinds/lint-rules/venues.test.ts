import { describe, expect, test } from "vitest";
import { event, reported } from "../../stage/short-wishes.ts";

const id = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";

describe("venue-missing", () => {
  const code = "venue-missing";

  test("is reported where the venue should be", () => {
    const wish = event({ venue: undefined });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: '"Manila Nights" takes place at a venue, but does not say which.',
        source: wish.source,
      },
    ]);
    const stated = event({ venue: undefined, locationType: "VENUE" });
    expect(reported(stated, code)).toMatchObject([{ source: stated.places.locationType }]);
    const cleared = event({ venue: undefined, venueId: null });
    expect(reported(cleared, code)).toMatchObject([{ source: cleared.places.venueId }]);
  });

  test.each([
    ["a venue's name", {}],
    ["a venue's id", { venue: undefined, venueId: id }],
    ["an online event", { venue: undefined, locationType: "ONLINE" }],
    ["a pinned event", { id, venue: undefined }],
    ["a pinned event at a venue", { id, venue: undefined, locationType: "VENUE" }],
    ["a deleted event", { status: "DELETED", venue: undefined }],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });
});

describe("local-time-odd, for a venue abroad", () => {
  const code = "local-time-odd";
  const abroad = { name: "WWW X", city: "Tokyo", country: "Japan" };

  test("is reported at the start if no time zone is written", () => {
    const wish = event({ venue: abroad });
    expect(reported(wish, code)).toMatchObject([
      {
        message:
          '"Manila Nights" takes place in Japan, but has no `timezone`: its times count as times in Asia/Manila.',
        source: wish.places.dateTime,
      },
    ]);
  });

  test.each([
    ["a time zone", { venue: abroad, timezone: "Asia/Tokyo" }],
    ["the country of the default", { venue: { name: "Palace", country: "Philippines" } }],
    ["a pinned event", { id, venue: abroad }],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });
});

describe("venue-on-online-event", () => {
  const code = "venue-on-online-event";

  test("is reported at the venue", () => {
    const named = event({ locationType: "ONLINE" });
    expect(reported(named, code)).toMatchObject([
      { severity: "warning", message: '"Manila Nights" is ONLINE, but names a venue.', source: named.places.venue },
    ]);
    const pinned = event({ locationType: "ONLINE", venue: undefined, venueId: id });
    expect(reported(pinned, code)).toMatchObject([{ source: pinned.places.venueId }]);
  });

  test("no venue, and a cleared one, are fine", () => {
    expect(reported(event({ locationType: "ONLINE", venue: undefined }), code)).toEqual([]);
    expect(reported(event({ locationType: "ONLINE", venue: undefined, venueId: null }), code)).toEqual([]);
    expect(reported(event(), code)).toEqual([]);
  });
});
