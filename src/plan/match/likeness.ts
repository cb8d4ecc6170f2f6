// Which events are alike, by name, start and venue; and how the dates of a series differ.
import { withoutMarkup } from "../../kinds/index.ts";
import { type Address, hasGaps, idKey, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { formatLocalTime } from "../../model/time.ts";
import { compareText, countBefore, groupBy, parseUrl, type Value } from "../../model/value.ts";
import type { OwnWish, Wish } from "../../model/wish.ts";
import type { Recall } from "./recall.ts";

/** Some services show `R&B` as `R&amp;B`. */
export function plainName(name: string): string {
  return name.includes("&") ? withoutMarkup(name) : name;
}

/** If only one of them shows a venue, it may be the same. */
export function mayShareVenue(wish: Pick<Wish, "fields">, live: Live): boolean {
  const [wished, shown] = [wish.fields.venueId, live.fields.venueId];
  return typeof wished !== "string" || typeof shown !== "string" || sameId(wished, shown);
}

export function groupByName(lives: readonly Live[]): ReadonlyMap<string, readonly Live[]> {
  const named = lives.filter((live) => typeof live.fields.name === "string");
  return groupBy(named, (live) => plainName(String(live.fields.name)));
}

/** Ids of the events that may be mistaken for one of this name, start and venue. */
export function namesakesAmong(lives: readonly Live[]): (wish: Pick<Wish, "fields">) => readonly string[] {
  const byName = groupByName(lives);
  const byStart = groupBy(lives, (live) => live.fields.dateTime);
  return ({ fields }) => {
    const named = typeof fields.name === "string" ? (byName.get(plainName(fields.name)) ?? []) : [];
    const together = typeof fields.dateTime === "string" ? (byStart.get(fields.dateTime) ?? []) : [];
    const alike = [...named, ...together.filter((live) => mayShareVenue({ fields }, live))];
    return [...new Set(alike.map((live) => live.id))].sort();
  };
}

// Dates of one series share their name. They differ by the day, as people count it.

type Series = OwnWish["series"];

/** A document that is gone, and what is known of the event it described. */
export interface GoneDocument {
  readonly address: Address;
  readonly id: string | null;
  readonly name: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly venueId?: string | null;
}

interface SeriesInput {
  readonly wishes: readonly Wish[];
  readonly lives: readonly Live[];
  readonly remember: Recall;
  readonly gone?: readonly GoneDocument[];
}

/** `startOf`: the start that a live event shows, or that is remembered for it. */
export function makeSeriesDates({ wishes, lives, remember, gone = [] }: SeriesInput, startOf: (live: Live) => unknown) {
  const liveIds = new Set(lives.map(({ id }) => idKey(id)));
  const recordedFor = new Map(wishes.map((wish) => [idKey(remember(wish.address).id ?? ""), wish]));
  const dates = new Map<Address, Map<string, Address[]>>();
  for (const { address, own } of wishes) {
    if (own.series === undefined) continue;
    const known = dates.get(own.series.of) ?? new Map<string, Address[]>();
    dates.set(own.series.of, known);
    for (const place of placesInTime(own.series)) known.set(place, [...(known.get(place) ?? []), address]);
  }

  /** Its start, and the local day of that. */
  function placesOf({ own }: Wish, live: Live): readonly string[] {
    const start = startOf(live);
    return typeof start === "string" ? [start, formatLocalTime(start, own.timezone ?? "UTC").slice(0, 10)] : [];
  }
  /** Whether a live event is on the local day of this date, or begins where the rule had put it before it was moved. */
  function isOnDateOf(wish: Wish, live: Live): boolean {
    const places = placesInTime(wish.own.series);
    return placesOf(wish, live).some((place) => places.includes(place));
  }

  return {
    isOnDateOf,
    /** Dates that take each other's places have moved: each keeps the event that is recorded for it. */
    isOfMoved({ address, own }: Wish, live: Live): boolean {
      const owner = recordedFor.get(idKey(live.id));
      if (owner === undefined || owner.address === address || !isDateOf(own.series, owner.address)) return false;
      return owner.fields.dateTime !== startOf(live) || liveIds.has(idKey(remember(address).id ?? ""));
    },
    /** Whether it belongs to another date of the same series, even one that was removed. `isSettled`: that date has a different event. */
    isOfAnother(wish: Wish, live: Live, isSettled: (date: Address) => boolean): boolean {
      const { series } = wish.own;
      if (series === undefined) return false;
      if (gone.some((one) => isDateOf(series, one.address) && means(one, live, startOf(live)))) return true;
      if (isOnDateOf(wish, live)) return false;
      return placesOf(wish, live).some((place) =>
        dates
          .get(series.of)
          ?.get(place)
          ?.some((date) => !isSettled(date)),
      );
    },
  };
}

/** Whether the address is that of a date of the series: a removed date and an added one are two events. */
export function isDateOf(series: Series, address: Address): boolean {
  return series !== undefined && address.startsWith(`${series.of}@`);
}

function placesInTime(series: Series): readonly string[] {
  return [series?.day, series?.ruleStart].filter((place) => place !== undefined);
}

function means({ id, name, start }: GoneDocument, live: Live, shown: unknown): boolean {
  if (id !== null) return idKey(id) === idKey(live.id);
  return name !== null && plainName(name) === plainName(String(live.fields.name)) && start === shown;
}

/**
 * Live events with the start and venue that were last applied, if the service shows no start: by what state holds for
 * the id, else by the only deleted document of that name. Only to distinguish them, never to compare fields.
 */
export function withRememberedStarts(input: Omit<SeriesInput, "wishes">): ReadonlyMap<string, Live> {
  const { lives, remember, gone = [] } = input;
  const goneByName = groupBy(
    gone.filter(({ id, name }) => id === null && name !== null),
    ({ name }) => plainName(String(name)),
  );
  const hiddenByName = groupByName(lives.filter((live) => live.fields.dateTime === undefined));
  return new Map(
    lives.map((live) => {
      if (live.fields.dateTime !== undefined) return [live.id, live];
      const name = plainName(String(live.fields.name));
      const [only, ...others] = goneByName.get(name) ?? [];
      const isOnly = others.length === 0 && hiddenByName.get(name)?.length === 1;
      const { dateTime, venueId } = remember("", live.id).applied ?? {
        dateTime: isOnly ? only?.start : undefined,
        venueId: isOnly ? only?.venueId : undefined,
      };
      const fields = {
        ...live.fields,
        ...(typeof dateTime === "string" ? { dateTime } : {}),
        ...(typeof venueId === "string" && live.fields.venueId === undefined ? { venueId } : {}),
      };
      return [live.id, { ...live, fields }];
    }),
  );
}

// URLs that a service shows in lower case or in part, and the wished ones that they can stand for.

/**
 * For each URL that the service shows, the wished URLs it can stand for: in lower case (only if it shows all of them so), or
 * with hidden parts. Sorting puts candidates for a hidden part next to each other.
 */
export function alikeUrls(
  shown: readonly (Value | undefined)[],
  wished: readonly (Value | undefined)[],
): readonly (readonly number[])[] {
  const isSmall = shown.every((url) => typeof url === "string" && url === url.toLowerCase());
  const forms = wished.flatMap((url, index) =>
    typeof url === "string" && url.length <= longest
      ? // The host of an address has no capitals, however it is written.
        [{ index, small: url.toLowerCase(), href: parseUrl(url)?.href ?? url }]
      : [],
  );
  const bySmall = groupBy(forms, ({ small }) => small);
  const byHref = [...forms].sort((one, other) => compareText(one.href, other.href));
  return shown.map((url) => {
    if (typeof url !== "string" || url.length > longest) return [];
    if (!hidden.test(url)) return isSmall ? (bySmall.get(url) ?? []).map(({ index }) => index) : [];
    const parts = url.split(hidden);
    const start = parts[0] ?? "";
    const alike: number[] = [];
    const first = countBefore(byHref.length, (index) => (byHref[index]?.href ?? "") < start);
    for (let at = first; byHref[at]?.href.startsWith(start); at += 1) {
      const form = byHref[at];
      if (form !== undefined && hasGaps(form.href, parts, 1)) alike.push(form.index);
    }
    return alike.sort((one, other) => one - other);
  });
}

/** No browser accepts a longer one. */
const longest = 8192;
const hidden = /\*{2,}|•{2,}|…/;
