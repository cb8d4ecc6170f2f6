// What is live, without what differs from run to run: two pictures are equal when buyers and receivers see the same.
import type { SandboxService } from "../../src/sandbox/index.ts";

type Row = Readonly<Record<string, unknown>>;

const fleeting = new Set([
  "id",
  "organizationId",
  "eventId",
  "createdAt",
  "updatedAt",
  "slug",
  "secret",
  "sold",
  "performerId",
]);

export interface Picture {
  readonly events: readonly string[];
  readonly webhooks: readonly string[];
}

export function pictureOf(service: SandboxService): Picture {
  const dump = service.dump() as unknown as Readonly<Record<string, readonly Row[]>>;
  const names = new Map((dump.performers ?? []).map((row) => [row.id, row.name]));
  function lists(eventId: unknown): Row {
    return Object.fromEntries(
      ["tickets", "performers", "schedules", "brands"].map((table) => [
        table,
        (dump[table] ?? [])
          .filter((row) => row.eventId === eventId)
          .map((row) =>
            JSON.stringify({ ...lasting(row), ...(row.performerId ? { by: names.get(row.performerId) } : {}) }),
          )
          .sort(),
      ]),
    );
  }
  return {
    events: (dump.events ?? []).map((row) => JSON.stringify({ ...lasting(row), ...lists(row.id) })).sort(),
    webhooks: (dump.webhooks ?? []).map((row) => JSON.stringify(lasting(row))).sort(),
  };
}

function lasting(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => !fleeting.has(key))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export interface Damage {
  readonly duplicates: number;
  readonly orphans: number;
  readonly missing: number;
  readonly lostSecrets: number;
}

/** How far what is live is from what it should be. */
export function damageOf(service: SandboxService, wished: Picture, secrets: ReadonlyMap<string, string>): Damage {
  const live = pictureOf(service);
  let duplicates = 0;
  let orphans = 0;
  let missing = 0;
  for (const kind of ["events", "webhooks"] as const) {
    const left = [...wished[kind]];
    for (const each of live[kind]) {
      const at = left.indexOf(each);
      if (at !== -1) left.splice(at, 1);
      else if (wished[kind].some((other) => nameIn(other) === nameIn(each))) duplicates += 1;
      else orphans += 1;
    }
    missing += left.length;
  }
  const hooks = (service.dump().webhooks as unknown as readonly Row[]) ?? [];
  const lostSecrets = hooks.filter((row) => secrets.get(String(row.id)) !== row.secret).length;
  return { duplicates, orphans, missing, lostSecrets };
}

function nameIn(picture: string): unknown {
  const row = JSON.parse(picture) as Row;
  return row.url ?? `${row.name} ${row.dateTime}`;
}
