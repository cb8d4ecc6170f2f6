// One fault at call after call of an apply, or at write after write of its journal: after each, nothing may be damaged.
import { expect } from "vitest";
import type { Act } from "./acts.ts";
import type { Table } from "./table.ts";
import { type Rehearsal, tryAct } from "./trial.ts";

/** `index` lets each fault meet another part of the calls where a stride leaves some out. */
export async function walk(
  rehearsal: Rehearsal,
  act: Act & { readonly index: number },
  stride: number,
  table: Table,
): Promise<void> {
  const most = act.counts === "calls" ? rehearsal.calls : rehearsal.journalWrites;
  for (let n = 1 + (act.index % stride); n <= most; n += stride) {
    const verdict = await tryAct(rehearsal, act, n);
    const { duplicates, orphans, missing, lostSecrets, thirdEmpty, publicTooEarly } = verdict;
    table.add(act.name, verdict);
    expect(
      { duplicates, orphans, missing, lostSecrets, thirdEmpty, publicTooEarly },
      `at ${n} of ${most}\n${verdict.story.join("\n")}`,
    ).toEqual({ duplicates: 0, orphans: 0, missing: 0, lostSecrets: 0, thirdEmpty: true, publicTooEarly: 0 });
  }
}
