import { describe, expect, test } from "vitest";
import { child, event, reported, ticket } from "../../stage/short-wishes.ts";

const id = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";

describe("published-not-stated", () => {
  const code = "published-not-stated";

  test("is reported at the ticket type", () => {
    const wish = event({ tickets: [ticket(), ticket({ name: "VIP", published: undefined })] });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message:
          '"VIP" does not say whether it is on sale; without `published: true`, a new ticket type is not put on sale.',
        source: child(wish, "ticket", 1).source,
      },
    ]);
  });

  test("one that is sold out is not to be withdrawn, which the service cannot do", () => {
    const wish = event({ tickets: [ticket({ published: undefined, soldOut: true })] });
    expect(reported(wish, code).map(({ hint }) => hint)).toEqual([
      "If it has been on sale, write `published: true`: its sale still ends because of `soldOut: true`.",
    ]);
  });

  test.each([
    ["false", { tickets: [ticket(), ticket({ name: "Late", published: false })] }],
    ["a pinned ticket type", { tickets: [ticket({ id, published: undefined })] }],
    ["an unreadable value, which is reported elsewhere", { tickets: [ticket({ published: "yes" })] }],
    ["an archived event", { status: "ARCHIVED", tickets: [ticket({ published: undefined })] }],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });
});

describe("nothing-on-sale", () => {
  const code = "nothing-on-sale";

  test("is reported at the status", () => {
    const wish = event({ tickets: [ticket({ published: false }), ticket({ name: "VIP", published: undefined })] });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message: 'Buyers see "Manila Nights" with nothing to buy: no ticket type has `published: true`.',
        source: wish.places.status,
      },
    ]);
  });

  test("no ticket types at all are nothing to buy, where the event is paid", () => {
    const message = 'Buyers see "Manila Nights" with nothing to buy: it has no ticket types.';
    expect(reported(event({ tickets: [] }), code)).toMatchObject([{ message }]);
    expect(reported(event({ tickets: [], type: "PAID" }), code)).toHaveLength(1);
  });

  test.each([
    ["one on sale", { tickets: [ticket({ published: false }), ticket({ name: "VIP" })] }],
    ["a draft", { status: "DRAFT", tickets: [ticket({ published: false })] }],
    ["a status that is not managed", { status: undefined, tickets: [ticket({ published: false })] }],
    ["ticket types that are not managed", { tickets: undefined }],
    ["a free event without ticket types", { type: "FREE", tickets: [] }],
    ["an RSVP event without ticket types", { journeyType: "RSVP", tickets: [] }],
    ["a pinned ticket type that may be on sale", { tickets: [ticket({ id, published: undefined })] }],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });

  test("a closed sale beside one that never opened is a warning at the latter", () => {
    const early = ticket({ name: "Early bird", soldOut: true });
    const wish = event({ tickets: [early, ticket({ published: false })] });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message:
          'Buyers see "Manila Nights" with nothing to buy: what was on sale has `soldOut: true`, and "GA" is not on sale.',
        source: child(wish, "ticket", 1).places.published,
      },
    ]);
  });

  test.each([
    ["an event that is sold out", [ticket({ soldOut: true }), ticket({ name: "VIP", soldOut: true })]],
    [
      "one sale that goes on",
      [ticket({ soldOut: true }), ticket({ name: "VIP" }), ticket({ name: "C", published: false })],
    ],
  ])("%s is fine", (_, tickets) => {
    expect(reported(event({ tickets }), code)).toEqual([]);
  });

  test("a free event with ticket types needs one on sale", () => {
    expect(reported(event({ type: "FREE", tickets: [ticket({ price: 0, published: false })] }), code)).toHaveLength(1);
  });
});

describe("reserved-seat-without-seat", () => {
  const code = "reserved-seat-without-seat";

  test("is reported at the type, with what is missing", () => {
    const wish = event({
      tickets: [ticket({ type: "RESERVED_SEAT" }), ticket({ name: "B", type: "RESERVED_SEAT", section: "Balcony" })],
    });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: '"GA" is a reserved seat without a section and a row: buyers would not know where to sit.',
        hint: "Write its `section` and `row`, or make it `type: GENERAL_ADMISSION`.",
        source: child(wish, "ticket").places.type,
      },
      { message: '"B" is a reserved seat without a row: buyers would not know where to sit.' },
    ]);
  });

  test.each([
    ["a seat", { type: "RESERVED_SEAT", section: "Balcony", row: "A" }],
    ["general admission", { type: "GENERAL_ADMISSION" }],
    ["a pinned ticket type", { id, type: "RESERVED_SEAT" }],
  ])("%s is fine", (_, document) => {
    expect(reported(event({ tickets: [ticket(document)] }), code)).toEqual([]);
  });
});

describe("bare-listing", () => {
  const code = "bare-listing";

  test("is reported at the status, with all that is missing", () => {
    const wish = event({ imageUrl: undefined, description: "", endDateTime: null });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: 'Buyers see "Manila Nights" without an image, a description or an end time.',
        hint: "Add `imageUrl`, `description` and `endDateTime`.",
        source: wish.places.status,
      },
    ]);
    expect(reported(event({ imageUrl: undefined }), code)).toMatchObject([
      { message: 'Buyers see "Manila Nights" without an image.' },
    ]);
  });

  test.each([
    ["a full listing", {}],
    ["a draft", { status: "DRAFT", imageUrl: undefined }],
    ["a pinned event, which leaves out what is not managed", { id, imageUrl: undefined, description: undefined }],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });

  test("a pinned event that clears its image is bare", () => {
    expect(reported(event({ id, imageUrl: null }), code)).toHaveLength(1);
  });
});
