// The tiers of the API document, and which window an unnamed limit belongs to.
import type { Reset } from "./rate-headers.ts";

export type Tier = "free" | "pro" | "enterprise";
export type Span = "minute" | "hour";

export const tiers: Readonly<Record<Tier, Readonly<Record<Span, number>>>> = {
  free: { minute: 60, hour: 1000 },
  pro: { minute: 300, hour: 5000 },
  enterprise: { minute: 1000, hour: 20_000 },
};

export interface Judgement {
  readonly span: Span;
  /** Null: a limit of no known tier, which binds alone. */
  readonly tier: Tier | null;
  /** False where a later answer may show that it was another window. */
  readonly certain: boolean;
}

/** Longer than a window of a minute can have left, by a second of rounding. */
const pastAMinute = 61_000;

/** 1,000 is both the hour of the free tier and the minute of the enterprise tier: the reset or the known tier decides. */
export function judgeLimit(limit: number, reset: Reset | null, known: Tier | null): Judgement {
  if (known !== null) {
    if (limit === tiers[known].minute) return { span: "minute", tier: known, certain: true };
    if (limit === tiers[known].hour) return { span: "hour", tier: known, certain: true };
  }
  const long = reset !== null && reset.ms > pastAMinute;
  switch (limit) {
    case 60:
      return { span: "minute", tier: "free", certain: true };
    case 300:
      return { span: "minute", tier: "pro", certain: true };
    case 5000:
      return { span: "hour", tier: "pro", certain: true };
    case 20_000:
      return { span: "hour", tier: "enterprise", certain: true };
    case 1000:
      return reset === null || long
        ? { span: "hour", tier: "free", certain: long }
        : { span: "minute", tier: "enterprise", certain: false };
    default:
      return { span: long ? "hour" : "minute", tier: null, certain: long };
  }
}
