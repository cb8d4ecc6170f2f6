import { expect, test } from "vitest";
import { parseUrl } from "../../src/model/value.ts";

test("an address is read the same, however many were read before it", () => {
  // Enough for Node to compile what it calls: `URL.canParse` is wrong from then on.
  for (let at = 0; at < 100_000; at += 1) parseUrl(`https://a.example/${at}`);
  expect(parseUrl("https://bücher.example/v1")?.host).toBe("xn--bcher-kva.example");
  expect(parseUrl("bücher")).toBeNull();
});
