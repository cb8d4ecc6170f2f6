import type { Source } from "../../model/diagnostic.ts";
import { maximumDocuments } from "./locate.ts";
import type { Located, LocatedEntry, LocatedMap } from "./located.ts";
import { type Cursor, isOdd, placeOf, plainFlow, quoted, skipSpaces } from "./plain-flow.ts";
import { type Line, linesOf, plainBlockText, splitDocuments, withoutEnd } from "./plain-lines.ts";
import { plainScalar, textScalar } from "./plain-scalar.ts";

/**
 * Reads files that use only the plain part of YAML: maps and lists by indentation, brackets and quotes within a line, comments.
 * It does so many times faster than a full parser and says null at the first thing it is not sure of, mistakes included; then
 * the full parser reads the file and is right. A test holds both to the same result.
 */

interface Reader {
  readonly file: string;
  /** Every line of the file. */
  readonly all: readonly string[];
  /** Those of the document that say something. */
  readonly lines: readonly Line[];
  /** The line to read next. */
  next: number;
}

/** Thrown within this file only: the shortest way out of any depth. */
const notPlain = Symbol("not plain");

const key = /([A-Za-z_][\w.-]{0,99}):(?= |$)/y;
const maximumDepth = 20;

/** The contents of the documents; null where the full parser must read them. */
export function readPlainYaml(file: string, text: string): readonly Located[] | null {
  const all = linesOf(text);
  if (all === null) return null;
  const documents = splitDocuments(all);
  if (documents === null) return null;
  try {
    const full = documents.filter((lines) => lines.length > 0);
    if (full.length > maximumDocuments) return null;
    return full.map((lines) => readDocument({ file, all, lines, next: 0 }));
  } catch (problem) {
    if (problem === notPlain) return null;
    throw problem;
  }
}

function readDocument(reader: Reader): Located {
  const first = reader.lines[0] as Line;
  const content = readBlock(reader, first.indent, 0);
  if (reader.next < reader.lines.length) throw notPlain;
  return content;
}

/** A map or list whose lines are indented so far. */
function readBlock(reader: Reader, indent: number, depth: number): Located {
  if (depth > maximumDepth) throw notPlain;
  const line = reader.lines[reader.next] as Line;
  return isItem(line, indent) ? readList(reader, indent, depth) : readMap(reader, indent, depth);
}

function readList(reader: Reader, indent: number, depth: number): Located {
  const source = placeOf(cursorAt(reader, indent));
  const items: Located[] = [];
  for (
    let line = reader.lines[reader.next];
    line !== undefined && isItem(line, indent);
    line = reader.lines[reader.next]
  ) {
    const cursor = cursorAt(reader, indent + 2);
    skipSpaces(cursor);
    items.push(readItem(reader, cursor, indent, depth));
  }
  refuseDeeper(reader, indent);
  return { type: "list", source, items };
}

function readItem(reader: Reader, cursor: Cursor, listIndent: number, depth: number): Located {
  key.lastIndex = cursor.at;
  if (key.test(cursor.text)) return readMap(reader, cursor.at, depth + 1, cursor);
  reader.next += 1;
  return readInline(reader, cursor, listIndent);
}

/** `first` is where the first key stands, when that is not the beginning of a line: `- name: GA`. */
function readMap(reader: Reader, indent: number, depth: number, first?: Cursor): LocatedMap {
  if (depth > maximumDepth) throw notPlain;
  let cursor = first ?? cursorAt(reader, indent);
  const source = placeOf(cursor);
  const entries = new Map<string, LocatedEntry>();
  while (true) {
    const place = placeOf(cursor);
    key.lastIndex = cursor.at;
    const name = key.exec(cursor.text)?.[1];
    if (name === undefined || isOdd(name, entries)) throw notPlain;
    cursor.at = key.lastIndex;
    skipSpaces(cursor);
    reader.next += 1;
    const value = endsHere(cursor) ? readBelow(reader, indent, depth) : readInline(reader, cursor, indent);
    entries.set(name, { key: place, value });
    const line = reader.lines[reader.next];
    if (line === undefined || line.indent < indent) break;
    if (line.indent > indent) throw notPlain;
    cursor = cursorAt(reader, indent);
  }
  return { type: "map", source, entries };
}

/** The value of a key that stands in the lines below it. */
function readBelow(reader: Reader, indent: number, depth: number): Located {
  const line = reader.lines[reader.next];
  if (line === undefined || line.indent < indent) throw notPlain;
  if (line.indent === indent && !isItem(line, indent)) throw notPlain;
  const value = readBlock(reader, line.indent, depth + 1);
  const after = reader.lines[reader.next];
  if (after !== undefined && after.indent > indent) throw notPlain;
  return value;
}

/** A value that begins within a line; `parent` is the indentation of what holds it. */
function readInline(reader: Reader, cursor: Cursor, parent: number): Located {
  const first = cursor.text.charAt(cursor.at);
  if (first === "|" || first === ">") return readBlockText(reader, cursor, parent);
  if (first === "{" || first === "[" || first === '"' || first === "'") {
    const value = first === "{" || first === "[" ? plainFlow(cursor) : quoted(cursor);
    if (value === undefined) throw notPlain;
    const behind = cursor.at;
    skipSpaces(cursor);
    if (cursor.at < cursor.text.length && (cursor.text.charAt(cursor.at) !== "#" || cursor.at === behind))
      throw notPlain;
    return value;
  }
  const source = placeOf(cursor);
  let text = cursor.text.slice(cursor.at);
  const comment = text.indexOf(" #");
  // `Jazz Night #3`: a comment that may have cut a text short.
  if (comment !== -1 && comment + 2 < text.length && text.charAt(comment + 2) !== " ") throw notPlain;
  if (comment !== -1) text = text.slice(0, comment);
  text = withoutEnd(text);
  if (text.includes(": ") || text.endsWith(":")) throw notPlain;
  const below = reader.lines[reader.next];
  if (below !== undefined && below.indent > parent && comment === -1) return readFurther(reader, text, source, parent);
  const value = plainScalar(text, source);
  if (value === undefined) throw notPlain;
  return value;
}

/** A text that goes on in the lines below it, which become one line. */
function readFurther(reader: Reader, first: string, source: Source, parent: number): Located {
  if (plainScalar(first, source) === undefined) throw notPlain;
  const texts = [first];
  const marks = [...(textScalar(first, source, true, 0).marks ?? [])];
  for (let number = source.line + 1; ; number += 1) {
    const line = reader.lines[reader.next];
    if (line === undefined || line.indent <= parent) break;
    const text = withoutEnd(line.text.slice(line.indent));
    // An empty line or a comment in between means more than a space.
    if (line.number !== number || / #|: |:$|^[-?:#&*!|>%@`"'[\]{}]/.test(text)) throw notPlain;
    texts.push(text);
    const place = { file: source.file, line: number, column: line.indent + 1 };
    marks.push(...(textScalar(text, place, true, 0).marks ?? []));
    reader.next += 1;
  }
  const value = texts.join(" ");
  const scalar = { type: "scalar", value, source, plain: true } as const;
  return marks.length === 0 ? scalar : { ...scalar, marks };
}

function readBlockText(reader: Reader, cursor: Cursor, parent: number): Located {
  const header = cursor.text.slice(cursor.at);
  if (!/^[|>]-?$/.test(header)) throw notPlain;
  const text = plainBlockText(header, reader.all, placeOf(cursor), parent);
  if (text === undefined) throw notPlain;
  while ((reader.lines[reader.next]?.number ?? Number.POSITIVE_INFINITY) <= text.last) reader.next += 1;
  return text.scalar;
}

/** After a value, a line that is indented further would go on with it. */
function refuseDeeper(reader: Reader, indent: number): void {
  const line = reader.lines[reader.next];
  if (line !== undefined && line.indent > indent) throw notPlain;
}

function isItem(line: Line, indent: number): boolean {
  return line.indent === indent && line.text.charAt(indent) === "-" && line.text.charAt(indent + 1) === " ";
}

/** Nothing more in the line but a comment. */
function endsHere({ text, at }: Cursor): boolean {
  return at === text.length || (text.charAt(at) === "#" && text.charAt(at - 1) === " ");
}

function cursorAt(reader: Reader, at: number): Cursor {
  const { text, number } = reader.lines[reader.next] as Line;
  return { file: reader.file, text, number, at };
}
