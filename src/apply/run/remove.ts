// Deletes. An object that is already gone counts as deleted, whoever deleted it.
import type { Kind } from "../../kinds/define.ts";
import { childKinds, listPath } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Problem } from "../../service/problem.ts";
import type { IntentEntry } from "../journal/journal-entry.ts";
import { listObjects, observe, waitUntilSettled } from "./observe.ts";
import { notDone, unsure } from "./outcomes.ts";
import { done, type OperationResult, type Run } from "./run-context.ts";
import { closeByEffect, sendIntent, type Task, writeIntent, writeTaskIntent } from "./task.ts";

export async function executeDelete(run: Run, task: Task): Promise<OperationResult> {
  const failed = await sendDelete(run, task.kind, await writeTaskIntent(run, task));
  if (failed === null) return done;
  return failed.isCertain ? notDone(failed.problem) : unsure(failed.problem, "It was sent and not confirmed.");
}

/** Deletes what we created ourselves; written down like every other call. null: it is gone. */
export async function deleteOurs(
  run: Run,
  kind: Kind,
  address: Address,
  parentId: string | null,
  id: string,
): Promise<Problem | null> {
  const path = `${listPath(kind, parentId)}/${id}`;
  const call = { address, kind: kind.name, verb: "delete", method: "DELETE", path, parentId, id, fields: {} } as const;
  const failed = await sendDelete(run, kind, await writeIntent(run, call));
  return failed?.problem ?? null;
}

/** null: it is gone. `isCertain`: the object is still there. */
async function sendDelete(
  run: Run,
  kind: Kind,
  intent: IntentEntry,
): Promise<{ readonly problem: Problem; readonly isCertain: boolean } | null> {
  const since = run.clock.now();
  const sent = await sendIntent(run, intent);
  if (sent.end === "accepted") return null;
  const { problem } = sent;
  if (sent.end === "unsent") return { problem, isCertain: true };
  const isLost = problem.class === "ambiguous";
  if (isLost && !(await waitUntilSettled(run, since, intent.address, problem.message)))
    return { problem, isCertain: false };
  const observed = await observe(run, kind, intent.parentId, intent.id ?? "");
  if (closeByEffect(run, sent, observed.outcome === "gone") === "adopted") return null;
  return { problem, isCertain: !isLost || observed.outcome === "found" };
}

/** The service may note a time by another clock than the one that it shows. */
const serverSkewMs = 60_000;
/** If the service never shows its time, ours must suffice. */
const ownSkewMs = 5 * 60_000;

/** A create takes effect within its call, and the client waits no longer than this, connecting included. */
const longestCallMs = 130_000;

/** The attempts that may have made an object. */
export interface AttemptSpan {
  readonly first: IntentEntry;
  readonly last: IntentEntry;
}

/**
 * Why it is not certain that a live object is one that we created and that matters to no one yet: only then may it be
 * deleted. null: it is certain. The object is read for this, right before.
 */
export async function whyNotOurs(run: Run, span: AttemptSpan, kind: Kind, id: string): Promise<string | null> {
  const { first } = span;
  const observed = await observe(run, kind, first.parentId, id);
  if (observed.outcome === "unknown") return "it could not be read";
  // What is gone needs no proof.
  if (observed.outcome === "gone") return null;
  const { live } = observed;
  if (live.status !== null && live.status !== "DRAFT") return `it is ${live.status}`;
  const otherTime = otherTimeThan(run, span, live);
  if (otherTime !== null) return otherTime;
  return (await isUnsold(run, kind, live)) ? null : "some of it may be sold";
}

/** Why the attempts cannot have created it, by the creation time that the service shows; null if they can. */
function otherTimeThan(run: Run, { first, last }: AttemptSpan, { createdAt = "" }: Live): string | null {
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
  const sold = lives.map(soldOf);
  if (sold.some((each) => each !== null && each !== 0)) return false;
  return sold.every((each) => each === 0) || hasNoOrders(run, live.parentId ?? live.id);
}

function soldOf({ fields, remaining }: Live): number | null {
  return remaining === null || typeof fields.quantity !== "number" ? null : fields.quantity - remaining;
}

async function hasNoOrders(run: Run, eventId: string): Promise<boolean> {
  const response = await run.service.request("GET", `/events/${eventId}/orders`, { query: { take: 1 } });
  return response.ok && Array.isArray(response.data) && (response.meta?.total ?? response.data.length) === 0;
}
