// One event with its lists: every object's change, before rules and risks have their say.
import type { Kind } from "../../kinds/define.ts";
import { childKinds, fieldEntries, isFamilyHead, kindOf, sameValue, sentName } from "../../kinds/index.ts";
import { callDate } from "../../kinds/lint-rules.ts";
import { dateOf, idKey, type KindName, makeAddress, nameInAddress } from "../../model/address.ts";
import { type Diagnostic, noticeOf, warningOf } from "../../model/diagnostic.ts";
import type { Live, LiveLists } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { isReference, yamlWord } from "../../model/value.ts";
import { familyOf, mapChildren, type Wish } from "../../model/wish.ts";
import type { EventMatch } from "../match/live-search.ts";
import { type ListMatch, matchList, type Pair } from "../match/match-list.ts";
import { candidateLines } from "../match/match-messages.ts";
import { isKnownEntry, statusOrigin, surplusOrigin } from "../match/origins.ts";
import { namesAgain, type Recall, recallFrom } from "../match/recall.ts";
import { blockedObject, compareMissing, compareObject, comparePair, compareSurplus } from "./compare-object.ts";
import type { Comparison, EventComparison, References } from "./comparison.ts";
import { editDigest } from "./digests.ts";
import { addressesOf, referrersOf } from "./references.ts";

export interface CompareEventInput {
  readonly wish: Wish;
  readonly match: EventMatch;
  readonly lists: LiveLists;
  readonly remember: Recall;
  readonly resendUnreadable?: boolean;
  /** Why the document's venue could not be resolved. */
  readonly venueBlock?: Block | undefined;
}

export interface ComparedEvent {
  /** null: nothing is to be done for this document. */
  readonly event: EventComparison | null;
  readonly diagnostics: readonly Diagnostic[];
}

const eventKind = kindOf("event");

export function compareEvent(input: CompareEventInput): ComparedEvent {
  const compared = compareDocument(input);
  const { event } = compared;
  const { wish, venueBlock } = input;
  if (event === null || venueBlock === undefined) return compared;
  return { ...compared, event: { ...event, self: blockedByVenue(event.self, wish, venueBlock) } };
}

/**
 * What the files change compared with their base, as if the base were live: this is what reviewers review, whatever happens to be live.
 * `wish` null: the document is gone; `base` null: it is new.
 */
export function compareWithBase(wish: Wish | null, base: Wish | null): EventComparison | null {
  const live = base === null || base.own.status === "DELETED" ? null : asLive(base);
  const kind = kindOf((wish ?? base)?.kind ?? "");
  const remember = recallFrom(null, null);
  if (wish === null) {
    const about = { reason: "no longer in the files", origin: "edit" } as const;
    return live && eventAlone(compareSurplus(kind, base?.address ?? "", live, null, about), {}).event;
  }
  const lists = live === null || base === null ? {} : mapChildren(base, asLive);
  if (isFamilyHead(kind.name)) return compareDocument({ wish, match: { live, block: null }, lists, remember }).event;
  const references = { addressOf: none, formerAddressOf: none, nameOf: nameInAddress };
  const options = { remember, references, resendUnreadable: false };
  return eventAlone(comparePair(kind, { wish, live, block: null }, options), {}).event;
}

/** What is to change from one document to another, by the files alone. */
export function compareInTime(then: Wish, before: Wish): EventComparison | null {
  // A list that a phase begins was not in the files before, so its entries are new to them.
  const begun = Object.fromEntries(Object.keys(then.children).map((kind) => [kind, []]));
  return compareWithBase(byVenueName(then), byVenueName({ ...before, children: { ...begun, ...before.children } }));
}

/** The id of a venue that files name is not known without the service. */
function byVenueName(wish: Wish): Wish {
  const { venue } = wish.own;
  return venue === undefined ? wish : { ...wish, fields: { ...wish.fields, venueId: venue.name } };
}

/** A field that a document leaves out counts as empty, unless it identifies the object. */
function asLive({ kind, address, parent, fields, own: { id = address, status } }: Wish): Live {
  const { identity } = kindOf(kind);
  const names = fieldEntries(kindOf(kind)).map(([name]) => sentName(kindOf(kind), name));
  const left = names.filter((name) => !identity.keys.flat().includes(name)).map((name) => [name, null]);
  const written = Object.entries(fields).map(([name, value]) => [name, isReference(value) ? value.$id : value]);
  const shown = status === undefined || status === "DELETED" ? null : status;
  return {
    ...{ kind, id, parentId: parent, status: shown, remaining: null, slug: null },
    fields: Object.fromEntries([...left, ...written]),
  };
}

function compareDocument(input: CompareEventInput): ComparedEvent {
  const { wish, match, lists, remember } = input;
  if (match.block !== null)
    return eventAlone(blockedObject(eventKind, wish, match.block, remember(wish.address)), lists);
  const live = match.live;
  const goes = wish.own.status === "DELETED";
  if (live === null) {
    if (goes || wish.own.status === "ARCHIVED")
      return nothingToDoFor(wish, "it is not live, so there is nothing to do", match.namesakes);
    if (wish.own.series?.isPast)
      return nothingToDo(wish, `${callDate(wish.name, wish.address)} is over, so it is not created.`);
    const { notRuledOut } = match;
    return {
      event: newEvent(wish, lists, remember),
      diagnostics: notRuledOut === undefined ? [] : [lookalikesUnknown(wish, notRuledOut)],
    };
  }
  if (goes) {
    if (live.status === "ARCHIVED")
      return nothingToDoFor(wish, "it is archived and stays archived; nothing is deleted");
    const origin = statusOrigin(remember(wish.address, live.id), wish);
    return eventAlone(
      compareSurplus(eventKind, wish.address, live, wish, { reason: "the file says DELETED", origin }),
      lists,
    );
  }
  const matched = matchLists(wish, lists, remember);
  const options = {
    remember,
    references: referencesOf(wish, matched, lists, remember),
    // An archived event cannot be changed: a field that cannot be compared must not block the others' changes.
    resendUnreadable: input.resendUnreadable === true && live.status !== "ARCHIVED",
  };
  const children: Comparison[] = [];
  for (const kind of childKinds(wish.kind)) {
    const list = matched.get(kind.name);
    const pairs = list?.pairs ?? unlistedNaming(wish, kind, lists, remember);
    const compared = (pair: Pair) => (live.status === "ARCHIVED" ? pair : withNamed(wish, pair, remember));
    children.push(...pairs.map((pair) => comparePair(kind, compared(pair), options)));
    if (list === undefined) continue;
    // While an entry is ambiguous, no other live object can be called surplus.
    if (list.pairs.every((pair) => pair.block === null)) children.push(...surplusOf(wish, kind, list, remember));
  }
  return {
    event: {
      self: compareObject(eventKind, wish, live, options),
      children,
      lists,
      protected: wish.own.protected === true,
      remember,
    },
    diagnostics: [
      ...(match.byNameAlone ? [matchedByName(wish, live)] : []),
      ...(match.movedFrom === undefined ? [] : [movedDocument(wish, live, match.movedFrom)]),
    ],
  };
}

/** While the venue is unknown, everything else has to wait. */
function blockedByVenue(self: Comparison, wish: Wish, block: Block): Comparison {
  if (self.change?.action === "delete") return self;
  const edit = { path: "/venue", before: self.live?.fields.venueId ?? null, after: wish.own.venue?.name ?? null };
  const change = self.change ?? {
    address: self.address,
    kind: self.kind.name,
    action: "update" as const,
    id: self.live?.id ?? null,
    reason: "the venue is not known",
    edits: [{ ...edit, origin: "edit" as const, digest: editDigest(self.address, edit) }],
    transition: null,
    blockedBy: [],
    source: wish.places.venue ?? wish.source,
  };
  return { ...self, change, obstacles: [...self.obstacles, block] };
}

function newEvent(wish: Wish, lists: LiveLists, remember: Recall): EventComparison {
  const references: References = { addressOf: none, formerAddressOf: none, nameOf: nameInAddress };
  const children = childKinds(wish.kind).flatMap((kind) =>
    (wish.children[kind.name] ?? []).map((child) => compareMissing(kind, child, references, remember(child.address))),
  );
  const self = compareMissing(eventKind, wish, references, remember(wish.address));
  return { self, children, lists, protected: wish.own.protected === true };
}

function none(): undefined {}

/** In the order of the kinds: objects come before those that refer to them. */
function matchLists(wish: Wish, lists: LiveLists, remember: Recall): ReadonlyMap<KindName, ListMatch> {
  return new Map(
    childKinds(wish.kind).flatMap((kind) => {
      const [wishes, lives] = [wish.children[kind.name], lists[kind.name]];
      return wishes === undefined || lives === undefined
        ? []
        : [[kind.name, matchList(kind, wishes, lives, remember)] as const];
    }),
  );
}

/** Entries of an unmanaged list whose references an interrupted replacement cleared and did not set again. */
function unlistedNaming(event: Wish, kind: Kind, lists: LiveLists, remember: Recall): readonly Pair[] {
  const lives = lists[kind.name] ?? [];
  const addresses = addressesOf(event.address, kind, lives);
  return lives.flatMap((live, index) => {
    const address = addresses[index] ?? "";
    const about = { kind: kind.name, address, parent: event.address, name: nameInAddress(address) };
    const wish = { ...event, ...about, fields: {}, own: {}, children: {}, places: {} };
    return Object.keys(remember("", live.id).named).length === 0 ? [] : [{ wish, live, block: null }];
  });
}

/** Restores references that an interrupted replacement cleared, unless the document sets them, somebody has, or their object is to be deleted. */
function withNamed(event: Wish, pair: Pair, remember: Recall): Pair {
  const { wish, live } = pair;
  const memory = remember(wish.address, live?.id);
  const open = Object.keys(memory.named).filter((field) => live !== null && live.fields[field] == null);
  const fields = open.flatMap((field) => {
    const heir = familyOf(event).find(({ address }) => namesAgain(memory, field, address));
    return heir === undefined ? [] : [[field, { $id: heir.address }] as const];
  });
  return open.length === 0
    ? pair
    : { ...pair, wish: { ...wish, fields: { ...Object.fromEntries(fields), ...wish.fields } } };
}

function referencesOf(
  event: Wish,
  matched: ReadonlyMap<KindName, ListMatch>,
  lists: LiveLists,
  remember: Recall,
): References {
  const addresses = new Map<string, string>();
  const former = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { wish, live } of [...matched.values()].flatMap(({ pairs }) => pairs)) {
    if (live !== null) addresses.set(idKey(live.id), wish.address);
    const { id } = remember(wish.address);
    if (id !== null) former.set(idKey(id), wish.address);
  }
  for (const [kindName, lives] of Object.entries(lists)) {
    const { plural, identity } = kindOf(kindName);
    for (const live of lives) {
      const name = live.fields[identity.label];
      if (typeof name !== "string") continue;
      names.set(idKey(live.id), name);
      // A list that is not managed is still referred to by name.
      if (!matched.has(kindName)) addresses.set(idKey(live.id), makeAddress(event.address, plural, name));
    }
  }
  const policies = childKinds(event.kind).flatMap(({ fields }) => Object.values(fields));
  const areRead = policies.every((policy) => policy.role !== "reference" || lists[policy.to] !== undefined);
  const formerAddressOf = (id: string) => former.get(idKey(id));
  return {
    addressOf: (id) => addresses.get(idKey(id)),
    formerAddressOf,
    nameOf(addressOrId) {
      const name = names.get(idKey(addressOrId));
      if (name !== undefined || !areRead || addressOrId.includes("/")) return name ?? nameInAddress(addressOrId);
      const gone = formerAddressOf(addressOrId);
      return gone === undefined ? "(deleted)" : `${nameInAddress(gone)} (deleted)`;
    },
  };
}

function surplusOf(wish: Wish, kind: Kind, { pairs, surplus }: ListMatch, remember: Recall): readonly Comparison[] {
  const named = pairs.flatMap(({ live }) => live ?? []);
  const listed = (wish.children[kind.name] ?? []).map(({ address }) => address);
  const addresses = addressesOf(wish.address, kind, surplus, listed);
  return surplus.map((live, index) => {
    const address = addresses[index] ?? "";
    const isSecond = named.some((other) => isTwin(kind, other, live));
    const origin = surplusOrigin(kind, wish, live, [...named, ...surplus], remember);
    const wasListed = origin === "phase" || isKnownEntry(kind, wish, live, remember);
    const unlisted = origin === "drift" ? "added on the service, and not" : wasListed ? "no longer" : "not";
    const reason = isSecond ? secondOne(kind) : `${unlisted} listed under \`${kind.plural}\``;
    const found = compareSurplus(kind, address, live, null, { reason, origin });
    return { ...found, change: found.change && { ...found.change, source: wish.places[kind.plural] ?? wish.source } };
  });
}

function isTwin(kind: Kind, one: Live, other: Live): boolean {
  return (kind.identity.keys[0] ?? []).every((field) => sameValue(one.fields[field], other.fields[field]));
}

function secondOne(kind: Kind): string {
  const naming = referrersOf(kind.name).map((referrer) => `\`${kindOf(referrer.kind).plural}\``);
  const pointed =
    naming.length === 0
      ? ""
      : `, and the entries of ${naming.join(", ")} that name this one are switched to the kept one`;
  return `a duplicate: another one with the same ${kind.identity.likeness} is kept${pointed}`;
}

function eventAlone(self: Comparison, lists: LiveLists): ComparedEvent {
  return { event: { self, children: [], lists, protected: self.wish?.own.protected === true }, diagnostics: [] };
}

function nothingToDoFor(wish: Wish, why: string, namesakes: readonly Live[] = []): ComparedEvent {
  const fact = `The file says ${wish.own.status} for ${callDate(wish.name, wish.address)}: ${why}.`;
  const [first] = namesakes;
  const day = dateOf(wish.address)?.day;
  if (first === undefined)
    return nothingToDo(wish, fact, day === undefined ? { hint: "Remove it from the files." } : {});
  const others =
    namesakes.length === 1
      ? "Another event of that name, or of that start and venue, is live and is"
      : "Other events of that name, or of that start and venue, are live and are";
  const message = `${fact} ${others} left as ${namesakes.length === 1 ? "it is" : "they are"}:\n${candidateLines(wish, namesakes, 5)}`;
  const where = day === undefined ? "to the file" : `for ${day} under \`dates\``;
  const hint = `If ${namesakes.length === 1 ? "it" : "one of them"} should be deleted, add its id ${where}, such as \`id: ${first.id}\`.`;
  return nothingToDo(wish, message, { hint });
}

function nothingToDo({ address, source }: Wish, message: string, hint: { hint?: string } = {}): ComparedEvent {
  return { event: null, diagnostics: [{ code: "nothing-to-do", severity: "info", message, ...hint, address, source }] };
}

/** The service shows no start, so a renamed event cannot be distinguished from a new one. */
function lookalikesUnknown(wish: Wish, lives: readonly Live[]): Diagnostic {
  const isOne = lives.length === 1;
  const [first] = lives;
  const [those, them] = isOne ? ["this live event", "it starts"] : ["one of these live events", "they start"];
  const message = `"${wish.name}" would be created, but it may be ${those} under a different name. No file describes ${isOne ? "that one" : "them"}, and the service does not show when ${them}:\n${candidateLines(wish, lives, 5)}`;
  const hint = `If this is ${isOne ? "the same one" : "one of them"}, add its id to the file, such as \`id: ${first?.id}\` (a draft is also found by \`renamedFrom: ${yamlWord(String(first?.fields.name))}\`); if ${isOne ? "not" : "none is"}, add \`new: true\`.`;
  return { ...warningOf("lookalikes-unknown", message, hint), address: wish.address, source: wish.source };
}

function movedDocument(wish: Wish, live: Live, from: string): Diagnostic {
  const message = `The file of ${from} is gone, and this file has the same event name, so it is assumed to describe the same event (${live.id}).`;
  const hint =
    "If it is a different event, add `new: true`: the plan then deletes the old one, once you accept that risk.";
  return { ...noticeOf("moved-document", message, hint), address: wish.address, source: wish.source };
}

function matchedByName(wish: Wish, live: Live): Diagnostic {
  const message = `The service does not show when "${live.fields.name ?? wish.name}" starts; the only event of that name (${live.id}) is assumed to be it.`;
  const hint = `Add \`id: ${live.id}\` to the file to be certain.`;
  return { ...noticeOf("matched-by-name", message, hint), address: wish.address, source: wish.source };
}
