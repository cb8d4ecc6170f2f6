import { expect, test } from "vitest";
import { displayWidth, renderTable } from "../../../src/report/text/table.ts";

const columns = [{ title: "Event" }, { title: "Sold", align: "right" }, { title: "Id", whole: true }] as const;

test("numbers are aligned right, and columns are as wide as they need to be", () => {
  const rows = [
    ["Manila Nights", "132", "a1"],
    ["Gala", "7", "b2"],
  ];
  expect(renderTable(columns, rows, { columns: 80 })).toBe(
    [
      "Event          Sold  Id",
      "-------------  ----  --",
      "Manila Nights   132  a1",
      "Gala              7  b2",
      "",
    ].join("\n"),
  );
});

test("wide letters and emoji keep the columns aligned", () => {
  const rows = [
    ["東京ジャズ", "1", "xx"],
    ["🎷 Sax", "22", "xx"],
    ["Café", "3", "xx"],
    ["Cafe\u0301 🇵🇭", "4", "xx"],
    ["👍🏽 Big ✌️ ✔", "5", "xx"],
  ];
  const lines = renderTable(columns, rows, { columns: 80 }).trimEnd().split("\n");
  expect(new Set(lines.slice(1).map((line) => displayWidth(line))).size).toBe(1);
});

test("wide names wrap within their column, and what is copied stays whole", () => {
  const id = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";
  const name = "The very long name of an evening with a great many performers and 東京ジャズ・フェスティバル";
  for (const width of [60, 80]) {
    const lines = renderTable(columns, [[name, "1,200", id]], { columns: width })
      .trimEnd()
      .split("\n");
    expect(lines.every((line) => displayWidth(line) <= width)).toBe(true);
    expect(lines[2]).toContain(id);
    expect(lines.length).toBeGreaterThan(3);
  }
});

test("a table never grows wider than the terminal, not even by what should stay whole", () => {
  const id = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";
  const lines = renderTable(columns, [["Name", "1", id]], { columns: 24 })
    .trimEnd()
    .split("\n");
  expect(lines.every((line) => displayWidth(line) <= 24)).toBe(true);
});

test("a name next to a long path can still be read", () => {
  const file = "events/2027/spring/an-evening-with-a-great-many-performers.yaml";
  const lines = renderTable([{ title: "File", whole: true }, { title: "What" }], [[file, "Manila Nights"]], {
    columns: 60,
  }).split("\n");
  expect(lines.join("\n")).toMatch(/Manila\n/);
  expect(lines.every((line) => displayWidth(line) <= 60)).toBe(true);
});

test("cells are data: escapes and line ends are shown, not obeyed", () => {
  expect(renderTable([{ title: "N" }], [["a\u001b[2J\nb"]], { columns: 80 })).toContain("a\\u{1b}[2J\\u{a}b");
});

test("without rows there are still titles", () => {
  expect(renderTable([{ title: "Name" }], [], { columns: 80 })).toBe("Name\n----\n");
});
