// What a file says of one live object, as a person would have written it.
import { sameValue, showsWish } from "../kinds/canonical.ts";
import type { Kind } from "../kinds/define.ts";
import type { Live } from "../model/live.ts";
import type { Value } from "../model/value.ts";
import type { Correction } from "./corrections.ts";
import { fieldOrder, usualValue } from "./field-order.ts";
import { writeField } from "./write-field.ts";
import type { Description, Entry } from "./written.ts";

export interface Describing {
  /** The zone by whose clocks times are written. */
  readonly zone: string;
  /** What the project gives to every object of this kind, where the file says nothing else. */
  readonly defaults: Readonly<Record<string, Value>>;
  /** Write empty fields too: without them it cannot be told from its twin. */
  readonly complete: boolean;
  /** The environment in which the file pins it by its id; null: it does not. */
  readonly pinnedIn: string | null;
  readonly correction: Correction;
  /** The name by which the file knows another object of the event; undefined where the file cannot name it. */
  readonly nameOf: (id: string) => string | undefined;
}

export interface Described extends Description {
  /** Fields that the service does not show. */
  readonly unreadable: readonly string[];
  /** Fields that the service shows and the file cannot hold. */
  readonly unwritable: readonly string[];
}

export function describeObject(kind: Kind, live: Live, describing: Describing): Described {
  const entries: Entry[] = [];
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
  const { ignore } = describing.correction;
  if (ignore.length > 0) entries.push({ field: "ignore", value: ignore, remark: "as the service shows it" });
  return { id: live.id, entries, unreadable, unwritable: unwritable.filter((field) => !isEmpty(kind, field, live)) };
}

type Shown = { readonly value: Value } | "none" | "unreadable" | "unwritable";

function shownValue(kind: Kind, field: string, live: Live, { nameOf }: Describing): Shown {
  const policy = kind.fields[field];
  if (policy?.role === "value") {
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

/** Whether the file would mean something else without it. */
function isSaid(kind: Kind, field: string, value: Value, { defaults, complete }: Describing): boolean {
  const given = defaults[field];
  const policy = kind.fields[field];
  if (given !== undefined && given !== null)
    return policy?.role === "value" ? !showsWish(policy, value, given) : !sameValue(given, value);
  if (complete) return true;
  return value !== null && !sameValue(value, usualValue(kind, field));
}

// An empty field that the file has no way to call empty is simply left out.
function isEmpty(kind: Kind, field: string, live: Live): boolean {
  const policy = kind.fields[field];
  return policy?.role === "value" && live.fields[field] === null;
}

/** Whether the file may say it: what the service asks for is there, or the object is pinned. */
export function isWhole(kind: Kind, { entries }: Description): boolean {
  return (
    entries.some(({ field }) => field === "id") ||
    Object.entries(kind.fields).every(
      ([name, policy]) =>
        policy.role !== "value" || policy.required !== true || entries.some(({ field }) => field === name),
    )
  );
}
