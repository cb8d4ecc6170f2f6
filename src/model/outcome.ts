import type { Plan } from "./plan.ts";

export interface OutcomeError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly requestId: string | null;
  readonly status: number | null;
}

/** What became of one operation. `unsure`: it was sent and could not be confirmed either way. */
export interface Outcome {
  readonly operation: string;
  readonly result: "done" | "failed" | "skipped" | "unsure";
  readonly error?: OutcomeError;
}

export interface ApplyReport {
  readonly formatVersion: 1;
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  readonly summary: {
    readonly done: number;
    readonly failed: number;
    readonly skipped: number;
    readonly unsure: number;
  };
  readonly calls: { readonly reads: number; readonly writes: number; readonly rateLimited: number };
}
