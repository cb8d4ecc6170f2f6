// `{ name: GA, price: 1500 }` and `[a, b]` on one line. undefined stands for "not sure: ask the full parser".
import type { Located, LocatedEntry, LocatedScalar } from "./located.ts";
import { endOfQuoted, plainScalar, textScalar, unquote } from "./plain-scalar.ts";

export interface Cursor {
  readonly file: string;
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  at: number;
}

const keyPattern = /([A-Za-z_][\w.-]{0,99}): +(?=\S)/y;
const maximumDepth = 20;

/** Reads from a bracket to the one that closes it, and leaves the cursor behind that. */
export function plainFlow(cursor: Cursor, depth = 0): Located | undefined {
  if (depth > maximumDepth) return undefined;
  return cursor.text.charAt(cursor.at) === "{" ? flowMap(cursor, depth) : flowList(cursor, depth);
}

function flowMap(cursor: Cursor, depth: number): Located | undefined {
  const source = placeOf(cursor);
  const entries = new Map<string, LocatedEntry>();
  cursor.at += 1;
  skipSpaces(cursor);
  if (cursor.text.charAt(cursor.at) === "}") {
    cursor.at += 1;
    return { type: "map", source, entries };
  }
  while (true) {
    const key = placeOf(cursor);
    keyPattern.lastIndex = cursor.at;
    const name = keyPattern.exec(cursor.text)?.[1];
    if (name === undefined || isOdd(name, entries)) return undefined;
    cursor.at = keyPattern.lastIndex;
    const value = flowValue(cursor, "}", depth);
    if (value === undefined) return undefined;
    entries.set(name, { key, value });
    const next = cursor.text.charAt(cursor.at);
    cursor.at += 1;
    if (next === "}") return { type: "map", source, entries };
    if (next !== ",") return undefined;
    skipSpaces(cursor);
  }
}

function flowList(cursor: Cursor, depth: number): Located | undefined {
  const source = placeOf(cursor);
  const items: Located[] = [];
  cursor.at += 1;
  skipSpaces(cursor);
  if (cursor.text.charAt(cursor.at) === "]") {
    cursor.at += 1;
    return { type: "list", source, items };
  }
  while (true) {
    const value = flowValue(cursor, "]", depth);
    if (value === undefined) return undefined;
    items.push(value);
    const next = cursor.text.charAt(cursor.at);
    cursor.at += 1;
    if (next === "]") return { type: "list", source, items };
    if (next !== ",") return undefined;
    skipSpaces(cursor);
  }
}

/** A value and the spaces after it. */
function flowValue(cursor: Cursor, close: "}" | "]", depth: number): Located | undefined {
  const first = cursor.text.charAt(cursor.at);
  const value =
    first === "{" || first === "["
      ? plainFlow(cursor, depth + 1)
      : first === '"' || first === "'"
        ? quoted(cursor)
        : plainInFlow(cursor, close);
  skipSpaces(cursor);
  return value;
}

export function quoted(cursor: Cursor): LocatedScalar | undefined {
  const { at: start, text } = cursor;
  const end = endOfQuoted(text, start);
  if (end === -1) return undefined;
  const value = unquote(text.slice(start, end + 1));
  if (value === undefined) return undefined;
  const source = placeOf(cursor);
  cursor.at = end + 1;
  return textScalar(value, source, false, 1);
}

function plainInFlow(cursor: Cursor, close: "}" | "]"): LocatedScalar | undefined {
  const { text } = cursor;
  const source = placeOf(cursor);
  const start = cursor.at;
  let end = start;
  for (; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === "," || character === close) break;
    if ("{}[]".includes(character)) return undefined;
    if (character === ":" && " ,{}[]".includes(text.charAt(end + 1) || " ")) return undefined;
    if (character === "#" && text.charAt(end - 1) === " ") return undefined;
  }
  cursor.at = end;
  let last = end;
  while (last > start && text.charAt(last - 1) === " ") last -= 1;
  return plainScalar(text.slice(start, last), source);
}

/** Keys that need a second look: one that is there already, or that may be refused. */
export function isOdd(name: string, entries: ReadonlyMap<string, unknown>): boolean {
  return (
    entries.has(name) ||
    entries.size > 500 ||
    name === "__proto__" ||
    name === "constructor" ||
    name === "prototype" ||
    /^(?:null|true|false)$/i.test(name)
  );
}

export function placeOf({ file, number, at }: Cursor) {
  return { file, line: number, column: at + 1 };
}

export function skipSpaces(cursor: Cursor): void {
  while (cursor.text.charAt(cursor.at) === " ") cursor.at += 1;
}
