// Every fault that is acted out, at a call or at a write to the disk.
import type { Fault } from "../../src/sandbox/index.ts";
import type { Death } from "../stage/theater.ts";

export interface Act {
  readonly name: string;
  /** What its index counts. */
  readonly counts: "calls" | "journal writes";
  /** At the n-th. */
  readonly at: (n: number) => { readonly fault?: Fault; readonly death?: Death; readonly fullDiskAt?: number };
}

function fault(name: string, made: Omit<Fault, "at">): Act {
  return { name, counts: "calls", at: (n) => ({ fault: { ...made, at: n } }) };
}

function killed(moment: "before" | "after"): Act {
  return { name: `SIGKILL ${moment} the call`, counts: "calls", at: (n) => ({ death: { of: "call", at: n, moment } }) };
}

function killedWriting(moment: "before" | "torn" | "after", words: string): Act {
  return {
    name: `SIGKILL ${words}`,
    counts: "journal writes",
    at: (n) => ({ death: { of: "journal", at: n, moment } }),
  };
}

export const acts: readonly Act[] = [
  fault("request lost", { kind: "request-lost" }),
  fault("response lost", { kind: "response-lost" }),
  fault("500 before the effect", { kind: "error-before" }),
  fault("500 after the effect", { kind: "error-after" }),
  fault("HTML 502 before the effect", { kind: "html-502", moment: "before" }),
  fault("HTML 502 after the effect", { kind: "html-502", moment: "after" }),
  fault("429 with Retry-After", { kind: "rate-limited", retryAfter: 1 }),
  fault("429 without Retry-After", { kind: "rate-limited", retryAfter: null }),
  fault("slow past the timeout", { kind: "slow", delayMs: 60_000 }),
  fault("truncated JSON", { kind: "truncated" }),
  fault("connection reset before the effect", { kind: "reset", moment: "before" }),
  fault("connection reset after the effect", { kind: "reset", moment: "after" }),
  fault("redirect", { kind: "redirect", moment: "before" }),
  fault("effect lands late, within the settle time", { kind: "late", delayMs: 100, status: "lost" }),
  fault("effect lands late, after the settle time", { kind: "late", delayMs: 1200, status: "lost" }),
  fault("response lost five times", { kind: "response-lost", times: 5 }),
  fault("request lost five times", { kind: "request-lost", times: 5 }),
  killed("before"),
  killed("after"),
  killedWriting("before", "before the journal write"),
  killedWriting("torn", "within the journal write"),
  killedWriting("after", "after the journal write"),
  { name: "disk full on the journal", counts: "journal writes", at: (n) => ({ fullDiskAt: n }) },
];
