// What a response's headers say about the rate limit, under the plain names or with a suffix for each window, and which
// of the API document's limits that is.
import { headerOf, type ResponseHeaders } from "../http/transport.ts";

export type Tier = "free" | "pro" | "enterprise";
export type Span = "minute" | "hour";

export const spanMs: Readonly<Record<Span, number>> = { minute: 60_000, hour: 3_600_000 };

/** From the API document, section Limits. */
export const tiers: Readonly<Record<Tier, Readonly<Record<Span, number>>>> = {
  free: { minute: 60, hour: 1000 },
  pro: { minute: 300, hour: 5000 },
  enterprise: { minute: 1000, hour: 20_000 },
};

/** The hour of the free tier and the minute of the enterprise tier. */
export const ambiguousLimit = 1000;

// `X-RateLimit-Reset` has no unit in the API document. Every plausible one is understood, and an absolute time is
// compared with the response's own Date, so that a wrong clock on this machine does not matter.

export interface Reset {
  readonly ms: number;
  /** By how much the true moment may be later, because the header counts whole seconds. */
  readonly coarseMs: number;
}

/** No window of the API specification is longer than an hour; a day leaves room for one that it does not mention. */
const longestResetMs = 24 * 3_600_000;
/** A Date header cut to whole seconds and a second of transit can make a reset look past. */
const pastResetMs = -2000;
/** September 2001 since the epoch, in either unit: no count of seconds or milliseconds until a reset is as large. */
const leastEpochMs = 1e12;
const leastEpochSeconds = 1e9;
/** More seconds than the longest window has are milliseconds. */
const longestHour = spanMs.hour / 1000;
/** One second of rounding beyond the longest a minute's window can have left. */
const longestMinute = 61;

/**
 * How long from now until the window resets; null if the value is implausible. `ofAMinute`: the limit is known to be
 * per minute, so a number above 61 cannot be seconds from now.
 */
export function readReset(value: string | null, date: string | null, now: number, ofAMinute = false): Reset | null {
  const trimmed = value?.trim() ?? "";
  if (trimmed === "") return null;
  const number = Number(trimmed);
  if (Number.isNaN(number)) {
    const moment = Date.parse(trimmed);
    return believable(moment - serverNow(date, now), trimmed.includes(".") ? 0 : 1000);
  }
  if (number >= leastEpochSeconds)
    return believable(epochMs(number) - serverNow(date, now), number >= leastEpochMs ? 0 : 1000);
  if (number > (ofAMinute ? longestMinute : longestHour)) return believable(number, 0);
  return believable(number * 1000, Number.isInteger(number) ? 1000 : 0);
}

function epochMs(number: number): number {
  return number >= leastEpochMs ? number : number * 1000;
}

/** `Retry-After`: seconds or a date; some services send the moment as a number. */
export function readRetryAfter(value: string | null, date: string | null, now: number): number | null {
  if (value === null || value.trim() === "") return null;
  const seconds = Number(value);
  const moment = Number.isNaN(seconds) ? Date.parse(value) : epochMs(seconds);
  const ms = seconds < leastEpochSeconds ? seconds * 1000 : moment - serverNow(date, now);
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** The Date header is cut to whole seconds: taking it as it is makes waits longer, never shorter. */
function serverNow(date: string | null, now: number): number {
  const parsed = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(parsed) ? now : parsed;
}

function believable(ms: number, coarseMs: number): Reset | null {
  return ms >= pastResetMs && ms <= longestResetMs ? { ms: Math.max(0, ms), coarseMs } : null;
}

export interface RateReading {
  /** Named by a suffix; null if the headers do not say which window they describe. */
  readonly span: Span | null;
  readonly limit: number;
  readonly remaining: number;
  readonly reset: Reset | null;
}

export function readRateHeaders(headers: ResponseHeaders, now: number): readonly RateReading[] {
  const plain = readOne(headers, "", null, now);
  if (plain !== null) return [plain];
  const suffixed = [readOne(headers, "-minute", "minute", now), readOne(headers, "-hour", "hour", now)];
  return suffixed.filter((reading) => reading !== null);
}

function readOne(headers: ResponseHeaders, suffix: string, span: Span | null, now: number): RateReading | null {
  const limit = parseCount(headers[`x-ratelimit-limit${suffix}`]);
  const remaining = parseCount(headers[`x-ratelimit-remaining${suffix}`]);
  if (limit === null || remaining === null || limit === 0) return null;
  const reset = headerOf(headers, `x-ratelimit-reset${suffix}`) ?? headerOf(headers, "x-ratelimit-reset");
  const ofAMinute = span === "minute" || limit === tiers.free.minute || limit === tiers.pro.minute;
  return {
    span,
    limit,
    remaining: Math.min(remaining, limit),
    reset: readReset(reset, headerOf(headers, "date"), now, ofAMinute),
  };
}

function parseCount(value: string | string[] | undefined): number | null {
  if (typeof value !== "string" || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? Math.floor(number) : number < 0 ? 0 : null;
}

export interface LimitMeaning {
  readonly span: Span;
  /** Null: a limit of no known tier, which applies alone. */
  readonly tier: Tier | null;
  /** False if a later response may show that it was another window. */
  readonly certain: boolean;
}

/** Which window an unnamed limit belongs to. The reset or the known tier decides about the ambiguous one. */
export function judgeLimit(limit: number, reset: Reset | null, known: Tier | null): LimitMeaning {
  const long = reset !== null && reset.ms > longestMinute * 1000;
  const candidates: readonly Tier[] = [...(known === null ? [] : [known]), "free", "pro", "enterprise"];
  for (const tier of candidates) {
    if (limit === ambiguousLimit && tier !== known) break;
    if (limit === tiers[tier].minute) return { span: "minute", tier, certain: true };
    if (limit === tiers[tier].hour) return { span: "hour", tier, certain: true };
  }
  if (limit !== ambiguousLimit) return { span: long ? "hour" : "minute", tier: null, certain: long };
  return reset === null || long
    ? { span: "hour", tier: "free", certain: long }
    : { span: "minute", tier: "enterprise", certain: false };
}

/** More responses than chance or a sliding window explains: 16 calls sent at once count up even if they arrive in any order. */
const unchangedResponses = 16;
/** Less than a minute, so that a window that slides as fast as a slow caller calls does not look disabled. */
const unchangedWithinMs = 50_000;

/** A service whose limit is disabled may still send the headers. Their count then never changes, and there is no limit to keep. */
export function makeDisabledLimitCheck() {
  let used = -1;
  let limit = -1;
  let responses = 0;
  let since = 0;
  let disabled = false;
  return {
    /** Records one more response; true if the service counts nothing. */
    observe(reading: RateReading, now: number): boolean {
      const count = reading.limit - reading.remaining;
      // Once it is certain, the next response may take its time.
      if (count === used && reading.limit === limit && (disabled || now - since < unchangedWithinMs)) responses++;
      else {
        used = count;
        limit = reading.limit;
        responses = 1;
        since = now;
        disabled = false;
      }
      if (responses >= unchangedResponses && responses > used) disabled = true;
      return disabled;
    },
  };
}
