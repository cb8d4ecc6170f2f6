import { describe, expect, test } from "vitest";
import { child, event, reported, ticket } from "../../stage/short-wishes.ts";

const id = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";

describe("max-purchase-above-quantity", () => {
  const code = "max-purchase-above-quantity";

  test.each([
    [ticket({ quantity: 1 }), "Write `maximumPurchaseQuantity: 1`."],
    [ticket({ quantity: 2 }), "Write `maximumPurchaseQuantity: 2` or less."],
    [ticket({ quantity: 1, maximumPurchaseQuantity: 2 }), "Set `maximumPurchaseQuantity` to 1."],
  ])("names the only number that is left of 1", (one, hint) => {
    expect(reported(event({ tickets: [one] }), code)).toMatchObject([{ hint }]);
  });

  test("is an error where it is written", () => {
    const wish = event({ tickets: [ticket({ quantity: 5, maximumPurchaseQuantity: 6 })] });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message: 'One order may contain 6 of "GA", but there are only 5.',
        hint: "Set `maximumPurchaseQuantity` to 5 or less.",
        source: child(wish, "ticket").places.maximumPurchaseQuantity,
      },
    ]);
  });

  test("is a warning at the quantity where the service's default of 8 applies", () => {
    for (const own of [{}, { maximumPurchaseQuantity: null }]) {
      const wish = event({ tickets: [ticket({ quantity: 7, ...own })] });
      expect(reported(wish, code)).toMatchObject([
        {
          severity: "warning",
          message: 'There are only 7 of "GA", but one order may contain 8 by default.',
          source: child(wish, "ticket").places.quantity,
        },
      ]);
    }
    expect(reported(event({ tickets: [ticket({ quantity: 1 })] }), code)).toMatchObject([
      { message: 'There is only 1 of "GA", but one order may contain 8 by default.' },
    ]);
  });

  test("is reported at the quantity where the maximum comes from the project's defaults", () => {
    const built = event({ tickets: [ticket({ quantity: 5, maximumPurchaseQuantity: 6 })] });
    const inner = child(built, "ticket");
    const places = { ...inner.places, maximumPurchaseQuantity: { file: "ticketing.yaml", line: 9, column: 5 } };
    const wish = { ...built, children: { ticket: [{ ...inner, places }] } };
    expect(reported(wish, code)).toMatchObject([{ severity: "error", source: inner.places.quantity }]);
  });

  test.each([
    ["as many as there are", { quantity: 5, maximumPurchaseQuantity: 5 }],
    ["eight of eight", { quantity: 8 }],
    ["a pinned ticket type that leaves it out", { id, quantity: 3 }],
    ["one whose quantity is not managed", { id, quantity: undefined, maximumPurchaseQuantity: 10 }],
  ])("%s is fine", (_, document) => {
    expect(reported(event({ tickets: [ticket(document)] }), code)).toEqual([]);
  });
});

describe("tickets-exceed-capacity", () => {
  const code = "tickets-exceed-capacity";

  test("is reported at the capacity, with the difference", () => {
    const wish = event({ eventCapacity: 650 });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: 'The ticket types of "Manila Nights" add up to 700, which is 50 more than its capacity of 650.',
        source: wish.places.eventCapacity,
      },
    ]);
  });

  test("a full house is fine, and so is one without a stated capacity", () => {
    expect(reported(event({ eventCapacity: 700 }), code)).toEqual([]);
    expect(reported(event({ eventCapacity: null }), code)).toEqual([]);
    expect(reported(event(), code)).toEqual([]);
    expect(reported(event({ eventCapacity: 1, tickets: undefined }), code)).toEqual([]);
  });
});
