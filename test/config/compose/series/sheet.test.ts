import { describe, expect, it } from "vitest";
import { loadSheet } from "../../../../src/config/compose/series/sheet.ts";
import type { FileSource } from "../../../../src/config/files/read-text.ts";
import type { LocatedScalar } from "../../../../src/config/yaml/located.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { memoryFiles } from "../../../stage/memory-files.ts";

async function load(csv: string | Uint8Array, table = "line-up.csv", files?: FileSource) {
  const problems: Diagnostic[] = [];
  const node: LocatedScalar = {
    type: "scalar",
    value: table,
    source: { file: "events/club.yaml", line: 9, column: 10 },
    plain: true,
  };
  const source: FileSource = files ?? {
    ...memoryFiles({}),
    read: async () => (typeof csv === "string" ? new TextEncoder().encode(csv) : csv),
  };
  const sheet = await loadSheet(source, "events/club.yaml", node, problems);
  return {
    rows: sheet?.rows.map(({ day, vars }) => [day, ...[...vars].map(([name, { value }]) => `${name}=${value}`)]),
    sheet,
    reported: problems.map(({ code, source: at, message, hint }) => {
      return `${at?.file}:${at?.line}:${at?.column} ${code} ${message} ${hint}`;
    }),
  };
}

describe("a sheet", () => {
  const rows = [
    ["2027-01-08", "headliner=DJ Ana", "price=450"],
    ["2027-01-15", "headliner=Residents"],
  ];

  it.each([
    ["commas", "date,headliner,price\n2027-01-08,DJ Ana,450\n2027-01-15,Residents,\n"],
    ["semicolons", "date;headliner;price\n2027-01-08;DJ Ana;450\n2027-01-15;Residents\n"],
    ["tabs", "date\theadliner\tprice\n2027-01-08\tDJ Ana\t450\n2027-01-15\tResidents\t\n"],
    ["a byte-order mark", "\ufeffdate,headliner,price\n2027-01-08,DJ Ana,450\n2027-01-15,Residents,\n"],
    ["line ends of Windows", "date,headliner,price\r\n2027-01-08,DJ Ana,450\r\n2027-01-15,Residents,\r\n"],
    ["no last line end", "date,headliner,price\n2027-01-08,DJ Ana,450\n2027-01-15,Residents"],
    ["quotes and spaces", '"Date", headliner ,price\n"2027-01-08", "DJ Ana" ,450\n 2027-01-15 ,Residents,\n'],
    ["empty rows and columns", "date,headliner,price,,\n\n2027-01-08,DJ Ana,450,,\n,,,,\n2027-01-15,Residents,,,\n"],
    [
      "a line that names the separator",
      "sep=;\r\ndate;headliner;price\r\n2027-01-08;DJ Ana;450\r\n2027-01-15;Residents\r\n",
    ],
    ["another order", "headliner,price,date\nDJ Ana,450,2027-01-08\nResidents,,2027-01-15\n"],
  ])("with %s", async (_, csv) => {
    const read = await load(csv);
    expect(read.reported).toEqual([]);
    expect(read.rows).toEqual(rows);
  });

  it("is divided by what sets `date` apart, and by the line that says so", async () => {
    const { rows: read } = await load("date;Host, Co-host\n2027-01-08;Ana, Ben\n");
    expect(read).toEqual([["2027-01-08", "Host, Co-host=Ana, Ben"]]);
    const { sheet } = await load("sep=|\ndate|a\n2027-01-08|x\n");
    expect(sheet?.rows[0]?.vars.get("a")).toMatchObject({ value: "x", source: { line: 3, column: 12 } });
  });

  it.each([
    ["date;act\n2027-01-26,Cal\n", "commas, but those of the first line by semicolons. Write 2027-01-26;Cal."],
    [
      "date,act,price\n2027-01-26;Cal;450\n",
      "semicolons, but those of the first line by commas. Write 2027-01-26,Cal,450.",
    ],
  ])("with another separator in one row says so: %j", async (csv, expected) => {
    expect((await load(csv)).reported).toEqual([
      `events/line-up.csv:2:1 bad-sheet The columns of this row are separated by ${expected}`,
    ]);
  });

  it("with dates of a spreadsheet in every row is reported once", async () => {
    const csv = ["date,a", ...Array.from({ length: 50 }, (_, n) => `${(n % 28) + 1}.01.2027,x`)].join("\n");
    expect((await load(csv)).reported).toEqual([
      'events/line-up.csv:2:1 bad-sheet "1.01.2027" is not a date, and 49 other rows have the same problem. Write 2027-01-01. In a spreadsheet, format the column as YYYY-MM-DD and save it again.',
    ]);
    expect((await load("date,a\n1.1.2027,x\n2.1.2027,y\n")).reported).toHaveLength(2);
  });

  it("whose dates have another name is reported with the column to rename", async () => {
    for (const csv of ["Datum,headliner\n2027-01-05,x\n", "headliner;Datum\nx;05.01.2027\n"]) {
      expect((await load(csv)).reported).toEqual([expect.stringContaining("Rename `Datum` to date.")]);
    }
  });

  it("holds texts with separators, quotes and line breaks", async () => {
    const { rows: read } = await load('date,a\n2027-01-08,"x, ""y""\nz"\n2027-01-15,the "Big" one\n');
    expect(read).toEqual([
      ["2027-01-08", 'a=x, "y"\nz'],
      ["2027-01-15", 'a=the "Big" one'],
    ]);
  });

  it("knows the place of each cell, even after texts of several lines and letters of several bytes", async () => {
    const { sheet } = await load('date,a,b\r\n2027-01-08,"Ñandú\r\nduo",Señor\r\n2027-01-15,ü,x\r\n');
    const places = sheet?.rows.flatMap(({ vars }) =>
      [...vars.values()].map(({ source: { line, column } }) => [line, column]),
    );
    expect(places).toEqual([
      [2, 12],
      [3, 6],
      [4, 12],
      [4, 14],
    ]);
  });

  it.each([
    ['date,a\n2027-01-08,"x\n2027-01-15,y\n', "events/line-up.csv:2:12 bad-sheet This quote is never closed."],
    ['date,a\n"2027-01-08,x\n', "events/line-up.csv:2:1 bad-sheet This quote is never closed."],
    ["day,a\n2027-01-08,x\n", "events/line-up.csv:1:1 bad-sheet The sheet has no column `date`."],
    ["", "events/line-up.csv:1:1 bad-sheet The sheet has no column `date`."],
    [
      "a,date\nx,\n",
      "events/line-up.csv:2:3 bad-sheet This row has no date. Write its date in the column `date`, as YYYY-MM-DD, or delete the row.",
    ],
    ["a,date\nx\n", "events/line-up.csv:2:1 bad-sheet This row has no date."],
    ["a,date\nx,8.1.2027\n", 'events/line-up.csv:2:3 bad-sheet "8.1.2027" is not a date.'],
    ["date\n2027-01-08\n2027-01-15\n2027-01-08\n", "events/line-up.csv:4:1 bad-sheet Two rows are for 2027-01-08."],
    ["date,a,a\n2027-01-08,x,y\n", 'events/line-up.csv:1:8 bad-sheet Two columns are named "a".'],
    ["date,a\n2027-01-08,x,y\n", 'events/line-up.csv:2:14 bad-sheet "y" is in a column without a name.'],
    [
      new Uint8Array([0xff, 0xfe, 0x64]),
      "events/line-up.csv:1:1 not-text events/line-up.csv is saved as UTF-16. Save it as CSV in UTF-8.",
    ],
    [new Uint8Array([0x64, 0xe9, 0x0a]), "not-text events/line-up.csv is not UTF-8 text. Save it as CSV in UTF-8."],
  ])("%j is reported at its place", async (csv, expected) => {
    const { reported } = await load(csv);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toContain(expected);
  });
});

describe("the path of a sheet", () => {
  const files = memoryFiles({ "events/line-up.csv": "date\n2027-01-08\n", "sheets/a.csv": "date\n2027-01-15\n" });

  it("is that from the file's own folder, and may go up within the project", async () => {
    expect((await load("", "line-up.csv", files)).rows).toEqual([["2027-01-08"]]);
    expect((await load("", "./line-up.csv", files)).rows).toEqual([["2027-01-08"]]);
    expect((await load("", "../sheets/a.csv", files)).rows).toEqual([["2027-01-15"]]);
  });

  it.each([
    ["../../a.csv", "outside-project"],
    ["/etc/passwd", "outside-project"],
    ["C:/a.csv", "outside-project"],
    ["..\\..\\a.csv", "outside-project"],
    ["", "outside-project"],
    ["lineup.csv", "bad-sheet The sheet events/lineup.csv does not exist."],
  ])("%j is refused at the place where it is written", async (path, expected) => {
    const { reported, rows } = await load("", path, files);
    expect(rows).toBeUndefined();
    expect(reported[0]).toContain(`events/club.yaml:9:10 ${expected}`);
  });
});
