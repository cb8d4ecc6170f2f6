// The lists below events, and the webhooks. A list may lag: it is read until it shows what was created recently.
import type { Kind } from "../kinds/define.ts";
import { kindOf } from "../kinds/index.ts";
import { idKey, type KindName } from "../model/address.ts";
import type { Live } from "../model/live.ts";
import { type DetailsVerdict, liveOf, makeDetails } from "./events/details.ts";
import type { Reader } from "./reader.ts";

export interface Patience {
  /** How long to wait for a new object. */
  readonly settleMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What was created so recently that a list may not show it yet. */
export interface Expected {
  readonly fresh: readonly string[];
  /** How many there must be, if their ids are not known. */
  readonly atLeast: number;
}

const pollMs = 250;

function isAllThere(lives: readonly Live[], { fresh, atLeast }: Expected): boolean {
  if (lives.length < atLeast || fresh.length === 0) return lives.length >= atLeast;
  const shown = new Set(lives.map((live) => idKey(live.id)));
  return fresh.every((id) => shown.has(idKey(id)));
}

/** An object that the list does not show after the settle time is missing. */
async function awaitFresh(
  read: () => Promise<readonly Live[]>,
  expected: Expected,
  patience: Patience,
): Promise<readonly Live[]> {
  let lives = await read();
  for (let waited = 0; !isAllThere(lives, expected) && waited < patience.settleMs; ) {
    const pause = Math.max(1, Math.min(pollMs, patience.settleMs - waited));
    await patience.sleep(pause);
    waited += pause;
    lives = await read();
  }
  return lives;
}

export interface WantedList extends Expected {
  readonly eventId: string;
  readonly kind: KindName;
  /** Managed fields of its entries. */
  readonly fields: readonly string[];
}

export type ReadList = (list: WantedList) => Promise<readonly Live[]>;

export function makeListReader(reader: Reader, patience: Patience = impatient): ReadList {
  const verdicts = new Map<KindName, DetailsVerdict>();
  return async ({ eventId, fields, ...list }) => {
    const kind = kindOf(list.kind);
    const lives = await readFresh(reader, kind, eventId, list, patience);
    // So it is with most lists.
    if (lives.every((live) => fields.every((field) => field in live.fields))) return lives;
    const verdict = verdicts.get(kind.name) ?? { ofKind: null };
    verdicts.set(kind.name, verdict);
    // What the lists of other events show says nothing here: which of them are read before depends on chance, and on the shard.
    const known = makeDetails(reader, kind, (live) => `/events/${eventId}/${kind.plural}/${live.id}`, verdict);
    for (const live of lives) known.noteListed(live);
    const complete = await Promise.all(lives.map((live) => known.complete(live, fields)));
    return complete.filter((live) => live !== null);
  };
}

const impatient: Patience = { settleMs: 0, sleep: async () => undefined };

/** `fresh`: ids of what was created so recently that the list may not show it yet. */
export function readWebhooks(
  reader: Reader,
  fresh: readonly string[] = [],
  patience: Patience = impatient,
): Promise<readonly Live[]> {
  return readFresh(reader, kindOf("webhook"), null, { fresh, atLeast: 0 }, patience);
}

function readFresh(
  reader: Reader,
  kind: Kind,
  eventId: string | null,
  expected: Expected,
  patience: Patience,
): Promise<readonly Live[]> {
  const path = eventId === null ? `/${kind.plural}` : `/events/${eventId}/${kind.plural}`;
  async function read(): Promise<readonly Live[]> {
    if (expected.fresh.length > 0 || expected.atLeast > 0) reader.forget(path);
    return (await reader.all(path)).flatMap((record) => liveOf(kind, record, eventId) ?? []);
  }
  return awaitFresh(read, expected, patience);
}
