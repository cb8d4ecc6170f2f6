// Whose difference it is: the checkout's, an earlier merge's that was not applied yet, time's, or somebody's on the service.
import type { Kind, ReferencePolicy, ValuePolicy } from "../../kinds/define.ts";
import { sameValue } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Origin } from "../../model/plan.ts";
import { isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { canonicalJson } from "../fingerprint.ts";
import { differsFromBase } from "./former-documents.ts";
import { isUnconfirmed, knowsOf, namesAgain, type Recall, type Recalled } from "./recall.ts";

/**
 * | given     | true                                                      | null             |
 * |-----------|-----------------------------------------------------------|------------------|
 * | atBase    | the base says the same as the files                       | there is no base |
 * | asApplied | what was applied last is what the files say               | not recorded     |
 * | isDue     | the same files said otherwise at the time of the last run, or said later what was applied last | never |
 *
 * Without a record, something that is in the base but not live may be drift or unapplied; "unapplied" is true of both.
 */
function originOf(atBase: boolean | null, asApplied: boolean | null, isDue: boolean): Origin {
  // Even for an edit: it was applied before, by a run that left others undone, and somebody has changed it since.
  if (asApplied === true) return "drift";
  if (atBase === false) return "edit";
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
  // One of our runs cleared it, so setting it again needs no review.
  if (typeof after === "string" && namesAgain(memory, field, after)) return "unapplied";
  const isRecorded = memory.id !== null && knowsOf(memory, field);
  const atBase = memory.base === undefined ? null : memory.base !== null && isSameField(memory.base, wish, field);
  const asApplied = isRecorded ? applied !== undefined && sameValue(applied, after) : null;
  const sent = isUnconfirmed(memory, field) ? memory.unconfirmed.map((call) => call[field]) : [applied];
  const isApplied = ({ fields: { [field]: was } }: Wish) =>
    was !== undefined && !isReference(was) && sent.some((value) => value !== undefined && sameValue(value, was));
  return originOf(
    atBase,
    asApplied,
    hasComeIn(memory, (one) => !isSameField(one, wish, field), isApplied),
  );
}

/** Our own sold-out call lowered this value, and the files no longer ask for that call: this is not drift. */
export function wasLoweredByUs(policy: ValuePolicy | ReferencePolicy, wish: Wish, { applied }: Recalled): boolean {
  const call = policy.role === "value" ? policy.loweredBy : undefined;
  return call !== undefined && applied?.[call] === true && wish.fields[call] !== true;
}

/** What a phase set and reverted since the last clean run is due only if a run in between applied it. */
function hasComeIn({ earlier = [] }: Recalled, differs: (one: Wish) => boolean, isApplied: (one: Wish) => boolean) {
  return earlier.some((one, index) => one !== null && differs(one) && (index === 0 || isApplied(one)));
}

/** A venue is written by name, and the base was not resolved. */
function isSameField(base: Wish, wish: Wish, field: string): boolean {
  if (base.fields[field] === undefined && wish.own.venue !== undefined)
    return field === "venueId" && canonicalJson(base.own.venue) === canonicalJson(wish.own.venue);
  return canonicalJson(base.fields[field]) === canonicalJson(wish.fields[field]);
}

export function statusOrigin(memory: Recalled, wish: Wish): Origin {
  const { base, id, applied } = memory;
  const { status } = wish.own;
  const recorded = id === null ? undefined : applied?.status;
  const atBase = base === undefined ? null : base !== null && base.own.status === status;
  const differs = ({ own }: Wish) => own.status !== status;
  const due = hasComeIn(memory, differs, ({ own }) => recorded !== undefined && own.status === recorded);
  return originOf(atBase, recorded === undefined ? null : recorded === status, due);
}

/** For an object in the files that is not live: if it existed before, somebody deleted it, unless an interrupted run of ours did. An edited status makes it an edit, because it decides who sees the object. */
export function createOrigin(memory: Recalled, wish: Wish): Origin {
  const { own } = wish;
  const { base, earlier, id, reassigned, applied, unconfirmed } = memory;
  const isLike = (status: unknown) => (status ?? "DRAFT") === (own.status ?? "DRAFT");
  const atBase = base === undefined ? null : base !== null && isLike(base.own.status);
  const isStatusEdited = base != null && !isLike(base.own.status) && !isLike(applied?.status);
  const isOurDelete = unconfirmed.some(({ status }) => status === "DELETED");
  const asApplied = id === null || reassigned ? null : !isStatusEdited && !isOurDelete;
  const isDue = earlier?.includes(null) === true;
  return originOf(isDue && base != null && differsFromBase(wish, base) ? false : atBase, asApplied, isDue);
}

/** For a field of such an object: the rest of it may be unapplied, and this field an edit. */
export function createdFieldOrigin({ base }: Recalled, wish: Wish, field: string, whole: Origin): Origin {
  return base != null && !isSameField(base, wish, field) ? "edit" : whole;
}

/** For a live object that its list does not name. `others`: what is live in that list. */
export function surplusOrigin(kind: Kind, event: Wish, live: Live, others: readonly Live[], remember: Recall): Origin {
  const { base, earlier, id, fullyApplied } = remember(event.address, live.parentId ?? undefined);
  const listed = base?.children[kind.name];
  const label = live.fields[kind.identity.label];
  const atBase = base === undefined ? null : (listed?.every(({ name }) => name !== label) ?? false);
  const wasDue = earlier?.some((one) => one?.children[kind.name]?.some(({ name }) => name === label)) === true;
  if (isRecorded(live, remember)) return originOf(atBase, false, wasDue);
  // If nothing of the list was recorded, it may not have been managed then.
  const wasListed = event.children[kind.name]?.some(({ address }) => remember(address).id !== null) === true;
  const wasManaged = atBase === true || wasListed || others.some((other) => isRecorded(other, remember));
  return originOf(atBase, id !== null && fullyApplied && wasManaged && atBase !== false ? true : null, wasDue);
}

/** Whether the files are known to have listed it: without state and base, it may never have been in them. */
export function isKnownEntry(kind: Kind, event: Wish, live: Live, remember: Recall): boolean {
  const listed = remember(event.address, live.parentId ?? undefined).base?.children[kind.name];
  return isRecorded(live, remember) || listed?.some(({ name }) => name === live.fields[kind.identity.label]) === true;
}

function isRecorded({ id }: Live, remember: Recall): boolean {
  return remember("", id).id !== null;
}

/** For something that the files no longer have: if the base has none of it either, an earlier merge removed it. */
export function removalOrigin({ base }: Recalled): Origin {
  return originOf(base === undefined ? null : base === null, null, false);
}
