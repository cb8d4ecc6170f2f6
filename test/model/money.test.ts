import { expect, test } from "vitest";
import { formatCount, formatMoney } from "../../src/model/value.ts";

test.each([
  [0, "₱0.00"],
  [999, "₱999.00"],
  [1500, "₱1,500.00"],
  [1_234_567, "₱1,234,567.00"],
  [-1500, "-₱1,500.00"],
  [14.5, "₱14.50"],
  [Number.NaN, "₱NaN"],
  [1e21, "₱1e+21"],
])("%d pesos read %s", (pesos, text) => {
  expect(formatMoney(pesos)).toBe(text);
});

test.each([
  [8, "8"],
  [700, "700"],
  [12_500, "12,500"],
  [1_000_000, "1,000,000"],
])("the count %d reads %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});
