// From what a plan would change to what the file must say instead, so that the plan has nothing to change.

import {
  type Defaults,
  type DescribedEvent,
  type DescribedList,
  type Description,
  type FieldEntry,
  writeField,
  zoneOf,
} from "../../import/describe.ts";
import { changesNothing, type DocumentEdit, type ListEdit, leavesList, type ObjectEdit } from "../../import/text.ts";
import type { FieldPolicy } from "../../kinds/define.ts";
import { kindOf, kinds } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import type { Edit } from "../../model/plan.ts";
import { standardZone } from "../../model/time.ts";
import type { Wish } from "../../model/wish.ts";
import type { Comparison } from "../../plan/compare.ts";
import type { ExistingText } from "./read-text.ts";

/** null if the file says everything already. `keeping`: entries that are not live stay. */
export function editsFor(
  { wish, comparisons }: ExistingText,
  event: DescribedEvent,
  defaults: Defaults,
  keeping: boolean,
): DocumentEdit | null {
  const [self] = comparisons;
  if (self === undefined || self.live === null) return null;
  const zone = zoneOf(self.live, wish.own.timezone ?? standardZone);
  const setting: Setting = { zone, defaults, keeping };
  const lists = new Map<string, ListEdit | DescribedList>();
  for (const { name, plural, parent } of kinds) {
    if (parent !== "event") continue;
    const described = event.lists.find((list) => list.kind === name);
    const edit = editList(wish, name, comparisons, described, setting);
    if (edit !== null) lists.set(plural, edit);
  }
  const edit = { self: objectEdit(self, event, setting), lists };
  return changesNothing(edit.self) && lists.size === 0 ? null : edit;
}

interface Setting {
  readonly zone: string;
  readonly defaults: Defaults;
  readonly keeping: boolean;
}

function editList(
  event: Wish,
  kind: KindName,
  comparisons: readonly Comparison[],
  described: DescribedList | undefined,
  setting: Setting,
): ListEdit | DescribedList | null {
  const wishes = event.children[kind];
  const fresh: DescribedList = { kind, items: described?.items ?? [], remarks: [] };
  if (wishes === undefined) return described === undefined || described.items === null ? null : described;
  if (described?.items === null) return null;
  const items = new Map<number, ObjectEdit>();
  const removed = new Set<number>();
  for (const [index, wish] of wishes.entries()) {
    const one = comparisons.find((candidate) => candidate.wish !== null && candidate.address === wish.address);
    const codes = one?.obstacles.map(({ code }) => code) ?? [];
    const isAmbiguous = codes.some((code) => code.startsWith("ambiguous"));
    // Which one is meant is unknown, so nothing of the list can stay.
    if (isAmbiguous && !setting.keeping) return fresh;
    if (one?.live === null && setting.keeping && !isAmbiguous) continue;
    const description = fresh.items?.find(({ id }) => id === one?.live?.id);
    if (one === undefined || description === undefined) removed.add(index);
    else items.set(index, objectEdit(one, description, setting));
  }
  const known = new Set(comparisons.filter((one) => one.wish !== null).map((one) => one.live?.id));
  const added = (fresh.items ?? []).filter(({ id }) => !known.has(id));
  const edit: ListEdit = { items, removed, added };
  if (leavesList(edit)) return null;
  return removed.size === wishes.length ? fresh : edit;
}

function objectEdit(one: Comparison, description: Description, setting: Setting): ObjectEdit {
  const edits = one.change?.edits ?? [];
  const set: FieldEntry[] = description.entries.filter((entry) => isToBeSet(one, entry, edits));
  const remove: string[] = [];
  for (const edit of edits) {
    const field = edit.path.slice(1);
    if (description.entries.some((entry) => entry.field === field)) continue;
    const entry = formerEntry(one, field, edit, setting);
    if (entry === null) remove.push(field);
    else set.push(entry);
  }
  if (meansAnotherVenue(one, edits)) remove.push("venue");
  const pin = description.entries.find(({ field }) => field === "id");
  return pin !== undefined && needsPin(one, remove)
    ? { set: [besideOthers(pin, one.wish), ...set], remove }
    : { set, remove };
}

/** Ids that the file pins in other environments stay. */
function besideOthers(pin: FieldEntry, wish: Wish | null): FieldEntry {
  const { value } = pin;
  if (typeof value !== "object" || value === null || !("pins" in value)) return pin;
  return { ...pin, value: { pins: { ...wish?.own.ids, ...value.pins } } };
}

function isToBeSet({ kind, wish, live }: Comparison, { field, value }: FieldEntry, edits: readonly Edit[]): boolean {
  if (wish === null || live === null) return false;
  switch (field) {
    case "id":
      return false;
    case "status":
      return wish.own.status !== value;
    case "ignore":
      return !(value as readonly string[]).every((code) => wish.own.ignore?.includes(code));
    default: {
      const policy = kind.fields[field];
      const managed = wish.fields[policy?.role === "reference" ? policy.sentAs : field] !== undefined;
      return !managed || edits.some(({ path }) => path === `/${field}`);
    }
  }
}

/** An event is always pinned; what is below it only if the file could not name it otherwise. */
function needsPin({ kind, wish }: Comparison, removed: readonly string[]): boolean {
  if (wish === null || wish.own.id !== undefined) return false;
  return kind.parent === null || removed.some((field) => isRequired(kind.fields[field]));
}

function isRequired(policy: FieldPolicy | undefined): boolean {
  return policy?.role === "value" && policy.required === true;
}

/** A venue by name that resolves to another one than the live one, or to none or several. */
function meansAnotherVenue({ wish, live }: Comparison, edits: readonly Edit[]): boolean {
  if (wish?.own.venue === undefined || live?.fields.venueId === undefined) return false;
  return wish.fields.venueId === undefined || edits.some(({ path }) => path === "/venueId");
}

/** What the file must say in place of a wish that is not live: the live value, or nothing; null if the line goes. */
function formerEntry(
  { kind }: Comparison,
  field: string,
  { before }: Edit,
  { zone, defaults }: Setting,
): FieldEntry | null {
  const isGiven = (defaults[kind.name]?.[field] ?? null) !== null;
  if (before === null && !isGiven) return null;
  if (kindOf(kind.name).fields[field]?.role !== "value") return null;
  const value = writeField(kind, field, before, zone);
  return value === undefined ? null : { field, value };
}
