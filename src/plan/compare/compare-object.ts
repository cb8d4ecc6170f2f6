// From a matched object to its change.
import type { Form, Kind, ValuePolicy } from "../../kinds/define.ts";
import { fieldEntries, isRewritable, sameText, sameValue, sentName, showsWish } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Action, Block, Change, Edit, Transition } from "../../model/plan.ts";
import { isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import {
  appliedTo,
  cannotClearBlock,
  isStillUnknown,
  knowsOf,
  labelOf,
  type Recalled,
  stillUncleared,
} from "../match/recall.ts";
import type { Comparison } from "./comparison.ts";

// What an entry names: ids on the service, addresses in files. Where the service does not show it, memory stands in.

/** What references of one event come to: the name for people, and the address that a live id stands for. */
export interface References {
  addressOf(id: string): string | undefined;
  nameOf(addressOrId: string): string;
}

export interface ReferenceField {
  /** As the files call it. */
  readonly name: string;
  readonly sentAs: string;
}

/** "unknown": the service does not show what is named, and nobody remembers. */
export function diffReference(
  field: ReferenceField,
  wish: Wish,
  live: Live,
  memory: Recalled,
  references: References,
): Edit | "unknown" | null {
  const { name, sentAs } = field;
  const after = wish.fields[sentAs];
  if (after === undefined) return null;
  const wished = isReference(after) ? after.$id : null;
  const shown = live.fields[sentAs];
  if (shown === undefined && (!knowsOf(memory, sentAs) || isStillUnknown(memory, sentAs, wished))) return "unknown";
  const former = addressIn(appliedTo(memory, sentAs), references);
  const present = shown === undefined ? former : addressIn(shown, references);
  if (present === wished) return null;
  const label = shown === undefined ? "edit" : labelOfReference(memory, sentAs, former, wished);
  return {
    path: `/${name}`,
    before: typeof present === "string" ? references.nameOf(present) : null,
    after: wished === null ? null : references.nameOf(wished),
    ...(shown === undefined ? { unreadable: true } : {}),
    ...(label === undefined ? {} : { label }),
  };
}

/** The service and state hold an id, a base the address: all come to an address, or to the id of what no address means. */
function addressIn(value: Value | undefined, references: References): Value | undefined {
  return typeof value === "string" ? (references.addressOf(value) ?? value) : value;
}

function labelOfReference(
  memory: Recalled,
  sentAs: string,
  former: Value | undefined,
  wished: string | null,
): Edit["label"] {
  if (!knowsOf(memory, sentAs)) return undefined;
  return former === wished ? "drift" : "edit";
}

// Field by field, both sides in canonical form. What the service does not show is replaced by what is remembered.

export interface Difference {
  readonly edits: readonly Edit[];
  /** Managed fields that the service does not show and nobody remembers: sent along with the next change. */
  readonly unknown: readonly string[];
}

export function diffObject(kind: Kind, wish: Wish, live: Live, memory: Recalled, references: References): Difference {
  const edits: Edit[] = [];
  const unknown: string[] = [];
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role === "reference") {
      const found = diffReference({ name, sentAs: policy.sentAs }, wish, live, memory, references);
      if (found === "unknown") unknown.push(name);
      else if (found !== null) edits.push(found);
    }
    if (policy.role !== "value" || policy.change === "identity") continue;
    const after = wish.fields[name];
    if (after === undefined || isReference(after)) continue;
    // Sold out is a one-way road: a wish to undo it is a remark, not an edit.
    if (policy.change === "sold-out" && after === false) continue;
    const shown = live.fields[name];
    if (shown === undefined) {
      const applied = appliedTo(memory, name);
      // No call can withdraw what may be on sale: that it is not is wished, and cannot be looked at.
      const cannotBeSent = policy.change === "publish" && after === false && memory.applied?.[name] === undefined;
      if (!knowsOf(memory, name) || isStillUnknown(memory, name, after) || cannotBeSent) unknown.push(name);
      else if (!sameValue(applied, after)) {
        edits.push({ path: `/${name}`, before: applied ?? null, after, unreadable: true, label: "edit" });
      }
      continue;
    }
    if (showsWish(policy, shown, after) || isKeptInAnotherShape(policy.form, name, shown, after, memory)) continue;
    if (isLowered(policy, name, wish, live, memory)) continue;
    const label = labelOf(memory, name, shown, after);
    edits.push({ path: `/${name}`, before: shown, after, ...(label === undefined ? {} : { label }) });
  }
  return { edits, unknown };
}

/** Our own call lowered it, and to raise it again would open what is to stay closed. */
function isLowered({ loweredBy }: ValuePolicy, name: string, wish: Wish, live: Live, memory: Recalled): boolean {
  if (loweredBy === undefined || wish.fields[loweredBy] !== true || live.remaining !== 0) return false;
  const [shown, after] = [live.fields[name], wish.fields[name]];
  const isLess = typeof shown === "number" && typeof after === "number" && shown < after;
  const wasClosed = sameValue(memory.applied?.[loweredBy], true) && sameValue(memory.applied?.[name], after as Value);
  return isLess && wasClosed;
}

/** The service keeps what we sent in its own shape: remembered from our last write, or the same but for markup. */
function isKeptInAnotherShape(form: Form, name: string, shown: Value, after: Value, memory: Recalled): boolean {
  // A number, a time or a choice has no other shape: another value is a difference, whatever is remembered of it.
  if (!isRewritable(form)) return false;
  const applied = memory.applied?.[name];
  const edited = knowsOf(memory, name) && !sameValue(applied, after);
  if (edited) return false;
  if (memory.returned[name] !== undefined && sameValue(memory.returned[name], shown)) return true;
  // A base knows what was sent and not what the service made of it: the difference alone is no edit of the files.
  const isFromBase = memory.id === null && applied !== undefined;
  if (isFromBase && form !== "text" && shown !== null && after !== null) return true;
  if (form !== "text" && form !== "markup") return false;
  return typeof shown === "string" && typeof after === "string" && sameText(shown, after);
}

export interface CompareOptions {
  readonly memory: Recalled;
  readonly references: References;
  readonly resendUnreadable: boolean;
}

/** A wished object beside its live one. */
export function compareObject(kind: Kind, wish: Wish, live: Live, options: CompareOptions): Comparison {
  const { edits: differing, unknown } = diffObject(kind, wish, live, options.memory, options.references);
  const needsReplacing = differing.some((edit) => changeOf(kind, edit.path) === "replace");
  const goesOut = differing.length > 0 || options.resendUnreadable;
  const resend = goesOut ? unknown.filter((field) => canBeSent(kind, field, wish)) : [];
  const changing = [...differing, ...resend.map((field) => unreadableEdit(kind, field, wish, options.references))];
  const edits = [...changing, ...restatedEdits(kind, wish, live, changing, needsReplacing, options)];
  const transition = transitionOf(wish, live);
  const action: Action = needsReplacing ? "replace" : edits.length > 0 ? "update" : "none";
  const change =
    action === "none" && transition === null
      ? null
      : makeChange(kind, wish, { action, id: live.id, reason: reasonOf(action, edits), edits, transition });
  const doomed = cannotClearBlock(stillUncleared(kind, edits, live, options.memory.uncleared));
  return {
    kind,
    address: wish.address,
    wish,
    live,
    name: nameOf(kind, wish, live),
    change: change === null || doomed === null ? change : withBlocks(change, [doomed]),
    unknown,
  };
}

/** A wished object that is not live. */
export function createObject(kind: Kind, wish: Wish, references: References, memory: Recalled): Comparison {
  const edits: Edit[] = [];
  const lacking: string[] = [];
  for (const [name, policy] of fieldEntries(kind)) {
    const value = wish.fields[policy.role === "reference" ? policy.sentAs : name];
    if (value === undefined && policy.role === "value" && policy.required === true) lacking.push(name);
    if (value === undefined || value === null) continue;
    edits.push({ path: `/${name}`, before: null, after: isReference(value) ? references.nameOf(value.$id) : value });
  }
  const transition: Transition | null = kind.steps.length === 0 ? null : { from: null, to: wish.own.status ?? "DRAFT" };
  const reason = memory.id === null ? "not live yet" : "it was live, and is not any more";
  const change = makeChange(kind, wish, { action: "create", id: null, reason, edits, transition });
  const blocked = lacking.length === 0 ? change : withBlocks(change, [cannotBeMade(wish, lacking)]);
  return { kind, address: wish.address, wish, live: null, name: wish.name, change: blocked, unknown: [] };
}

/** A document that is pinned in another environment may leave out what a new object needs. */
function cannotBeMade(wish: Wish, lacking: readonly string[]): Block {
  const fields = lacking.map((field) => `\`${field}\``).join(", ");
  return {
    code: "missing-key",
    message: `'${wish.name}' is not live in this environment, and cannot be made without ${fields}.`,
    hint: `Add ${fields}, or pin the live object of this environment with \`id\`.`,
  };
}

/** A live object that is to go. */
export function deleteObject(kind: Kind, address: string, live: Live, wish: Wish | null, reason: string): Comparison {
  const label = live.fields[kind.identity.label];
  const change: Change = {
    address,
    kind: kind.name,
    action: "delete",
    id: live.id,
    reason,
    edits: [],
    transition: kind.steps.length === 0 ? null : { from: live.status, to: "DELETED" },
    blockedBy: [],
    source: wish?.source ?? null,
  };
  return { kind, address, wish, live, name: typeof label === "string" ? label : live.id, change, unknown: [] };
}

/** An object that could not be matched: nothing is planned for it but the reason is told. */
export function blockedObject(kind: Kind, wish: Wish, block: Block): Comparison {
  const change = makeChange(kind, wish, {
    action: wish.own.id === undefined ? "create" : "none",
    id: wish.own.id ?? null,
    reason: "it cannot be told which live object is meant",
    edits: [],
    transition: null,
  });
  return {
    kind,
    address: wish.address,
    wish,
    live: null,
    name: wish.name,
    change: withBlocks(change, [block]),
    unknown: [],
  };
}

export function withBlocks(change: Change, blocks: readonly Block[]): Change {
  return { ...change, blockedBy: [...change.blockedBy, ...blocks] };
}

/** A document that only pins an id goes by the live object's name. */
function nameOf(kind: Kind, wish: Wish, live: Live): string {
  const { label } = kind.identity;
  const shown = live.fields[label];
  return wish.fields[label] === undefined && typeof shown === "string" ? shown : wish.name;
}

function makeChange(
  kind: Kind,
  wish: Wish,
  rest: Pick<Change, "action" | "id" | "reason" | "edits" | "transition">,
): Change {
  return { address: wish.address, kind: kind.name, ...rest, blockedBy: [], source: wish.source };
}

function transitionOf(wish: Wish, live: Live): Transition | null {
  const to = wish.own.status;
  return to === undefined || to === live.status ? null : { from: live.status, to };
}

export function changeOf(kind: Kind, path: string): string | undefined {
  const policy = kind.fields[path.slice(1)];
  return policy?.role === "value" || policy?.role === "reference" ? policy.change : undefined;
}

/** A field nobody can read never causes a call by itself; what goes out anyway carries it along. Nothing can take a call back that put on sale. */
function canBeSent(kind: Kind, field: string, wish: Wish): boolean {
  switch (changeOf(kind, `/${field}`)) {
    case "patch":
      return true;
    case "publish":
    case "sold-out":
      return wish.fields[field] === true;
    default:
      return false;
  }
}

function unreadableEdit(kind: Kind, field: string, wish: Wish, references: References): Edit {
  const value = wish.fields[sentName(kind, field)] ?? null;
  const after = isReference(value) ? references.nameOf(value.$id) : value;
  return { path: `/${field}`, before: null, after, unreadable: true };
}

/**
 * Fields that do not differ and are sent all the same: what a plan does is in its edits. What takes the place of another
 * is given every managed field, also one that the service shows in another shape or not at all, and what it shows of the rest; and a higher quantity
 * brings tickets back on sale, so a type that is to stay sold out is closed again.
 */
function restatedEdits(
  kind: Kind,
  wish: Wish,
  live: Live,
  edits: readonly Edit[],
  isReplaced: boolean,
  { memory, references }: CompareOptions,
): readonly Edit[] {
  const edited = new Set(edits.map(({ path }) => path.slice(1)));
  const reopened = new Set([...edited].map((name) => loweringOf(kind, name)));
  const restated: Edit[] = [];
  for (const [name, policy] of fieldEntries(kind)) {
    if (edited.has(name) || (policy.role !== "value" && policy.role !== "reference")) continue;
    const field = sentName(kind, name);
    const [wished, shown] = [wish.fields[field], live.fields[field]];
    if (wished === undefined && isReplaced) restated.push(...carriedOver(name, shown, memory));
    if (wished === undefined || wished === null) continue;
    const isTold = shown !== undefined && !isReference(wished) && sameValue(shown, wished);
    if (reopened.has(name) ? wished !== true : !isReplaced || isTold) continue;
    const before = shown ?? memory.applied?.[field] ?? null;
    restated.push({
      path: `/${name}`,
      before: policy.role === "reference" && typeof before === "string" ? references.nameOf(before) : before,
      after: isReference(wished) ? references.nameOf(wished.$id) : wished,
      ...(shown === undefined ? { unreadable: true as const } : {}),
    });
  }
  return restated;
}

/** What the file does not manage is not lost with the object that goes: as it was sent, where that is known, else as it is shown. */
function carriedOver(name: string, shown: Value | undefined, { applied, returned }: Recalled): readonly Edit[] {
  if (shown === undefined || shown === null) return [];
  const sent = applied?.[name];
  const value = sent !== undefined && sent !== null && sameValue(returned[name], shown) ? sent : shown;
  return [{ path: `/${name}`, before: value, after: value }];
}

function loweringOf(kind: Kind, name: string): string | undefined {
  const policy = kind.fields[name];
  return policy?.role === "value" ? policy.loweredBy : undefined;
}

function reasonOf(action: Action, edits: readonly Edit[]): string {
  if (action === "replace") return "the service cannot change it in place, so another one takes its place";
  if (action === "none") return "only the status differs";
  if (edits.every((edit) => edit.label === "drift")) return "changed on the service since it was last applied";
  return "fields differ";
}
