// What is remembered of an object, by state or by earlier files (base).
import type { Kind } from "../../kinds/define.ts";
import { fieldEntries, kindOf, sameValue, sentName, showsApplied } from "../../kinds/index.ts";
import { type Address, idKey, makeAddress, rootOf, sameId } from "../../model/address.ts";
import type { Live, State, StateEntry } from "../../model/live.ts";
import type { Block, Edit } from "../../model/plan.ts";
import { groupBy, isCleared, isReference, type Value } from "../../model/value.ts";
import { familyOf, type Project, type Wish } from "../../model/wish.ts";
import { pendingRenames } from "./renames.ts";

export interface Recalled {
  readonly id: string | null;
  /** Another document or entry now means that object, and everything below it. */
  readonly reassigned?: boolean;
  /** The object in the revision that the checkout is compared with; null: not there; left out: there is no such revision. */
  readonly base?: Wish | null;
  /** The object as the same files had it at the time of the last run, and whenever a phase began or ended since; null: it was not there; left out: nothing changes with time. */
  readonly earlier?: readonly (Wish | null)[];
  /** A run has applied everything: what was there then and unwanted is gone. */
  readonly fullyApplied: boolean;
  /** Fields as they were last applied; null: nothing is remembered of this object. */
  readonly applied: Readonly<Record<string, Value>> | null;
  /** Only what `applied` names is remembered; of other fields nothing is known. */
  readonly partial: boolean;
  /** What the service showed after our own write, if that differs. */
  readonly returned: Readonly<Record<string, Value>>;
  /** Fields that could be neither read nor remembered, and what was wished for them then. */
  readonly unknown: Readonly<Record<string, Value>>;
  /** Fields that could not be cleared, with what the service showed for them then; null: nothing. */
  readonly uncleared: Readonly<Record<string, Value>>;
  /** What was sent without a known outcome: it may be what the service shows, and then it was applied. */
  readonly unconfirmed: NonNullable<StateEntry["unconfirmed"]>;
  /** What the replacement of an object must have: the object was deleted before its replacement was created. */
  readonly carried: Readonly<Record<string, Value>>;
  /** What fields named, by its address, before a replacement of that cleared them. */
  readonly named: Readonly<Record<string, Value>>;
  /** When it was created, if that was recently and by us. */
  readonly madeAt: string | null;
  /** The name by which a command was given its secret. */
  readonly secretName?: string | undefined;
}

const nothing: Recalled = {
  id: null,
  fullyApplied: false,
  applied: null,
  partial: false,
  returned: {},
  unknown: {},
  uncleared: {},
  unconfirmed: [],
  carried: {},
  named: {},
  madeAt: null,
};

/** If the live object's id is given, only what is remembered of that object. */
export type Recall = (address: Address, liveId?: string) => Recalled;

/** What shows whose difference it is. */
interface ComparedWith {
  /** The checkout's own changes are what differs from it; null: unknown. */
  readonly revision: readonly Wish[] | null;
  /** The same files at the time of the last run, with what phases did since; null: nothing changes with time. */
  readonly earlier: Pick<Project, "events" | "webhooks" | "upcoming"> | null;
}

/** State first, then a base, which may be null. Objects that `wishes` rename are found there by their former name. */
export function recallFrom(
  state: State | null,
  base: readonly Wish[] | null,
  wishes: readonly Wish[] = [],
  { revision: comparedWith, earlier }: ComparedWith = { revision: base, earlier: null },
): Recall {
  const renamed = wishes.flatMap(({ children }) =>
    Object.values(children).flatMap((list) => list.filter(({ own }) => own.renamedFrom !== undefined)),
  );
  const inBase = documentFinder(base ?? [], renamed);
  const inCompared = comparedWith === base ? inBase : documentFinder(comparedWith ?? [], renamed);
  const inTime = statesFinder(earlier);
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const isCompared = comparedWith !== null || earlier !== null;
  return (address, liveId) => {
    const bearer: StateEntry | undefined = state?.objects[address];
    // After a rename the object is remembered under its former address.
    const entry = liveId === undefined || sameId(bearer?.id, liveId) ? bearer : byId.get(idKey(liveId));
    const baseWish = inBase(address);
    const isUnknown = entry === undefined && baseWish === undefined;
    if (isUnknown && !isCompared) return nothing;
    const compared = {
      ...(comparedWith === null ? {} : { base: inCompared(address) ?? null }),
      ...(earlier === null ? {} : { earlier: inTime(address) }),
    };
    if (isUnknown) return { ...nothing, ...compared };
    // We deleted it ourselves: it is not missing because of somebody else.
    if (liveId === undefined && entry?.carried !== undefined)
      return { ...nothing, ...compared, carried: entry.carried };
    const recalled = entry === undefined ? { ...nothing, applied: plainFields(baseWish) } : recordedIn(entry);
    return { ...recalled, fullyApplied: state?.appliedAt !== undefined, ...compared };
  };
}

function recordedIn({ carried: _, ...entry }: StateEntry): Recalled {
  return { ...nothing, ...entry, partial: entry.partial === true };
}

/** `renamed`: an event keeps its address whatever its name is; an entry of its lists does not. */
function documentFinder(documents: readonly Wish[], renamed: readonly Wish[]): (address: Address) => Wish | undefined {
  if (documents.length === 0) return () => undefined;
  const byAddress = new Map<Address, Wish>();
  for (const wish of documents) {
    byAddress.set(wish.address, wish);
    for (const list of Object.values(wish.children)) for (const child of list) byAddress.set(child.address, child);
  }
  function formerOf({ parent, kind, own }: Wish): Wish | undefined {
    return byAddress.get(makeAddress(parent, kindOf(kind).plural, own.renamedFrom ?? ""));
  }
  const bearersOf = ({ address }: Wish) => [byAddress.get(address) ?? []].flat();
  const pending = pendingRenames({ wishes: renamed, formerOf, bearersOf });
  const now = new Map<Address, Wish | undefined>(Array.from(pending, ([, { address }]) => [address, undefined]));
  for (const wish of renamed) {
    const former = pending.get(wish) ?? (byAddress.has(wish.address) ? undefined : formerOf(wish));
    if (former !== undefined) now.set(wish.address, former);
  }
  return (address) => (now.has(address) ? now.get(address) : byAddress.get(address));
}

/** All that an object has been since the last run, by the files of now. */
function statesFinder(earlier: ComparedWith["earlier"]): (address: Address) => readonly (Wish | null)[] {
  const { events = [], webhooks = [], upcoming = [] } = earlier ?? {};
  const then = documentFinder([...events, ...webhooks], []);
  const since = groupBy(upcoming, ({ address }) => address);
  return (address) => {
    const later = since.get(rootOf(address)) ?? [];
    const inEach = later.map(({ around: [, event] }) => familyOf(event).find((one) => one.address === address) ?? null);
    return [then(address) ?? null, ...inEach];
  };
}

function plainFields(wish: Wish | undefined): Readonly<Record<string, Value>> | null {
  if (wish === undefined) return null;
  const fields: Record<string, Value> = {};
  // The object that an entry names is remembered by its address: files do not know its id.
  for (const [name, value] of Object.entries(wish.fields)) fields[name] = isReference(value) ? value.$id : value;
  return fields;
}

/** With the effect of calls whose outcome is not known, as far as the object shows it; only what it does not show stays unconfirmed. */
export function withEffects(kind: Kind, memory: Recalled, live: Live): Recalled {
  if (memory.unconfirmed.length === 0) return memory;
  const applied: Record<string, Value> = { ...memory.applied };
  const unconfirmed = memory.unconfirmed.map((call) => {
    const unseen: Record<string, Value> = {};
    if (call.status !== undefined && call.status === live.status) applied.status = call.status;
    for (const [name, policy] of fieldEntries(kind)) {
      const field = sentName(kind, name);
      const [sent, shown] = [call[field], live.fields[field]];
      if (sent === undefined || sameValue(sent, applied[field])) continue;
      if (shown === undefined) {
        unseen[field] = sent;
        delete applied[field];
      } else if (
        policy.role === "value" ? showsApplied(policy, field, shown, { applied: call }) : sameValue(shown, sent)
      )
        applied[field] = sent;
    }
    return unseen;
  });
  return { ...memory, applied, unconfirmed: unconfirmed.filter((call) => Object.keys(call).length > 0) };
}

/** Whether a field would name what it named before a replacement that was cut off. The document may have moved to another file since. */
export function namesAgain(memory: Recalled | undefined, field: string, address: Address): boolean {
  const before = String(memory?.named[field] ?? "");
  return before !== "" && before.slice(rootOf(before).length) === address.slice(rootOf(address).length);
}

/** After `withEffects`: it has a value of ours or the former one, and whichever is wished has to be sent. */
export function isUnconfirmed({ unconfirmed }: Recalled, field: string): boolean {
  return unconfirmed.some((call) => call[field] !== undefined);
}

/** Whether it is known what was last applied to this field; that may be nothing. */
export function knowsOf(memory: Recalled, field: string): boolean {
  return memory.applied !== null && (!memory.partial || memory.applied[field] !== undefined);
}

/** What was last applied to a field; undefined: nothing. If we created the object without the field, it is empty there. */
export function appliedTo(memory: Recalled, field: string): Value | undefined {
  const applied = memory.applied?.[field];
  if (applied !== undefined || memory.madeAt === null || !knowsOf(memory, field)) return applied;
  return field in memory.unknown || field in memory.uncleared || isUnconfirmed(memory, field) ? undefined : null;
}

/** It was unknown before, and was not edited since. */
export function isStillUnknown(memory: Recalled, field: string, after: Value): boolean {
  return memory.applied?.[field] === undefined && field in memory.unknown && sameValue(memory.unknown[field], after);
}

// Fields that the service did not clear when an earlier run tried: not sent again in every run.

type Uncleared = Recalled["uncleared"];

/** The ones that still apply: the edit clears the field, and the service shows the value that it showed then. */
export function stillUncleared(kind: Kind, edits: readonly Edit[], live: Live, uncleared: Uncleared): Uncleared {
  const standing: Record<string, Value> = {};
  for (const edit of edits) {
    const name = sentName(kind, edit.path.slice(1));
    const remembered = uncleared[name];
    if (remembered === undefined || !isCleared(edit.after)) continue;
    if (sameValue(remembered, live.fields[name] ?? null)) standing[name] = remembered;
  }
  return standing;
}

export function cannotClearBlock(uncleared: Uncleared): Block | null {
  const fields = Object.keys(uncleared);
  if (fields.length === 0) return null;
  const them = fields.length === 1 ? "it" : "them";
  return {
    code: "cannot-clear",
    message: `An earlier run tried to clear ${fields.map((field) => `\`${field}\``).join(", ")}, but the service kept ${fields.length === 1 ? "its value" : "their values"}.`,
    hint: `Set ${them} to ${fields.length === 1 ? "a different value" : "different values"}, remove ${them} from the file, or clear ${them} in the dashboard.`,
  };
}
