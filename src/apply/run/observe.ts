// Reads what is there: one object, or a list; and waits until lists show what was created.
import type { Kind } from "../../kinds/define.ts";
import { readRecord, unnamedRecord } from "../../kinds/index.ts";
import { type Address, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { statusAfter } from "../../model/plan.ts";
import type { EventStatus } from "../../model/wish.ts";
import { isGone, type Problem, problemOf } from "../../service/problem.ts";
import { type ApplyService, type MadeObject, pollMs, type Run } from "./run.ts";

export type Observation =
  | { readonly outcome: "found"; readonly live: Live }
  | { readonly outcome: "gone" }
  | { readonly outcome: "unknown"; readonly problem: Problem };

export type Observations =
  | { readonly ok: true; readonly lives: readonly Live[] }
  | { readonly ok: false; readonly problem: Problem };

export function listPath(kind: Kind, parentId: string | null): string {
  return parentId === null ? `/${kind.plural}` : `/events/${parentId}/${kind.plural}`;
}

/** The object as the service shows it now. */
export async function observe(run: Run, kind: Kind, parentId: string | null, id: string): Promise<Observation> {
  if (!kind.endpoints.get) return findListed(await listObjects(run, kind, parentId), id);
  const response = await run.service.request("GET", `${listPath(kind, parentId)}/${id}`);
  if (!response.ok) return unread(response.problem);
  const live = readRecord(kind, response.data, parentId);
  if (live !== null) return { outcome: "found", live };
  const problem = whyUnread(kind, response.data);
  return problem === null ? { outcome: "gone" } : { outcome: "unknown", problem };
}

/** One object of a list. If what it belongs to is gone, so is the object. */
export function findListed(listed: Observations, id: string): Observation {
  if (!listed.ok) return unread(listed.problem);
  const live = listed.lives.find((each) => sameId(each.id, id));
  return live === undefined ? { outcome: "gone" } : { outcome: "found", live };
}

function unread(problem: Problem): Observation {
  return isGone(problem) ? { outcome: "gone" } : { outcome: "unknown", problem };
}

/** A list without a status: those below an event, and the webhooks. */
export async function listObjects(run: Run, kind: Kind, parentId: string | null): Promise<Observations> {
  const response = await run.service.listAll(listPath(kind, parentId));
  if (!response.ok) return response;
  const read = readLives(kind, parentId, response.data);
  if (read.ok) for (const { id } of read.lives) run.made.show(id);
  return read;
}

/** Objects of a kind with a status; `search` narrows the list in whatever way the service searches. */
export async function listStatus(run: Run, kind: Kind, status: EventStatus, search?: string): Promise<Observations> {
  const query = { status, ...(search === undefined ? {} : { search }) };
  const listed = await run.service.listAll(listPath(kind, null), query, { sized: true });
  return listed.ok ? readLives(kind, null, listed.data) : listed;
}

/** The oldest first, if the service shows their age; otherwise as listed. */
function readLives(kind: Kind, parentId: string | null, records: readonly unknown[]): Observations {
  const aged: { readonly live: Live; readonly born: number }[] = [];
  for (const record of records) {
    const live = readRecord(kind, record, parentId);
    const problem = live === null ? whyUnread(kind, record) : null;
    if (problem !== null) return { ok: false, problem };
    if (live !== null) aged.push({ live, born: bornAt(record) });
  }
  return { ok: true, lives: aged.sort((one, other) => one.born - other.born).map(({ live }) => live) };
}

/** null: the record says that the object does not exist. Otherwise it may be the one we look for, which must not be created again. */
function whyUnread(kind: Kind, record: unknown): Problem | null {
  const unnamed = unnamedRecord(kind, record);
  return unnamed === null ? null : problemOf("refused", "unexpected-response", unnamed.message, unnamed.hint);
}

function bornAt(record: unknown): number {
  const createdAt = typeof record === "object" && record !== null && "createdAt" in record ? record.createdAt : null;
  const at = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  return Number.isNaN(at) ? 0 : at;
}

/** Waits until the effect of a call made at `since` must be visible; false if the run was stopped meanwhile. */
export async function waitUntilSettled(run: Run, since: number, address: Address, why: string): Promise<boolean> {
  const now = run.clock.now();
  // A time in the future is from another clock: count from now.
  const left = Math.min(since, now) + run.settle.ms() - now;
  if (left > 0) {
    run.listener.onWait?.(address, `${why.replace(/\.$/, "")}; checking in ${seconds(left)}`);
    await run.clock.sleep(left, run.signal);
  }
  return run.signal?.aborted !== true;
}

/** How long a call may have been under way when its run was cut off. */
const underWayMs = 60_000;

/** The latest time at which a call of an earlier run can have taken effect: only its start is known, and that it is over now. */
export function effectTime(run: Run, begun: number): number {
  const now = run.clock.now();
  return now - begun > underWayMs + run.settle.ms() ? begun : now;
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
}

// A service whose lists are read once, for a time without writes.

/** A whole list answers every search in it: whoever searches compares what is found anyway. */
export function readingOnce(service: ApplyService): ApplyService {
  const lists = new Map<string, ReturnType<ApplyService["listAll"]>>();
  return {
    request: (method, path, options) => service.request(method, path, options),
    listAll(path, query = {}, options = {}) {
      const { search, ...rest } = query as Readonly<Record<string, unknown>>;
      const whole = JSON.stringify([path, rest]);
      const known = lists.get(whole) ?? lists.get(JSON.stringify([path, query]));
      if (known !== undefined) return known;
      const list = service.listAll(path, query, options);
      lists.set(search === undefined ? whole : JSON.stringify([path, query]), list);
      return list;
    },
    estimateSeconds: (calls) => service.estimateSeconds(calls),
    get serverDate() {
      return service.serverDate;
    },
    get counts() {
      return service.counts;
    },
  };
}

// The end of a run without state: it waits until lists show what it has created, because the next run knows of it from lists
// alone, and would create it again.

/** A list of more pages than this is not read again and again. */
const fewPages = 2;

/** Ends when all is shown, when the settle time has passed since it was made, or when the run is stopped. */
export async function awaitShown(run: Run, mayRead: boolean): Promise<void> {
  let reading = mayRead;
  let listing = true;
  let announced = false;

  async function isShownNow(last: MadeObject): Promise<boolean> {
    const before = run.service.counts.reads;
    const isShown = await findShown(run, last, listing);
    if (run.service.counts.reads - before > 1 + fewPages) listing = false;
    // A list that cannot be read now is not read again: only waiting is left.
    if (isShown === null) reading = false;
    return isShown === true;
  }

  // While one is waited for, the others show up.
  for (const last of run.made.lastOfEachKind()) {
    for (let reads = 0; ; reads++) {
      const left = last.at + run.settle.ms() - run.clock.now();
      if (left <= 0 || run.signal?.aborted === true) break;
      // A read that would wait longer than that for the rate limit comes too late.
      const inTime = reading && run.service.estimateSeconds(1) * 1000 < left;
      if (inTime && (await isShownNow(last))) {
        if (reads > 0) run.settle.sawLag(run.clock.now() - last.at);
        break;
      }
      if (!announced)
        run.listener.onWait?.(last.address, `until the service shows what was created, at most ${seconds(left)}`);
      announced = true;
      await run.clock.sleep(inTime ? Math.min(pollMs, left) : left, run.signal);
    }
  }
}

/** null: it could not be read. */
async function findShown(run: Run, last: MadeObject, listing: boolean): Promise<boolean | null> {
  if (run.made.isShown(last.id)) return true;
  if (last.kind.steps.length > 0) return isListed(run, last, listing);
  const listed = await listObjects(run, last.kind, last.parentId);
  if (!listed.ok) return null;
  return run.made.beside(last).every((made) => run.made.isShown(made.id));
}

/** A search may find what is deep in a list. null: it could not be read. */
async function isListed(run: Run, { kind, id, fields }: MadeObject, listing: boolean): Promise<boolean | null> {
  const status = statusOf(run, id);
  const label = fields[kind.identity.label];
  const searches = [...(typeof label === "string" ? [label] : []), ...(listing ? [undefined] : [])];
  for (const search of searches) {
    const listed = await listStatus(run, kind, status, search);
    if (!listed.ok) return null;
    if (listed.lives.some((live) => sameId(live.id, id))) return true;
  }
  return false;
}

/** Lists are asked for by status, and it may have been published since. */
function statusOf(run: Run, id: string): EventStatus {
  const ended = new Set(
    run.journal.entries.flatMap((entry) =>
      entry.type === "close" && (entry.how === "done" || entry.how === "adopted") ? [entry.seq] : [],
    ),
  );
  const moves = run.journal.entries.flatMap((entry) =>
    entry.type === "intent" && entry.id === id && ended.has(entry.seq) ? (statusAfter[entry.verb] ?? []) : [],
  );
  return moves.at(-1) ?? "DRAFT";
}
