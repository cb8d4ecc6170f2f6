// Entries that refer to an object that is replaced or deleted: each must refer to another one, or to none, before that is gone.
import type { Kind } from "../../kinds/define.ts";
import { kindOfAddress } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Mention } from "../../model/live.ts";
import type { Change } from "../../model/plan.ts";
import { referrersOf } from "../compare/references.ts";

/** One object of an event: what the plan does with it, and which entries name it. */
export interface NamedObject {
  readonly kind: Kind;
  readonly address: Address;
  /** null: not live. */
  readonly id: string | null;
  /** null: observed only because something names it. */
  readonly change: Change | null;
  readonly mentions: readonly Mention[];
}

/** An entry that refers to an object to be deleted, and by which field. */
export interface NamingEntry {
  readonly id: string;
  readonly address: Address;
  readonly plural: string;
  readonly field: string;
  readonly because: Address;
}

/** One that must refer to another object, or to none, before that. */
export interface MentionUpdate extends NamingEntry {
  /** The address of the object that is to be named; null: none. */
  readonly target: Address | null;
}

/** Those that something else sets, by their id. */
export function findPointers(children: readonly NamedObject[]): Map<string, MentionUpdate> {
  const pointers = new Map<string, MentionUpdate>();
  for (const child of children) {
    for (const { target, ...mention } of child.mentions) {
      const entry = namingEntry(child, mention);
      if (target !== undefined && entry !== null) pointers.set(entry.id, { ...entry, target });
    }
  }
  return pointers;
}

/** Entries that name a replaced object, and whose own change deletes them or makes them name another. */
export function findMoving(children: readonly NamedObject[]): readonly NamingEntry[] {
  const replaced = children.filter(({ change }) => change?.action === "replace" && change.blockedBy.length === 0);
  if (replaced.length === 0) return [];
  const changes = new Map(children.flatMap(({ id, change }) => (id === null || change === null ? [] : [[id, change]])));
  return replaced.flatMap((child) =>
    child.mentions.flatMap((mention) => {
      const change = changes.get(mention.id);
      if (mention.target !== undefined || change === undefined) return [];
      const entry = namingEntry(child, mention);
      return entry !== null && (change.action === "delete" || setsReference(change, entry)) ? entry : [];
    }),
  );
}

function setsReference({ edits }: Change, { address, field }: NamingEntry): boolean {
  const { fields } = kindOfAddress(address);
  return edits.some(({ path }) => {
    const policy = fields[path.slice(1)];
    return policy?.role === "reference" && policy.sentAs === field;
  });
}

function namingEntry({ kind, address: because }: NamedObject, { id, address }: Mention): NamingEntry | null {
  const { name, plural } = kindOfAddress(address);
  const field = referrersOf(kind.name).find((referrer) => referrer.kind === name)?.policy.sentAs;
  return field === undefined ? null : { id, address, plural, field, because };
}
