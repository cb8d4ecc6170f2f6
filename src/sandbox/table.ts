// A set of rows by id, in the order of their making, with one parent and one alias to find them by.

export interface Row {
  readonly id: string;
}

export type Change =
  | readonly [table: string, verb: "put", row: Row]
  | readonly [table: string, verb: "remove", id: string];

export interface Table<T extends Row> {
  readonly name: string;
  readonly size: number;
  get(id: string): T | undefined;
  byAlias(alias: string): T | undefined;
  all(): IterableIterator<T>;
  /** The rows of one parent, in the order of their making. */
  of(parent: string): T[];
  countOf(parent: string): number;
  put(row: T): T;
  remove(id: string): void;
  clear(): void;
}

export interface TableKeys<T extends Row> {
  readonly parentOf?: (row: T) => string;
  readonly aliasOf?: (row: T) => string;
}

export function createTable<T extends Row>(
  name: string,
  onChange: (change: Change) => void,
  { parentOf, aliasOf }: TableKeys<T> = {},
): Table<T> {
  const rows = new Map<string, T>();
  const families = new Map<string, Map<string, T>>();
  const aliases = new Map<string, string>();

  function forget(row: T): void {
    if (aliasOf !== undefined) aliases.delete(aliasOf(row));
    if (parentOf === undefined) return;
    const family = families.get(parentOf(row));
    family?.delete(row.id);
    if (family?.size === 0) families.delete(parentOf(row));
  }

  function index(row: T): void {
    if (aliasOf !== undefined) aliases.set(aliasOf(row), row.id);
    if (parentOf === undefined) return;
    const parent = parentOf(row);
    const family = families.get(parent);
    if (family === undefined) families.set(parent, new Map([[row.id, row]]));
    else family.set(row.id, row);
  }

  return {
    name,
    get size() {
      return rows.size;
    },
    get: (id) => rows.get(id),
    byAlias(alias) {
      const id = aliases.get(alias);
      return id === undefined ? undefined : rows.get(id);
    },
    all: () => rows.values(),
    of: (parent) => [...(families.get(parent)?.values() ?? [])],
    countOf: (parent) => families.get(parent)?.size ?? 0,
    put(row) {
      const before = rows.get(row.id);
      if (before !== undefined && aliasOf !== undefined) aliases.delete(aliasOf(before));
      if (before !== undefined && parentOf !== undefined && parentOf(before) !== parentOf(row)) forget(before);
      rows.set(row.id, row);
      index(row);
      onChange([name, "put", row]);
      return row;
    },
    remove(id) {
      const row = rows.get(id);
      if (row === undefined) return;
      rows.delete(id);
      forget(row);
      onChange([name, "remove", id]);
    },
    clear() {
      for (const id of [...rows.keys()]) this.remove(id);
    },
  };
}
