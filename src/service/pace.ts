// The rate limit: what is left of it, and the ledger that outlives a run.
export type { LedgerChange, LedgerData, LedgerStore } from "./pace/ledger.ts";
export type { Span, Tier } from "./pace/rate-headers.ts";
export type { Limits, WindowLimit } from "./pace/shown-limits.ts";
