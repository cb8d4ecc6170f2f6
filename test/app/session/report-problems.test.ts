import { expect, test } from "vitest";
import { writeLines } from "../../../src/app/session/report-problems.ts";

function said(isTerminal: boolean, lines: readonly string[]): string {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  writeLines({ isTerminal, columns: 40, write }, lines);
  return text;
}

const long = [
  "error: a sentence that is longer than forty columns",
  "  and a hint that is longer than that too, all of it",
];

test("a terminal gets lines that are broken between words, and continue indented", () => {
  expect(said(true, long)).toBe(
    "error: a sentence that is longer than\n  forty columns\n  and a hint that is longer than that\n    too, all of it\n",
  );
});

test("a file gets them as they are", () => {
  expect(said(false, long)).toBe(`${long.join("\n")}\n`);
});
