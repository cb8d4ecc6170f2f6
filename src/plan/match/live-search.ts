// The live events while documents are matched with them: found by id, name and start, and which of them are still free.
import { type Address, idKey } from "../../model/address.ts";
import { hasEnded, type Live } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { groupBy, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { type GoneDocument, groupByName, makeSeriesDates, plainName, withRememberedStarts } from "./likeness.ts";
import type { Recall } from "./recall.ts";

export interface EventMatch {
  readonly live: Live | null;
  readonly block: Block | null;
  /** Set if the service does not show the start and the name alone decided. */
  readonly byNameAlone?: true;
  /** The address under which state knows it, if its document is gone and this one has its name. */
  readonly movedFrom?: Address;
  /** If it is unclear which of them is meant, none of them may be deleted. */
  readonly candidates?: readonly Live[];
  /** For an event to create that nothing remembers: open events with a hidden start, any of which may be this one, renamed. */
  readonly notRuledOut?: readonly Live[];
  /** For an event that is to be deleted and is not live: others of its name, or of its start and venue, that no document means. */
  readonly namesakes?: readonly Live[];
}

export interface MatchInput {
  readonly wishes: readonly Wish[];
  readonly lives: readonly Live[];
  readonly remember: Recall;
  readonly baseOf?: (address: Address) => Wish | undefined;
  /** Whether git or state proves that the document was never applied before; left out: unknown. */
  readonly wasNeverApplied?: (address: Address) => boolean;
  readonly gone?: readonly GoneDocument[];
  /** Whether an event that shares only a document's start and venue is a lookalike: it may have been renamed. */
  readonly renamesToo?: boolean;
  readonly now: number;
}

export type LiveSearch = ReturnType<typeof makeLiveSearch>;

export function makeLiveSearch(input: MatchInput) {
  const { wishes, lives, remember, now } = input;
  const found = new Map<Address, EventMatch>();
  const claimed = new Set<string>();
  const byId = new Map(lives.map((live) => [idKey(live.id), live]));
  const byName = groupByName(lives);
  const informed = withRememberedStarts(input);
  const byStart = groupBy([...informed.values()], (live) => live.fields.dateTime);

  function startOf(live: Live): Value | undefined {
    return informed.get(live.id)?.fields.dateTime;
  }
  function isFree(live: Live): boolean {
    return !claimed.has(live.id);
  }
  function baseOf({ address }: Wish): Wish | undefined {
    return input.baseOf?.(address);
  }
  function recordedId({ address }: Wish): string | null {
    return remember(address).id;
  }
  function liveWithId(id: string): Live | undefined {
    return byId.get(idKey(id));
  }
  function named(name: unknown): readonly Live[] {
    return byName.get(plainName(String(name))) ?? [];
  }

  return {
    lives,
    renamesToo: input.renamesToo === true,
    found,
    series: makeSeriesDates(input, startOf),
    startOf,
    isFree,
    baseOf,
    recordedId,
    liveWithId,
    named,
    take(wish: Wish, match: EventMatch): void {
      found.set(wish.address, match);
      if (match.live !== null) claimed.add(match.live.id);
    },
    unmatched(): readonly Wish[] {
      return wishes.filter(({ address }) => !found.has(address));
    },
    isOpen(live: Live): boolean {
      return live.status !== "ARCHIVED" && !hasEnded(live, now);
    },
    /** Those that show no start have the one that is remembered. */
    startingAt(start: unknown): readonly Live[] {
      return typeof start === "string" ? (byStart.get(start) ?? []) : [];
    },
    isRecorded({ id }: Live): boolean {
      return remember("", id).id !== null;
    },
    wasNeverApplied({ address }: Wish): boolean {
      return input.wasNeverApplied?.(address) === true;
    },
    isKnown(wish: Wish): boolean {
      return recordedId(wish) !== null || baseOf(wish) !== undefined;
    },
    /** The event that the document meant until now. */
    formerOf(wish: Wish): Live | undefined {
      const id = recordedId(wish);
      const base = baseOf(wish)?.fields;
      if (id !== null || base === undefined) return liveWithId(id ?? "");
      return named(base.name).find(({ fields }) => fields.dateTime === base.dateTime);
    },
  };
}
