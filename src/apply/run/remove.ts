// Deletes: what is gone is gone, whoever did it.
import type { Kind } from "../../kinds/define.ts";
import { kinds, readRecord } from "../../kinds/index.ts";
import { type Address, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../service/problem.ts";
import type { IntentEntry } from "../journal/journal-entry.ts";
import { listObjects, listPath, observe, waitUntilSettled } from "./observe.ts";
import { notDone, unsure } from "./outcomes.ts";
import { done, type OperationResult, type Run } from "./run.ts";
import { type Task, writeIntent, writeTaskIntent } from "./task.ts";

export async function executeDelete(run: Run, task: Task, id: string): Promise<OperationResult> {
  const { kind, parentId, operation } = task;
  const { seq } = await writeTaskIntent(run, task);
  const since = run.clock.now();
  const answer = await run.service.request("DELETE", task.path);
  if (answer.ok) {
    run.journal.close(seq, "done");
    return done;
  }
  const { problem } = answer;
  if (problem.class === "throttled" || problem.class === "not-sent") {
    run.journal.close(seq, "unsent");
    return notDone(problem);
  }
  if (problem.class === "ambiguous" && !(await waitUntilSettled(run, since, operation.address, problem.message))) {
    return unsure(problem, "It was sent and not confirmed.");
  }
  const observed = await observe(run, kind, parentId, id);
  if (observed.outcome === "gone") {
    run.journal.close(seq, "adopted");
    return done;
  }
  run.journal.close(seq, problem.class === "refused" ? "refused" : "passed");
  if (observed.outcome === "unknown" && problem.class === "ambiguous")
    return unsure(problem, "It was sent and not confirmed.");
  return notDone(problem);
}

// Taking back what we made ourselves: written down like every other call.

/** null: it is gone. */
export async function deleteOurs(
  run: Run,
  kind: Kind,
  address: Address,
  parentId: string | null,
  id: string,
): Promise<Problem | null> {
  const path = `${listPath(kind, parentId)}/${id}`;
  const about = { address, kind: kind.name, verb: "delete", method: "DELETE", path, parentId, id, fields: {} } as const;
  const { seq } = await writeIntent(run, about);
  const answer = await run.service.request("DELETE", path);
  if (answer.ok) {
    run.journal.close(seq, "done");
    return null;
  }
  if (answer.problem.class === "ambiguous" || answer.problem.class === "refused") {
    const observed = await observe(run, kind, parentId, id);
    if (observed.outcome === "gone") {
      run.journal.close(seq, "adopted");
      return null;
    }
  }
  run.journal.close(seq, answer.problem.class === "refused" ? "refused" : "passed");
  return answer.problem;
}

// Whether a live object is beyond doubt one that we made ourselves and that matters to nobody yet: only then may it be
// taken back. It is read anew for this, right before.

/** The service may write down a moment by another clock than the one that it shows. */
const serverSkewMs = 60_000;
/** Where the service never told its time, ours has to do. */
const ownSkewMs = 5 * 60_000;

/** A create takes effect within its call: longer than this the client waits for none, connecting included. */
const longestCallMs = 130_000;

/** The attempts that may have made an object. */
export interface AttemptSpan {
  readonly first: IntentEntry;
  readonly last: IntentEntry;
}

/** Why it is not certain; null where it is. */
export async function whyNotOurs(run: Run, span: AttemptSpan, kind: Kind, id: string): Promise<string | null> {
  const { first } = span;
  const record = await readAgain(run, kind, first.parentId, id);
  if (record === "unknown") return "it could not be read";
  // What is gone needs no proof.
  if (record === null) return null;
  const live = readRecord(kind, record, first.parentId);
  if (live === null) return null;
  if (live.status !== null && live.status !== "DRAFT") return `it is ${live.status}`;
  const otherTime = otherTimeThan(run, span, record);
  if (otherTime !== null) return otherTime;
  return (await isUnsold(run, kind, live)) ? null : "it cannot be told that nothing of it was sold";
}

async function readAgain(
  run: Run,
  kind: Kind,
  parentId: string | null,
  id: string,
): Promise<Readonly<Record<string, unknown>> | "unknown" | null> {
  const path = listPath(kind, parentId);
  if (kind.endpoints.get) {
    const answer = await run.service.request("GET", `${path}/${id}`);
    if (answer.ok) return asRecord(answer.data);
    return answer.problem.status === 404 || answer.problem.status === 410 ? null : "unknown";
  }
  const answer = await run.service.listAll(path);
  if (!answer.ok) return "unknown";
  return answer.data.map(asRecord).find((each) => sameId(String(each?.id), id)) ?? null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

/** Where the service shows when it was made: why the attempts cannot have made it. */
function otherTimeThan(
  run: Run,
  { first, last }: AttemptSpan,
  { createdAt }: Readonly<Record<string, unknown>>,
): string | null {
  const made = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  const earliest = first.date === null ? first.at - ownSkewMs : Date.parse(first.date) - serverSkewMs;
  if (made < earliest) return "it was made before the run that was cut off";
  const latest = latestOf(last.at, last.date) + longestCallMs + run.settle.ms();
  // A time that is still to come was written down by a clock that neither side shows: it proves nothing.
  const now = latestOf(run.clock.now(), run.service.serverDate?.toISOString() ?? null);
  return made > latest && made <= now ? "it was made after the run that was cut off" : null;
}

/** The service's time is that of its latest answer, and a run may wait between that and its next call: so ours counts, too. */
function latestOf(at: number, date: string | null): number {
  return Math.max(at + ownSkewMs, date === null ? 0 : Date.parse(date) + serverSkewMs);
}

async function isUnsold(run: Run, kind: Kind, live: Live): Promise<boolean> {
  const parts = kinds.filter((each) => each.parent === kind.name && isSold(each));
  const lives = isSold(kind) ? [live] : [];
  for (const part of parts) {
    const listed = await listObjects(run, part, live.id);
    if (!listed.ok) return false;
    lives.push(...listed.lives);
  }
  const sold = lives.map(soldOf);
  if (sold.some((each) => each !== null && each !== 0)) return false;
  return sold.every((each) => each === 0) || hasNoOrders(run, live.parentId ?? live.id);
}

function isSold(kind: Kind): boolean {
  return kind.fields.quantity !== undefined;
}

function soldOf({ fields, remaining }: Live): number | null {
  return remaining === null || typeof fields.quantity !== "number" ? null : fields.quantity - remaining;
}

async function hasNoOrders(run: Run, eventId: string): Promise<boolean> {
  const answer = await run.service.request("GET", `/events/${eventId}/orders`, { query: { take: 1 } });
  return answer.ok && Array.isArray(answer.data) && (answer.meta?.total ?? answer.data.length) === 0;
}
