// The table of a series: a sheet with a column `date`; every other column is a variable on that date.
import { posix } from "node:path";
import { type Code, type Diagnostic, errorAt, type Source, suggest } from "../../../model/diagnostic.ts";
import { decodeFile, type FileSource } from "../../files/read-text.ts";
import { readDay } from "../../time/read-time.ts";
import type { LocatedScalar } from "../../yaml/located.ts";
import type { Cell } from "./read-csv.ts";

export interface Sheet {
  readonly rows: readonly SheetRow[];
}

export interface SheetRow {
  /** `2027-01-08` */
  readonly day: string;
  readonly source: Source;
  /** By column; without those whose cell is empty. */
  readonly vars: ReadonlyMap<string, LocatedScalar>;
}

/** The sheet that `table` of a series in `file` names; null if there is a problem with it as a whole. */
export async function loadSheet(
  files: FileSource,
  file: string,
  table: LocatedScalar,
  problems: Diagnostic[],
): Promise<Sheet | null> {
  const written = String(table.value ?? "").trim();
  const path = posix.normalize(posix.join(posix.dirname(file), written));
  const outside = written === "" || path.startsWith("../") || /^(?:\/|[A-Za-z]:)|\\/.test(written);
  const bytes = outside ? "outside" : await files.read(path);
  if (typeof bytes === "string") {
    const [code, message, hint] = whyNot(bytes, written, path);
    problems.push(errorAt(code, table.source, message, hint));
    return null;
  }
  const found: Diagnostic[] = [];
  const text = decodeFile(path, bytes, found);
  problems.push(...found.map((one) => (one.code === "not-text" ? { ...one, hint: "Save it as CSV in UTF-8." } : one)));
  return text === null ? null : readSheet(path, text, problems);
}

function whyNot(problem: string, written: string, path: string): readonly [code: Code, message: string, hint: string] {
  switch (problem) {
    case "outside":
      return [
        "outside-project",
        `"${written}" is not a path inside the project.`,
        "Write the path from this file's folder, with /, like line-up.csv.",
      ];
    case "missing":
      return ["bad-sheet", `The sheet ${path} does not exist.`, "Save it there, or correct `table`."];
    default:
      return ["bad-sheet", `The sheet ${path} cannot be read.`, "Check that it is a file of at most 1 MiB."];
  }
}

/** The rows of a sheet. What is wrong with a cell is told at the cell, and its row is left out. */
export async function readSheet(file: string, text: string, problems: Diagnostic[]): Promise<Sheet | null> {
  const { readCsv } = await import("./read-csv.ts");
  const read = readCsv(file, text);
  if ("message" in read) {
    problems.push(errorAt("bad-sheet", read.source, read.message, read.hint));
    return null;
  }
  const [header = [], ...lines] = read;
  const dateColumn = header.findIndex((cell) => cell.text.toLowerCase() === "date");
  if (dateColumn === -1) {
    const source = header[0]?.source ?? { file, line: 1, column: 1 };
    const near = suggest(
      "date",
      header.map((cell) => cell.text),
    );
    const hint = near === null ? "Name the columns in the first line: date,headliner." : `Rename \`${near}\` to date.`;
    problems.push(errorAt("bad-sheet", source, "The sheet has no column `date`.", hint));
    return null;
  }
  checkColumns(header, problems);
  const rows = new Map<string, SheetRow>();
  for (const line of lines) {
    const row = readRow(line, header, dateColumn, problems);
    const first = row === null ? undefined : rows.get(row.day);
    if (row !== null && first !== undefined) {
      const problem = errorAt("bad-sheet", row.source, `Two rows are for ${row.day}.`, "Make one row of them.");
      problems.push({ ...problem, related: [{ message: "the first one", source: first.source }] });
    } else if (row !== null) rows.set(row.day, row);
  }
  return { rows: [...rows.values()] };
}

function checkColumns(header: readonly Cell[], problems: Diagnostic[]): void {
  const seen = new Map<string, Source>();
  for (const { text, source } of header) {
    const first = seen.get(text);
    if (text !== "" && first !== undefined) {
      const problem = errorAt("bad-sheet", source, `Two columns are named ${text}.`, "Rename one of them.");
      problems.push({ ...problem, related: [{ message: "the first one", source: first }] });
    } else seen.set(text, source);
  }
}

function readRow(
  line: readonly Cell[],
  header: readonly Cell[],
  dateColumn: number,
  problems: Diagnostic[],
): SheetRow | null {
  const [firstCell] = line;
  const date = line[dateColumn] ?? firstCell;
  const day = readDay(line[dateColumn]?.text ?? "");
  if (date === undefined) return null;
  if (day === null) {
    const isEmpty = (line[dateColumn]?.text ?? "") === "";
    const message = isEmpty ? "This row has no date." : `"${date.text}" is not a date.`;
    problems.push(errorAt("bad-sheet", date.source, message, "Write it like 2027-01-08."));
    return null;
  }
  const vars = new Map<string, LocatedScalar>();
  for (const [index, { text, source }] of line.entries()) {
    const name = header[index]?.text ?? "";
    if (index === dateColumn || text === "") continue;
    if (name === "") {
      const hint = "Name the column in the first line; a text with a separator in it needs quotes.";
      problems.push(errorAt("bad-sheet", source, `"${text}" is in a column without a name.`, hint));
    } else vars.set(name, { type: "scalar", value: text, source, plain: true, cell: true });
  }
  return { day, source: date.source, vars };
}
