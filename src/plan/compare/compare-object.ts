// From a matched object to its change: field by field, both sides in canonical form. If the service does not show a
// field, what is remembered of it is used instead.
import type { Kind, ReferencePolicy, ValuePolicy } from "../../kinds/define.ts";
import {
  fieldEntries,
  isRewritable,
  sameMeaning,
  sameValue,
  sentName,
  showsSame,
  showsWish,
} from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { type Action, type Block, type Change, type Edit, originOfChange, type Transition } from "../../model/plan.ts";
import { isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { differsFromBase } from "../match/former-documents.ts";
import type { Pair } from "../match/match-list.ts";
import { createdFieldOrigin, createOrigin, fieldOrigin, statusOrigin, wasLoweredByUs } from "../match/origins.ts";
import {
  appliedTo,
  cannotClearBlock,
  isStillUnknown,
  isUnconfirmed,
  knowsOf,
  type Recall,
  type Recalled,
  stillUncleared,
  withEffects,
} from "../match/recall.ts";
import { type Comparison, isSetByTime, type References, sourceOf } from "./comparison.ts";
import { deleteDigest, editDigest, transitionDigest, wishDigest } from "./digests.ts";
import { forPeople, type PlainEdit, restatedEdits, unreadableEdit } from "./restated-edits.ts";

export interface CompareOptions {
  readonly remember: Recall;
  readonly references: References;
  readonly resendUnreadable: boolean;
}

/** An entry of the files and the live object that it means, if there is one. */
export function comparePair(kind: Kind, { wish, live, block }: Pair, options: CompareOptions): Comparison {
  if (block !== null) return blockedObject(kind, wish, block, options.remember(wish.address));
  return live === null
    ? compareMissing(kind, wish, options.references, options.remember(wish.address))
    : compareObject(kind, wish, live, options);
}

export function compareObject(kind: Kind, wish: Wish, live: Live, options: CompareOptions): Comparison {
  const { references, remember } = options;
  const memory = withEffects(kind, remember(wish.address, live.id), live);
  const { edits: differing, unknown } = diffObject(kind, wish, live, memory, references);
  const isReplaced = differing.some((edit) => changeOf(kind, edit.path) === "replace");
  const goesOut = differing.length > 0 || options.resendUnreadable;
  const resent = goesOut ? unknown.filter((field) => canBeSent(kind, field, wish)) : [];
  const changing = [...differing, ...resent.map((field) => unreadableEdit(kind, field, wish, references))];
  const restated = restatedEdits(kind, wish, live, changing, isReplaced, memory, references);
  const origin = originOfChange({ edits: differing });
  const edits = [...changing, ...restated].map((edit) => ({ origin, ...edit, digest: editDigest(wish.address, edit) }));
  const transition = transitionOf(wish, live);
  const action: Action = isReplaced ? "replace" : edits.length > 0 ? "update" : "none";
  const uncleared = cannotClearBlock(stillUncleared(kind, edits, live, memory.uncleared));
  const shownName = live.fields[kind.identity.label];
  return {
    kind,
    address: wish.address,
    wish,
    live,
    // A document that only pins an id uses the live object's name.
    name: wish.fields[kind.identity.label] === undefined && typeof shownName === "string" ? shownName : wish.name,
    change:
      action === "none" && transition === null
        ? null
        : makeChange(kind, wish, {
            action,
            id: live.id,
            reason: reasonOf(action, edits, ({ path }) => memory.named[sentName(kind, path.slice(1))] !== undefined),
            edits,
            transition,
            ...(isReplaced
              ? { origin, digest: wishDigest("replace", wish) }
              : reviewedStatus(wish, transition, memory)),
          }),
    obstacles: uncleared === null ? [] : [uncleared],
    unknown,
  };
}

/** A wished object that is not live. */
export function compareMissing(kind: Kind, wish: Wish, references: References, recalled: Recalled): Comparison {
  // After a rename, another entry may mean what is remembered under this address.
  const isElsewhere = recalled.id !== null && references.addressOf(recalled.id) !== undefined;
  const memory = isElsewhere ? { ...recalled, reassigned: true } : recalled;
  const edits: Edit[] = [];
  const lacking: string[] = [];
  const origin = createOrigin(memory, wish);
  for (const [name, policy] of fieldEntries(kind)) {
    const value = wish.fields[sentName(kind, name)];
    if (value === undefined && policy.role === "value" && policy.required === true) lacking.push(name);
    const carried = memory.carried[sentName(kind, name)];
    if (value === undefined && policy.role === "value" && carried !== undefined) {
      const edit = { path: `/${name}`, before: null, after: carried, origin, sentAlong: true } as const;
      edits.push({ ...edit, digest: editDigest(wish.address, edit) });
    }
    if (value === undefined || value === null) continue;
    const [path, after] = [`/${name}`, forPeople(value, references)];
    const whose = createdFieldOrigin(memory, wish, sentName(kind, name), origin);
    edits.push({ path, before: null, after, origin: whose, digest: editDigest(wish.address, { path, after }) });
  }
  const transition: Transition | null = kind.steps.length === 0 ? null : { from: null, to: wish.own.status ?? "DRAFT" };
  const reason =
    Object.keys(memory.carried).length > 0
      ? "an earlier run deleted the old one to free its name, and did not create the new one"
      : memory.id === null || memory.reassigned
        ? `not live yet${isSetByTime(wish, "status", "status") ? "; its phases have already set its status" : ""}`
        : "it was live before, and no longer is";
  const digest = wishDigest("create", wish);
  const change = makeChange(kind, wish, { action: "create", id: null, reason, edits, transition, origin, digest });
  const obstacles = lacking.length === 0 ? [] : [cannotBeMade(wish, lacking)];
  return { kind, address: wish.address, wish, live: null, name: wish.name, change, obstacles, unknown: [] };
}

/** A document that is pinned in another environment may leave out what a new object needs. */
function cannotBeMade(wish: Wish, lacking: readonly string[]): Block {
  const fields = lacking.map((field) => `\`${field}\``).join(", ");
  return {
    code: "missing-field",
    message: `"${wish.name}" is not live in this environment, and cannot be created without ${fields}.`,
    hint: `Add ${fields}, or pin the live object of this environment with \`id\`.`,
  };
}

/** A live object that is to be deleted. */
export function compareSurplus(
  kind: Kind,
  address: Address,
  live: Live,
  wish: Wish | null,
  { reason, origin }: Required<Pick<Change, "reason" | "origin">>,
): Comparison {
  const label = live.fields[kind.identity.label];
  const change: Change = {
    address,
    kind: kind.name,
    action: "delete",
    id: live.id,
    reason,
    edits: [],
    transition: kind.steps.length === 0 ? null : { from: live.status, to: "DELETED" },
    origin,
    digest: deleteDigest(address),
    blockedBy: [],
    source: wish?.source ?? null,
  };
  const name = typeof label === "string" ? label : live.id;
  return { kind, address, wish, live, name, change, obstacles: [], unknown: [] };
}

/** An object that could not be matched: nothing is planned for it, and the reason is shown. */
export function blockedObject(kind: Kind, wish: Wish, block: Block, memory: Recalled): Comparison {
  const isNew = wish.own.id === undefined;
  const { base } = memory;
  const origin = base != null && differsFromBase(wish, base) ? "edit" : createOrigin(memory, wish);
  const change = makeChange(kind, wish, {
    action: isNew ? "create" : "none",
    id: wish.own.id ?? null,
    reason: "it is not known which live object this is",
    edits: [],
    transition: null,
    origin,
    ...(isNew ? { digest: wishDigest("create", wish) } : {}),
  });
  return { kind, address: wish.address, wish, live: null, name: wish.name, change, obstacles: [block], unknown: [] };
}

function makeChange(
  kind: Kind,
  wish: Wish,
  rest: Pick<Change, "action" | "id" | "reason" | "edits" | "transition" | "origin" | "digest">,
): Change {
  return { address: wish.address, kind: kind.name, ...rest, blockedBy: [], source: sourceOf(wish, rest) };
}

function transitionOf(wish: Wish, live: Live): Transition | null {
  const to = wish.own.status;
  return to === undefined || to === live.status ? null : { from: live.status, to };
}

function reviewedStatus(
  wish: Wish,
  transition: Transition | null,
  memory: Recalled,
): Pick<Change, "origin" | "digest"> {
  if (transition === null) return {};
  return { origin: statusOrigin(memory, wish), digest: transitionDigest(wish.address, transition.to) };
}

function reasonOf(action: Action, edits: readonly Edit[], isCleared: (edit: Edit) => boolean): string {
  if (action === "replace") return "the service cannot update it, so a new one is created and the old one is deleted";
  if (action === "none") return "only the status differs";
  if (edits.every((edit) => edit.origin === "drift")) return "changed on the service since it was last applied";
  return edits.every(isCleared) ? "an earlier run cleared a field and did not set it again" : "fields differ";
}

function diffObject(kind: Kind, wish: Wish, live: Live, memory: Recalled, references: References) {
  const edits: PlainEdit[] = [];
  /** Managed fields that the service does not show and that are not remembered: sent along with the next change. */
  const unknown: string[] = [];
  for (const [name, policy] of fieldEntries(kind)) {
    if ((policy.role !== "value" && policy.role !== "reference") || policy.change === "identity") continue;
    const edit = diffField(name, policy, wish, live, memory, references);
    if (edit === "unknown") unknown.push(name);
    else if (edit !== null) edits.push(edit);
  }
  return { edits, unknown };
}

function diffField(
  name: string,
  policy: ValuePolicy | ReferencePolicy,
  wish: Wish,
  live: Live,
  memory: Recalled,
  references: References,
): PlainEdit | "unknown" | null {
  const isId = policy.role === "reference";
  const field = isId ? policy.sentAs : name;
  const wished = wish.fields[field];
  // Sold out cannot be undone: a wish to undo it is a remark, not an edit.
  if (wished === undefined || (policy.change === "sold-out" && wished === false)) return null;
  const after = isReference(wished) ? wished.$id : wished;
  const showing = live.fields[field];
  if (!isId && showing !== undefined && showsWish(policy, showing, after)) return null;
  const shown = isId ? asAddress(showing, references) : showing;
  if (shown === undefined && cannotBeCompared(policy, field, after, memory)) return "unknown";
  const remembered = appliedTo(memory, field);
  const applied = isId ? asAddress(remembered, references) : remembered;
  if (shown === undefined && sameValue(applied, after)) return null;
  if (isId && shown === after) return null;
  if (!isId && shown !== undefined && isRewritten(policy, field, shown, after, memory)) return null;
  if (!isId && shown !== undefined && isLowered(policy, field, wish, live, memory)) return null;
  // What was applied may refer to an object that somebody has deleted since, and that the files still refer to.
  const known = isId && typeof applied === "string" ? (references.formerAddressOf(applied) ?? applied) : applied;
  const nameOf = (value: Value) => (isId && typeof value === "string" ? references.nameOf(value) : value);
  const origin = fieldOrigin(memory, wish, field, wasLoweredByUs(policy, wish, memory) ? undefined : known, after);
  const before = shown === undefined ? (applied ?? null) : shown;
  const edit = { path: `/${name}`, before: nameOf(before), after: nameOf(after), origin };
  return shown === undefined ? { ...edit, unreadable: true } : edit;
}

/** The service and state hold ids, a base holds addresses: both become addresses, or stay ids if no address is known. */
function asAddress(value: Value | undefined, references: References): Value | undefined {
  return typeof value === "string" ? (references.addressOf(value) ?? value) : value;
}

/** For a field that the service does not show. */
function cannotBeCompared({ change }: { change: string }, field: string, after: Value, memory: Recalled): boolean {
  // No call can take a ticket type off sale, and whether it is on sale is not shown.
  const cannotBeSent = change === "publish" && after === false && memory.applied?.[field] === undefined;
  if (cannotBeSent || isUnconfirmed(memory, field)) return cannotBeSent;
  return !knowsOf(memory, field) || isStillUnknown(memory, field, after);
}

/** Our own sold-out call lowered the quantity, as far as is known (a base does not say what was sent), or took the type off sale. */
function isLowered({ loweredBy }: ValuePolicy, field: string, wish: Wish, live: Live, memory: Recalled): boolean {
  if (loweredBy === undefined || wish.fields[loweredBy] !== true || live.remaining !== 0) return false;
  const [shown, after] = [live.fields[field], wish.fields[field]];
  if (shown === false) return after === true;
  const isLess = typeof shown === "number" && typeof after === "number" && shown < after;
  const wasClosed = sameValue(memory.applied?.[loweredBy], true) && sameValue(memory.applied?.[field], after as Value);
  return isLess && (wasClosed || memory.id === null || !knowsOf(memory, field));
}

/** The service stores what we sent in another form: known from our last write, or differing only in markup. */
function isRewritten(policy: ValuePolicy, field: string, shown: Value, after: Value, memory: Recalled): boolean {
  const { form } = policy;
  // A number, a time or a choice has no other form: another value is a difference, whatever is remembered of it.
  if (!isRewritable(form)) return false;
  const applied = memory.applied?.[field];
  const isEdited = knowsOf(memory, field) && !sameValue(applied, after);
  if (isEdited) return false;
  if (showsSame(policy, memory.returned[field], shown)) return true;
  // A base knows what was sent, not what the service made of it: such a difference is not an edit.
  const isFromBase = memory.id === null && applied !== undefined;
  if (isFromBase && form !== "text" && shown !== null && after !== null) return true;
  return sameMeaning(form, shown, after);
}

export function changeOf(kind: Kind, path: string): string | undefined {
  const policy = kind.fields[path.slice(1)];
  return policy?.role === "value" || policy?.role === "reference" ? policy.change : undefined;
}

/** An unreadable field is only sent along with other changes. `published` and `soldOut` can only be set, never undone. */
function canBeSent(kind: Kind, field: string, wish: Wish): boolean {
  const change = changeOf(kind, `/${field}`);
  return change === "patch" || ((change === "publish" || change === "sold-out") && wish.fields[field] === true);
}
