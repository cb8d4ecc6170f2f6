import fc from "fast-check";
import { expect, test } from "vitest";
import { readInstant } from "../../src/lint/rules/rule.ts";

test("reads what the runtime reads", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(readInstant(date.toISOString())).toBe(date.getTime());
    }),
    { numRuns: 1000 },
  );
});

test.each([
  "2027-02-31T11:00:00.000Z",
  "2027-13-01T11:00:00.000Z",
  "2027-03-01T24:00:00.001Z",
  "2027-03-01T11:60:00.000Z",
  "2027-03-0xT11:00:00.000Z",
  "0099-03-01T11:00:00.000Z",
  "soon",
  "",
])("agrees with the runtime about '%s'", (text) => {
  expect(readInstant(text)).toBe(Date.parse(text));
});
