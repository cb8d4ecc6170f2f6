// What decides the order of calls: entries that name an object to be deleted, and what a service may check against its event.
import type { FieldPolicy, Kind, ValuePolicy } from "../../kinds/define.ts";
import { kindOfAddress } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Mention } from "../../model/live.ts";
import type { Change, Operation } from "../../model/plan.ts";
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

// What a service may check against the event.

interface OrderBelow {
  /** Of the event's own change, among the calls that `isChecked`; null: in any order. */
  readonly place: "first" | "last" | null;
  readonly isChecked: (call: Pick<Operation, "address" | "verb" | "body">) => boolean;
}

/** A service may check what is below an event against it: quantities against its capacity, times against its start and end. Room is made before it is used. */
export function orderBelow({ kind, change }: NamedObject, children: readonly NamedObject[]): OrderBelow {
  const edits = change?.action === "update" ? change.edits.filter(({ sentAlong }) => sentAlong !== true) : [];
  const checking = edits.flatMap(({ path, before, after }) => {
    const policy = kind.fields[path.slice(1)];
    if (policy?.role !== "value" || policy.narrows === undefined) return [];
    if (!children.some((child) => limits(policy, child.kind, changedFields(child)))) return [];
    return { policy, isTime: policy.anchor !== undefined, isNarrower: policy.narrows(before, after) };
  });
  const wider = checking.filter(({ isNarrower }) => !isNarrower);
  // Of a move no order is right for every service; most check an entry when it is sent.
  const isMoved = wider.some(({ isTime }) => isTime);
  const isFirst = checking.every(({ isNarrower, isTime }) => !isNarrower || (isMoved && isTime));
  const place = checking.length === 0 ? null : isFirst ? "first" : wider.length > 0 ? null : "last";
  return {
    place,
    isChecked({ address, verb, body = {} }) {
      const below = kindOfAddress(address);
      // Neither does what leaves need room, nor does what is new make it.
      if (verb === (place === "first" ? "delete" : "create")) return false;
      const names = Object.keys(verb === "delete" ? below.fields : body);
      return checking.some(({ policy }) => limits(policy, below, names));
    },
  };
}

function changedFields({ kind, change }: NamedObject): readonly string[] {
  return change?.action === "delete"
    ? Object.keys(kind.fields)
    : (change?.edits ?? []).map(({ path }) => path.slice(1));
}

function limits({ decidedWith = [], anchor }: ValuePolicy, { fields }: Kind, names: readonly string[]): boolean {
  const isInstant = (policy: FieldPolicy | undefined) => policy?.role === "value" && policy.form === "instant";
  return names.some((name) => decidedWith.includes(name) || (anchor !== undefined && isInstant(fields[name])));
}
