import { sameId } from "../model/id.ts";
import type { Live } from "../model/live.ts";

export interface Patience {
  /** How long a fresh object is waited for. */
  readonly settleMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What was made so lately that a list may not show it yet. */
export interface Expected {
  readonly fresh: readonly string[];
  /** How many there must be, where their ids are not known. */
  readonly atLeast: number;
}

const lookEveryMs = 250;

function isAllThere(lives: readonly Live[], { fresh, atLeast }: Expected): boolean {
  return lives.length >= atLeast && fresh.every((id) => lives.some((live) => sameId(live.id, id)));
}

/** Reads a list until it shows what was made lately; what it does not show by then is not there. */
export async function awaitFresh(
  read: () => Promise<readonly Live[]>,
  expected: Expected,
  patience: Patience,
): Promise<readonly Live[]> {
  let lives = await read();
  for (let waited = 0; !isAllThere(lives, expected) && waited < patience.settleMs; ) {
    const pause = Math.max(1, Math.min(lookEveryMs, patience.settleMs - waited));
    await patience.sleep(pause);
    waited += pause;
    lives = await read();
  }
  return lives;
}
