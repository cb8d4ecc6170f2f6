import { expect, test } from "vitest";
import { diffText } from "../../../src/report/text/line.ts";

function lines(before: string, after: string): readonly string[] {
  return diffText(before, after).map((line) => {
    const text = line.spans.map((span) => {
      if (line.mark !== "~" || span.role === "value") return span.text;
      return span.role === "before" ? `[${span.text}]` : `{${span.text}}`;
    });
    return `${line.mark} ${text.join("")}`;
  });
}

test("a touched line shows its words", () => {
  expect(lines("Gates open at seven.", "Gates open at eight.")).toEqual(["~ Gates open at [seven]{eight}."]);
});

test("a line of which little stays goes, and another comes", () => {
  expect(lines("Gates open at seven.", "No entry after nine!")).toEqual([
    "- Gates open at seven.",
    "+ No entry after nine!",
  ]);
});

test("lines that come and go are between their neighbors; the rest is counted", () => {
  const before = ["one", "two", "three", "four", "five", "six"].join("\n");
  expect(lines(before, `${before}\nseven`)).toEqual(["… 5 unchanged lines", "= six", "+ seven"]);
  expect(lines(before, before.replace("five\n", ""))).toEqual(["… 3 unchanged lines", "= four", "- five", "= six"]);
});

test("a long stretch between two changes is shortened", () => {
  const middle = "word ".repeat(60);
  const [line = ""] = lines(`a ${middle}b`, `x ${middle}y`);
  expect(line).toContain(" … ");
  expect(line.length).toBeLessThan(180);
});

test("spaces around words that come or go are not part of them, and a cut falls between words", () => {
  const [line = ""] = lines(`${"some words ".repeat(12)}end here.`, `${"some words ".repeat(12)}end right here.`);
  expect(line).toMatch(/^~ … (some|words) [a-z ]+ end \{right\} here\.$/);
});

test("a spaces-only change is a change", () => {
  expect(lines("a  b", "a b")).toEqual(["~ a[  ]{ }b"]);
});

test("text that is another one altogether is not searched for likeness for long", () => {
  const many = (letter: string) => Array.from({ length: 4000 }, (_, index) => `${letter} ${index}`).join("\n");
  const began = performance.now();
  expect(lines(many("a"), many("b"))).toHaveLength(8000);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test("a token within a URL is masked before words are compared", () => {
  const said = lines("See https://x.example/?token=first now.", "See https://x.example/?token=second then.").join("\n");
  expect(said).not.toMatch(/first|second/);
});
