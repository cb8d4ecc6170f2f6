import fc from "fast-check";
import { expect, it } from "vitest";
import { disarmCell, safeSentence, sanitize } from "../../../src/report/text/sanitize.ts";

it.each([
  ["an escape", "\u001b[31m", "\\u{1b}[31m"],
  ["a line end", "a\nb\r\n", "a\\u{a}b\\u{d}\\u{a}"],
  ["a C1 control", "\u009b", "\\u{9b}"],
  ["DEL", "\u007f", "\\u{7f}"],
  ["bidi", "\u202ea\u2066", "\\u{202e}a\\u{2066}"],
  ["zero width", "\u200b\ufeff\u2060", "\\u{200b}\\u{feff}\\u{2060}"],
  ["separators of lines", "\u2028\u2029", "\\u{2028}\\u{2029}"],
  ["half a character", "\ud83c", "\\u{d83c}"],
  ["a joiner of nothing", "a\u200db 🎉\u200dc \u200d🎉", "a\\u{200d}b 🎉\\u{200d}c \\u{200d}🎉"],
  ["emoji of several", "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈", "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈"],
  ["what people write", "Piñata 🎉 寿司 ₱1,500 – “ok”", "Piñata 🎉 寿司 ₱1,500 – “ok”"],
])("%s is harmless", (_, text, expected) => {
  expect(sanitize(text)).toBe(expected);
});

it("a message that lists things in lines is one sentence; a line end within a name is shown", () => {
  expect(safeSentence("It is one of these:\n  1 · Gala\n  2 · Ball")).toBe("It is one of these: 1 · Gala; 2 · Ball.");
  expect(safeSentence("Bad\nname\n:\n  \u001b::error::x")).toBe("Bad\\u{a}name\\u{a}: \\u{1b}::error::x.");
});

it("leaves nothing that acts on its reader", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(sanitize(text)).not.toMatch(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
        /[\u0000-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/,
      );
    }),
  );
});

it("a cell holds no command of a workflow's runner, but an address of this machine reads as it is", () => {
  expect(disarmCell("::error::x (127.0.0.1, ::1)")).toBe(":\\u{3a}error:\\u{3a}x (127.0.0.1, ::1)");
});
