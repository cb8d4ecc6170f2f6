import { expect, test } from "vitest";
import { makeAddress } from "../../../src/model/address.ts";
import { maskUrls } from "../../../src/model/value/secret-shapes.ts";

test.each([
  ["see https://hooks.example.com/orders?token=abc&x=1 there", "see https://hooks.example.com/orders?*** there"],
  ["https://ana:word@hooks.example.com/orders#top", "https://***@hooks.example.com/orders#top"],
  [
    "`https://hooks.example.com/?a`, 'https://b.example.com?c'",
    "`https://hooks.example.com/?***`, 'https://b.example.com?***'",
  ],
  ["Rotated https://hooks.example.com/orders?token=abc: done.", "Rotated https://hooks.example.com/orders?***: done."],
  ["It is https://hooks.example.com/orders?token=abc.", "It is https://hooks.example.com/orders?***."],
  ["Did you mean https://hooks.example.com/orders?", "Did you mean https://hooks.example.com/orders?"],
  ["https://hooks.example.com/orders", "https://hooks.example.com/orders"],
  ["events/manila-nights/tickets/Who are you?", "events/manila-nights/tickets/Who are you?"],
])("%s", (text, masked) => {
  expect(maskUrls(text)).toBe(masked);
});

test("the address of a webhook", () => {
  const address = makeAddress(null, "webhooks", "https://ana:word@hooks.example.com/orders?token=abc", 2);
  expect(maskUrls(address)).toBe("webhooks/https:%2F%2F***@hooks.example.com%2Forders?***#2");
});
