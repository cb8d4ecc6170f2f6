// When a run stops early, thousands of operations are left out for one reason, and people need to read it once.
import type { Outcome } from "../model/outcome.ts";

export interface OutcomeFold {
  readonly first: Outcome;
  readonly count: number;
}

/** Reasons that are the run's and not the operation's: their words may differ by the second in which they were found. */
const ofTheRun: ReadonlySet<string> = new Set(["interrupted", "stopped", "rate-limited-too-long"]);

/** Skipped ones with the same reason count as one, where the first of them stood; all others stay by themselves. */
export function foldSkipped(outcomes: readonly Outcome[]): readonly OutcomeFold[] {
  const folds: { first: Outcome; count: number }[] = [];
  const byReason = new Map<string, { count: number }>();
  for (const outcome of outcomes) {
    const reason = reasonOf(outcome);
    const known = reason === null ? undefined : byReason.get(reason);
    if (known !== undefined) {
      known.count += 1;
      continue;
    }
    const fold = { first: outcome, count: 1 };
    folds.push(fold);
    if (reason !== null) byReason.set(reason, fold);
  }
  return folds;
}

function reasonOf({ result, error }: Outcome): string | null {
  if (result !== "skipped" || error === undefined) return null;
  return ofTheRun.has(error.code) ? error.code : JSON.stringify([error.code, error.message, error.hint]);
}
