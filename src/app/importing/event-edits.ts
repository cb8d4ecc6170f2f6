// From what a plan would change to what an event's file must say instead, so that the plan changes nothing.
import {
  type Defaults,
  type DescribedEvent,
  type DescribedList,
  type Description,
  type FieldEntry,
  writeField,
  zoneOf,
} from "../../import/describe.ts";
import { changesNothing, type ListEdit, leavesList, type ObjectEdit } from "../../import/text.ts";
import { childKinds, kindOf } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import type { Edit } from "../../model/plan.ts";
import { standardZone } from "../../model/time.ts";
import { isReference } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { Comparison } from "../../plan/compare.ts";
import { type ExistingText, meansAnotherVenue, needsPin } from "./existing-text.ts";

/** null if the file says everything already. */
export function editsFor(
  { wish, comparisons }: ExistingText,
  event: DescribedEvent,
  given: Omit<ComposeSetting, "zone">,
) {
  const [self] = comparisons;
  if (self === undefined || self.live === null) return null;
  const from = wish.own.timezone ?? standardZone;
  const setting: ComposeSetting = { ...given, zone: zoneOf(self.live, from) };
  const lists = new Map<string, ListEdit | DescribedList>();
  for (const { name, plural } of childKinds(wish.kind)) {
    const described = event.lists.find((list) => list.kind === name);
    const edit = editList(wish, name, comparisons, described, setting);
    if (edit !== null) lists.set(plural, edit);
  }
  const instantOf = (field: string, of = self) => Date.parse(String(of.live?.fields[field] ?? of.wish?.fields[field]));
  const [start, end] = [instantOf("dateTime"), instantOf("endDateTime")];
  const startOf = (title: string) => {
    const isMeant = ({ wish }: Comparison) => wish?.name === title && wish.fields.startTime !== undefined;
    return instantOf("startTime", comparisons.find(isMeant));
  };
  const zones = { from, to: setting.zone, start, end, startOf };
  const edit = { self: objectEdit(self, event, setting), lists, zones };
  return changesNothing(edit.self) && lists.size === 0 ? null : edit;
}

interface ComposeSetting extends Pick<ExistingText, "renamed"> {
  readonly zone: string;
  readonly defaults: Defaults;
  /** Entries that are not live stay. */
  readonly keeping: boolean;
  /** The file may drop defaults that no value could contradict. */
  readonly mayDrop: boolean;
}

function editList(
  event: Wish,
  kind: KindName,
  comparisons: readonly Comparison[],
  described: DescribedList | undefined,
  setting: ComposeSetting,
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
  // Inherited entries stay, unless they are removed one by one, or all with an empty list.
  return removed.size === wishes.length && (added.length === 0 || !event.own.composed) ? fresh : edit;
}

function objectEdit(one: Comparison, description: Description, setting: ComposeSetting): ObjectEdit {
  const edits = one.change?.edits ?? [];
  const set: FieldEntry[] = description.entries.filter((entry) => isToBeSet(one, entry, edits, setting));
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
  const isPinned = pin !== undefined && needsPin(one, remove);
  return { set: isPinned ? [besideOthers(pin, one.wish), ...set] : set, remove, whole: description };
}

/** Ids that the file pins in other environments stay. */
function besideOthers(pin: FieldEntry, wish: Wish | null): FieldEntry {
  if (typeof pin.value !== "object" || pin.value === null || !("pins" in pin.value)) return pin;
  return { ...pin, value: { pins: { ...wish?.own.ids, ...pin.value.pins } } };
}

function isToBeSet(
  { kind, wish, live }: Comparison,
  { field, value }: FieldEntry,
  edits: readonly Edit[],
  { mayDrop, renamed }: ComposeSetting,
): boolean {
  if (wish === null || live === null) return false;
  switch (field) {
    case "id":
      return false;
    case "without":
      return mayDrop && edits.some(({ path }) => (value as readonly string[]).includes(path.slice(1)));
    case "status":
      return wish.own.status !== value;
    case "ignore":
      return !(value as readonly string[]).every((code) => wish.own.ignore?.includes(code));
    default: {
      const policy = kind.fields[field];
      const wished = wish.fields[policy?.role === "reference" ? policy.sentAs : field];
      if (wished === undefined || (isReference(wished) && renamed.includes(wished.$id))) return true;
      return edits.some(({ path }) => path === `/${field}`);
    }
  }
}

/** What the file must say instead of a wish that is not live: the live value, or nothing; null: the line is removed. */
function formerEntry({ kind }: Comparison, field: string, { before }: Edit, { zone, defaults }: ComposeSetting) {
  if (before === null && (defaults[kind.name]?.[field] ?? null) === null) return null;
  if (kindOf(kind.name).fields[field]?.role !== "value") return null;
  const value = writeField(kind, field, before, zone);
  return value === undefined ? null : { field, value };
}
