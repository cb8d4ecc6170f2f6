import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Form } from "../../../src/kinds/define.ts";
import { canonical, sameMeaning, sameValue, withoutMarkup } from "../../../src/kinds/fields/canonical.ts";

const forms: readonly Form[] = [
  "text",
  "markup",
  "instant",
  "number",
  "flag",
  "choice",
  "color",
  "set",
  "list",
  "id",
  "url",
];

describe("two ways to say the same", () => {
  test.each<[Form, unknown, unknown]>([
    ["text", "  Café \r\n night ", "Cafe\u0301 \n night"],
    ["text", "2027", 2027],
    ["text", "", null],
    ["text", " \n ", null],
    ["url", " https://example.com/a ", "https://example.com/a"],
    ["url", " ", null],
    ["instant", "2027-03-14T19:00:00+08:00", "2027-03-14T11:00:00.000Z"],
    ["instant", "2027-03-14T11:00Z", "2027-03-14T11:00:00Z"],
    ["instant", "2027-03-14T11:00:00", "2027-03-14T11:00:00Z"],
    ["instant", "2027-03-14 11:00:00", "2027-03-14T11:00:00Z"],
    ["instant", 1_805_022_000_000, "2027-03-14T11:00:00.000Z"],
    ["number", "1500", 1500],
    ["number", "1500.00", 1500],
    ["color", "#ff8800", "#FF8800"],
    ["choice", "general_admission", "GENERAL_ADMISSION"],
    ["id", "0B0E7A4E-52A5-4B0C-9A53-3F1D6F5F7C11", "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11"],
    ["set", ["b", "a", "b"], ["a", "b"]],
    ["list", [{ url: "https://example.com/1" }], ["https://example.com/1"]],
    ["list", [], null],
  ])("%s: %j and %j", (form, one, other) => {
    expect(canonical(form, one)).not.toBeUndefined();
    expect(sameValue(canonical(form, one), canonical(form, other))).toBe(true);
  });
});

describe("what differs stays different", () => {
  test.each<[Form, unknown, unknown]>([
    ["text", "VIP", "vip"],
    ["text", "a b", "a  b"],
    ["instant", "2027-03-14T11:00:00Z", "2027-03-14T11:00:01Z"],
    ["number", 1500, "1500.50"],
    ["list", ["a", "b"], ["b", "a"]],
    ["set", ["a"], ["a", "b"]],
    ["flag", true, false],
    ["choice", "PUBLIC", "PRIVATE"],
  ])("%s: %j and %j", (form, one, other) => {
    expect(sameValue(canonical(form, one), canonical(form, other))).toBe(false);
  });
});

test.each<[Form, unknown]>([
  ["text", true],
  ["text", {}],
  ["instant", "soon"],
  ["instant", Number.NaN],
  ["number", "₱1,500"],
  ["number", Number.POSITIVE_INFINITY],
  ["flag", "true"],
  ["list", "a"],
  ["list", [1]],
  ["id", 7],
])("%s cannot be %j", (form, value) => {
  expect(canonical(form, value)).toBeUndefined();
});

test("the canonical form of a canonical value is itself", () => {
  fc.assert(
    fc.property(fc.constantFrom(...forms), fc.oneof(fc.string(), fc.date(), fc.jsonValue()), (form, value) => {
      const once = canonical(form, value instanceof Date ? value.getTime() : value);
      if (once !== undefined) expect(canonical(form, once)).toEqual(once);
    }),
  );
});

test.each([
  ["<p>Doors at <b>seven</b>.</p>", "Doors at seven."],
  ["<p>One.</p><p>Two.</p>", "One.\n\nTwo."],
  ["Salt &amp; Vinegar<br/>live", "Salt & Vinegar\nlive"],
  ["a &lt; b", "a < b"],
  ["Rock &#38; Roll &#x22;Ni\u00f1o&#x27;s&#X22; &#39;night&#039;", "Rock & Roll \"Ni\u00f1o's\" 'night'"],
  ["&#x110000; &#9999999; &#; &x;", "&#x110000; &#9999999; &#; &x;"],
])("%s reads as plain text", (markup, plain) => {
  expect(withoutMarkup(markup)).toBe(withoutMarkup(plain));
  expect(withoutMarkup(markup)).not.toContain("<p>");
});

describe("sameMeaning", () => {
  test.each([
    ["url", "https://example.com/", "https://Example.com", true],
    ["url", "https://example.com/A", "https://example.com/a", false],
    ["url", "not a url", "not a url/", false],
    ["list", ["https://example.com/a%20b.png"], ["https://example.com/a b.png"], true],
    ["list", ["https://example.com/a.png"], ["https://example.com/b.png"], false],
    ["text", "https://example.com/", "https://example.com", false],
  ] as const)("%s %j shows %j: %s", (form, shown, wish, isSame) => {
    expect(sameMeaning(form, shown, wish)).toBe(isSame);
  });
});
