// Everything that a saved plan saw, read once more.
import { kindOf } from "../../kinds/index.ts";
import { parentAddress } from "../../kinds/of-address.ts";
import { readRecord } from "../../kinds/read-record.ts";
import type { Address } from "../../model/address.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { idKey } from "../../model/id.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Live } from "../../model/live.ts";
import type { Plan, Seen } from "../../model/plan.ts";
import type { LiveLists } from "../../model/snapshot.ts";
import type { Value } from "../../model/value.ts";
import { groupByName, hasEnded, namesakesAmong, plainName } from "../../plan/match-events.ts";
import { referrersOf } from "../../plan/references.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { makeListReader } from "../../snapshot/read-lists.ts";
import { readWebhooks } from "../../snapshot/read-webhooks.ts";
import type { Reader } from "../../snapshot/reader.ts";

export interface SeenAgain {
  /** What each address that the plan saw is now; null: not there. */
  readonly lives: ReadonlyMap<Address, Live | null>;
  /** What came up since under the name, or at the start and venue, of an event that is to be made, by the address of that. */
  readonly newcomers: ReadonlyMap<Address, Live>;
  /** By the address of the event. */
  readonly lists: ReadonlyMap<Address, LiveLists>;
  /** Whether an id was met, asked about what state holds for addresses that are to be made. */
  readonly isLive: (id: string) => boolean;
}

export interface SeenQuestion {
  readonly plan: Plan;
  readonly now: number;
  /** What state holds for addresses that are to be made, by address. */
  readonly remembered: ReadonlyMap<Address, string>;
}

export async function readSeen(reader: Reader, { plan, now, remembered }: SeenQuestion): Promise<SeenAgain> {
  const lives = new Map<Address, Live | null>();
  const lists = new Map<Address, LiveLists>();
  const readList = makeListReader(reader, { settleMs: 0, sleep: async () => undefined });
  const events = plan.seen.filter((seen) => seen.kind === "event");
  const byEvent = groupBy(plan.seen, (seen) => parentAddress(seen.address) ?? "");
  const going = new Set(plan.changes.flatMap((one) => (isLeaving(one.action) ? [one.address] : [])));
  await Promise.all(
    events.map(async (seen) => {
      if (seen.id === null) return;
      lives.set(seen.address, await readEvent(reader, seen.id));
      const below = byEvent.get(seen.address) ?? [];
      // What may name something that goes is looked at, whatever the file says of it.
      const naming = below
        .filter((each) => going.has(each.address))
        .flatMap((each) => referrersOf(each.kind).map((referrer) => referrer.kind));
      const kinds = new Set([
        ...Object.keys(seen.lists ?? {}),
        ...below.map((each) => each.kind),
        ...naming,
      ] as KindName[]);
      const read: Partial<Record<KindName, readonly Live[]>> = {};
      for (const kind of kinds) {
        const fields = below.filter((each) => each.kind === kind).flatMap((each) => Object.keys(each.fields));
        if (lives.get(seen.address) === null) continue;
        read[kind] = await readList({ eventId: seen.id, kind, fields: [...new Set(fields)], fresh: [], atLeast: 0 });
      }
      lists.set(seen.address, read);
      for (const each of below) {
        const found = read[each.kind]?.find((live) => live.id === each.id);
        lives.set(each.address, each.id === null ? null : (found ?? null));
      }
    }),
  );
  const newcomers = await findNew(reader, plan, lives, now);
  const hooks = plan.seen.filter((seen) => seen.kind === "webhook");
  const webhooks = hooks.length === 0 ? [] : await readWebhooks(reader);
  for (const seen of hooks) {
    const found = webhooks.find((live) =>
      seen.id === null ? live.fields.url === seen.fields.url : live.id === seen.id,
    );
    lives.set(seen.address, found ?? null);
  }
  const found = new Set(await liveIds(reader, events, remembered));
  for (const list of lists.values()) for (const live of Object.values(list).flat()) found.add(idKey(live.id));
  for (const live of webhooks) found.add(idKey(live.id));
  return { lives, newcomers, lists, isLive: (id) => found.has(idKey(id)) };
}

function isLeaving(action: Change["action"]): boolean {
  return action === "delete" || action === "replace";
}

/** An event that is to be made may be there under another name: only its id tells. */
async function liveIds(
  reader: Reader,
  events: readonly Seen[],
  remembered: ReadonlyMap<Address, string>,
): Promise<readonly string[]> {
  const ids = events.flatMap(({ address, id }) => (id === null ? (remembered.get(address) ?? []) : []));
  const lives = await Promise.all(ids.map((id) => readEvent(reader, id)));
  return lives.flatMap((live) => (live === null ? [] : [idKey(live.id)]));
}

async function readEvent(reader: Reader, id: string): Promise<Live | null> {
  const record = await reader.one(`/events/${id}`);
  return record === null ? null : readRecord(kindOf("event"), record, null);
}

/** What was to be made may have been made by somebody else meanwhile. Gives those that may be meant and are not equal. */
async function findNew(
  reader: Reader,
  plan: Plan,
  lives: Map<Address, Live | null>,
  now: number,
): Promise<ReadonlyMap<Address, Live>> {
  const wanted = plan.seen.filter((seen) => seen.kind === "event" && seen.id === null);
  const found = await findEvents(
    reader,
    wanted.map((seen) => ({
      ids: [],
      names: texts(seen.fields.name),
      starts: texts(seen.fields.dateTime),
      fields: ["name", "dateTime"],
      expected: "unknown" as const,
      archivedToo: archivedToo(seen),
      renamesToo: seen.new !== true,
    })),
  );
  const newcomers = new Map<Address, Live>();
  const venues = new Map(
    plan.operations.flatMap(({ address, verb, body }) => (verb === "create" ? [[address, body?.venueId]] : [])),
  );
  const byName = groupByName(found.events);
  const namesakesOf = namesakesAmong(found.events);
  for (const seen of wanted) {
    const { name, dateTime } = seen.fields;
    const known = new Set(seen.namesakes?.map(idKey));
    const alike = (typeof name === "string" ? (byName.get(plainName(name)) ?? []) : []).filter(
      (live) => !known.has(idKey(live.id)),
    );
    const meant = alike.filter((live) => live.status !== "ARCHIVED" || archivedToo(seen));
    const equal = meant.find((live) => isStarting(live, dateTime));
    lives.set(seen.address, equal ?? null);
    const venueId = venues.get(seen.address);
    const fields = { ...seen.fields, ...(typeof venueId === "string" ? { venueId } : {}) };
    const sharing = new Set(namesakesOf({ fields }).filter((id) => !known.has(idKey(id))));
    const other = found.events.find(
      (live) => sharing.has(live.id) && live.status !== "ARCHIVED" && !hasEnded(live, now),
    );
    if (equal === undefined && other !== undefined && seen.new !== true) newcomers.set(seen.address, other);
  }
  return newcomers;
}

/** As in a plan: a document that says it is new never means an archived event. */
function archivedToo(seen: Seen): boolean {
  return seen.new !== true;
}

/** Where the start is hidden, the name has to do: a second one is worse than a plan that is made anew. Not so among archived ones. */
function isStarting({ fields, status }: Live, start: Value | undefined): boolean {
  return fields.dateTime === start || (fields.dateTime === undefined && status !== "ARCHIVED");
}

function texts(value: Value | undefined): readonly string[] {
  return typeof value === "string" ? [value] : [];
}
