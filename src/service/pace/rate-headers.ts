// What an answer's headers say about the rate limit, under the plain names or with a suffix for each window.
import { type AnswerHeaders, headerOf } from "../transport.ts";
import { type Reset, readReset } from "./reset.ts";

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
