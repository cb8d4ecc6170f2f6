// Whose difference it is: the checkout's, that of an earlier merge which was not applied yet, that of time, or somebody's on the service.

import type { Kind } from "../../kinds/define.ts";
import { sameValue } from "../../kinds/index.ts";
import { rootOf } from "../../model/address.ts";
import type { Live, State } from "../../model/live.ts";
import type { Origin } from "../../model/plan.ts";
import { groupBy, isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { canonicalJson } from "../fingerprint.ts";
import { knowsOf, type Recall, type Recalled } from "./recall.ts";

/**
 * | given     | true                                                      | null             |
 * |-----------|-----------------------------------------------------------|------------------|
 * | atBase    | the base says the same as the files                       | there is no base |
 * | asApplied | what was applied last is what the files say               | not recorded     |
 * | isDue     | the same files said otherwise at the time of the last run | never            |
 *
 * Without a record, something that is in the base but not live may be drift or unapplied; "unapplied" is true of both.
 */
function originOf(atBase: boolean | null, asApplied: boolean | null, isDue: boolean): Origin {
  if (atBase === false) return "edit";
  if (asApplied === true) return "drift";
  if (isDue) return "phase";
  return atBase === true ? "unapplied" : "edit";
}

/** `applied` and `after` in one form. */
export function fieldOrigin(
  memory: Recalled,
  wish: Wish,
  field: string,
  applied: Value | undefined,
  after: Value,
): Origin {
  const isRecorded = memory.id !== null && knowsOf(memory, field);
  const atBase = memory.base === undefined ? null : memory.base !== null && isSameField(memory.base, wish, field);
  const isDue = memory.earlier != null && !isSameField(memory.earlier, wish, field);
  return originOf(atBase, isRecorded ? applied !== undefined && sameValue(applied, after) : null, isDue);
}

/** A venue is written by name, and the base was not resolved. */
function isSameField(base: Wish, wish: Wish, field: string): boolean {
  if (base.fields[field] === undefined && wish.own.venue !== undefined)
    return field === "venueId" && canonicalJson(base.own.venue) === canonicalJson(wish.own.venue);
  return canonicalJson(base.fields[field]) === canonicalJson(wish.fields[field]);
}

export function statusOrigin({ base, earlier, id, applied }: Recalled, { own }: Wish): Origin {
  const recorded = id === null ? undefined : applied?.status;
  const atBase = base === undefined ? null : base !== null && base.own.status === own.status;
  const isDue = earlier != null && earlier.own.status !== own.status;
  return originOf(atBase, recorded === undefined ? null : recorded === own.status, isDue);
}

/** For an object that is in the files but not live: what was made before, somebody has deleted. Whoever edits its status decides who sees it. */
export function createOrigin({ base, earlier, id }: Recalled, { own }: Wish): Origin {
  const atBase = base === undefined ? null : base !== null && (base.own.status ?? "DRAFT") === (own.status ?? "DRAFT");
  return originOf(atBase, id === null ? null : true, earlier === null);
}

/** For a field of such an object: the rest of it may be unapplied, and this one an edit. */
export function createdFieldOrigin({ base }: Recalled, wish: Wish, field: string, whole: Origin): Origin {
  return base != null && !isSameField(base, wish, field) ? "edit" : whole;
}

/** For a live object that its list does not name. `others`: what else is live in that list and named. */
export function surplusOrigin(kind: Kind, event: Wish, live: Live, others: readonly Live[], remember: Recall): Origin {
  const { base, earlier, id, fullyApplied } = remember(event.address, live.parentId ?? undefined);
  const listed = base?.children[kind.name];
  const label = live.fields[kind.identity.label];
  const atBase = base === undefined ? null : (listed?.every(({ name }) => name !== label) ?? false);
  const isDue = earlier?.children[kind.name]?.some(({ name }) => name === label) === true;
  if (isRecorded(live, remember)) return originOf(atBase, false, isDue);
  // If nothing of the list was recorded, it may not have been managed then.
  const wasManaged = atBase === true || others.some((other) => isRecorded(other, remember));
  return originOf(atBase, id !== null && fullyApplied && wasManaged ? true : null, isDue);
}

function isRecorded({ id }: Live, remember: Recall): boolean {
  return remember("", id).id !== null;
}

/** For something that the files no longer have: if the base has none of it either, it was removed by an earlier merge. */
export function removalOrigin({ base }: Recalled): Origin {
  return originOf(base === undefined ? null : base === null, null, false);
}

/** Whether a document differs from what it said at the base; its position in a file does not count. */
export function differsFromBase(wish: Wish, base: Wish | undefined): boolean {
  // A file that was not changed is read once for both.
  if (wish === base) return false;
  return base === undefined || canonicalJson(meaning(wish)) !== canonicalJson(meaning(base));
}

/** The same for a list: entries that were added or are gone count, their order does not. */
export function listDiffersFromBase(wishes: readonly Wish[], base: readonly Wish[]): boolean {
  const before = new Map(base.map((wish) => [wish.address, wish]));
  return wishes.length !== before.size || wishes.some((wish) => differsFromBase(wish, before.get(wish.address)));
}

function meaning(wish: Wish): unknown {
  const children = Object.fromEntries(Object.entries(wish.children).map(([kind, list]) => [kind, list.map(meaning)]));
  // Silencing a remark changes nothing on the service.
  const { ignore: _, ...own } = wish.own;
  return { address: wish.address, fields: wish.fields, own, children };
}

/**
 * Whether something other than this document was applied last, as far as state knows: by a run of a part, by one that failed, or from
 * uncommitted files. The revision that was last applied as a whole says nothing of these.
 */
export function differsFromState({ objects, lastRun }: State): (wish: Wish) => boolean {
  const known = groupBy(Object.entries(objects), ([address]) => rootOf(address));
  // What such a run has deleted may be wished again.
  const mayLack = lastRun?.clean === false;

  function isOtherwise({ address, fields, own: { status } }: Wish): boolean {
    const applied = objects[address]?.applied ?? {};
    // An archived event that is to be deleted is left alone.
    const wished = status === undefined || status === "DELETED" ? fields : { ...fields, status };
    return Object.entries(wished).some(([field, value]) => {
      const before = applied[field];
      return before !== undefined && !isReference(value) && !sameValue(before, value);
    });
  }

  return (wish) => {
    const children = Object.values(wish.children).flat();
    const named = new Set(children.map(({ address }) => address));
    const managed = new Set(Object.keys(wish.children));
    // An entry of a managed list that the document no longer names.
    const surplus = (known.get(wish.address) ?? []).some(
      ([address, { kind }]) => managed.has(kind) && !named.has(address),
    );
    const { status } = wish.own;
    const isWanted = status !== "DELETED" && status !== "ARCHIVED";
    const lacks = mayLack && isWanted && [wish, ...children].some(({ address }) => objects[address] === undefined);
    return surplus || lacks || [wish, ...children].some(isOtherwise);
  };
}
