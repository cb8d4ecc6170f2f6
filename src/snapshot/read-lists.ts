// The lists of events: only those that the files manage, or that a change may break.
import type { Kind } from "../kinds/define.ts";
import { kindOf } from "../kinds/index.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Live } from "../model/live.ts";
import { awaitFresh, type Expected, type Patience } from "./await-fresh.ts";
import { type Details, makeDetails } from "./details.ts";
import { liveOf } from "./live-of.ts";
import type { Reader } from "./reader.ts";

export interface WantedList extends Expected {
  readonly eventId: string;
  readonly kind: KindName;
  /** Managed fields of its entries. */
  readonly fields: readonly string[];
}

export type ReadList = (list: WantedList) => Promise<readonly Live[]>;

export function makeListReader(reader: Reader, patience: Patience): ReadList {
  const details = new Map<KindName, Details>();

  function detailsOf(kind: Kind): Details {
    const known = details.get(kind.name);
    if (known !== undefined) return known;
    const made = makeDetails(reader, kind, (live) => `/events/${live.parentId}/${kind.plural}/${live.id}`);
    details.set(kind.name, made);
    return made;
  }

  async function readOnce(list: WantedList, kind: Kind): Promise<readonly Live[]> {
    const path = `/events/${list.eventId}/${kind.plural}`;
    if (list.fresh.length > 0 || list.atLeast > 0) reader.forget(path);
    const records = await reader.all(path);
    return records.map((record) => liveOf(kind, record, list.eventId)).filter((live) => live !== null);
  }

  return async (list) => {
    const kind = kindOf(list.kind);
    const lives = await awaitFresh(() => readOnce(list, kind), list, patience);
    const known = detailsOf(kind);
    for (const live of lives) known.noteListed(live);
    const complete = await Promise.all(lives.map((live) => known.complete(live, list.fields)));
    return complete.filter((live) => live !== null);
  };
}
