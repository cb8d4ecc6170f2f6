import fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth, wrapPieces, wrapText } from "../../../src/report/text/table.ts";

test("lines break at spaces", () => {
  expect(wrapText("one two three four", 9)).toEqual(["one two", "three", "four"]);
});

test("a word wider than the line is broken, and nothing is lost", () => {
  expect(wrapText("a 0123456789", 4)).toEqual(["a", "0123", "4567", "89"]);
});

test("text without spaces breaks between wide letters, not before what closes", () => {
  expect(wrapText("東京ジャズ。", 10)).toEqual(["東京ジャ", "ズ。"]);
});

test("spaces within a line are kept: two of them may be the change", () => {
  expect(wrapText("  a  b", 20)).toEqual(["  a  b"]);
});

test("pieces that touch stay together", () => {
  const pieces = [
    { text: "from ", tone: 1 },
    { text: "[-ab-]", tone: 2 },
    { text: "{+cd+}", tone: 3 },
    { text: ".", tone: 1 },
  ];
  const lines = wrapPieces(pieces, 14).map((line) => line.map((piece) => piece.text).join(""));
  expect(lines).toEqual(["from", "[-ab-]{+cd+}."]);
});

test("the first line may have another width", () => {
  expect(wrapPieces([{ text: "aa bb cc dd" }], 11, 5).map((line) => line.map((piece) => piece.text).join(""))).toEqual([
    "aa bb",
    "cc dd",
  ]);
});

test("no line is wider than asked, and only spaces go missing", () => {
  const letters = fc.constantFrom("a", "ñ", "東", "ジ", "。", " ", "🎷", "🇵🇭", "e\u0301", "-", "👩🏽");
  const texts = fc.array(letters, { maxLength: 60 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, width) => {
      const lines = wrapText(text, width);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }),
  );
});
