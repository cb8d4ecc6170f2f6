// All rows of the sandbox, and what changed since the last commit.
import type {
  ApiKey,
  BrandRow,
  DeliveryRow,
  EventRow,
  GraveRow,
  OrderRow,
  Organization,
  PerformerRow,
  ScheduleRow,
  TicketRow,
  Venue,
  WebhookRow,
} from "./records.ts";

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

export interface Tables {
  readonly organizations: Table<Organization>;
  readonly keys: Table<ApiKey>;
  readonly events: Table<EventRow>;
  readonly graves: Table<GraveRow>;
  readonly tickets: Table<TicketRow>;
  readonly performers: Table<PerformerRow>;
  readonly schedules: Table<ScheduleRow>;
  readonly brands: Table<BrandRow>;
  readonly orders: Table<OrderRow>;
  readonly webhooks: Table<WebhookRow>;
  readonly deliveries: Table<DeliveryRow>;
  /** Venues beside the built-in ones. */
  readonly venues: Table<Venue>;
}

export const formatVersion = 1;

export const tableNames = [
  "organizations",
  "keys",
  "events",
  "graves",
  "tickets",
  "performers",
  "schedules",
  "brands",
  "orders",
  "webhooks",
  "deliveries",
  "venues",
] as const satisfies readonly (keyof Tables)[];

export type Dump = { readonly formatVersion: number } & { readonly [Name in keyof Tables]: readonly Row[] };

export interface Store extends Tables {
  /** Changes since the last call, in order. */
  takeChanges(): Change[];
  dump(): Dump;
  load(dump: Dump): void;
  replay(change: Change): void;
}

export function createStore(): Store {
  let changes: Change[] = [];
  function note(change: Change): void {
    changes.push(change);
  }
  const eventIdOf = { parentOf: (row: { readonly eventId: string }) => row.eventId };
  const tables: Tables = {
    organizations: createTable<Organization>("organizations", note),
    keys: createTable<ApiKey>("keys", note, { aliasOf: (key) => key.value, parentOf: (key) => key.organizationId }),
    events: createTable<EventRow>("events", note, {
      parentOf: (event) => event.organizationId,
      aliasOf: (event) => `${event.organizationId}/${event.slug}`,
    }),
    graves: createTable<GraveRow>("graves", note, { aliasOf: (grave) => `${grave.organizationId}/${grave.slug}` }),
    tickets: createTable<TicketRow>("tickets", note, eventIdOf),
    performers: createTable<PerformerRow>("performers", note, eventIdOf),
    schedules: createTable<ScheduleRow>("schedules", note, eventIdOf),
    brands: createTable<BrandRow>("brands", note, eventIdOf),
    orders: createTable<OrderRow>("orders", note, eventIdOf),
    webhooks: createTable<WebhookRow>("webhooks", note, { parentOf: (webhook) => webhook.organizationId }),
    deliveries: createTable<DeliveryRow>("deliveries", note, { parentOf: (delivery) => delivery.webhookId }),
    venues: createTable<Venue>("venues", note),
  };

  function table(name: string): Table<Row> {
    return tables[name as keyof Tables] as unknown as Table<Row>;
  }

  return {
    ...tables,
    takeChanges() {
      const taken = changes;
      changes = [];
      return taken;
    },
    dump() {
      const rows = tableNames.map((name) => [name, [...table(name).all()]]);
      return { formatVersion, ...Object.fromEntries(rows) } as Dump;
    },
    load(dump) {
      for (const name of tableNames) {
        table(name).clear();
        for (const row of dump[name] ?? []) table(name).put(row);
      }
    },
    replay([name, verb, subject]) {
      if (verb === "put") table(name).put(subject);
      else table(name).remove(subject);
    },
  };
}
