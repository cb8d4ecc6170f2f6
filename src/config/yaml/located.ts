// YAML values with their places. Small on purpose: the parser's own trees are dropped as soon as these are made.
import { isDeepStrictEqual } from "node:util";
import type { Source } from "../../model/diagnostic.ts";

export type ScalarValue = string | number | boolean | null;

export interface LocatedScalar {
  readonly type: "scalar";
  readonly value: ScalarValue;
  readonly source: Source;
  /** Without quotes, so that YAML chose what it means. */
  readonly plain: boolean;
  /** As the file writes it, where that may differ from the value. */
  readonly raw?: string;
  /** The place of each `${…}` of a text. */
  readonly marks?: readonly Source[];
  /** The text before its `${…}` were filled in. */
  readonly filledFrom?: string;
  /** It is a cell of a sheet, or comes from the environment: a text, whatever it looks like, that takes the type of its field. */
  readonly cell?: true;
  /** A problem is already reported for it. */
  readonly reported?: true;
  /** The comment right after the value, if no space follows its `#`: `#3` in `Jazz Night #3`. */
  readonly cut?: { readonly comment: string; readonly source: Source };
}

export interface LocatedEntry {
  readonly key: Source;
  readonly value: Located;
}

export interface LocatedMap {
  readonly type: "map";
  readonly source: Source;
  readonly entries: ReadonlyMap<string, LocatedEntry>;
  /** Written as `{ … }`. */
  readonly inBraces?: true;
  /** For merged levels: what each level wrote. */
  readonly levels?: readonly LocatedMap["entries"][];
}

export interface LocatedList {
  readonly type: "list";
  readonly source: Source;
  readonly items: readonly Located[];
  /** Names of inherited entries that are not among them, because a level above removes them. */
  readonly removed?: readonly string[];
}

export type Located = LocatedScalar | LocatedMap | LocatedList;

export interface YamlDocument {
  /** null: it could not be read, and the reason is among the problems. */
  readonly content: Located | null;
  readonly source: Source;
  /** Some value of it has a `cut`, or means different things to different parsers. */
  readonly hasSlips?: true;
}

/** The plain value, as a schema wants it. */
export function plainValue(node: Located): unknown {
  switch (node.type) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plainValue);
    case "map": {
      const object: Record<string, unknown> = {};
      for (const [key, entry] of node.entries) object[key] = plainValue(entry.value);
      return object;
    }
  }
}

/** The value at a path of keys and indexes. */
export function nodeAt(node: Located, path: readonly PropertyKey[]): Located | undefined {
  let here: Located | undefined = node;
  for (const step of path) {
    if (here === undefined) return undefined;
    if (here.type === "map") here = here.entries.get(String(step))?.value;
    else if (here.type === "list") here = here.items[Number(step)];
    else return undefined;
  }
  return here;
}

export function entryOf(node: Located | null | undefined, key: string): Located | undefined {
  return node?.type === "map" ? node.entries.get(key)?.value : undefined;
}

/** Whether two maps have different values under a key, or only one has any. */
export function differIn(key: string, one: Located | undefined, other: Located | undefined): boolean {
  const valueIn = (map: Located | undefined) => [entryOf(map, key) ?? []].flat().map(plainValue);
  return !isDeepStrictEqual(valueIn(one), valueIn(other));
}

/** The maps as written that this one is made of. */
export function levelsOf({ entries, levels }: LocatedMap): readonly LocatedMap["entries"][] {
  return levels ?? [entries];
}

export function mapScalars(node: Located, replace: (scalar: LocatedScalar) => LocatedScalar): Located {
  switch (node.type) {
    case "scalar":
      return replace(node);
    case "list":
      return { ...node, items: node.items.map((item) => mapScalars(item, replace)) };
    case "map": {
      const entries = new Map<string, LocatedEntry>();
      for (const [key, entry] of node.entries)
        entries.set(key, { key: entry.key, value: mapScalars(entry.value, replace) });
      return { ...node, entries };
    }
  }
}

/** Whether a value, or one below it, passes the test. */
export function someNode(node: Located, test: (node: Located) => boolean): boolean {
  if (test(node)) return true;
  if (node.type === "list") return node.items.some((item) => someNode(item, test));
  return node.type === "map" && [...node.entries.values()].some(({ value }) => someNode(value, test));
}

export function hasVariable(node: Located): boolean {
  return node.type === "scalar" && node.marks !== undefined;
}

export type Places = (offset: number) => Source;

/** Turns offsets into places. Offsets arrive nearly in order, so the search continues from the line of the last one. */
export function makePlaces(file: string, text: string): Places {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  let line = 0;
  return (offset) => {
    while (line > 0 && (starts[line] as number) > offset) line -= 1;
    while (line + 1 < starts.length && (starts[line + 1] as number) <= offset) line += 1;
    return { file, line: line + 1, column: offset - (starts[line] as number) + 1 };
  };
}
