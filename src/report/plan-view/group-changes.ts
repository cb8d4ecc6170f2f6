// Changes that belong together, and changes that are alike but for the name of the object.
import { kindOf, parentAddress } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Change, Edit } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import { startOf } from "./distinct-names.ts";
import { policyOf } from "./edit-line.ts";

/** An event's own change, if it has one, and those below it; or the webhooks. */
export interface Family {
  /** null: the webhooks, which have nothing above them. */
  readonly address: Address | null;
  readonly own: Change | null;
  readonly children: readonly Change[];
}

/** In the order in which the plan names them. */
export function groupFamilies(changes: readonly Change[]): readonly Family[] {
  const families = new Map<Address | null, { own: Change | null; children: Change[] }>();
  for (const change of changes) {
    const parent = parentAddress(change.address);
    const isTop = change.kind === "event";
    const address = isTop ? change.address : parent;
    let family = families.get(address);
    if (family === undefined) {
      family = { own: null, children: [] };
      families.set(address, family);
    }
    if (isTop) family.own = change;
    else family.children.push(change);
  }
  return Array.from(families, ([address, family]) => ({ address, ...family }));
}

/** Changes that say the same of different objects, in the order of the first of each. */
export function groupAlike(changes: readonly Change[]): readonly (readonly Change[])[] {
  return [...groupBy(changes, likeness).values()];
}

/** Events whose changes are the same throughout, from three on; the others stand alone. */
export function groupAlikeFamilies(families: readonly Family[]): readonly (readonly Family[])[] {
  const groups = [...groupBy(families, familyLikeness).values()].flatMap((group) =>
    group.length >= 3 ? [group] : group.map((one) => [one]),
  );
  return inOrderOf(families, groups, ([first]) => first);
}

/** Groups in the order in which one of each stands among the families. */
export function inOrderOf<Group>(
  families: readonly Family[],
  groups: readonly Group[],
  leadOf: (group: Group) => Family | undefined,
): readonly Group[] {
  const places = new Map(families.map((family, index) => [family, index]));
  const placeOf = (group: Group): number => {
    const lead = leadOf(group);
    return (lead && places.get(lead)) ?? 0;
  };
  return [...groups].sort((one, other) => placeOf(one) - placeOf(other));
}

/** What a change says of its object beside its name, which a new object has in its title. */
export function editsBesideName(change: Change): readonly Edit[] {
  const label = `/${kindOf(change.kind).identity.label}`;
  return change.edits.filter((edit) => {
    if (change.action === "create" && edit.path === label) return false;
    return edit.before !== null || edit.after !== null || edit.unreadable === true;
  });
}

function likeness(change: Change): string {
  return JSON.stringify([
    change.kind,
    change.action,
    editsBesideName(change),
    change.transition,
    change.blockedBy.map((block) => block.code),
    change.action === "delete" ? change.reason : null,
    change.context?.absorbFees ?? null,
    change.context?.timezone ?? null,
  ]);
}

// What is created, goes or is blocked deserves a block of its own, whatever else is like it.
function familyLikeness(family: Family): string {
  const all = family.own === null ? family.children : [family.own, ...family.children];
  const isOrdinary =
    family.address !== null &&
    all.every((change) => change.blockedBy.length === 0) &&
    (family.own === null || family.own.action === "update" || family.own.action === "none") &&
    family.own?.transition?.to !== "DELETED";
  if (!isOrdinary) return `alone ${family.address}`;
  const children = groupAlike(family.children).map((group) => [group[0] && likeness(group[0]), group.length]);
  return JSON.stringify([family.own && likeness(family.own), family.own?.context?.prices ?? null, children]);
}

// New events that differ in nothing but their names and dates: a series, of which one night is shown in full.

const fewest = 3;

/** Families in their order; those that are like an earlier one stand behind it, by their start. */
export interface Series {
  readonly lead: Family;
  readonly others: readonly Family[];
}

export function findSeries(families: readonly Family[]): readonly Series[] {
  const groups = groupBy(families, likenessOf);
  const series = [...groups.values()].flatMap((group): readonly Series[] => {
    const inTime = group.length < fewest ? group : [...group].sort(byStart);
    const [lead, ...others] = inTime;
    if (lead === undefined) return [];
    return group.length < fewest ? inTime.map((one) => ({ lead: one, others: [] })) : [{ lead, others }];
  });
  return inOrderOf(families, series, ({ lead }) => lead);
}

function byStart(one: Family, other: Family): number {
  return instantOf(one) - instantOf(other);
}

function instantOf(family: Family): number {
  return Date.parse((family.own === null ? null : startOf(family.own)) ?? "");
}

function likenessOf(family: Family): string {
  const start = instantOf(family);
  const all = family.own === null ? [] : [family.own, ...family.children];
  const isSeries =
    Number.isFinite(start) && all.every((change) => change.action === "create" && change.blockedBy.length === 0);
  if (!isSeries) return `alone ${family.address}`;
  return JSON.stringify(all.map((change) => aspectsOf(change, start)));
}

function aspectsOf(change: Change, start: number) {
  return [
    change.kind,
    change.kind === "event" ? null : change.context?.name,
    editsBesideName(change).map((edit) => [edit.path, fromStart(change, edit, start)]),
    change.transition,
    change.context?.timezone,
    change.context?.absorbFees,
  ];
}

/** An instant by how far it is from the event's start, so that the programmes of two nights are the same. */
function fromStart(change: Change, edit: Edit, start: number) {
  const policy = policyOf(change.kind, edit.path.slice(1));
  const isInstant = policy?.role === "value" && policy.form === "instant" && typeof edit.after === "string";
  return isInstant ? Date.parse(edit.after) - start : edit.after;
}
