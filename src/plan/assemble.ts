// From judged comparisons to the plan: one JSON value, the same bytes for the same input.
import { isInFamily, kindOf } from "../kinds/index.ts";
import { type Address, type KindName, rootOf } from "../model/address.ts";
import { type Advice, type Diagnostic, sortRemarks } from "../model/diagnostic.ts";
import type { Live, Shard, StateEntry } from "../model/live.ts";
import {
  type Change,
  type Compared,
  type GuardChange,
  isWhole,
  type Leftover,
  type Observed,
  type Operation,
  type Plan,
  type PlannedPhase,
  partOf,
  planFormat,
  type Revision,
  type Target,
} from "../model/plan.ts";
import { isReference, type Value } from "../model/value.ts";
import type { Wish } from "../model/wish.ts";
import {
  allComparisons,
  type Comparison,
  type EventComparison,
  isMatched,
  referencesIn,
} from "./compare/comparison.ts";
import { digestsOf, documentDigest } from "./compare/digests.ts";
import { liveByAddress, mentionsOf } from "./compare/references.ts";
import { type IsTargeted, limitComparison } from "./compare/targets.ts";
import { seal } from "./fingerprint.ts";
import { type Recall, recallFrom } from "./match/recall.ts";
import { unsentFields } from "./operations/child-operations.ts";
import { deriveOperations, explainChanges, summarize } from "./operations/derive-operations.ts";
import { type MatchedEntries, matchedEntries } from "./operations/matched-entries.ts";

// What the plan saw of each object it touches. A saved plan is stale once that has changed; its calls follow from this and from
// the changes alone.

function observedOfEvent(event: EventComparison, allow: readonly string[], remember: Recall): readonly Observed[] {
  const touched = allComparisons(event).filter((one) => one.change !== null);
  if (touched.length === 0) return [];
  const lists: Record<KindName, readonly string[]> = {};
  for (const [kind, lives] of Object.entries(event.lists)) lists[kind] = lives.map((live) => live.id).sort();
  const mentions = mentionsOf(event);
  const children = touched
    .filter((one) => one !== event.self)
    .map((child) => ({
      ...observedOf(child, event.self.live, allow, remember),
      ...(mentions.has(child.address) ? { mentions: mentions.get(child.address) ?? [] } : {}),
    }));
  return [
    {
      ...observedOf(event.self, null, allow, remember),
      lists,
      ...(event.namesakes === undefined ? {} : { namesakes: event.namesakes }),
      ...(event.self.live === null && event.self.wish?.own.new === true ? { new: true as const } : {}),
      ...(event.protected ? { protected: true as const } : {}),
    },
    ...children,
    ...namedLives(event, children, allow),
  ];
}

function observedOf(one: Comparison, parent: Live | null, allow: readonly string[], remember: Recall): Observed {
  const former = one.live === null ? remember(one.address).id : null;
  return {
    address: one.address,
    kind: one.kind.name,
    id: one.live?.id ?? null,
    parentId: parent?.id ?? null,
    fields: one.live === null ? identityFields(one) : managedFields(one, one.live),
    status: one.live?.status ?? null,
    allow,
    ...unsentOf(one),
    ...(former === null ? {} : { former }),
  };
}

/** Unchanged objects that changed ones refer to: their ids are sent in bodies, so the plan records what they are. */
function namedLives(
  event: EventComparison,
  children: readonly Observed[],
  allow: readonly string[],
): readonly Observed[] {
  const named = new Set<Address>();
  for (const { change, wish } of event.children) {
    if (change === null || change.action === "delete") continue;
    for (const address of referencesIn(wish?.fields)) named.add(address);
  }
  for (const { target } of children.flatMap(({ mentions }) => mentions ?? []))
    if (typeof target === "string") named.add(target);
  for (const { address } of children) named.delete(address);
  const managed = new Map(event.children.map((child) => [child.address, child.live]));
  return [...named].flatMap((address) => {
    const live = managed.get(address) ?? liveByAddress(event, address);
    if (live === undefined) return [];
    const { label } = kindOf(live.kind).identity;
    const name = live.fields[label];
    const about = { address, kind: live.kind, id: live.id, parentId: event.self.live?.id ?? null };
    return [{ ...about, fields: name === undefined ? {} : { [label]: name }, status: null, allow }];
  });
}

function unsentOf({ kind, wish, change }: Comparison): Pick<Observed, "unsent"> {
  if (wish === null || (change?.action !== "create" && change?.action !== "replace")) return {};
  const unsent = unsentFields(kind, wish);
  return Object.keys(unsent).length > 0 ? { unsent } : {};
}

function managedFields(one: Comparison, live: Live): Readonly<Record<string, Value>> {
  // Values that a replacement carries over must still be the same when it is created.
  const carried = one.change?.action === "replace" ? one.change.edits.map(({ path }) => path.slice(1)) : [];
  const managed = one.wish === null ? Object.keys(live.fields) : [...Object.keys(one.wish.fields), ...carried];
  const fields: Record<string, Value> = {};
  for (const name of managed) {
    const value = live.fields[name];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function identityFields(one: Comparison): Readonly<Record<string, Value>> {
  const fields: Record<string, Value> = {};
  for (const name of one.kind.identity.keys.flat()) {
    const value = one.wish?.fields[name];
    if (value !== undefined && !isReference(value)) fields[name] = value;
  }
  return fields;
}

/** An event that is as wished, with everything below it; the comparison itself is dropped to save memory. */
export interface UnchangedEvent {
  readonly matched: MatchedEntries;
  readonly unchanged: number;
}

/** null: there is more to report about it. */
export function unchangedEvent(
  event: EventComparison,
  isTargeted: IsTargeted,
  remember: Recall,
): UnchangedEvent | null {
  const all = allComparisons(event);
  const isSettled = all.every(
    ({ wish, live, change, planned, obstacles, unknown }) =>
      wish !== null &&
      live !== null &&
      change === null &&
      planned === undefined &&
      obstacles.length + unknown.length === 0,
  );
  if (!isSettled) return null;
  return { matched: matchedEntries(all, remember), unchanged: all.filter(({ address }) => isTargeted(address)).length };
}

export function openEvents(events: readonly (EventComparison | UnchangedEvent)[]): readonly EventComparison[] {
  return events.filter((event) => "self" in event);
}

/** What is left out is not planned, or not known. */
interface AssembleInput {
  readonly diagnostics: readonly Diagnostic[];
  readonly target: Target;
  readonly version: string;
  readonly now: number;
  readonly reads: number;
  readonly planKey: string | null;
  /** null: the plan is of all that was asked for. */
  readonly shard: Shard | null;
  readonly events?: readonly (EventComparison | UnchangedEvent)[];
  readonly webhooks?: readonly Comparison[];
  /** What is left out because it was not reviewed. */
  readonly held?: readonly Change[];
  /** What the checkout changes compared with its base, whatever is live. */
  readonly againstBase?: readonly Change[];
  readonly guards?: readonly GuardChange[];
  readonly leftovers?: readonly Leftover[];
  readonly isTargeted?: IsTargeted;
  readonly allowFor?: (event: EventComparison | null) => readonly string[];
  readonly unmanaged?: number | null;
  readonly compared?: Compared | null;
  readonly upcoming?: readonly PlannedPhase[];
  /** Documents with changes still to come, or whose changes to come were removed. */
  readonly changing?: readonly Wish[];
  readonly estimateSeconds?: (writes: number) => number;
  /** False for a plan that is applied at once and never leaves the process: a fingerprint takes time. */
  readonly sealed?: boolean;
  /** For a plan that can be saved: addresses that state can forget. null if this process applies the plan, or if it is never applied. */
  readonly forgotten?: readonly Address[] | null;
  /** null: outside git. */
  readonly revision?: Revision | null;
  readonly whole?: boolean;
  readonly remember?: Recall;
  /** Completes the commands that problems and remarks advise. */
  readonly advise?: <Said extends Advice | Diagnostic>(said: readonly Said[]) => readonly Said[];
  /** Remarks that depend on the calls to be made. */
  readonly lastDiagnostics?: (operations: readonly Operation[]) => readonly Diagnostic[];
}

export interface Assembled {
  readonly plan: Plan;
  /** Objects that are live and as wished: worth remembering. */
  readonly matched: Readonly<Record<Address, StateEntry>>;
}

export function assemblePlan(input: AssembleInput): Assembled {
  const {
    allowFor = () => [],
    advise = (said) => said,
    isTargeted = () => true,
    remember = recallFrom(null, null),
  } = input;
  const { compared = null, forgotten = null, revision = null, shard, leftovers = [], guards = [] } = input;
  const all = input.events ?? [];
  const events = openEvents(all);
  const webhooks = (input.webhooks ?? []).map((one) => limitComparison(one, isTargeted));
  const cases = [...events.flatMap(allComparisons), ...webhooks];
  const advised = (change: Change): Change =>
    change.blockedBy.length === 0 ? change : { ...change, blockedBy: advise(change.blockedBy) };
  const changes = cases.flatMap(({ change }) => (change === null ? [] : [advised(change)]));
  const held = (input.held ?? []).map(advised);
  // Of an event that is not certainly matched, the rest was not compared.
  const open = new Set(cases.filter((one) => !isMatched(one)).map(({ address }) => rootOf(address)));
  const others = withoutPlanned(input.againstBase ?? [], changes).filter(({ address }) => !open.has(rootOf(address)));
  const isSeen = ({ address }: Change) => compared?.webhooksUnread !== true || isInFamily(address);
  const already = others.filter(isSeen);
  const unseen = others.filter((change) => !isSeen(change));
  const observed: readonly Observed[] = [
    ...events.flatMap((event) => observedOfEvent(event, allowFor(event), remember)),
    ...webhooks.filter((one) => one.change !== null).map((one) => observedOf(one, null, allowFor(null), remember)),
  ];
  const operations = deriveOperations({ changes, observed });
  let unchanged = cases.filter(
    ({ change, planned, live, address }) =>
      change === null && planned === undefined && live !== null && isTargeted(address),
  ).length;
  for (const event of all) if (!("self" in event)) unchanged += event.unchanged;
  // Objects outside the targets are remembered as they are, not as wished.
  const matched = Object.fromEntries([
    ...all.flatMap((event) => ("self" in event ? matchedEntries(allComparisons(event), remember) : event.matched)),
    ...matchedEntries(input.webhooks ?? [], remember),
  ]);
  const documents = input.sealed === false ? {} : documentsIn(input, [...changes, ...held]);
  const unsealed: Omit<Plan, "fingerprint"> = {
    formatVersion: planFormat,
    tool: { name: "ticketing", version: input.version },
    createdAt: new Date(input.now).toISOString(),
    target: input.target,
    changes: explainChanges(changes, operations),
    operations,
    ...(held.length === 0 ? {} : { held }),
    ...(already.length === 0 ? {} : { already }),
    ...(unseen.length === 0 ? {} : { unseen }),
    ...(guards.length === 0 ? {} : { guards }),
    ...(leftovers.length === 0 ? {} : { leftovers }),
    // A saved plan is judged by what was accepted for each object.
    diagnostics: sortRemarks(
      advise([...input.diagnostics, ...(input.lastDiagnostics?.(operations) ?? [])]),
      ({ severity }) => severity !== "warning",
    ),
    summary: summarize(changes, operations, unchanged, input.unmanaged ?? null),
    ...(compared === null ? {} : { compared }),
    upcoming: input.upcoming ?? [],
    ...(Object.keys(documents).length === 0 ? {} : { documents }),
    calls: {
      reads: input.reads,
      writes: operations.length,
      estimateSeconds: input.estimateSeconds?.(operations.length) ?? 0,
    },
    observed,
    ...(forgotten === null ? {} : { matched, forgotten }),
    revision,
    ...(input.whole === true ? { whole: true } : {}),
    ...(shard === null ? {} : { shard }),
  };
  const plan = input.sealed !== false ? seal(unsealed, input.planKey) : { ...unsealed, fingerprint: "" };
  return { plan, matched };
}

/** Leaves out what the plan itself does, including everything in objects that it creates or deletes: none of that is live already. */
function withoutPlanned(all: readonly Change[], planned: readonly Change[]): readonly Change[] {
  const done = new Set(planned.flatMap(digestsOf));
  const whole = new Set(planned.filter(isWhole).map(({ address }) => address));
  return all.flatMap((change) => {
    if (whole.has(change.address) || whole.has(rootOf(change.address))) return [];
    return partOf(change, ({ digest = "" }) => !done.has(digest)) ?? [];
  });
}

/** The documents with phases that the plan reports something about. */
function documentsIn({ events = [], changing = [] }: AssembleInput, changes: readonly Change[]) {
  const changed = new Set(changes.map(({ address }) => rootOf(address)));
  const timed = openEvents(events).flatMap(({ self: { address, wish } }) =>
    wish?.own.timeless !== undefined && changed.has(address) ? [wish] : [],
  );
  return Object.fromEntries([...timed, ...changing].map((wish) => [wish.address, documentDigest(wish)]));
}

export { unsentFields } from "./operations/child-operations.ts";
export { explainChanges } from "./operations/derive-operations.ts";
