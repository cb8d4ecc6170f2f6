// Whether a live object is the one that we tried to create. It may be if it has the same identity, and no time, number, id or set
// that is shown differs: then it is adopted rather than created twice. It provably is ours only if it also was made when we
// tried, and matters to no one yet: only then may it be deleted.
import type { Form, Kind } from "../../kinds/define.ts";
import { childKinds, kindOf, sameMeaning, sameValue, serviceDefaultOf, withoutMarkup } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import { problemOf } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { type CreateAttempts, lastIntent } from "../journal/open-work.ts";
import { alike, formOf } from "../run/compare-live.ts";
import { listObjects, listStatus, type Observations, observe } from "../run/observe.ts";
import { certainMs, pollMs, type Run, waitUntilSettled } from "../run/run-context.ts";

export interface SearchOptions {
  /** `settled`: wait for the settle time. `shown`: wait until it shows, because the service says that it exists. `none`: do not wait. */
  readonly wait: "settled" | "shown" | "none";
  /** Shown to people as the reason for the wait. */
  readonly reason: string;
}

const stopped = problemOf("not-sent", "interrupted", "The run was stopped before it could be looked for.", null);

export async function findCandidates(run: Run, attempts: CreateAttempts, how: SearchOptions): Promise<Observations> {
  if (how.wait === "none") return searchOnce(run, attempts);
  if (how.wait === "settled") {
    const waited = await waitUntilSettled(run, attempts.since, attempts.address, how.reason);
    return waited ? searchOnce(run, attempts) : { ok: false, problem: stopped };
  }
  const since = run.clock.now();
  for (let searches = 0; ; searches++) {
    const found = await searchOnce(run, attempts);
    const waited = run.clock.now() - since;
    // A first search that waited for the rate limit says nothing about the list.
    if (found.ok && found.lives.length > 0 && searches > 0) run.settleTime.sawLag(waited);
    if (!found.ok || found.lives.length > 0 || waited >= run.settleTime.ms() + certainMs) return found;
    await run.clock.sleep(pollMs, run.signal);
    if (run.signal?.aborted === true) return { ok: false, problem: stopped };
  }
}

/** Not live before the first attempt, not given to another address, of the same identity, and no shown time, number, id or set differs. */
async function searchOnce(run: Run, { intents: [first], known }: CreateAttempts): Promise<Observations> {
  const { fields, parentId } = first;
  const kind = kindOf(first.kind);
  const isCandidate = (live: Live) =>
    !run.ids.isTaken(live.id) && !known.has(idKey(live.id)) && resembles(kind, fields, live);
  const listed =
    kind.steps.length === 0
      ? await listObjects(run, kind, parentId)
      : await listNew(run, kind, fields[kind.identity.label], isCandidate);
  if (!listed.ok) return listed;
  const found: Live[] = [];
  for (const live of listed.lives.filter(isCandidate)) {
    const whole = await readWhole(run, kind, live, fields);
    if (!whole.ok) return whole;
    found.push(...whole.lives.filter(isCandidate));
  }
  return { ok: true, lives: found };
}

/** A search is only a shortcut: services search in different ways, so what it does not find is looked up in the list. */
async function listNew(run: Run, kind: Kind, label: unknown, isOurs: (live: Live) => boolean): Promise<Observations> {
  const search = typeof label === "string" ? await listStatus(run, kind, "DRAFT", label) : null;
  return search?.ok === true && search.lives.some(isOurs) ? search : listStatus(run, kind, "DRAFT");
}

/** A list may show less of an object than the object itself does. */
async function readWhole(run: Run, kind: Kind, live: Live, fields: FieldValues): Promise<Observations> {
  if (!kind.endpoints.get || Object.keys(fields).every((field) => live.fields[field] !== undefined)) {
    return { ok: true, lives: [live] };
  }
  const observed = await observe(run, kind, live.parentId, live.id);
  if (observed.outcome === "unknown") return { ok: false, problem: observed.problem };
  return { ok: true, lives: observed.outcome === "found" ? [observed.live] : [] };
}

/** Another value of these means another object; all others a service may normalize. */
const distinguishingForms: ReadonlySet<Form> = new Set<Form>(["instant", "number", "id", "set"]);

export function resembles(kind: Kind, sent: FieldValues, live: Live): boolean {
  return sharesIdentity(kind, sent, live) && sharesDistinguishingFields(kind, sent, live);
}

export function sharesDistinguishingFields(kind: Kind, sent: FieldValues, live: Live): boolean {
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

/** What we left out of an identity must be the default of the service, if it is shown. */
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

/** The service may note a time by another clock than the one that it shows. */
const serverSkewMs = 60_000;
/** If the service never shows its time, ours must suffice. */
const ownSkewMs = 5 * 60_000;

/** A create takes effect within its call, and the client waits no longer than this, connecting included. */
const longestCallMs = 130_000;

/**
 * Why it is not certain that a live object is one that we created and that matters to no one yet: only then may it be
 * deleted. null: it is certain. The object is read for this, right before.
 */
export async function whyNotOurs(run: Run, attempts: CreateAttempts, id: string): Promise<string | null> {
  const [first] = attempts.intents;
  const kind = kindOf(first.kind);
  const observed = await observe(run, kind, first.parentId, id);
  if (observed.outcome === "unknown") return "it could not be read";
  // What is gone needs no proof.
  if (observed.outcome === "gone") return null;
  const { live } = observed;
  if (live.status !== null && live.status !== "DRAFT") return `it is ${live.status}`;
  const otherTime = otherTimeThan(run, attempts, live);
  if (otherTime !== null) return otherTime;
  return (await isUnsold(run, kind, live)) ? null : "some of it may be sold";
}

/** Why the attempts cannot have created it, by the creation time that the service shows; null if they can. */
function otherTimeThan(run: Run, attempts: CreateAttempts, { createdAt = "" }: Live): string | null {
  const [first] = attempts.intents;
  const last = lastIntent(attempts);
  const made = Date.parse(createdAt);
  const earliest = first.date === null ? first.at - ownSkewMs : Date.parse(first.date) - serverSkewMs;
  if (made < earliest) return "it was created before our attempts";
  const latest = latestOf(last.at, last.date) + longestCallMs + run.settleTime.ms();
  // A time in the future comes from some other clock: it proves nothing.
  const now = latestOf(run.clock.now(), run.service.serverDate?.toISOString() ?? null);
  return made > latest && made <= now ? "it was created after our attempts" : null;
}

/** The service's time is only known from its latest response, and a run may wait before its next call: so our own clock counts, too. */
function latestOf(at: number, date: string | null): number {
  return Math.max(at + ownSkewMs, date === null ? 0 : Date.parse(date) + serverSkewMs);
}

async function isUnsold(run: Run, kind: Kind, live: Live): Promise<boolean> {
  const lives = kind.sold ? [live] : [];
  for (const part of childKinds(kind.name).filter(({ sold }) => sold)) {
    const listed = await listObjects(run, part, live.id);
    if (!listed.ok) return false;
    lives.push(...listed.lives);
  }
  const sold = lives.map(soldCount);
  if (sold.some((each) => each !== null && each !== 0)) return false;
  return sold.every((each) => each === 0) || hasNoOrders(run, live.parentId ?? live.id);
}

/** Stricter than `soldByInventory`, because something is deleted: if nothing remains, all of it counts as sold. */
function soldCount({ fields, remaining }: Live): number | null {
  return remaining === null || typeof fields.quantity !== "number" ? null : fields.quantity - remaining;
}

async function hasNoOrders(run: Run, eventId: string): Promise<boolean> {
  const response = await run.service.request("GET", `/events/${eventId}/orders`, { query: { take: 1 } });
  return response.ok && Array.isArray(response.data) && (response.meta?.total ?? response.data.length) === 0;
}
