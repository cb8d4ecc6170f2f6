// Events that state or a base knows as ours and that no document describes any more.
import { kindOf } from "../kinds/index.ts";
import type { Address } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { sameId } from "../model/id.ts";
import type { Live } from "../model/live.ts";
import type { State } from "../model/state.ts";
import type { Wish } from "../model/wish.ts";
import type { EventCase } from "./case.ts";
import { deleteObject } from "./compare.ts";
import { hasEnded } from "./match-events.ts";

export interface Removed {
  readonly events: readonly EventCase[];
  readonly diagnostics: readonly Diagnostic[];
  /** Addresses that state need not remember any longer. */
  readonly forgotten: readonly Address[];
}

/** Former documents, with what may prove which live event they meant. */
export interface Former {
  readonly address: Address;
  readonly id: string | null;
  readonly name: string | null;
  readonly start: string | null;
  readonly protected: boolean;
  readonly wish: Wish | null;
}

/** Documents of state and base that are not there any more. */
export function formerEvents(current: readonly Wish[], state: State | null, base: readonly Wish[]): readonly Former[] {
  const present = new Set(current.map((wish) => wish.address));
  const former = new Map<Address, Former>();
  for (const [address, entry] of Object.entries(state?.objects ?? {})) {
    if (entry.kind !== "event" || present.has(address)) continue;
    const { name, dateTime } = entry.applied;
    former.set(address, {
      address,
      id: entry.id,
      name: text(name),
      start: text(dateTime),
      protected: entry.protected === true,
      wish: null,
    });
  }
  for (const wish of base) {
    if (present.has(wish.address)) continue;
    const known = former.get(wish.address);
    former.set(wish.address, {
      address: wish.address,
      id: known?.id ?? wish.own.id ?? null,
      name: text(wish.fields.name),
      start: text(wish.fields.dateTime),
      protected: wish.own.protected === true,
      wish,
    });
  }
  return [...former.values()];
}

export function findRemoved(
  former: readonly Former[],
  lives: readonly Live[],
  taken: ReadonlySet<string>,
  now: number,
): Removed {
  const events: EventCase[] = [];
  const diagnostics: Diagnostic[] = [];
  const forgotten: Address[] = [];
  for (const one of former) {
    const live = lives.find((candidate) => meant(one, candidate));
    if (live === undefined || taken.has(live.id) || live.status === "ARCHIVED" || hasEnded(live, now)) {
      forgotten.push(one.address);
      if (live !== undefined && !taken.has(live.id)) diagnostics.push(letGo(one, live));
      continue;
    }
    const self = deleteObject(kindOf("event"), one.address, live, one.wish, "no document describes it any more");
    const change = self.change === null ? null : { ...self.change, source: null };
    events.push({ self: { ...self, change }, children: [], lists: {}, protected: one.protected });
  }
  return { events, diagnostics, forgotten };
}

function meant(former: Former, live: Live): boolean {
  if (former.id !== null) return sameId(live.id, former.id);
  return former.name !== null && live.fields.name === former.name && live.fields.dateTime === former.start;
}

function letGo(former: Former, live: Live): Diagnostic {
  const why = live.status === "ARCHIVED" ? "is archived" : "is over";
  return {
    code: "forgotten",
    severity: "info",
    message: `'${former.name ?? former.address}' has no document any more. It ${why}, so it is left as it is and no longer looked after.`,
    address: former.address,
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
