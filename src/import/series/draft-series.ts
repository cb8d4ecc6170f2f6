// What the dates of a series share, and what differs on some of them.
import { kindOf } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import { dayMs } from "../../model/time.ts";
import { compareText, groupBy } from "../../model/value.ts";
import type { DescribedEvent, DescribedList, Description, FieldEntry, Written } from "../describe/describe-object.ts";
import { mostCommon, ruleOfDays, type SeriesRuleText } from "./rule-of-days.ts";

export interface SeriesDraft<Member extends RelativeEvent = RelativeEvent> {
  /** `22:00` */
  readonly clock: string;
  readonly dates: SeriesRuleText;
  /** Without `id` and `dateTime`. */
  readonly shared: DescribedEvent;
  /** In the order of days. */
  readonly members: readonly (Differences & { readonly member: Member })[];
}

/** What one date has that the others do not. */
export interface Differences {
  readonly entries: readonly FieldEntry[];
  readonly lists: readonly DescribedList[];
}

const leastDates = 3;
const mostDates = 1_000;
/** More than this many on one date make it another event. */
const mostDifferences = 3;

/** null: too few of them are alike. */
export function draftSeries<Member extends RelativeEvent>(candidates: readonly Member[]): SeriesDraft<Member> | null {
  const byDay = groupBy(candidates, ({ day }) => day);
  const alone = candidates.filter(({ day }) => byDay.get(day)?.length === 1);
  const [first] = alone;
  if (first === undefined || alone.length > mostDates) return null;
  const shared = sharedBy(alone.map(({ event }) => event));
  const members = [...alone]
    .sort((one, other) => compareText(one.day, other.day))
    .flatMap((member) => {
      const differences = differencesFrom(shared, member.event);
      return differences === null || sizeOf(differences) > mostDifferences ? [] : [{ member, ...differences }];
    });
  const same = members.filter((each) => sizeOf(each) === 0).length;
  if (members.length < leastDates || same * 2 < members.length) return null;
  return { clock: first.clock, dates: ruleOfDays(members.map(({ member }) => member.day)), shared, members };
}

/** Not counted: a status changes in the life of every event, an id is its own, and what it ignores is for `import` to add. */
const ownFields: ReadonlySet<string> = new Set(["id", "status", "ignore"]);

function sizeOf({ entries, lists }: Differences): number {
  const counted = entries.filter(({ field }) => !ownFields.has(field)).length;
  return lists.reduce((sum, { kind, items }) => {
    const own = (items ?? []).filter((item) =>
      item.entries.some(({ field }) => !ownFields.has(field) && field !== kindOf(kind).identity.label),
    );
    return sum + own.length;
  }, counted);
}

/** For each field and each list, what most of the events have. */
function sharedBy(events: readonly DescribedEvent[]): DescribedEvent {
  const [first] = events;
  const fields = new Set(events.flatMap(({ entries }) => entries.map(({ field }) => field)));
  fields.delete("id");
  const entries = [...fields].flatMap((field) => {
    const all = events.map((event) => event.entries.find((entry) => entry.field === field));
    // A document adds to the rules it inherits as ignored: only those that all of them ignore are shared.
    if (field === "ignore" && new Set(all.map(valueKey)).size > 1) return [];
    return mostCommon(all, valueKey) ?? [];
  });
  const kinds = new Set(events.flatMap(({ lists }) => lists.map(({ kind }) => kind)));
  const lists = [...kinds].flatMap(
    (kind) =>
      mostCommon(
        events.map((event) => withoutIds(listOfKind(event, kind))),
        listKey,
      ) ?? [],
  );
  return { id: first?.id ?? "", entries, lists, remarks: first?.remarks ?? [] };
}

/** null: a document that extends the shared one cannot express them. */
function differencesFrom(shared: DescribedEvent, event: DescribedEvent): Differences | null {
  const entries = differentEntries(shared, event);
  const dropped = missingFrom(shared, event);
  const lists: DescribedList[] = [];
  for (const kind of new Set([...shared.lists, ...event.lists].map((list) => list.kind))) {
    const [inherited, own] = [listOfKind(shared, kind), listOfKind(event, kind)];
    if (listKey(inherited) === listKey(own)) continue;
    if (own?.items == null) {
      dropped.push(kindOf(kind).plural);
      continue;
    }
    const items = differentItems(kindOf(kind).identity.label, inherited?.items ?? [], own.items);
    if (items === null) return null;
    lists.push({ kind, items, remarks: [] });
  }
  return { entries: dropped.length === 0 ? entries : [...entries, { field: "without", value: dropped }], lists };
}

function differentItems(
  label: string,
  inherited: readonly Description[],
  own: readonly Description[],
): readonly Description[] | null {
  const nameOf = (item: Description) => item.entries.find(({ field }) => field === label);
  for (const list of [inherited, own]) {
    if (new Set(list.map((item) => String(nameOf(item)?.value).toLowerCase())).size < list.length) return null;
  }
  const twin = (item: Description, list: readonly Description[]) =>
    list.find((other) => valueKey(nameOf(other)) === valueKey(nameOf(item)));
  const items: Description[] = [];
  for (const item of own) {
    const other = twin(item, inherited);
    const name = nameOf(item);
    if (other === undefined || name === undefined) {
      items.push(item);
      continue;
    }
    // An entry has no way to drop an inherited field.
    if (missingFrom(other, item).length > 0) return null;
    const entries = differentEntries(other, item);
    if (entries.length > 0) items.push({ id: item.id, entries: [name, ...entries] });
  }
  for (const item of inherited) {
    const name = nameOf(item);
    if (name !== undefined && twin(item, own) === undefined) {
      items.push({ id: item.id, entries: [name, { field: "remove", value: true }] });
    }
  }
  return items;
}

function differentEntries(inherited: Description, own: Description): readonly FieldEntry[] {
  return own.entries.filter(
    (entry) => valueKey(entry) !== valueKey(inherited.entries.find(({ field }) => field === entry.field)),
  );
}

function missingFrom(inherited: Description, own: Description): string[] {
  const said = new Set(own.entries.map(({ field }) => field));
  return inherited.entries.map(({ field }) => field).filter((field) => !said.has(field));
}

function listOfKind({ lists }: DescribedEvent, kind: DescribedList["kind"]): DescribedList | undefined {
  return lists.find((list) => list.kind === kind);
}

/** The id of an entry belongs to one date. */
function withoutIds(list: DescribedList | undefined): DescribedList | undefined {
  if (list === undefined) return undefined;
  const strip = (item: Description) => ({ ...item, entries: item.entries.filter(({ field }) => field !== "id") });
  return { ...list, items: list.items?.map(strip) ?? null };
}

function valueKey(entry: FieldEntry | undefined): string {
  return JSON.stringify(entry?.value ?? null);
}

function listKey(list: DescribedList | undefined): string {
  return JSON.stringify(list?.items?.map(({ entries }) => entries.map((entry) => [entry.field, entry.value])) ?? null);
}

// An event with its times counted from its start, so that two dates of a series are one and the same.

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
