import type { Live } from "../model/live.ts";

export interface Patience {
  /** How long a fresh object is waited for. */
  readonly settleMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

const lookEveryMs = 250;

/** Reads a list until it shows what was made lately; what it does not show by then is not there. */
export async function awaitFresh(
  read: () => Promise<readonly Live[]>,
  fresh: readonly string[],
  patience: Patience,
): Promise<readonly Live[]> {
  let lives = await read();
  for (let waited = 0; fresh.some((id) => !lives.some((live) => live.id === id)) && waited < patience.settleMs; ) {
    const pause = Math.max(1, Math.min(lookEveryMs, patience.settleMs - waited));
    await patience.sleep(pause);
    waited += pause;
    lives = await read();
  }
  return lives;
}
