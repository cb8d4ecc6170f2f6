// What a file says about one live object, as a person would have written it.
import * as z from "zod";
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { fieldOrder, sameValue, showsWish } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { dayMs, formatOffset, isTimezone, officialZone, offsetAt, pad, readWallClock } from "../../model/time.ts";
import type { Value } from "../../model/value.ts";

/** A value as a file holds it, before it becomes text. */
export type Written = string | number | boolean | null | readonly string[] | Pins;

/** An id by the environment that it holds in. */
interface Pins {
  readonly pins: Readonly<Record<string, string>>;
}

/** One line of a document: a field with its value. */
export interface FieldEntry {
  readonly field: string;
  readonly value: Written;
  /** A comment next to the value. */
  readonly remark?: string;
}

/** What a file says about one object. */
export interface Description {
  /** The id of the live object. */
  readonly id: string;
  readonly entries: readonly FieldEntry[];
}

/** A list of a document; `remarks` go above it. */
export interface DescribedList {
  readonly kind: KindName;
  /** null: it is left out, and the remarks say why. */
  readonly items: readonly Description[] | null;
  readonly remarks: readonly string[];
}

export interface DescribedEvent extends Description {
  readonly remarks: readonly string[];
  /** Lists that hold something, and lists that are left out with a reason. */
  readonly lists: readonly DescribedList[];
}

/** The result of checking a description: how the file must describe the object so that it is accepted as it is live. */
export interface Correction {
  /** Codes of remarks that do not apply, because the service shows the object like this. */
  readonly ignore: readonly string[];
  /** Those of them that the file did not ignore before. */
  readonly learned: readonly string[];
  /** Fields that must not go into a file. */
  readonly without: readonly string[];
}

/** By the id of the live object. */
export type Corrections = ReadonlyMap<string, Correction>;

export const noCorrection: Correction = { ignore: [], learned: [], without: [] };

/** The value that need not be written; undefined if every value is written. */
function usualValue(kind: Kind, field: string): Value | undefined {
  const policy = kind.fields[field];
  // Without it a reader would not know whether tickets are on sale, or whether a webhook is on.
  if (policy?.role !== "value" || policy.imported === "always") return undefined;
  return policy.serviceDefault ?? policy.plainest;
}

// An instant as a file writes it: what clocks in the event's zone show.

// Before that, some zones were ahead by minutes and seconds, which no offset can say.
const wholeMinutesSince = Date.UTC(1973, 0, 1);

/** `2027-03-14T19:00`, to the millisecond if that matters; null if it is an instant that no file can hold. */
export function writeLocalTime(instant: string, zone: string): string | null {
  const milliseconds = Date.parse(instant);
  const offset = offsetAt(milliseconds, zone);
  const early = milliseconds < wholeMinutesSince;
  const clock = readWallClock(milliseconds, early ? "UTC" : zone);
  if (clock === null || offset === null || clock.year < 1000 || clock.year > 9999) return null;
  const date = `${clock.year}-${pad(clock.month)}-${pad(clock.day)}`;
  const fraction = ((milliseconds % 1000) + 1000) % 1000;
  const seconds =
    clock.second === 0 && fraction === 0
      ? ""
      : `:${pad(clock.second)}${fraction === 0 ? "" : `.${String(fraction).padStart(3, "0")}`}`;
  const suffix = early ? "Z" : happensTwice(milliseconds, offset, zone) ? formatOffset(offset) : "";
  return `${date}T${pad(clock.hour)}:${pad(clock.minute)}${seconds}${suffix}`;
}

/** Clocks are put back over it, so that the wall shows it twice. */
function happensTwice(milliseconds: number, offset: number, zone: string): boolean {
  return [milliseconds - dayMs, milliseconds + dayMs].some((near) => {
    const other = offsetAt(near, zone);
    if (other === null || other === offset) return false;
    const twin = milliseconds + (offset - other) * 60_000;
    return offsetAt(twin, zone) === other;
  });
}

// Whether a file can hold a live value, and in which form.

/** The value as the file writes it; undefined if the file's schema has no place for it. */
export function writeField(kind: Kind, field: string, value: Value, zone: string): Written | undefined {
  const policy: FieldPolicy | undefined = kind.fields[field];
  const isInstant = policy?.role === "value" && policy.form === "instant";
  const written = isInstant && typeof value === "string" ? writeLocalTime(value, zone) : value;
  // An instant before or beyond all calendars, which is something else than no instant.
  if (written === null && value !== null) return undefined;
  const isZone = policy?.role === "value" && policy.mistake === "unknown-timezone";
  if (isZone && typeof written === "string" && (!isTimezone(written) || officialZone(written) !== written))
    return undefined;
  const schema = kind.schema.shape[field];
  return schema !== undefined && z.safeParse(schema, written).success ? written : undefined;
}

export interface Describing {
  /** The zone by whose clocks times are written. */
  readonly zone: string;
  /** What the project sets for every object of this kind, unless the file says something else. */
  readonly defaults: Readonly<Record<string, Value>>;
  /** Write empty fields too: without them it cannot be distinguished from its twin. */
  readonly complete: boolean;
  /** The environment in which the file pins it by its id; null: it does not. */
  readonly pinnedIn: string | null;
  readonly correction: Correction;
  /** The name by which the file knows another object of the event; undefined if the file cannot name it. */
  readonly nameOf: (id: string) => string | undefined;
}

export interface Described extends Description {
  /** Fields that the service does not show. */
  readonly unreadable: readonly string[];
  /** Fields that the service shows and the file cannot hold. */
  readonly unwritable: readonly string[];
}

export function describeObject(kind: Kind, live: Live, describing: Describing): Described {
  const entries: FieldEntry[] = [];
  const unreadable: string[] = [];
  const unwritable: string[] = [];
  const { pinnedIn } = describing;
  if (pinnedIn !== null) entries.push({ field: "id", value: { pins: { [pinnedIn]: live.id } } });
  if (live.status !== null) entries.push({ field: "status", value: live.status });
  for (const field of fieldOrder(kind)) {
    const shown = shownValue(kind, field, live, describing);
    if (shown === "none") continue;
    if (shown === "unreadable") unreadable.push(field);
    else if (shown === "unwritable" || describing.correction.without.includes(field)) unwritable.push(field);
    else if (isSaid(kind, field, shown.value, describing)) {
      const value = writeField(kind, field, shown.value, describing.zone);
      if (value === undefined) unwritable.push(field);
      else entries.push({ field, value });
    }
  }
  // A default that is not live, and that no value in the file could contradict, is dropped.
  const dropped = "without" in kind.fields ? unwritable.filter((field) => isGiven(describing.defaults, field)) : [];
  if (dropped.length > 0) entries.push({ field: "without", value: dropped });
  const { ignore } = describing.correction;
  if (ignore.length > 0) entries.push({ field: "ignore", value: ignore, remark: "as the service shows it" });
  return {
    id: live.id,
    entries,
    unreadable,
    unwritable: unwritable.filter((field) => !isShownEmpty(kind, field, live)),
  };
}

type ShownValue = { readonly value: Value } | "none" | "unreadable" | "unwritable";

function shownValue(kind: Kind, field: string, live: Live, { nameOf }: Describing): ShownValue {
  const policy = kind.fields[field];
  if (policy?.role === "value") {
    if (policy.imported === "never") return "none";
    const value = live.fields[field];
    return value === undefined ? "unreadable" : { value };
  }
  if (policy?.role !== "reference") return "none";
  const id = live.fields[policy.sentAs];
  if (id === undefined) return "unreadable";
  if (typeof id !== "string") return { value: null };
  const name = nameOf(id);
  return name === undefined ? "unwritable" : { value: name };
}

function isGiven(defaults: Describing["defaults"], field: string): boolean {
  return (defaults[field] ?? null) !== null;
}

/** Whether the file would mean something else without it. */
function isSaid(kind: Kind, field: string, value: Value, { defaults, complete }: Describing): boolean {
  const given = defaults[field] ?? null;
  const policy = kind.fields[field];
  if (given !== null) return policy?.role === "value" ? !showsWish(policy, value, given) : !sameValue(given, value);
  if (complete) return true;
  return value !== null && !sameValue(value, usualValue(kind, field));
}

// An empty field that the file has no way to call empty is simply left out.
function isShownEmpty(kind: Kind, field: string, live: Live): boolean {
  const policy = kind.fields[field];
  return policy?.role === "value" && live.fields[field] === null;
}

/** Whether the file may contain it: what the service requires is there, or the object is pinned. */
export function hasRequiredFields(kind: Kind, { entries }: Description): boolean {
  return (
    entries.some(({ field }) => field === "id") ||
    Object.entries(kind.fields).every(
      ([name, policy]) =>
        policy.role !== "value" || policy.required !== true || entries.some(({ field }) => field === name),
    )
  );
}
