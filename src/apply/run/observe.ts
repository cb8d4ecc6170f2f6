// Reading what is there: one object, or everything that could be the one we tried to make.
import type { Kind } from "../../kinds/define.ts";
import { readRecord, unnamedRecord } from "../../kinds/index.ts";
import { type Address, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { EventStatus } from "../../model/wish.ts";
import { type Problem, problemOf } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { resembles } from "./compare-live.ts";
import type { Run } from "./run.ts";

export type Observation =
  | { readonly sight: "found"; readonly live: Live }
  | { readonly sight: "gone" }
  | { readonly sight: "unknown"; readonly problem: Problem };

export type Observations =
  | { readonly ok: true; readonly lives: readonly Live[] }
  | { readonly ok: false; readonly problem: Problem };

/** What is new begins like this, in kinds that have a status. */
const bornAs = "DRAFT";

export function listPath(kind: Kind, parentId: string | null): string {
  return parentId === null ? `/${kind.plural}` : `/events/${parentId}/${kind.plural}`;
}

/** The object as the service shows it now. */
export async function observe(run: Run, kind: Kind, parentId: string | null, id: string): Promise<Observation> {
  if (!kind.endpoints.get) {
    const listed = await listObjects(run, kind, parentId);
    if (!listed.ok) return { sight: "unknown", problem: listed.problem };
    const found = listed.lives.find((live) => sameId(live.id, id));
    return found === undefined ? { sight: "gone" } : { sight: "found", live: found };
  }
  const answer = await run.service.request("GET", `${listPath(kind, parentId)}/${id}`);
  if (!answer.ok) {
    const { status } = answer.problem;
    return status === 404 || status === 410 ? { sight: "gone" } : { sight: "unknown", problem: answer.problem };
  }
  const live = readRecord(kind, answer.data, parentId);
  if (live !== null) return { sight: "found", live };
  const problem = whyUnread(kind, answer.data);
  return problem === null ? { sight: "gone" } : { sight: "unknown", problem };
}

/** A list without pages and filters, as those below an event and the webhooks are. */
export async function listObjects(run: Run, kind: Kind, parentId: string | null): Promise<Observations> {
  const answer = await run.service.listAll(listPath(kind, parentId));
  if (!answer.ok) return answer;
  const read = readAll(kind, parentId, answer.data);
  if (read.ok) for (const { id } of read.lives) run.made.show(id);
  return read;
}

/**
 * What could be the object that we tried to make, the oldest first: not live before, not given to another address, and
 * equal in all that is shown.
 */
export async function findAttempted(
  run: Run,
  kind: Kind,
  parentId: string | null,
  fields: FieldValues,
  isTaken: (id: string) => boolean,
): Promise<Observations> {
  const listed =
    kind.steps.length === 0 ? await listObjects(run, kind, parentId) : await findBorn(run, kind, fields, isTaken);
  if (!listed.ok) return listed;
  const found: Live[] = [];
  for (const live of listed.lives) {
    if (isTaken(live.id) || !resembles(kind, fields, live)) continue;
    const whole = await wholeOf(run, kind, live, fields);
    if (!whole.ok) return whole;
    found.push(...whole.lives.filter((each) => resembles(kind, fields, each)));
  }
  return { ok: true, lives: found };
}

/** A search is only a short cut: services search in different ways, so what it does not find is looked for in the list. */
async function findBorn(
  run: Run,
  kind: Kind,
  fields: FieldValues,
  isTaken: (id: string) => boolean,
): Promise<Observations> {
  const path = listPath(kind, null);
  const label = fields[kind.identity.label];
  if (typeof label === "string") {
    const search = await run.service.listAll(path, { status: bornAs, search: label }, { sized: true });
    const read = search.ok ? readAll(kind, null, search.data) : search;
    if (read.ok) {
      const lives = read.lives.filter((live) => !isTaken(live.id) && resembles(kind, fields, live));
      if (lives.length > 0) return { ok: true, lives };
    }
  }
  const all = await run.service.listAll(path, { status: bornAs }, { sized: true });
  return all.ok ? readAll(kind, null, all.data) : all;
}

/** Whether a search, or else the list, shows the object; null where it could not be read. */
export async function isListed(
  run: Run,
  kind: Kind,
  object: { readonly id: string; readonly fields: FieldValues },
  status: EventStatus,
  listing: boolean,
): Promise<boolean | null> {
  const path = listPath(kind, null);
  const label = object.fields[kind.identity.label];
  const shows = (records: readonly unknown[]) =>
    records.some((record) => sameId(readRecord(kind, record, null)?.id, object.id));
  if (typeof label === "string") {
    const search = await run.service.listAll(path, { status, search: label }, { sized: true });
    if (!search.ok) return null;
    if (shows(search.data)) return true;
  }
  if (!listing) return false;
  const all = await run.service.listAll(path, { status }, { sized: true });
  return all.ok ? shows(all.data) : null;
}

/** A list may show less of an object than the object itself does. */
async function wholeOf(run: Run, kind: Kind, live: Live, fields: FieldValues): Promise<Observations> {
  if (!kind.endpoints.get || Object.keys(fields).every((field) => live.fields[field] !== undefined)) {
    return { ok: true, lives: [live] };
  }
  const sight = await observe(run, kind, live.parentId, live.id);
  if (sight.sight === "unknown") return { ok: false, problem: sight.problem };
  return { ok: true, lives: sight.sight === "found" ? [sight.live] : [] };
}

/** In order of age where the service shows it; otherwise as listed. */
function readAll(kind: Kind, parentId: string | null, records: readonly unknown[]): Observations {
  const aged: { readonly live: Live; readonly born: number }[] = [];
  for (const record of records) {
    const live = readRecord(kind, record, parentId);
    const problem = live === null ? whyUnread(kind, record) : null;
    if (problem !== null) return { ok: false, problem };
    if (live !== null) aged.push({ live, born: bornAt(record) });
  }
  return { ok: true, lives: aged.sort((one, other) => one.born - other.born).map(({ live }) => live) };
}

/** null: it is not there. Otherwise it may be the very one that is looked for, and must not be made again. */
function whyUnread(kind: Kind, record: unknown): Problem | null {
  const unnamed = unnamedRecord(kind, record);
  return unnamed === null ? null : problemOf("refused", "unexpected-answer", unnamed.message, unnamed.hint);
}

function bornAt(record: unknown): number {
  const createdAt = typeof record === "object" && record !== null && "createdAt" in record ? record.createdAt : null;
  const at = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  return Number.isNaN(at) ? 0 : at;
}

/** Ends when `since` is so long ago that what was done by then must show; false where the run was stopped meanwhile. */
export async function waitUntilSettled(run: Run, since: number, address: Address, why: string): Promise<boolean> {
  const now = run.clock.now();
  // A time in the future is another clock's: then it counts from now.
  const left = Math.min(since, now) + run.settle.ms() - now;
  if (left > 0) {
    run.listener.onWait?.(address, `${why}; looking in ${seconds(left)}`);
    await run.clock.sleep(left, run.signal);
  }
  return run.signal?.aborted !== true;
}

/** How long a call may have been under way when its run was cut off. */
const underWayMs = 60_000;

/** When a call of an earlier run must have had its effect: nobody knows more than that it was begun, and that it is over now. */
export function effectTime(run: Run, begun: number): number {
  const now = run.clock.now();
  return now - begun > underWayMs + run.settle.ms() ? begun : now;
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
}
