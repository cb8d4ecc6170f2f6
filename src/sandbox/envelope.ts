// The error envelope, also around what nobody expected.
import { Refusal } from "./refusal.ts";

export function envelope(problem: unknown, requestId: string): { readonly status: number; readonly body: string } {
  const refusal =
    problem instanceof Refusal
      ? problem
      : new Refusal(
          500,
          "INTERNAL_ERROR",
          `Something went wrong: ${problem instanceof Error ? problem.message : String(problem)}`,
          "Try again later; if it stays, report the requestId.",
        );
  const { status, code, message, hint, details } = refusal;
  return { status, body: JSON.stringify({ error: { code, message, hint, ...(details && { details }) }, requestId }) };
}
