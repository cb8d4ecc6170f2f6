// Reads what is there: one object, or a list.
import type { Kind } from "../../kinds/define.ts";
import { listPath, readRecord, unnamedRecord } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import type { ResultOr } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { EventStatus } from "../../model/wish.ts";
import { type Failure, isGone, type Problem, problemOf } from "../../service/problem.ts";
import type { ApplyService, Run } from "./run-context.ts";

export type Observation =
  | { readonly outcome: "found"; readonly live: Live }
  | { readonly outcome: "gone" }
  | { readonly outcome: "unknown"; readonly problem: Problem };

export type Observations = ResultOr<{ readonly lives: readonly Live[] }, Failure>;

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
  return readLives(kind, parentId, response.data);
}

/** Objects of a kind with a status; `search` narrows the list in whatever way the service searches. */
export async function listStatus(run: Run, kind: Kind, status: EventStatus, search?: string): Promise<Observations> {
  const query = { status, ...(search === undefined ? {} : { search }) };
  const listed = await run.service.listAll(listPath(kind, null), query, { sized: true });
  return listed.ok ? readLives(kind, null, listed.data) : listed;
}

/** The oldest first, if the service shows their age; otherwise as listed. */
function readLives(kind: Kind, parentId: string | null, records: readonly unknown[]): Observations {
  const lives: Live[] = [];
  for (const record of records) {
    const live = readRecord(kind, record, parentId);
    const problem = live === null ? whyUnread(kind, record) : null;
    if (problem !== null) return { ok: false, problem };
    if (live !== null) lives.push(live);
  }
  return { ok: true, lives: lives.sort((one, other) => bornAt(one) - bornAt(other)) };
}

/** null: the record says that the object does not exist. Otherwise it may be the one we look for, which must not be created again. */
function whyUnread(kind: Kind, record: unknown): Problem | null {
  const unnamed = unnamedRecord(kind, record);
  return unnamed === null ? null : problemOf("refused", "unexpected-response", unnamed.message, unnamed.hint);
}

function bornAt({ createdAt = "" }: Live): number {
  return Date.parse(createdAt) || 0;
}

// A service whose lists are read once, for a time without writes.

/** Every search in a list gets the whole list, because the caller compares what it finds anyway. */
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
