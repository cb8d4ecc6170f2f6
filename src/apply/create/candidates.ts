// Which live objects are those that we tried to create. After a lost create: those of the same identity, where no time, number,
// id or set that is shown differs. One that may be ours is adopted rather than created twice; if only its name differs, people
// are asked. Ticket types sent within a new event are paired, because whatever is below that event is ours.
import type { Form, Kind } from "../../kinds/define.ts";
import {
  kindOf,
  kindOfAddress,
  readRecord,
  sameMeaning,
  sameValue,
  serviceDefaultOf,
  withoutMarkup,
} from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import type { ResultOr } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import { attributed, type Failure, isGone, type Problem, problemOf } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import type { CreateAttempts, UnidentifiedParts } from "../journal/open-work.ts";
import { alike, formOf } from "../run/compare-live.ts";
import { listObjects, listStatus, type Observations, observe } from "../run/observe.ts";
import { outcomeError, recheckHint, serviceTime } from "../run/outcomes.ts";
import {
  certainMs,
  done,
  endedWith,
  type OperationResult,
  pollMs,
  type Run,
  waitUntilSettled,
} from "../run/run-context.ts";
import type { Task } from "../run/task.ts";
import { confirmCreated } from "../update/confirm.ts";

export interface SearchOptions {
  /** `settled`: wait for the settle time. `shown`: wait until it shows, because the service says that it exists. `none`: do not wait. */
  readonly wait: "settled" | "shown" | "none";
  /** Shown to people as the reason for the wait. */
  readonly reason: string | Problem;
}

/** `differentlyNamed`: only if `lives` is empty. A service may rewrite names, so a person has to decide. */
type Candidates = ResultOr<{ readonly lives: readonly Live[]; readonly differentlyNamed: readonly Live[] }, Failure>;

const stopped = problemOf("not-sent", "interrupted", "The run was stopped before it looked for the object.", null);

export async function findCandidates(run: Run, attempts: CreateAttempts, how: SearchOptions): Promise<Candidates> {
  if (how.wait === "none") return searchOnce(run, attempts);
  if (how.wait === "settled") {
    const waited = await waitUntilSettled(run, attempts.since, attempts.address, how.reason);
    return waited ? searchOnce(run, attempts) : { ok: false, problem: stopped };
  }
  const since = run.clock.now();
  for (let searches = 0; ; searches++) {
    const found = await searchOnce(run, attempts);
    const waited = run.clock.now() - since;
    // If the first search had to wait for the rate limit, the wait says nothing about how far the list lags.
    if (found.ok && found.lives.length > 0 && searches > 0) run.settleTime.sawLag(waited);
    if (!found.ok || found.lives.length > 0 || waited >= run.settleTime.ms() + certainMs) return found;
    await run.clock.sleep(pollMs, run.signal);
    if (run.signal?.aborted === true) return { ok: false, problem: stopped };
  }
}

/** Not live before the first attempt, not given to another address, same identity, and no shown time, number, id or set differs. */
async function searchOnce(run: Run, { address, intents: [first], known }: CreateAttempts): Promise<Candidates> {
  const { fields, parentId } = first;
  const kind = kindOf(first.kind);
  const isNew = (live: Live) => !run.ids.isKnown(live.id) && !known.has(idKey(live.id));
  const isCandidate = (live: Live) => isNew(live) && resembles(kind, fields, live);
  const listed =
    kind.steps.length === 0
      ? await listObjects(run, kind, parentId)
      : await listNew(run, kind, fields[kind.identity.label], isCandidate);
  if (!listed.ok) return listed;
  const found = await readEachWhole(run, kind, listed.lives.filter(isCandidate), fields);
  if (!found.ok) return found;
  const lives = found.lives.filter(isCandidate);
  if (lives.length > 0) return { ok: true, lives, differentlyNamed: [] };
  // Creates run in parallel: what resembles another create of this journal belongs to that one.
  const others = run.journal.entries.flatMap((entry) => {
    const isOther = entry.type === "intent" && entry.verb === "create" && entry.address !== address;
    return isOther && entry.kind === kind.name && entry.parentId === parentId ? [entry.fields] : [];
  });
  const isUnclaimed = (live: Live) =>
    sharesDistinguishingFields(kind, fields, live) && !others.some((sent) => resembles(kind, sent, live));
  const suspects = listed.lives.filter((live) => isNew(live) && isUnclaimed(live));
  const unclaimed = await readEachWhole(run, kind, suspects, fields);
  if (!unclaimed.ok) return unclaimed;
  // If the start is hidden, a different name means a different object.
  const times = (kind.identity.keys[0] ?? []).filter((field) => formOf(kind, field) === "instant");
  const isShown = (live: Live) => times.every((field) => live.fields[field] !== undefined);
  return { ok: true, lives, differentlyNamed: unclaimed.lives.filter((live) => isShown(live) && isUnclaimed(live)) };
}

/** A search is only a shortcut: services search in different ways, so what it does not find is looked up in the list. */
async function listNew(run: Run, kind: Kind, label: unknown, isOurs: (live: Live) => boolean): Promise<Observations> {
  const search = typeof label === "string" ? await listStatus(run, kind, "DRAFT", label) : null;
  return search?.ok === true && search.lives.some(isOurs) ? search : listStatus(run, kind, "DRAFT");
}

/** A list may show less of an object than the object itself does. */
async function readEachWhole(run: Run, kind: Kind, lives: readonly Live[], fields: FieldValues): Promise<Observations> {
  const whole: Live[] = [];
  for (const live of lives) {
    const isWhole = !kind.endpoints.get || Object.keys(fields).every((field) => live.fields[field] !== undefined);
    const observed = isWhole ? ({ outcome: "found", live } as const) : await observe(run, kind, live.parentId, live.id);
    if (observed.outcome === "unknown") return { ok: false, problem: observed.problem };
    if (observed.outcome === "found") whole.push(observed.live);
  }
  return { ok: true, lives: whole };
}

/** A different value of one of these forms means a different object; a service may normalize all others. */
const distinguishingForms: ReadonlySet<Form> = new Set<Form>(["instant", "number", "id", "set"]);

export function resembles(kind: Kind, sent: FieldValues, live: Live): boolean {
  return sharesIdentity(kind, sent, live) && sharesDistinguishingFields(kind, sent, live);
}

function sharesDistinguishingFields(kind: Kind, sent: FieldValues, live: Live): boolean {
  return Object.entries(sent).every(([field, value]) => {
    const shown = live.fields[field];
    // The service may show its own default for a field that we left empty.
    if (shown === undefined || value === null || !distinguishingForms.has(formOf(kind, field))) return true;
    return looksAlike(formOf(kind, field), value, shown);
  });
}

/** Equal in the fields that identify objects of this kind, as far as they are shown. */
export function sharesIdentity(kind: Kind, sent: FieldValues, live: Live, key = kind.identity.keys[0] ?? []): boolean {
  return key.every((field) => {
    const shown = live.fields[field];
    const wished = sent[field];
    if (wished === undefined || wished === null) return isDefault(kind, field, live);
    return shown === undefined || (shown !== null && looksAlike(formOf(kind, field), wished, shown));
  });
}

/** A part of an identity that we left out must have the service's default, if it is shown. */
function isDefault(kind: Kind, field: string, live: Live): boolean {
  const serviceDefault = serviceDefaultOf(kind, field);
  const shown = live.fields[field];
  return serviceDefault === undefined || shown === undefined || shown === null || sameValue(shown, serviceDefault);
}

/** Lenient: one that may be ours is adopted rather than created twice. */
function looksAlike(form: Form, sent: Value, shown: Value): boolean {
  const isText = form === "text" || form === "markup";
  return alike(form, sent, shown, (one, other) =>
    isText ? withoutMarkup(String(one)) === withoutMarkup(String(other)) : sameMeaning(form, other, one),
  );
}

// Ticket types that were sent within their event's create call: which of them are found, and which are missing.

type InlineCreate = Task["inline"][number];

interface InlinePair {
  readonly part: InlineCreate;
  readonly live: Live;
}

/** The event is new, so everything below it is ours: names decide, and other fields only among equal names. */
function pairUp(run: Run, parts: readonly InlineCreate[], lives: readonly Live[]) {
  const free = lives.filter((live) => !run.ids.isKnown(live.id));
  const pairs: InlinePair[] = [];
  function pair(left: readonly InlineCreate[], find: (part: InlineCreate) => Live | undefined) {
    return left.filter((part) => {
      const live = find(part);
      if (live !== undefined) pairs.push({ part, live: free.splice(free.indexOf(live), 1)[0] as Live });
      return live === undefined;
    });
  }
  /** A service may show another default section than it documents. */
  function onlyNamesake({ kind, fields }: InlineCreate): Live | undefined {
    const { label } = kind.identity;
    const [live, ...others] = free.filter((each) => sharesIdentity(kind, fields, each, [label]));
    const isOnly = parts.filter((each) => each.fields[label] === fields[label]).length === 1;
    return isOnly && others.length === 0 ? live : undefined;
  }
  const unnamed = pair(parts, (part) => {
    const named = free.filter((live) => live.kind === part.kind.name && sharesIdentity(part.kind, part.fields, live));
    return named.find((each) => resembles(part.kind, part.fields, each)) ?? named[0] ?? onlyNamesake(part);
  });
  // A service may also rewrite names. Once it shows as many objects as were sent, their numbers and seats decide, if they are unambiguous.
  const similar = unnamed.map(({ kind, fields }) => {
    const seat = kind.identity.keys[0]?.filter((field) => field !== kind.identity.label);
    const alike = free.filter((live) => sharesDistinguishingFields(kind, fields, live));
    const seated = alike.filter((live) => sharesIdentity(kind, fields, live, seat));
    return seated.length > 0 ? seated : alike;
  });
  const isDistinct = similar.every(({ length }) => length === 1) && new Set(similar.flat()).size === unnamed.length;
  const isClear = isDistinct && free.length === unnamed.length;
  return { pairs, missing: isClear ? pair(unnamed, (part) => similar[unnamed.indexOf(part)]?.[0]) : unnamed };
}

async function rememberPairs(run: Run, pairs: readonly InlinePair[]): Promise<OperationResult> {
  const madeAt = serviceTime(run);
  let result = done;
  for (const { part, live } of pairs) {
    run.ids.give(part.address, live.id);
    const confirmed = await confirmCreated(run, part, live, madeAt);
    if (confirmed.result !== "done") result = confirmed;
  }
  return result;
}

/** Those that were not created with their event, and what became of the others. */
export interface MissingParts {
  readonly missing: readonly InlineCreate[];
  readonly found: OperationResult;
}

/**
 * `record`: the response to the create, which may show them already. After a clear success (`certain`) a list without them is late, and
 * creating them again would put every ticket on sale twice. After a lost response some may be missing.
 */
export async function confirmInline(
  run: Run,
  task: Task,
  parentId: string,
  { record, certain }: { readonly record: unknown; readonly certain: boolean },
): Promise<OperationResult | MissingParts> {
  if (task.inline.length === 0) return done;
  const since = run.clock.now();
  const embedded = pairUp(run, task.inline, embeddedIn(record, task, parentId));
  if (embedded.missing.length === 0 && embedded.pairs.every(showsAllFields)) return rememberPairs(run, embedded.pairs);
  for (let reads = 0; ; reads++) {
    const listed = await listParts(run, task.inline, parentId);
    const waited = run.clock.now() - since;
    const limit = run.settleTime.ms() + (certain ? certainMs : 0);
    // The event exists, so a 404 for its list only means that the service lags.
    const isLate = !listed.ok && isGone(listed.problem) && waited < limit;
    if (!listed.ok && !isLate) return ticketsUnread(parentId, listed.problem);
    const { pairs, missing } = pairUp(run, task.inline, listed.ok ? listed.lives : []);
    if (missing.length === 0) {
      if (reads > 0) run.settleTime.sawLag(waited);
      return rememberPairs(run, pairs);
    }
    if (run.signal?.aborted === true) {
      const message = "The run was stopped before the service showed all ticket types of the event.";
      return endedWith("unsure", "interrupted", message, recheckHint);
    }
    if (waited >= limit) {
      const found = await rememberPairs(run, pairs);
      return certain ? ticketsNotShown(missing) : { missing, found };
    }
    await run.clock.sleep(Math.min(pollMs, limit - waited), run.signal);
  }
}

function showsAllFields({ part, live }: InlinePair): boolean {
  return Object.keys(part.fields).every((field) => live.fields[field] !== undefined);
}

function ticketsUnread(parentId: string, problem: Problem): OperationResult {
  // If they may not be read at all, the service's success has to be enough.
  if (problem.status === 403) return done;
  const message = `The event was created (${parentId}), but its ticket types could not be read. ${attributed(problem)}`;
  return { result: "unsure", error: { ...outcomeError(problem, message), hint: recheckHint } };
}

function ticketsNotShown(missing: readonly InlineCreate[]): OperationResult {
  const names = missing.map((part) => `"${part.fields.name ?? part.address}"`).join(", ");
  const message = `The event was created, but its list of ticket types does not show ${names} yet.`;
  return endedWith("unsure", "tickets-not-shown", message, recheckHint);
}

async function listParts(run: Run, parts: readonly InlineCreate[], parentId: string): Promise<Observations> {
  const lives: Live[] = [];
  for (const kind of new Set(parts.map((part) => part.kind))) {
    const listed = await listObjects(run, kind, parentId);
    if (!listed.ok) return listed;
    lives.push(...listed.lives);
  }
  return { ok: true, lives };
}

function embeddedIn(record: unknown, task: Task, parentId: string): readonly Live[] {
  if (typeof record !== "object" || record === null) return [];
  return [...new Set(task.inline.map((part) => part.kind))].flatMap((kind) => {
    const shown = (record as Readonly<Record<string, unknown>>)[kind.plural];
    const items: readonly unknown[] = Array.isArray(shown) ? shown : [];
    return items.flatMap((item) => readRecord(kind, item, parentId) ?? []);
  });
}

/** Objects created along with their parent are ours, too; the plan creates those that are missing. */
export async function adoptInline(run: Run, { intent, parentId }: UnidentifiedParts): Promise<Problem | null> {
  const open = (intent.inline ?? []).filter((part) => run.ids.of(part.address) === undefined);
  const parts = open.map((part) => ({ ...part, kind: kindOfAddress(part.address) }));
  const listed = await listParts(run, parts, parentId);
  if (!listed.ok) return listed.problem;
  await rememberPairs(run, pairUp(run, parts, listed.lives).pairs);
  return null;
}
