// The table of a series: a sheet with a column `date`; every other column is a variable on that date.
import { posix } from "node:path";
import { kindOf } from "../../../kinds/index.ts";
import { type Code, type Diagnostic, errorAt, type Source, suggest } from "../../../model/diagnostic.ts";
import { formatCount } from "../../../model/value.ts";
import { secretAt } from "../../check/find-secrets.ts";
import { decodeFile, type FileSource } from "../../files/read-text.ts";
import { daysMeantBy, howToWriteDay, readDay } from "../../time/read-time.ts";
import type { LocatedScalar } from "../../yaml/located.ts";
import type { Cell } from "./read-csv.ts";

export interface Sheet {
  /** The cells of the first line, without that of `date` and empty ones. */
  readonly columns: readonly Cell[];
  readonly rows: readonly SheetRow[];
}

export interface SheetRow {
  /** `2027-01-08` */
  readonly day: string;
  readonly source: Source;
  /** By column; without those whose cell is empty. */
  readonly vars: ReadonlyMap<string, LocatedScalar>;
  readonly empty: readonly EmptyCell[];
}

/** By its column; without a day, that of any date without a row. */
export type EmptyCell = Cell & { readonly day?: string };

/** The sheet that `table` of a series in `file` names; null if there is a problem with it as a whole. */
export async function loadSheet(
  files: Pick<FileSource, "read">,
  file: string,
  table: LocatedScalar,
  problems: Diagnostic[],
): Promise<Sheet | null> {
  const written = String(table.value ?? "").trim();
  const path = posix.normalize(posix.join(posix.dirname(file), written));
  const outside = written === "" || path.startsWith("../") || /^(?:\/|[A-Za-z]:)|\\/.test(written);
  const bytes = outside ? "outside" : await files.read(path);
  if (typeof bytes === "string") {
    const [code, message, hint] = sheetProblem(bytes, written, path);
    problems.push(errorAt(code, table.source, message, hint));
    return null;
  }
  const found: Diagnostic[] = [];
  const text = decodeFile(path, bytes, found);
  problems.push(...found.map((one) => (one.code === "not-text" ? { ...one, hint: "Save it as CSV in UTF-8." } : one)));
  return text === null ? null : readSheet(path, text, problems);
}

function sheetProblem(
  problem: string,
  written: string,
  path: string,
): readonly [code: Code, message: string, hint: string] {
  switch (problem) {
    case "outside":
      return [
        "outside-project",
        `"${written}" is not a path inside the project.`,
        "Write the path from this file's folder, with forward slashes, such as sheets/line-up.csv.",
      ];
    case "missing":
      return ["bad-sheet", `The sheet ${path} does not exist.`, "Save it there, or correct `table`."];
    default:
      return ["bad-sheet", `The sheet ${path} cannot be read.`, "Check that it is a file of at most 1 MiB."];
  }
}

/** The rows of a sheet. Problems of a cell are reported at the cell, and its row is left out. */
export async function readSheet(file: string, text: string, problems: Diagnostic[]): Promise<Sheet | null> {
  const { separatorOf, readCsv } = await import("./read-csv.ts");
  const read = readCsv(file, text);
  if ("message" in read) {
    problems.push(errorAt("bad-sheet", read.source, read.message, read.hint));
    return null;
  }
  const [header = [], ...lines] = read;
  const dateColumn = header.findIndex((cell) => cell.text.toLowerCase() === "date");
  if (dateColumn === -1) {
    const source = header[0]?.source ?? { file, line: 1, column: 1 };
    const near = header.find((cell, index) => cell.text !== "" && holdsDays(lines, index))?.text;
    const hint =
      near === undefined
        ? "Add a column `date` with the date of each event. The first line names the columns, separated by commas, semicolons or tabs, such as date,headliner."
        : `Rename \`${near}\` to date.`;
    problems.push(errorAt("bad-sheet", source, "The sheet has no column `date`.", hint));
    return null;
  }
  checkColumns(header, problems);
  const rows = new Map<string, SheetRow>();
  const undated: Cell[] = [];
  for (const line of lines) {
    const row = readRow(line, header, dateColumn, problems);
    if (row === null || !("day" in row)) {
      if (row !== null) undated.push(row);
      continue;
    }
    const first = rows.get(row.day);
    if (first !== undefined) {
      const problem = errorAt("bad-sheet", row.source, `Two rows are for ${row.day}.`, "Combine them into one row.");
      problems.push({ ...problem, related: [{ message: "the first one", source: first.source }] });
    } else rows.set(row.day, row);
  }
  problems.push(...notDates(undated, separatorOf(text)));
  const columns = header.filter(({ text }, index) => text !== "" && index !== dateColumn);
  return { columns, rows: [...rows.values()] };
}

function holdsDays(lines: readonly (readonly Cell[])[], column: number): boolean {
  const text = lines[0]?.[column]?.text ?? "";
  return readDay(text) !== null || daysMeantBy(text).length > 0;
}

/** Only this many are reported one by one: a spreadsheet with its own date format has the problem in every row. */
const fewCells = 3;

function notDates(cells: readonly Cell[], separator: string): readonly Diagnostic[] {
  const [first] = cells;
  if (first === undefined || cells.length <= fewCells) {
    return cells.map(({ text, source }) => {
      const [day = "", other] = /^[\d-]+(?=([,;\t]))/.exec(text) ?? [];
      if (other === undefined || other === separator || readDay(day) === null)
        return errorAt("bad-sheet", source, `"${text}" is not a date.`, howToWriteDay(text));
      const message = `The columns of this row are separated by ${signNames[other]}, but those of the first line by ${signNames[separator]}.`;
      return errorAt("bad-sheet", source, message, `Write ${text.replaceAll(other, separator)}.`);
    });
  }
  const message = `"${first.text}" is not a date, and ${formatCount(cells.length - 1)} other rows have the same problem.`;
  const hint = `${howToWriteDay(first.text)} In a spreadsheet, format the column as YYYY-MM-DD and save it again.`;
  return [errorAt("bad-sheet", first.source, message, hint)];
}

const signNames: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

/** Columns that no text uses: with a misspelled name, the sheet would have no effect. */
export function unusedColumns({ columns }: Sheet, used: ReadonlySet<string>): readonly Diagnostic[] {
  const names = new Set(columns.map(({ text }) => text));
  const free = [...used].filter((name) => !names.has(name));
  const unused = columns.filter(({ text }) => !used.has(text));
  return unused.map(({ text, source }) => {
    const near = suggest(text, free);
    const isField = near === null && kindOf("event").fields[text] !== undefined;
    const isOfTicket = near === null && !isField && kindOf("ticket").fields[text] !== undefined;
    // A column of notes among others is no mistake.
    const isNote = near === null && !isField && !isOfTicket && unused.length < columns.length;
    const write = isField
      ? `A column does not set a field by itself: write \`${text}: \${var.${text}}\` in the event, or remove the column.`
      : isOfTicket
        ? `A column does not set a field by itself: write \`${text}: "\${var.${text}}"\` in the ticket type that it is for, or remove the column.`
        : `Write \${var.${text}} where it belongs, or remove the column.`;
    return {
      code: "unused-column",
      severity: isNote ? "info" : "warning",
      message: `Nothing uses the column "${text}".`,
      hint: near === null ? write : `Did you mean \`${near}\`?`,
      source,
    };
  });
}

/** For a date on which nothing gives the column's variable a value. */
export function emptyCell({ text, source, day }: EmptyCell): Diagnostic {
  const [why, fix] =
    day === undefined ? ["the date has no row", "Add the row"] : [`its cell for ${day} is empty`, "Fill it in"];
  const message = `The variable \`${text}\` has no value: ${why}.`;
  const hint = `${fix}, or write \`vars: { ${text}: … }\` in the event: dates whose cell is empty, or that have no row, then get this value.`;
  return errorAt("unknown-variable", source, message, hint);
}

const noDateHint = "Write its date in the column `date`, as YYYY-MM-DD, or delete the row.";

function checkColumns(header: readonly Cell[], problems: Diagnostic[]): void {
  const firstSources = new Map<string, Source>();
  for (const { text, source } of header) {
    const first = firstSources.get(text);
    if (text !== "" && first !== undefined) {
      const problem = errorAt("bad-sheet", source, `Two columns are named "${text}".`, "Rename one of them.");
      problems.push({ ...problem, related: [{ message: "the first one", source: first }] });
    } else firstSources.set(text, source);
  }
}

/** The cell where the date should be, if it does not hold one. */
function readRow(
  line: readonly Cell[],
  header: readonly Cell[],
  dateColumn: number,
  problems: Diagnostic[],
): SheetRow | Cell | null {
  const [firstCell] = line;
  const date = line[dateColumn] ?? firstCell;
  const day = readDay(line[dateColumn]?.text ?? "");
  if (date === undefined) return null;
  if (day === null && (line[dateColumn]?.text ?? "") !== "") return date;
  if (day === null) {
    problems.push(errorAt("bad-sheet", date.source, "This row has no date.", noDateHint));
    return null;
  }
  const vars = new Map<string, LocatedScalar>();
  for (const [index, { text, source }] of line.entries()) {
    const name = header[index]?.text ?? "";
    if (index === dateColumn || text === "") continue;
    if (name === "") {
      const hint = "Name the column in the first line; text that contains a separator needs quotes.";
      problems.push(errorAt("bad-sheet", source, `"${text}" is in a column without a name.`, hint));
      continue;
    }
    const cell: LocatedScalar = { type: "scalar", value: text, source, plain: true, cell: true };
    const secret = secretAt(name, cell, "vars");
    if (secret !== null) problems.push(secret);
    vars.set(name, cell);
  }
  const empty = header.flatMap(({ text }, index) => {
    const isEmpty = text !== "" && index !== dateColumn && (line[index]?.text ?? "") === "";
    return isEmpty ? { text, source: line[index]?.source ?? date.source, day } : [];
  });
  return { day, source: date.source, vars, empty };
}
