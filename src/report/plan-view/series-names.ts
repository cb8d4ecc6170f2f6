// Dates of one series in a line.
import { dateOf } from "../../model/address.ts";
import { formatLocalTime } from "../../model/time.ts";
import { formatCount, groupBy } from "../../model/value.ts";
import { startOf } from "./distinct-names.ts";
import type { Family } from "./group-changes.ts";

/** From so many on, dates of a series are told together. */
export const fewestDates = 3;
/** `events/friday-club on 9 dates, 2027-01-08 to 2027-03-12` for dates of one series, from three on; others as they are. */
export function shortAddresses(addresses: readonly string[]): readonly string[] {
  const bySeries = groupBy(addresses, (address) => dateOf(address)?.series ?? address);
  return [...bySeries].flatMap(([series, all]) => (all.length < fewestDates ? all : [onDates(series, all)]));
}

function onDates(series: string, addresses: readonly string[]): string {
  const days = addresses.map((address) => dateOf(address)?.day ?? "").sort();
  return `${series} on ${formatCount(days.length)} dates, ${days[0]} to ${days.at(-1)}`;
}

/** The dates of each series that have nothing to say but their day, and all others. `name` is what the first of them is called. */
export function withoutPlainDates(
  families: readonly Family[],
  name: string,
  nameOf: (family: Family) => string,
): { readonly lines: readonly string[]; readonly others: readonly Family[] } {
  const plain = families.filter((family) => nameOf(family) === name && isOnItsDay(family));
  const bySeries = groupBy(plain, ({ address }) => dateOf(address ?? "")?.series ?? "");
  const long = [...bySeries].filter(([, dates]) => dates.length >= fewestDates);
  const listed = new Set(long.flatMap(([, dates]) => dates));
  return {
    lines: long.map(([series, dates]) =>
      onDates(
        series,
        dates.map(({ address }) => address ?? ""),
      ),
    ),
    others: families.filter((family) => !listed.has(family)),
  };
}

/** A date that was moved is an odd one. */
function isOnItsDay({ address, own }: Family): boolean {
  const day = dateOf(address ?? "")?.day;
  const start = own === null ? null : startOf(own);
  return start !== null && formatLocalTime(start, own?.context?.timezone ?? "UTC").slice(0, 10) === day;
}
