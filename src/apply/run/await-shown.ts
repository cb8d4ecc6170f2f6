// The end of a run without state: it waits until lists show what it has created, because the next run knows of it from lists
// alone, and would create it again.
import { sameId } from "../../model/address.ts";
import { statusAfter } from "../../model/plan.ts";
import type { EventStatus } from "../../model/wish.ts";
import { listObjects, listStatus, seconds } from "./observe.ts";
import type { MadeObject, Run } from "./run.ts";

const pollMs = 250;
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
