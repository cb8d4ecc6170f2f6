import { expect, test } from "vitest";
import { renderCsv } from "../../../src/report/text/table.ts";

test("rows end in CRLF, and only what needs quotes has them", () => {
  expect(
    renderCsv(
      ["a", "b"],
      [
        ["x", 1],
        ["y,z", true],
        ['say "hi"', null],
        ["two\nlines", -5],
      ],
    ),
  ).toBe('a,b\r\nx,1\r\n"y,z",true\r\n"say ""hi""",\r\n"two\nlines",-5\r\n');
});

test.each(["=1+1", "+639171234567", "-2", "@SUM(A1)", "\t=1", " =1", "\r=1", "\u200b=1", "＝1"])(
  "%j cannot act as a formula",
  (text) => {
    const [, row = ""] = renderCsv(["a"], [[text]]).split(/\r\n/);
    expect(row.replace(/^"/, "")).toMatch(/^'/);
  },
);

test("numbers stay numbers and ordinary text stays as it is", () => {
  expect(renderCsv(["a"], [[-2], ["a=b"], ["x-y"]])).toBe("a\r\n-2\r\na=b\r\nx-y\r\n");
});
