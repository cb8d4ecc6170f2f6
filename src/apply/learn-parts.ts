import { kindOfAddress } from "../kinds/of-address.ts";
import type { Problem } from "../service/problem.ts";
import { listObjects } from "./look.ts";
import { pairUp, rememberPairs } from "./pair-inline.ts";
import type { Run } from "./run.ts";
import type { Unlearned } from "./unlearned-parts.ts";

/** What was made along with its parent is ours too, as far as it was made; the plan completes the rest. */
export async function learnParts(run: Run, { intent, parentId }: Unlearned): Promise<Problem | null> {
  const open = (intent.inline ?? []).filter((part) => run.ids.of(part.address) === undefined);
  const parts = open.map((part) => ({ ...part, kind: kindOfAddress(part.address) }));
  for (const kind of new Set(parts.map((part) => part.kind))) {
    const listed = await listObjects(run, kind, parentId);
    if (!listed.ok) return listed.problem;
    const own = parts.filter((part) => part.kind === kind);
    await rememberPairs(run, pairUp(run, own, listed.lives).pairs);
  }
  return null;
}
