// Ticket types that were asked for within their event's create call: each is seen, or made by a call of its own.
import { kindOfAddress, readRecord } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Operation } from "../../model/plan.ts";
import type { Problem } from "../../service/problem.ts";
import type { UnidentifiedParts } from "../journal/open-work.ts";
import { resembles, sharesIdentity } from "../run/compare-live.ts";
import { listObjects, listPath, type Observations } from "../run/observe.ts";
import { errorOf, madeNow, recheckHint, reportRecovery } from "../run/outcomes.ts";
import { done, endedWith, type OperationResult, type Run } from "../run/run.ts";
import { fillOperation, type Task } from "../run/task.ts";
import { certainMs } from "../run/unconfirmed-creates.ts";
import {
  appliedDefaults,
  confirmFields,
  failWrongValue,
  hasAny,
  reportNormalized,
  rereadIfWrong,
} from "../update/confirm.ts";

// Which live object is which of those that were asked for within their parent's create call.

export type InlineCreate = Task["inline"][number];

export interface InlinePair {
  readonly part: InlineCreate;
  readonly live: Live;
}

export interface Pairing {
  readonly pairs: readonly InlinePair[];
  readonly missing: readonly InlineCreate[];
}

export function isWhole({ part, live }: InlinePair): boolean {
  return Object.keys(part.fields).every((field) => live.fields[field] !== undefined);
}

/** The event is new, so what is below it is ours: the names decide, and the rest only among equal names. */
export function pairUp(run: Run, parts: readonly InlineCreate[], lives: readonly Live[]): Pairing {
  const free = lives.filter((live) => !run.ids.isTaken(live.id));
  const pairs: InlinePair[] = [];
  const missing: InlineCreate[] = [];
  for (const part of parts) {
    const named = free.filter((live) => sharesIdentity(part.kind, part.fields, live));
    const live = named.find((each) => resembles(part.kind, part.fields, each)) ?? named[0];
    if (live === undefined) missing.push(part);
    else {
      free.splice(free.indexOf(live), 1);
      pairs.push({ part, live });
    }
  }
  return { pairs, missing };
}

export async function recordPairs(run: Run, pairs: readonly InlinePair[]): Promise<OperationResult> {
  const madeAt = madeNow(run);
  let performed = done;
  for (const { part, live: seen } of pairs) {
    const live = await rereadIfWrong(run, part, seen);
    const { returned, wrong } = confirmFields(part.kind, part.fields, live);
    run.ids.give(part.address, live.id);
    run.journal.learn({
      address: part.address,
      kind: part.kind.name,
      id: live.id,
      fields: { ...appliedDefaults(run, part.address, live), ...part.fields },
      ...(hasAny(returned) ? { returned } : {}),
      ...(hasAny(wrong) ? { wrong: Object.keys(wrong) } : {}),
      madeAt,
    });
    reportNormalized(run, part.kind, part.address, part.fields, returned);
    if (hasAny(wrong)) performed = failWrongValue(part.address, part.fields, wrong);
  }
  return performed;
}

const lookEveryMs = 250;

type Make = (run: Run, task: Task) => Promise<OperationResult>;

/**
 * `record` is the answer to the create, which may show them already. After a clear yes (`certain`) they were made: a list that does not show them
 * is late, and making them again would put every ticket on sale twice. After a lost answer some may be missing.
 */
export async function confirmInline(
  run: Run,
  task: Task,
  parentId: string,
  record: unknown,
  certain: boolean,
  make: Make,
): Promise<OperationResult> {
  if (task.inline.length === 0) return done;
  const since = run.clock.now();
  const embedded = pairUp(run, task.inline, embeddedOf(task, record, parentId));
  if (embedded.missing.length === 0 && embedded.pairs.every(isWhole)) {
    for (const { part, live } of embedded.pairs) run.made.add({ ...part, id: live.id, parentId, at: since });
    return recordPairs(run, embedded.pairs);
  }
  for (;;) {
    const listed = await listParts(run, task.inline, parentId);
    if (!listed.ok) {
      const message = `The event is there (${parentId}), and its ticket types could not be read: ${listed.problem.message}`;
      // Where they may not be read at all, the service's yes has to do.
      if (listed.problem.status === 403) return done;
      return { result: "unsure", error: { ...errorOf(listed.problem, message), hint: recheckHint } };
    }
    const { pairs, missing } = pairUp(run, task.inline, listed.lives);
    const waited = run.clock.now() - since;
    if (missing.length === 0) {
      if (waited >= lookEveryMs) run.settle.sawLag(waited);
      return recordPairs(run, pairs);
    }
    if (run.signal?.aborted === true) {
      return endedWith("unsure", "interrupted", "It was stopped before all its ticket types were seen.", recheckHint);
    }
    const limit = run.settle.ms() + (certain ? certainMs : 0);
    if (waited >= limit) {
      const remembered = await recordPairs(run, pairs);
      if (certain) return notSeen(missing);
      const completed = await complete(run, task, parentId, missing, make);
      return completed.result === "done" ? remembered : completed;
    }
    await run.clock.sleep(Math.min(lookEveryMs, limit - waited), run.signal);
  }
}

function notSeen(missing: readonly InlineCreate[]): OperationResult {
  const names = missing.map((part) => `'${part.fields.name ?? part.address}'`).join(", ");
  const words = `The event was made, and its list of ticket types does not show ${names} yet.`;
  return endedWith("unsure", "tickets-not-seen", words, recheckHint);
}

async function complete(
  run: Run,
  task: Task,
  parentId: string,
  missing: readonly InlineCreate[],
  make: Make,
): Promise<OperationResult> {
  for (const part of missing) {
    const operation: Operation = {
      id: task.operation.id,
      address: part.address,
      verb: "create",
      method: "POST",
      path: listPath(part.kind, parentId),
      body: part.fields,
      needs: [],
      because: part.address,
    };
    const filled = fillOperation(operation, run.ids);
    if (!filled.ok) continue;
    const performed = await make(run, filled.task);
    if (performed.result !== "done") return performed;
    reportRecovery(run, part.address, "had not been made with its event: made it by itself");
  }
  return done;
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

function embeddedOf(task: Task, record: unknown, parentId: string): readonly Live[] {
  if (typeof record !== "object" || record === null) return [];
  return [...new Set(task.inline.map((part) => part.kind))].flatMap((kind) => {
    const shown = (record as Readonly<Record<string, unknown>>)[kind.plural];
    const items: readonly unknown[] = Array.isArray(shown) ? shown : [];
    return items.flatMap((item) => readRecord(kind, item, parentId) ?? []);
  });
}

/** What was made along with its parent is ours too, as far as it was made; the plan completes the rest. */
export async function adoptInline(run: Run, { intent, parentId }: UnidentifiedParts): Promise<Problem | null> {
  const open = (intent.inline ?? []).filter((part) => run.ids.of(part.address) === undefined);
  const parts = open.map((part) => ({ ...part, kind: kindOfAddress(part.address) }));
  for (const kind of new Set(parts.map((part) => part.kind))) {
    const listed = await listObjects(run, kind, parentId);
    if (!listed.ok) return listed.problem;
    const own = parts.filter((part) => part.kind === kind);
    await recordPairs(run, pairUp(run, own, listed.lives).pairs);
  }
  return null;
}
