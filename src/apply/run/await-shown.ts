// The end of a run that nobody will remember: it stays until lists show what it made, because the next run knows of it from
// lists alone, and would make it once more.
import { sameId } from "../../model/address.ts";
import type { EventStatus } from "../../model/wish.ts";
import { listObjects, listStatus, seconds } from "./observe.ts";
import type { MadeObject, Run } from "./run.ts";
import { statusAfter } from "./transition.ts";

const lookEveryMs = 250;
/** A list of more pages than this is not read again and again. */
const fewPages = 2;

/** Ends when all is shown, when the settle time has passed since it was made, or when the run is stopped. */
export async function awaitShown(run: Run, mayRead: boolean): Promise<void> {
  let reading = mayRead;
  let listing = true;
  let told = false;

  async function look(last: MadeObject): Promise<boolean> {
    const before = run.service.counts.reads;
    const looked = await isShown(run, last, listing);
    if (run.service.counts.reads - before > 1 + fewPages) listing = false;
    // What cannot be read now is not worth asking for again: the time alone has to do.
    if (looked === null) reading = false;
    return looked === true;
  }

  // Where one is waited for, the others show meanwhile.
  for (const last of run.made.lastOfEachKind()) {
    for (let looks = 0; ; looks++) {
      const left = last.at + run.settle.ms() - run.clock.now();
      if (left <= 0 || run.signal?.aborted === true) break;
      // A read that must itself wait longer than that for the rate limit tells nothing in time.
      const inTime = reading && run.service.estimateSeconds(1) * 1000 < left;
      if (inTime && (await look(last))) {
        if (looks > 0) run.settle.sawLag(run.clock.now() - last.at);
        break;
      }
      if (!told) run.listener.onWait?.(last.address, `until the service shows what was made, at most ${seconds(left)}`);
      told = true;
      await run.clock.sleep(inTime ? Math.min(lookEveryMs, left) : left, run.signal);
    }
  }
}

/** null: it could not be read. */
async function isShown(run: Run, last: MadeObject, listing: boolean): Promise<boolean | null> {
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
