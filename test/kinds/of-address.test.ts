import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOfAddress, parentAddress } from "../../src/kinds/index.ts";
import { decodeSegment, encodeSegment, makeAddress } from "../../src/model/address.ts";

test.each([
  ["events/manila-nights", "event", null],
  ["events/manila-nights/tickets/VIP", "ticket", "events/manila-nights"],
  ["events/manila-nights/schedules/Doors#2", "schedule", "events/manila-nights"],
  ["webhooks/https:%2F%2Fhooks.example.com%2Forders", "webhook", null],
])("%s names a %s below %s", (address, kind, parent) => {
  expect(kindOfAddress(address).name).toBe(kind);
  expect(parentAddress(address)).toBe(parent);
});

test("an address that names no kind is a bug", () => {
  expect(() => kindOfAddress("people/ana")).toThrow("people/ana");
});

test("any name is one segment, and is decoded as it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const segment = encodeSegment(name);
      expect(segment).not.toMatch(/[/*]/);
      expect(decodeSegment(segment)).toBe(name);
    }),
  );
});

test("the address of the second object with the same name carries a number", () => {
  expect(makeAddress("events/a", "performers", "DJ/Ana*", 2)).toBe("events/a/performers/DJ%2FAna%2A#2");
});
