// Changes that belong together, and changes that differ only in the object's name.
import type { ValuePolicy } from "../../kinds/define.ts";
import { howToAcceptRemoval, isFamilyHead, isInFamily, kindOf, parentAddress } from "../../kinds/index.ts";
import { type Address, dateOf, keyInAddress } from "../../model/address.ts";
import { withOption } from "../../model/diagnostic.ts";
import type { Block, Change, Context, Edit, Plan } from "../../model/plan.ts";
import { dayMs, formatLocalMoment, formatLocalTime, formatShortMoment, standardZone } from "../../model/time.ts";
import { formatCount, type Group, groupBy } from "../../model/value.ts";
import { type TextSpan, value, word } from "../text/line.ts";
import { policyOf } from "./edit-line.ts";

/** An event's own change, if it has one, and those below it; or the webhooks. */
export interface ChangeFamily {
  /** null: the webhooks, which have nothing above them. */
  readonly address: Address | null;
  readonly own: Change | null;
  readonly children: readonly Change[];
}

/** In the order in which the plan names them. */
export function groupFamilies(changes: readonly Change[]): readonly ChangeFamily[] {
  const families = groupBy(changes, ({ kind, address }) => (isFamilyHead(kind) ? address : parentAddress(address)));
  return Array.from(families, ([address, group]) => ({
    address,
    own: group.find(({ kind }) => isFamilyHead(kind)) ?? null,
    children: group.filter(({ kind }) => !isFamilyHead(kind)),
  }));
}

/** Changes that say the same of different objects, in the order of the first of each. */
export function groupAlike(changes: readonly Change[]): readonly Group<Change>[] {
  return [...groupBy(changes, likeness).values()];
}

const fewest = 3;

/**
 * Events with exactly the same changes, if there are three or more; the others are shown alone. New ones may form a
 * series, and dates of one series may differ in their days.
 */
export function groupAlikeFamilies(
  families: readonly ChangeFamily[],
  withSeries: boolean,
): readonly Group<ChangeFamily>[] {
  const keys = new Map(
    families.map((family) => [family, (withSeries && (seriesKey(family) ?? datesKey(family))) || updateKey(family)]),
  );
  const alike = groupBy(families, (family) => keys.get(family));
  const groups = groupBy(families, (family) => {
    const key = keys.get(family);
    return key === null || (alike.get(key)?.length ?? 0) < fewest ? family : key;
  });
  return [...groups.values()];
}

/** What a change says about its object apart from its name, which a new object has in its title. */
export function editsBesideName(change: Change): readonly Edit[] {
  const label = `/${kindOf(change.kind).identity.label}`;
  return change.edits.filter((edit) => {
    if (change.action === "create" && edit.path === label) return false;
    return edit.before !== null || edit.after !== null || edit.unreadable === true;
  });
}

/** Every member but those named, in which changes that are shown as one may differ: a new member is a type error. */
type AllBut<Whole, MayDiffer extends keyof Whole> = Readonly<Record<Exclude<keyof Whole, MayDiffer>, true>>;

const distinguishing: Readonly<{
  change: AllBut<Change, "address" | "id" | "digest" | "source" | "reason" | "edits" | "blockedBy" | "context">;
  context: AllBut<Context, "name" | "which" | "eventName" | "status" | "names" | "sold">;
  edit: AllBut<Edit, "digest" | "before" | "after">;
}> = {
  change: { kind: true, action: true, transition: true, origin: true, held: true, fees: true, heldBack: true },
  context: { timezone: true, absorbFees: true, prices: true },
  edit: { path: true, unreadable: true, sentAlong: true, origin: true, held: true },
};

function membersOf<Whole extends object>(whole: Partial<Whole>, named: Partial<Record<keyof Whole, true>>) {
  return (Object.keys(named) as (keyof Whole)[]).map((name) => whole[name]);
}

/** What a change says, whichever object it is about. `showTime` says how an edit of a time counts; left out: as it is. */
function likeness(change: Change, showTime: (edit: Edit) => unknown = beforeAndAfter): string {
  return JSON.stringify([
    membersOf(change, distinguishing.change),
    membersOf(change.context ?? {}, distinguishing.context),
    change.action === "delete" ? change.reason : null,
    change.blockedBy.map(({ code }) => code),
    editsBesideName(change).map((edit) => {
      const policy = valuePolicy(change, edit.path);
      const sides = policy?.form === "instant" ? showTime(edit) : beforeAndAfter(edit);
      // How its values are described depends on the status of the event.
      const status = policy?.shownUnpublished && change.context?.status;
      return [membersOf(edit, distinguishing.edit), sides, status];
    }),
  ]);
}

function beforeAndAfter({ before, after }: Edit): unknown {
  return [before, after];
}

/** The same of an event and all below it, each entry of its lists by its name. */
function likenessOfFamily({ own, children }: ChangeFamily, showTime: (edit: Edit) => unknown): string {
  return JSON.stringify([
    own && likeness(own, showTime),
    ...children.map((change) => [change.context?.name, likeness(change, showTime)]),
  ]);
}

// Creates, deletes and blocked changes get their own block, even if others look the same.
function updateKey({ address, own, children }: ChangeFamily): string | null {
  const isOrdinary =
    address !== null &&
    [...(own === null ? [] : [own]), ...children].every((change) => change.blockedBy.length === 0) &&
    (own === null || own.action === "update" || own.action === "none") &&
    own?.transition?.to !== "DELETED";
  if (!isOrdinary) return null;
  const alike = groupAlike(children).map((group) => [likeness(group[0]), group.length]);
  return JSON.stringify([own && likeness(own), alike]);
}

/** Whether they change in the same way to the letter, days included. */
export function areSame(families: readonly ChangeFamily[]): boolean {
  const keys = new Set(families.map(updateKey));
  return keys.size === 1 && !keys.has(null);
}

/** Dates of one series that are all deleted, or whose times move in the same way. */
function datesKey(family: ChangeFamily): string | null {
  const { own, children } = family;
  const series = dateOf(family.address ?? "")?.series;
  if (series === undefined || own === null) return null;
  const isGone = own.action === "delete";
  const changes = isGone ? [own] : [own, ...children];
  if (!isGone && changes.some(({ action }) => action !== "update")) return null;
  const hints = changes.map((change) => change.blockedBy.map((block) => hintForDates(block, change)));
  const timezone = own.context?.timezone ?? standardZone;
  const shown = { ...family, children: changes.slice(1) };
  return JSON.stringify([series, hints, likenessOfFamily(shown, (edit) => onClock(edit, timezone))]);
}

/** The hint; one that names its own date, as it reads for every date of the series. */
export function hintForDates(block: Block, { address, source }: Change): string {
  const series = dateOf(address)?.series;
  const namesDate = block.code === "delete-event" && source === null && block.plainHint !== undefined;
  return namesDate && series !== undefined ? withOption(block.plainHint, howToAcceptRemoval(series)).hint : block.hint;
}

/** By local time before and after. */
function onClock({ before, after }: Edit, timezone: string): unknown {
  if (typeof before !== "string" || typeof after !== "string") return [before, after];
  const moved = Date.parse(after) - Date.parse(before);
  return [
    formatLocalTime(before, timezone).slice(11),
    formatLocalTime(after, timezone).slice(11),
    Math.round(moved / dayMs),
  ];
}

/** The same for new events that differ in nothing but their names and dates: the schedules of two nights are the same. */
function seriesKey(family: ChangeFamily): string | null {
  const start = startInstant(family);
  if (!Number.isFinite(start) || !isPlainlyNew(family)) return null;
  return likenessOfFamily(family, ({ after }) => (typeof after === "string" ? Date.parse(after) - start : after));
}

function valuePolicy({ kind }: Change, path: string): ValuePolicy | undefined {
  const policy = policyOf(kind, path.slice(1));
  return policy?.role === "value" ? policy : undefined;
}

export function isPlainlyNew({ own, children }: ChangeFamily): boolean {
  return [own, ...children].every((change) => change?.action === "create" && change.blockedBy.length === 0);
}

/** When its event starts; NaN if that is not known. */
export function startInstant({ own }: ChangeFamily): number {
  return Date.parse((own === null ? null : startOf(own)) ?? "");
}

// Dates of one series in a line.

/** From this many on, dates of a series share a line. */
export const fewestDates = 3;
/** So many changes alike share a line of an overview. */
export const fewestAlike = 3;
/** `events/friday-club on 9 dates, 2027-01-08 to 2027-03-12` for dates of one series, from three on; others as they are. */
export function shortAddresses(addresses: readonly string[]): readonly string[] {
  const bySeries = groupBy(addresses, (address) => dateOf(address)?.series ?? address);
  return [...bySeries].flatMap(([series, all]) => (all.length < fewestDates ? all : [onDates(series, all)]));
}

export function onDates(series: string, addresses: readonly string[]): string {
  const days = addresses.map((address) => dateOf(address)?.day ?? "").sort();
  return `${series} on ${formatCount(days.length)} dates, ${days[0]} to ${days.at(-1)}`;
}

/**
 * One line for the dates that differ from `lead`, shown above, only in their day or in a start time that several share;
 * and the other families.
 */
export function splitDates(
  families: readonly ChangeFamily[],
  lead: ChangeFamily,
  nameOf: (family: ChangeFamily) => string,
): { readonly lines: readonly string[]; readonly others: readonly ChangeFamily[] } {
  const plain = families.filter((family) => {
    // A date that was moved is an odd one.
    return nameOf(family) === nameOf(lead) && localStart(family)[0] === dateOf(family.address ?? "")?.day;
  });
  const byHour = groupBy(plain, (family) => `${dateOf(family.address ?? "")?.series} ${localStart(family)[1]}`);
  const long = [...byHour.values()].filter((dates) => dates.length >= fewestDates);
  const listed = new Set(long.flat());
  return {
    lines: long.map((dates) => {
      const addresses = dates.map(({ address }) => address ?? "");
      const [hour] = dates.map((family) => localStart(family)[1]);
      return `${shortAddresses(addresses)}${hour === localStart(lead)[1] ? "" : `, at ${hour}`}`;
    }),
    others: families.filter((family) => !listed.has(family)),
  };
}

/** The day and the hour. */
function localStart({ own }: ChangeFamily): readonly string[] {
  return own === null ? [] : formatLocalTime(startOf(own) ?? "", own.context?.timezone ?? standardZone).split("T");
}

// Events of one name, such as the nights of a series, distinguished by when they start.

/** What follows an event's name: " on Fri 12 Mar 20:00", or " (its-key)"; empty if no other event of the plan has it, and it is no date of a series. */
export type Distinguish = (event: Address) => readonly TextSpan[];

export type NamedIn = Pick<Plan, "changes" | "observed">;

export function distinguish(plan: NamedIn): Distinguish {
  const events = eventsByAddress(plan);
  const suffixes = new Map<Address, readonly TextSpan[]>();
  for (const twins of groupBy([...events], ([, { name }]) => name).values()) {
    if (twins.length === 1 && dateOf(twins[0][0]) === null) continue;
    const years = new Set(twins.flatMap(([, { start }]) => (start === null ? [] : [start.slice(0, 4)])));
    const format = years.size > 1 ? formatLocalMoment : formatShortMoment;
    const starts = twins.map(([, { start, zone }]) => (start === null ? null : format(start, zone)));
    const areDistinct = new Set(starts).size === starts.length;
    for (const [index, [address]] of twins.entries()) {
      const start = starts[index];
      suffixes.set(
        address,
        start && areDistinct ? [word(" on "), value(start)] : [word(" ("), value(keyInAddress(address)), word(")")],
      );
    }
  }
  return (event) => suffixes.get(event) ?? [];
}

/** For objects that have their own start. */
export function startOf(change: Change): string | null {
  const edit = change.edits.find(({ path }) => valuePolicy(change, path)?.anchor === "start");
  const start = edit?.after ?? edit?.before;
  return typeof start === "string" ? start : null;
}

function eventsByAddress(plan: NamedIn) {
  const events = new Map<Address, { name: string; zone: string; start: string | null }>();
  for (const change of plan.changes) {
    if (!isInFamily(change.address)) continue;
    const address = parentAddress(change.address) ?? change.address;
    const name = isFamilyHead(change.kind) ? change.context?.name : change.context?.eventName;
    const known = events.get(address) ?? { name: "", zone: change.context?.timezone ?? standardZone, start: null };
    if (name !== undefined) known.name = name;
    known.start ??= startOf(change);
    events.set(address, known);
  }
  for (const { address, fields } of plan.observed) {
    const known = events.get(address);
    if (known !== undefined && typeof fields.dateTime === "string") known.start ??= fields.dateTime;
  }
  for (const [address, { name }] of events) if (name === "") events.delete(address);
  return events;
}
