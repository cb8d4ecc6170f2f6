// What documents still want of the live events read so far.
import { idKey } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";

/** What is needed to find the live event that a document may mean. */
export interface WantedEvent {
  /** Ids from the document, state or a base. */
  readonly ids: readonly string[];
  /** Those of them that were written by hand. */
  readonly pins?: readonly string[];
  /** Names it may have: now, at the base, before a rename. */
  readonly names: readonly string[];
  /** Starts it may have: now, at the base. The first is the wished one. */
  readonly starts: readonly string[];
  /** Managed fields, to be read if the service shows them. */
  readonly fields: readonly string[];
  readonly expected: "live" | "new" | "unknown";
  /** Whether an archived event might be the one. */
  readonly archivedToo: boolean;
  /** Whether an open event of another name may be it, renamed: one that starts with it. */
  readonly renamesToo?: boolean;
  readonly isGone?: true;
  /**
   * Planned by another shard, and searched for so that none of ours is matched with its event: its names and starts. No details
   * are read of it, and an id that no list shows only where it may matter to one of ours.
   */
  readonly elsewhere?: readonly string[];
}

/** By the key of their id. */
export type KnownEvents = ReadonlyMap<string, Live>;

/** Documents whose event was not found yet. */
export function missingIn(known: KnownEvents, wanted: readonly WantedEvent[]): readonly WantedEvent[] {
  const starts = new Set<string>();
  const startless = new Set<unknown>();
  for (const { fields } of known.values()) {
    if (fields.dateTime === undefined) startless.add(fields.name);
    else starts.add(`${fields.dateTime} ${fields.name}`);
  }
  return wanted.filter((one) => {
    if (one.names.length === 0 || isFoundById(known, one)) return false;
    return !one.names.some((name) => startless.has(name) || one.starts.some((start) => starts.has(`${start} ${name}`)));
  });
}

function isFoundById(known: KnownEvents, { ids }: WantedEvent): boolean {
  return ids.some((id) => known.has(idKey(id)));
}

/** Those, and documents that are known by their id alone, if no list has shown it so far. */
export function unseenIn(known: KnownEvents, wanted: readonly WantedEvent[]): readonly WantedEvent[] {
  const byId = wanted.filter(
    (one) => one.names.length === 0 && one.ids.length > 0 && one.elsewhere === undefined && !isFoundById(known, one),
  );
  return [...missingIn(known, wanted), ...byId];
}

/** Without what other shards plan, except for documents that may mean an event that one of ours may mean, too. */
export function contendersFor(known: KnownEvents, wanted: readonly WantedEvent[]): readonly WantedEvent[] {
  const own = wanted.filter(({ elsewhere }) => elsewhere === undefined);
  if (own.length === wanted.length) return wanted;
  const gone = own.filter(({ isGone }) => isGone === true);
  const goneIds = new Set(gone.flatMap(({ ids }) => ids.map(idKey)));
  const marks = new Set<unknown>(
    [...missingIn(known, own), ...gone].flatMap(({ names, starts }) => [...names, ...starts]),
  );
  // Through an event of one name and another start, one shard may mean what another shard means by its start.
  const near = new Set(marks);
  for (const { id, fields } of known.values()) {
    if (!goneIds.has(idKey(id)) && !marks.has(fields.name) && !marks.has(fields.dateTime)) continue;
    near.add(fields.name).add(fields.dateTime);
  }
  return wanted.filter(({ elsewhere }) => elsewhere === undefined || elsewhere.some((mark) => near.has(mark)));
}

/** Found by its id, with the wished name and start: no other event can be meant. */
export function isFoundAsWished(known: KnownEvents, one: WantedEvent): boolean {
  const live = one.ids.map((id) => known.get(idKey(id))).find((found) => found !== undefined);
  if (one.names.length === 0) return true;
  if (live === undefined || live.fields.name !== one.names[0]) return false;
  return live.fields.dateTime === undefined || live.fields.dateTime === one.starts[0];
}

/** Of a live event, the fields that documents manage; of one that another shard means, none. */
export function fieldsToRead(wanted: readonly WantedEvent[]): (live: Live) => readonly string[] {
  const byId = new Map<string, readonly string[]>();
  const byName = new Map<unknown, readonly string[]>();
  const elsewhere = new Set<string>();
  for (const one of wanted) {
    for (const id of one.ids) byId.set(idKey(id), one.fields);
    for (const name of one.names) {
      if (one.elsewhere === undefined) byName.set(name, one.fields);
      else if (!byName.has(name)) byName.set(name, []);
      if (one.elsewhere !== undefined) for (const start of one.starts) elsewhere.add(`${start} ${name}`);
    }
  }
  return ({ id, fields: { name, dateTime } }) => {
    const isElsewhere = elsewhere.has(`${dateTime} ${name}`);
    const fields = byId.get(idKey(id)) ?? (isElsewhere ? [] : byName.get(name));
    return fields === undefined ? [] : ["dateTime", ...fields];
  };
}
