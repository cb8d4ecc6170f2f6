// The only file that knows the library for CSV: a separate file, so that it is loaded with the first sheet.
import { CsvError, parse } from "csv-parse/sync";
import type { Source } from "../../../model/diagnostic.ts";

export interface Cell {
  /** Without spaces around it. */
  readonly text: string;
  readonly source: Source;
}

export interface CsvProblem {
  readonly message: string;
  readonly hint: string;
  readonly source: Source;
}

/** The rows that have something in them; a problem if the text cannot be divided into cells. */
export function readCsv(file: string, text: string): readonly (readonly Cell[])[] | CsvProblem {
  const bytes = Buffer.from(text);
  const sourceAt = placesIn(file, bytes);
  const rows: Cell[][] = [];
  const [stated = ""] = statedSeparator(text) ?? [];
  let end = stated.length;

  function nextCell(isFirst: boolean): number {
    let start = isFirst ? end : end + 1;
    if (isFirst) while (bytes[start] === carriageReturn || bytes[start] === lineFeed) start += 1;
    return start;
  }

  try {
    parse(bytes, {
      delimiter: separatorOf(text),
      from_line: stated === "" ? 1 : 2,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      cast(value, { bytes: after, index }) {
        if (index === 0) rows.push([]);
        rows.at(-1)?.push({ text: value.trim(), source: sourceAt(nextCell(index === 0)) });
        end = after;
        return value;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isFirst = error.index === 0 || rows.length === 0;
    const source = sourceAt(nextCell(isFirst));
    if (error.code === "CSV_QUOTE_NOT_CLOSED") {
      return {
        message: "This quote is never closed.",
        hint: 'Close it, or write "" for a quote within the text.',
        source,
      };
    }
    return { message: `The sheet cannot be read: ${error.message}.`, hint: "Save it as CSV again.", source };
  }
  return rows.filter((row) => row.some((cell) => cell.text !== ""));
}

const carriageReturn = 13;
const lineFeed = 10;

function statedSeparator(text: string): RegExpExecArray | null {
  return /^sep=(.)(?=\r|\n)/i.exec(text);
}

/** Where a comma is the decimal sign, spreadsheets write semicolons: the one next to `date`, or most used in the first line. */
export function separatorOf(text: string): string {
  const [, stated] = statedSeparator(text) ?? [];
  if (stated !== undefined) return stated;
  const header = /^.*/.exec(text)?.[0] ?? "";
  const ranked = [",", ";", "\t"].map((sign) => {
    const cells = header.split(sign);
    return {
      sign,
      rank:
        cells.length +
        (cells.some((cell) => cell.replaceAll('"', "").trim().toLowerCase() === "date") ? header.length : 0),
    };
  });
  return ranked.reduce((best, one) => (one.rank > best.rank ? one : best)).sign;
}

/** Places by offset, which may only grow from one call to the next. */
function placesIn(file: string, bytes: Buffer): (offset: number) => Source {
  let [line, start, at] = [1, 0, 0];
  return (offset) => {
    for (; at < offset && at < bytes.length; at += 1) {
      if (bytes[at] !== lineFeed && !(bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) continue;
      line += 1;
      start = at + 1;
    }
    return { file, line, column: bytes.toString("utf8", start, offset).length + 1 };
  };
}
