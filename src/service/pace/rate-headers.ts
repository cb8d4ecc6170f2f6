// What an answer's headers say about the rate limit, under the plain names or with a suffix for each window.
import { type AnswerHeaders, headerOf } from "../http/transport.ts";

// `X-RateLimit-Reset` has no unit in the API document. Every plausible one is understood, and an absolute time is
// judged against the answer's own Date, so that a wrong clock on this machine does not matter.

export interface Reset {
  readonly ms: number;
  /** By how much the true moment may lie later, because the header counts whole seconds. */
  readonly coarseMs: number;
}

const longestMs = 24 * 3600_000;

/**
 * How long from now until the window turns; null where the value says nothing believable.
 * `ofAMinute`: the limit is known to be a minute's, so that a number above 61 cannot be seconds from now.
 */
export function readReset(value: string | null, date: string | null, now: number, ofAMinute = false): Reset | null {
  if (value === null) return null;
  const trimmed = value.trim();
  if (trimmed === "") return null;
  const number = Number(trimmed);
  if (Number.isNaN(number)) {
    const moment = Date.parse(trimmed);
    return Number.isNaN(moment) ? null : believable(moment - serverNow(date, now), trimmed.includes(".") ? 0 : 1000);
  }
  if (number >= 1e12) return believable(number - serverNow(date, now), 0);
  if (number >= 1e9) return believable(number * 1000 - serverNow(date, now), 1000);
  if (number > (ofAMinute ? 61 : 3600)) return believable(number, 0);
  return believable(number * 1000, Number.isInteger(number) ? 1000 : 0);
}

/** `Retry-After`: seconds or a date. */
export function readRetryAfter(value: string | null, date: string | null, now: number): number | null {
  if (value === null || value.trim() === "") return null;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - serverNow(date, now) : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** The Date header is cut to whole seconds: taking it as it is makes waits longer, never shorter. */
function serverNow(date: string | null, now: number): number {
  const parsed = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(parsed) ? now : parsed;
}

function believable(ms: number, coarseMs: number): Reset | null {
  return ms < -2000 || ms > longestMs || !Number.isFinite(ms) ? null : { ms: Math.max(0, ms), coarseMs };
}

export interface Reading {
  /** Named by a suffix; null where the headers do not say which window they speak of. */
  readonly span: "minute" | "hour" | null;
  readonly limit: number;
  readonly remaining: number;
  readonly reset: Reset | null;
}

const none: readonly Reading[] = [];

export function readRateHeaders(headers: AnswerHeaders, now: number): readonly Reading[] {
  const plain = readOne(headers, "", null, now);
  if (plain !== null) return [plain];
  const minute = readOne(headers, "-minute", "minute", now);
  const hour = readOne(headers, "-hour", "hour", now);
  if (minute === null) return hour === null ? none : [hour];
  return hour === null ? [minute] : [minute, hour];
}

function readOne(headers: AnswerHeaders, suffix: string, span: Reading["span"], now: number): Reading | null {
  const limit = count(headers[`x-ratelimit-limit${suffix}`]);
  const remaining = count(headers[`x-ratelimit-remaining${suffix}`]);
  if (limit === null || remaining === null || limit === 0) return null;
  const reset = headerOf(headers, `x-ratelimit-reset${suffix}`) ?? headerOf(headers, "x-ratelimit-reset");
  return {
    span,
    limit,
    remaining: Math.min(remaining, limit),
    reset: readReset(reset, headerOf(headers, "date"), now, span === "minute" || limit === 60 || limit === 300),
  };
}

function count(value: string | string[] | undefined): number | null {
  if (typeof value !== "string" || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? Math.floor(number) : number < 0 ? 0 : null;
}
