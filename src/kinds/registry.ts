// All kinds, by name and by address. Made from a list of kinds, so that a test can make one with a kind more.

import * as z from "zod";
import type { Address, KindName } from "../model/address.ts";
import { sentenceCase } from "../model/value.ts";
import type { FieldPolicy, Kind } from "./define.ts";
import { withComposition, withOrder, withRemove } from "./fields/composition.ts";

export function makeRegistry(list: readonly Kind[]) {
  const entries = list.map((kind) => withOrder(kind.parent === null ? kind : withRemove(kind)));
  const kinds = entries.map((kind) => {
    const children = entries.filter((child) => child.parent === kind.name);
    return withOrder(withComposition(withLists(kind, children)));
  });
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const byPlural = new Map(kinds.map((kind) => [kind.plural, kind]));
  const childrenOf = new Map(kinds.map(({ name }) => [name, kinds.filter(({ parent }) => parent === name)]));
  const isFamilyHead = (name: KindName): boolean => (childrenOf.get(name) ?? []).length > 0;
  const soldKind = kinds.find(({ sold }) => sold === true);
  if (soldKind === undefined) throw new Error("no kind is sold");
  return {
    kinds,
    /** The kind whose objects are sold. */
    soldKind,
    /** The kind of this name; a name that no kind has is a bug. */
    kindOf(name: KindName): Kind {
      const found = byName.get(name);
      if (found === undefined) throw new Error(`there is no kind "${name}"`);
      return found;
    },
    isKindName: (name: unknown): name is KindName => byName.has(name as KindName),
    /** The kinds whose lists an object of this kind holds. */
    childKinds: (parent: KindName): readonly Kind[] => childrenOf.get(parent) ?? [],
    /** Whether objects of this kind contain others: an event is planned, read and shown with everything below it. */
    isFamilyHead,
    /** Whether an address is of such an object, or below one; a webhook stands alone. */
    isInFamily(address: Address): boolean {
      const [list = "", name] = address.split("/", 2);
      return name !== undefined && isFamilyHead(byPlural.get(list)?.name ?? "");
    },
    /** Where the service lists objects of a kind. */
    listPath({ parent, plural }: Kind, parentId: string | null): string {
      return parentId === null ? `/${plural}` : `/${byName.get(parent ?? "")?.plural}/${parentId}/${plural}`;
    },
    /** The kind of the object that an address names. */
    kindOfAddress(address: Address): Kind {
      const end = address.lastIndexOf("/");
      const found = byPlural.get(address.slice(address.lastIndexOf("/", end - 1) + 1, end));
      if (found === undefined) throw new Error(`"${address}" is the address of no kind of object`);
      return found;
    },
  };
}

/** A kind that holds lists of others: each child says so itself, with `parent`. */
function withLists(kind: Kind, children: readonly Kind[]): Kind {
  if (children.length === 0) return kind;
  const lists = children.map(({ plural, words, schema }) => [
    plural,
    z
      .array(schema)
      .meta({
        title: sentenceCase(words.many),
        description: `The ${kind.words.one}'s ${words.many}, in addition to any that it inherits. Live ones that are neither listed nor inherited are removed, and the plan shows that first. If no list is written or inherited, ${words.many} are not managed.`,
      })
      .optional(),
  ]);
  const policies = children.map(({ plural, name }): [string, FieldPolicy] => [
    plural,
    { role: "children", kind: name },
  ]);
  return {
    ...kind,
    schema: kind.schema.extend(Object.fromEntries(lists)).meta(kind.schema.meta() ?? {}),
    fields: { ...kind.fields, ...Object.fromEntries(policies) },
  };
}

/** The address of the object that this one belongs to; null at the top. */
export function parentAddress(address: Address): Address | null {
  const end = address.lastIndexOf("/", address.lastIndexOf("/") - 1);
  return end === -1 ? null : address.slice(0, end);
}
