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
import { type Change, createTable, type Row, type Table } from "./table.ts";

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
