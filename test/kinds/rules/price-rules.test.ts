import { describe, expect, test } from "vitest";
import { child, event, reported, ticket } from "../../stage/short-wishes.ts";

describe("price-looks-like-centavos", () => {
  const code = "price-looks-like-centavos";

  function priced(...prices: number[]) {
    return event({ tickets: prices.map((price, index) => ticket({ name: `T${index}`, price })) });
  }

  function severities(...prices: number[]) {
    return reported(priced(...prices), code).map(({ severity }) => severity);
  }

  test("a price from 100,000 on is an error that names the price meant", () => {
    const wish = event({ tickets: [ticket({ price: 150_000 })] });
    expect(reported(wish, code)).toEqual([
      {
        code,
        severity: "error",
        message: '"GA" costs ₱150,000.00. Prices are whole pesos: did you mean 1500?',
        hint: "Write `price: 1500`. If 150000 is right, add `ignore: [price-looks-like-centavos]` to the ticket type.",
        address: "events/manila-nights/tickets/GA",
        source: child(wish, "ticket").places.price,
      },
    ]);
  });

  test("one that is no round sum of centavos gets no guess", () => {
    expect(reported(priced(150_050.0 + 1), code)[0]?.message).toBe(
      '"T0" costs ₱150,051.00. Prices are whole pesos, not centavos.',
    );
  });

  test("a hundred times the median of the others is an error", () => {
    expect(severities(500, 600, 50_000)).toEqual(["warning"]);
    expect(severities(500, 600, 55_000)).toEqual(["error"]);
    expect(severities(500, 50_000)).toEqual(["error"]);
  });

  test("twenty times the median of the others is a warning: tables are dear", () => {
    expect(severities(500, 10_000)).toEqual(["warning"]);
    expect(severities(500, 9_900)).toEqual([]);
    expect(severities(500, 10_050)).toEqual([]);
  });

  test("all prices from 20,000 on are a warning each", () => {
    expect(severities(20_000)).toEqual(["warning"]);
    expect(severities(25_000, 50_000)).toEqual(["warning", "warning"]);
    expect(severities(19_999)).toEqual([]);
    expect(severities(25_000, 19_000)).toEqual([]);
  });

  test("beside prices that hardly any ticket has, those may be the wrong ones", () => {
    const hints = (...prices: number[]) => reported(priced(...prices), code).map(({ hint }) => hint);
    expect(hints(15, 1_200)).toEqual([
      "Write `price: 12`. If the other prices lack two zeros, correct those instead. If 1200 is right, add `ignore: [price-looks-like-centavos]` to the ticket type.",
    ]);
    expect(hints(50, 5_000)[0]).not.toContain("two zeros");
  });

  test("the message says why the price is suspicious", () => {
    expect(reported(priced(5, 400), code)[0]?.message).toContain(
      "₱400.00, but the median of the event's other prices is ₱5.00.",
    );
    expect(reported(priced(25_000), code)[0]?.message).toContain("no paid ticket of the event costs less than ₱20,000");
  });

  test("an expensive event with one expensive box is left alone", () => {
    expect(severities(1500, 4500, 25_000)).toEqual([]);
    expect(severities(99_999, 6_000)).toEqual([]);
  });

  test("free tickets are no measure for the others", () => {
    expect(severities(0, 1500)).toEqual([]);
    expect(severities(0, 0, 0, 500)).toEqual([]);
    expect(severities(0, 30_000)).toEqual(["warning"]);
  });
});

describe("free-event-with-price", () => {
  test("is reported at the price", () => {
    const wish = event({ type: "FREE", tickets: [ticket({ price: 0 }), ticket({ name: "VIP", price: 200 })] });
    expect(reported(wish, "free-event-with-price")).toMatchObject([
      {
        severity: "error",
        message: '"VIP" costs ₱200.00, but the event is FREE.',
        source: child(wish, "ticket", 1).places.price,
      },
    ]);
  });

  test("prices of 0, and of a paid event, are fine", () => {
    expect(reported(event({ type: "FREE", tickets: [ticket({ price: 0 })] }), "free-event-with-price")).toEqual([]);
    expect(reported(event({ type: "PAID" }), "free-event-with-price")).toEqual([]);
  });
});

describe("paid-event-all-free", () => {
  const code = "paid-event-all-free";
  const free = [ticket({ price: 0 }), ticket({ name: "VIP", price: 0 })];

  test("is reported at the type", () => {
    const wish = event({ type: "PAID", tickets: free });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: '"Manila Nights" is PAID, but every ticket type costs nothing.',
        // Ticket types have a `type` too.
        hint: "Write `type: FREE` in the event itself, or give the ticket types their prices.",
        source: wish.places.type,
      },
    ]);
  });

  test("is reported with the service's default as well", () => {
    const wish = event({ tickets: free });
    expect(reported(wish, code)).toMatchObject([{ source: wish.source }]);
    expect(reported(wish, code)[0]?.message).toContain("without a `type` the service treats the event as PAID");
  });

  test.each([
    ["a FREE event", { type: "FREE", tickets: free }],
    ["an RSVP event", { journeyType: "RSVP", tickets: free }],
    ["one ticket with a price", { type: "PAID", tickets: [...free, ticket({ name: "Late" })] }],
    ["a price that is not managed", { tickets: [{ id: "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11", name: "GA" }] }],
    ["no tickets", { type: "PAID", tickets: [] }],
    ["a pinned event whose type is not managed", { id: "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11", tickets: free }],
  ])("%s is fine", (_, document) => {
    expect(reported(event(document), code)).toEqual([]);
  });
});

describe("rsvp-with-price", () => {
  test("is reported at the price", () => {
    const wish = event({ journeyType: "RSVP", tickets: [ticket()] });
    expect(reported(wish, "rsvp-with-price")).toMatchObject([
      {
        severity: "warning",
        message: '"GA" costs ₱1,500.00, but guests of an RSVP event only say whether they are coming.',
        source: child(wish, "ticket").places.price,
      },
    ]);
  });

  test("free tickets, and other journeys, are fine", () => {
    expect(reported(event({ journeyType: "RSVP", tickets: [ticket({ price: 0 })] }), "rsvp-with-price")).toEqual([]);
    expect(reported(event({ journeyType: "PRESELLING" }), "rsvp-with-price")).toEqual([]);
  });
});

describe("vip-cheaper-than-ga", () => {
  const code = "vip-cheaper-than-ga";

  test("is reported at the price of the VIP ticket", () => {
    const wish = event({ tickets: [ticket(), ticket({ name: "Lounge", type: "VIP", price: 450 })] });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "warning",
        message: '"Lounge" costs ₱450.00, less than "GA" (₱1,500.00).',
        source: child(wish, "ticket", 1).places.price,
      },
    ]);
  });

  test("a name says VIP where no type does", () => {
    expect(reported(event({ tickets: [ticket(), ticket({ name: "Early VIP", price: 450 })] }), code)).toHaveLength(1);
    expect(reported(event({ tickets: [ticket(), ticket({ name: "Vipers' Den", price: 450 })] }), code)).toEqual([]);
    expect(
      reported(event({ tickets: [ticket(), ticket({ name: "VIP", type: "RESERVED_SEAT", price: 450 })] }), code),
    ).toEqual([]);
  });

  test("a cheap early ticket does not hide it", () => {
    const tickets = [
      ticket({ name: "Early Bird", price: 300 }),
      ticket(),
      ticket({ name: "VIP", type: "VIP", price: 450 }),
    ];
    expect(reported(event({ tickets }), code)).toHaveLength(1);
  });

  test("a bundle that costs more than one VIP seat is fine next to a plain GA", () => {
    const tickets = [ticket({ name: "Barkada of 5", price: 6000 }), ticket(), ticket({ name: "VIP", price: 4500 })];
    expect(reported(event({ tickets }), code)).toEqual([]);
  });

  test("the same price, or nothing to compare with, is fine", () => {
    expect(reported(event({ tickets: [ticket(), ticket({ name: "VIP", price: 1500 })] }), code)).toEqual([]);
    expect(reported(event({ tickets: [ticket({ name: "VIP", price: 10 })] }), code)).toEqual([]);
  });
});
