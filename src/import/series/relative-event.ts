// An event with its times counted from its start, so that two dates of a series are one and the same.

import { kindOf } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import { dayMs } from "../../model/time.ts";
import type { DescribedEvent, Description, FieldEntry, Written } from "../describe/description.ts";

export interface RelativeEvent {
  /** `2027-01-08`: the local day of the start. */
  readonly day: string;
  /** `22:00` */
  readonly clock: string;
  /** Without its `dateTime`. */
  readonly event: DescribedEvent;
}

interface LocalTime {
  /** Days since the epoch. */
  readonly day: number;
  readonly clock: string;
}

/** null if its start is no plain local time. */
export function relativeEvent(described: DescribedEvent): RelativeEvent | null {
  const written = described.entries.find(({ field }) => field === "dateTime")?.value;
  const start = localTime(written);
  if (start === null) return null;
  return {
    day: String(written).slice(0, 10),
    clock: start.clock,
    event: {
      ...described,
      entries: relativeEntries("event", described, start).filter(({ field }) => field !== "dateTime"),
      lists: described.lists.map((list) => ({
        ...list,
        items: list.items?.map((item) => ({ id: item.id, entries: relativeEntries(list.kind, item, start) })) ?? null,
      })),
    },
  };
}

function relativeEntries(kind: KindName, { entries }: Description, start: LocalTime): readonly FieldEntry[] {
  const { fields } = kindOf(kind);
  const own = localTime(entries.find(({ field }) => field === "startTime")?.value);
  return entries.map((entry) => {
    const policy = fields[entry.field];
    const time = policy?.role === "value" && policy.form === "instant" ? localTime(entry.value) : null;
    if (time === null || entry.field === "dateTime") return entry;
    const since = entry.field === "endTime" ? own : null;
    return { ...entry, value: relativeTime(time, start, since) ?? entry.value };
  });
}

/** `since`: its own beginning, which its end comes after. null: there is no form for it. */
function relativeTime(time: LocalTime, start: LocalTime, since: LocalTime | null): string | null {
  const from = since ?? start;
  const isOnDay = since === null ? time.clock >= from.clock : time.clock > from.clock;
  if (time.day === from.day + (isOnDay ? 0 : 1)) return time.clock;
  const days = time.day - start.day;
  if (days >= 0) return `day ${days + 1} ${time.clock}`;
  return `start -${-days}d at ${time.clock}`;
}

/** null: with seconds, with an offset, or no time at all. */
function localTime(written: Written | undefined): LocalTime | null {
  const [, date = "", clock = ""] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})$/.exec(String(written)) ?? [];
  return clock === "" ? null : { day: Date.parse(date) / dayMs, clock };
}
