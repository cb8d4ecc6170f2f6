// What the service should show when files say this: a second, simple reading of them, which shares nothing with the planner.
import { parse } from "yaml";
import { documentsOf, type Files, keyOf, type Raw } from "./season.ts";

/** An event as files wish it. A field that is not there is not managed. */
export interface Wished {
  readonly address: string;
  readonly fields: Raw;
  readonly status: string | undefined;
  readonly tickets: readonly Raw[] | undefined;
  readonly performers: readonly Raw[] | undefined;
}

/** Something that is not as the files wish it. */
export interface Difference {
  readonly address: string;
  /** Empty: the object as a whole. */
  readonly field: string;
  readonly wish: unknown;
  readonly live: unknown;
  /** Of the live object, if there is one. */
  readonly id: string | null;
}

export type LiveRow = Readonly<Record<string, unknown>> & { readonly id: string };
export type LiveRows = Readonly<
  Record<"events" | "tickets" | "performers" | "webhooks" | "orders", readonly LiveRow[]>
>;

const dayMs = 86_400_000;
const managed = ["name", "description", "eventCapacity"];
const managedOfTickets = ["price", "quantity", "published", "maximumPurchaseQuantity"];

export function wishedBy(files: Files, now: number): readonly Wished[] {
  const { tickets: ticketDefaults = {}, ...defaults } = ((parse(files["ticketing.yaml"] ?? "") as Raw).defaults ??
    {}) as Raw;
  const template = parse(files["templates/club.yaml"] ?? "{}") as Raw;

  return documentsOf(files).flatMap((document) => {
    const { raw } = document;
    const key = keyOf(document);
    const layers = [defaults, ...(raw.extends === undefined ? [] : [template]), raw];
    const series = raw.series as
      | { from: string; count: number; skip: string[]; dates: Record<string, Raw> }
      | undefined;
    if (series === undefined) return [wish(`events/${key}`, layers, String(raw.dateTime))];
    const dates = Array.from({ length: series.count }, (_, week) =>
      new Date(Date.parse(series.from) + week * 7 * dayMs).toISOString().slice(0, 10),
    );
    return dates
      .filter((date) => !series.skip.includes(date))
      .map((date) => wish(`events/${key}@${date}`, [...layers, series.dates[date] ?? {}], `${date}T22:00:00+08:00`));
  });

  function wish(address: string, layers: readonly Raw[], start: string): Wished {
    const below = layers.reduce(merged, {});
    const due = ((below.phases ?? []) as Raw[]).filter(
      ({ from, until }) => Date.parse(String(from)) <= now && (until === undefined || now < Date.parse(String(until))),
    );
    const all = due.reduce(merged, below);
    const who = (all.vars as Raw | undefined)?.who;
    const fields = Object.fromEntries(managed.filter((field) => field in all).map((field) => [field, all[field]]));
    return {
      address,
      fields: { ...fields, name: String(all.name).replace("${var.who}", String(who)), dateTime: Date.parse(start) },
      status: all.status as string | undefined,
      tickets: (all.tickets as Raw[] | undefined)?.map((ticket) => ({ ...(ticketDefaults as Raw), ...ticket })),
      performers: all.performers as Raw[] | undefined,
    };
  }
}

/** Maps deeply; lists of the event entry by entry, by name; everything else is replaced. */
function merged(lower: Raw, upper: Raw): Raw {
  const result: Raw = { ...lower };
  for (const [field, value] of Object.entries(upper)) {
    const below = lower[field];
    if (field === "tickets" || field === "performers")
      result[field] = mergedList((below ?? []) as Raw[], value as Raw[]);
    else if (field === "vars") result[field] = { ...(below as Raw), ...(value as Raw) };
    else result[field] = value;
  }
  return result;
}

function mergedList(lower: readonly Raw[], upper: readonly Raw[]): readonly Raw[] {
  const named = new Map(upper.map((entry) => [entry.name, entry]));
  const kept = lower.map((entry) => ({ ...entry, ...named.get(entry.name) }));
  return [...kept, ...upper.filter(({ name }) => lower.every((entry) => entry.name !== name))];
}

/** All that is not as wished. Live events that no file wishes are listed by their names. */
export function differencesOf(
  wishes: readonly Wished[],
  hooks: readonly Raw[] | null,
  rows: LiveRows,
): readonly Difference[] {
  const found: Difference[] = [];
  const meant = new Set<string>();
  for (const { address, fields, status, tickets, performers } of wishes) {
    const alike = rows.events.filter(
      (event) => event.name === fields.name && Date.parse(String(event.dateTime)) === fields.dateTime,
    );
    for (const { id } of alike) meant.add(id);
    const open = alike.filter((event) => event.status !== "ARCHIVED");
    if (status === "DELETED") {
      for (const { id } of open) found.push({ address, field: "", wish: "DELETED", live: "there", id });
      continue;
    }
    if (open.length > 1) found.push({ address, field: "", wish: "one", live: `${open.length} of them`, id: null });
    const live = open[0] ?? alike[0];
    if (live === undefined) {
      if (status !== "ARCHIVED") found.push({ address, field: "", wish: "there", live: "missing", id: null });
      continue;
    }
    const compare = (object: LiveRow, at: string, field: string, wish: unknown, shown: unknown) => {
      if (JSON.stringify(wish ?? null) !== JSON.stringify(shown ?? null))
        found.push({ address: at, field, wish, live: shown, id: object.id });
    };
    for (const [field, wish] of Object.entries(fields))
      compare(live, address, field, wish, field === "dateTime" ? Date.parse(String(live[field])) : live[field]);
    if (status !== undefined) compare(live, address, "status", status, live.status);
    const lists = [
      { kind: "tickets" as const, wishes: tickets, of: managedOfTickets },
      { kind: "performers" as const, wishes: performers, of: ["description"] },
    ];
    for (const { kind, wishes: entries, of } of lists) {
      if (entries === undefined) continue;
      const lives = rows[kind].filter(({ eventId }) => eventId === live.id);
      for (const entry of entries) {
        const at = `${address}/${kind}/${entry.name}`;
        const [one, ...others] = lives.filter(({ name }) => name === entry.name);
        if (one === undefined) found.push({ address: at, field: "", wish: "there", live: "missing", id: live.id });
        else for (const field of of) if (field in entry) compare(one, at, field, entry[field], one[field]);
        for (const { id } of others) found.push({ address: at, field: "", wish: "one", live: "twice", id });
      }
      for (const { id, name } of lives)
        if (entries.every((entry) => entry.name !== name))
          found.push({ address: `${address}/${kind}/${name}`, field: "", wish: "gone", live: "there", id });
    }
  }
  for (const { id, name, status } of rows.events)
    if (!meant.has(id) && status !== "ARCHIVED")
      found.push({ address: `unwished ${name}`, field: "", wish: "gone", live: "there", id });
  if (hooks !== null) {
    for (const { url, isActive } of hooks) {
      const [one] = rows.webhooks.filter((row) => row.url === url);
      if (one === undefined)
        found.push({ address: webhookAddress(url), field: "", wish: "there", live: "missing", id: null });
      else if (one.isActive !== isActive)
        found.push({ address: webhookAddress(url), field: "isActive", wish: isActive, live: one.isActive, id: one.id });
    }
  }
  for (const { url, id } of rows.webhooks)
    if ((hooks ?? []).every((hook) => hook.url !== url))
      found.push({ address: webhookAddress(url), field: "", wish: "gone", live: "there", id });
  return found;
}

function webhookAddress(url: unknown): string {
  return `webhooks/${String(url).replaceAll("/", "%2F")}`;
}
