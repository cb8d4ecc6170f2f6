import { describe, expect, test } from "vitest";
import { event, reported, webhook } from "../../stage/short-wishes.ts";

describe("webhook-not-https", () => {
  const code = "webhook-not-https";

  test("is reported at the url", () => {
    const wish = webhook({ url: "http://hooks.example.com/orders" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message: "Webhook URLs must use https, and this `url` does not.",
        source: wish.places.url,
      },
    ]);
  });

  test("is reported for an event's callbackUrl", () => {
    const wish = event({ callbackUrl: "http://hooks.example.com/orders" });
    expect(reported(wish, code)).toMatchObject([{ severity: "error", source: wish.places.callbackUrl }]);
  });

  test.each(["hooks.example.com/orders", "/orders", "ftp://hooks.example.com"])("%s is no https address", (url) => {
    expect(reported(webhook({ url }), code)).toHaveLength(1);
  });

  test.each(["http://localhost:3000/orders", "http://127.0.0.1:9/", "http://[::1]:9/"])(
    "%s is spared in the sandbox alone",
    (url) => {
      expect(reported(webhook({ url }), code)).toHaveLength(1);
      expect(reported(webhook({ url }), code, { environment: "sandbox" })).toEqual([]);
      expect(reported(event({ callbackUrl: url }), code, { environment: "sandbox" })).toEqual([]);
    },
  );

  test("the sandbox spares nothing but loopback", () => {
    const wish = webhook({ url: "http://hooks.example.com/orders" });
    expect(reported(wish, code, { environment: "sandbox" })).toHaveLength(1);
    expect(reported(webhook({ url: "ftp://localhost/x" }), code, { environment: "sandbox" })).toHaveLength(1);
  });

  test("https is fine", () => {
    expect(reported(webhook(), code)).toEqual([]);
    expect(reported(event({ callbackUrl: "https://hooks.example.com/x" }), code)).toEqual([]);
    expect(reported(event({ callbackUrl: null }), code)).toEqual([]);
  });
});

describe("not-a-public-url of a webhook", () => {
  const code = "not-a-public-url";

  test("https into a private network is reported at the url", () => {
    const wish = webhook({ url: "https://192.168.1.20/orders" });
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message: "The service cannot reach this `url`: it points to a private network.",
        source: wish.places.url,
      },
    ]);
  });

  test("https to loopback is spared in the sandbox", () => {
    const wish = webhook({ url: "https://localhost/orders" });
    expect(reported(wish, code)).toHaveLength(1);
    expect(reported(wish, code, { environment: "sandbox" })).toEqual([]);
  });

  test("what is not https is reported once", () => {
    expect(reported(webhook({ url: "http://10.0.0.1/" }), code)).toEqual([]);
  });
});

describe("webhook-without-events", () => {
  const code = "webhook-without-events";

  test("is reported at the empty list", () => {
    const empty = webhook({ events: [] });
    expect(reported(empty, code)).toMatchObject([
      {
        severity: "error",
        message:
          'The webhook "https://hooks.example.com/orders" lists no `events`, so it would receive no notifications.',
        source: empty.places.events,
      },
    ]);
  });

  test("a list, and one that is missing or could not be read and is reported elsewhere, are fine", () => {
    expect(reported(webhook(), code)).toEqual([]);
    expect(reported(webhook({ events: "order.completed" }), code)).toEqual([]);
    expect(reported(webhook({ events: undefined }), code)).toEqual([]);
  });
});
