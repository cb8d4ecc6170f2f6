// Ticket types that were asked for within their event's create call: each is seen, or made by a call of its own.
import { readRecord } from "../kinds/read-record.ts";
import type { Live } from "../model/live.ts";
import type { Operation } from "../model/operation.ts";
import { fillOperation, type Task } from "./fill.ts";
import { listObjects, listPath, type Sights } from "./look.ts";
import { isWhole, type Part, pairUp, rememberPairs } from "./pair-inline.ts";
import { errorOf, lookAgain } from "./problem-outcome.ts";
import { done, ended, type Performed, type Run } from "./run.ts";
import { certainMs } from "./settle.ts";
import { tellRecovery } from "./words.ts";

const lookEveryMs = 250;

type Make = (run: Run, task: Task) => Promise<Performed>;

/**
 * `record` is the answer to the create, which may show them already. After a clear yes (`certain`) they were made: a list that does not show them
 * is late, and making them again would put every ticket on sale twice. After a lost answer some may be missing.
 */
export async function fillInline(
  run: Run,
  task: Task,
  parentId: string,
  record: unknown,
  certain: boolean,
  make: Make,
): Promise<Performed> {
  if (task.inline.length === 0) return done;
  const since = run.clock.now();
  const embedded = pairUp(run, task.inline, embeddedOf(task, record, parentId));
  if (embedded.missing.length === 0 && embedded.pairs.every(isWhole)) {
    for (const { part, live } of embedded.pairs) run.made.add({ ...part, id: live.id, parentId, at: since });
    return rememberPairs(run, embedded.pairs);
  }
  for (;;) {
    const listed = await listParts(run, task.inline, parentId);
    if (!listed.ok) {
      const message = `The event is there (${parentId}), and its ticket types could not be read: ${listed.problem.message}`;
      // Where they may not be read at all, the service's yes has to do.
      if (listed.problem.status === 403) return done;
      return { result: "unsure", error: { ...errorOf(listed.problem, message), hint: lookAgain } };
    }
    const { pairs, missing } = pairUp(run, task.inline, listed.lives);
    const waited = run.clock.now() - since;
    if (missing.length === 0) {
      if (waited >= lookEveryMs) run.settle.sawLag(waited);
      return rememberPairs(run, pairs);
    }
    if (run.signal?.aborted === true) {
      return ended("unsure", "interrupted", "It was stopped before all its ticket types were seen.", lookAgain);
    }
    const limit = run.settle.ms() + (certain ? certainMs : 0);
    if (waited >= limit) {
      const remembered = await rememberPairs(run, pairs);
      if (certain) return notSeen(missing);
      const completed = await complete(run, task, parentId, missing, make);
      return completed.result === "done" ? remembered : completed;
    }
    await run.clock.sleep(Math.min(lookEveryMs, limit - waited), run.signal);
  }
}

function notSeen(missing: readonly Part[]): Performed {
  const names = missing.map((part) => `'${part.fields.name ?? part.address}'`).join(", ");
  const words = `The event was made, and its list of ticket types does not show ${names} yet.`;
  return ended("unsure", "tickets-not-seen", words, lookAgain);
}

async function complete(
  run: Run,
  task: Task,
  parentId: string,
  missing: readonly Part[],
  make: Make,
): Promise<Performed> {
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
    tellRecovery(run, part.address, "had not been made with its event: made it by itself");
  }
  return done;
}

async function listParts(run: Run, parts: readonly Part[], parentId: string): Promise<Sights> {
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
