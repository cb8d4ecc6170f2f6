// What is to become of a document that is there already.
import type { DescribedList, Description, Entry } from "../describe/description.ts";

export interface ObjectEdit {
  readonly set: readonly Entry[];
  readonly remove: readonly string[];
}

export interface ListEdit {
  /** By the entry's place in the list. */
  readonly items: ReadonlyMap<number, ObjectEdit>;
  readonly removed: ReadonlySet<number>;
  readonly added: readonly Description[];
}

export interface DocumentEdit {
  readonly self: ObjectEdit;
  /** By the name of the list: changed in place, or written anew as a whole. */
  readonly lists: ReadonlyMap<string, ListEdit | DescribedList>;
}

export function isNewList(list: ListEdit | DescribedList): list is DescribedList {
  return "kind" in list;
}

export function changesNothing(edit: ObjectEdit): boolean {
  return edit.set.length === 0 && edit.remove.length === 0;
}

export function leavesList({ items, removed, added }: ListEdit): boolean {
  return removed.size === 0 && added.length === 0 && [...items.values()].every(changesNothing);
}
