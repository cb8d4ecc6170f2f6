// New events that differ in nothing but their names and dates: a series, of which one night is shown in full.
import type { Change, Edit } from "../model/change.ts";
import { groupBy } from "../model/group-by.ts";
import { policyOf } from "./field-text.ts";
import { editsBesideName, type Family, inOrderOf } from "./group-changes.ts";
import { startOf } from "./tell-apart.ts";

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
