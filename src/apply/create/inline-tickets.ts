// Ticket types that were asked for within their event's create call: which of them are found, and which are missing.
import { kindOfAddress, readRecord } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import { attributed, isGone, type Problem } from "../../service/problem.ts";
import type { UnidentifiedParts } from "../journal/open-work.ts";
import { listObjects, type Observations } from "../run/observe.ts";
import { outcomeError, recheckHint, serviceTime } from "../run/outcomes.ts";
import { certainMs, done, endedWith, type OperationResult, pollMs, type Run } from "../run/run-context.ts";
import type { Task } from "../run/task.ts";
import { confirmCreated } from "../update/confirm.ts";
import { resembles, sharesDistinguishingFields, sharesIdentity } from "./candidates.ts";

type InlineCreate = Task["inline"][number];

interface InlinePair {
  readonly part: InlineCreate;
  readonly live: Live;
}

/** The event is new, so what is below it is ours: the names decide, and the rest only among equal names. */
function pairUp(run: Run, parts: readonly InlineCreate[], lives: readonly Live[]) {
  const free = lives.filter((live) => !run.ids.isTaken(live.id));
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
  // A service may also write names in its own way. Once it shows as many as were sent, the numbers decide, if they do.
  const alike = unnamed.map(({ kind, fields }) =>
    free.filter((live) => sharesDistinguishingFields(kind, fields, live)),
  );
  const isDistinct = alike.every(({ length }) => length === 1) && new Set(alike.flat()).size === unnamed.length;
  const isClear = isDistinct && free.length === unnamed.length;
  return { pairs, missing: isClear ? pair(unnamed, (part) => alike[unnamed.indexOf(part)]?.[0]) : unnamed };
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
    // The event exists, so a service that does not find it, for its list, is only late.
    const isLate = !listed.ok && isGone(listed.problem) && waited < limit;
    if (!listed.ok && !isLate) {
      // If they may not be read at all, the service's success must suffice.
      if (listed.problem.status === 403) return done;
      const message = `The event was created (${parentId}), but its ticket types could not be read. ${attributed(listed.problem)}`;
      return { result: "unsure", error: { ...outcomeError(listed.problem, message), hint: recheckHint } };
    }
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
