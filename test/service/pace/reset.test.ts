// `X-RateLimit-Reset` in every unit, and the tier that a limit belongs to.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeLimit, readRateHeaders, readReset, readRetryAfter } from "../../../src/service/pace/rate-headers.ts";

const now = Date.UTC(2027, 0, 4, 9, 0, 0);
const date = new Date(now).toUTCString();

describe("the reset", () => {
  it.each([
    ["45", 45_000],
    ["45.5", 45_500],
    ["3600", 3_600_000],
    ["3601", 3601],
    ["60000", 60_000],
    [String(now / 1000 + 45), 45_000],
    [String(now + 45_000), 45_000],
    [new Date(now + 45_000).toISOString(), 45_000],
    ["2027-01-04T17:00:45+08:00", 45_000],
    [new Date(now + 45_000).toUTCString(), 45_000],
    ["0", 0],
    [" 7 ", 7000],
  ])("%s is %i ms from now", (value, ms) => {
    expect(readReset(value, date, now)?.ms).toBe(ms);
  });

  it.each(["", "soon", "-5000", "NaN", "1e300", "2001-01-01T00:00:00Z"])("%j says nothing", (value) => {
    expect(readReset(value, date, now)).toBeNull();
  });

  it("cannot be more than a minute of seconds for a limit of a minute", () => {
    expect(readReset("2500", date, now, true)?.ms).toBe(2500);
    expect(readReset("2500", date, now, false)?.ms).toBe(2_500_000);
  });

  it("is judged against the service's own clock, whatever this machine's says", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3600 }),
        fc.integer({ min: -7_200_000, max: 7_200_000 }),
        (seconds, wrong) => {
          const local = now + wrong;
          const moment = now + seconds * 1000;
          for (const value of [
            String(moment / 1000),
            String(moment),
            new Date(moment).toISOString(),
            new Date(moment).toUTCString(),
          ]) {
            expect(readReset(value, date, local)?.ms).toBe(seconds * 1000);
          }
        },
      ),
    );
  });

  it("knows how coarse it is", () => {
    expect(readReset("45", date, now)?.coarseMs).toBe(1000);
    expect(readReset(String(now + 45_000), date, now)?.coarseMs).toBe(0);
  });
});

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["30", 30_000],
    [new Date(now + 30_000).toUTCString(), 30_000],
    [new Date(now - 30_000).toUTCString(), 0],
    [String(now / 1000 + 30), 30_000],
    [String(now + 30_000), 30_000],
    [String(now / 1000 - 30), 0],
    ["90000", 90_000_000],
    ["", null],
    ["later", null],
  ])("%j is %s", (value, ms) => {
    expect(readRetryAfter(value, date, now + 3_600_000)).toBe(ms);
  });
});

describe("the window a limit belongs to", () => {
  const short = { ms: 40_000, coarseMs: 0 };
  const long = { ms: 1_800_000, coarseMs: 0 };

  it.each([
    [60, short, null, { span: "minute", tier: "free" }],
    [300, null, null, { span: "minute", tier: "pro" }],
    [5000, short, null, { span: "hour", tier: "pro" }],
    [20_000, null, null, { span: "hour", tier: "enterprise" }],
    [1000, long, null, { span: "hour", tier: "free", certain: true }],
    [1000, short, null, { span: "minute", tier: "enterprise", certain: false }],
    [1000, null, null, { span: "hour", tier: "free", certain: false }],
    [1000, short, "free", { span: "hour", tier: "free" }],
    [1000, long, "enterprise", { span: "minute", tier: "enterprise" }],
    [100, short, null, { span: "minute", tier: null }],
    [100, long, "free", { span: "hour", tier: null }],
  ] as const)("%i with a reset of %j, known tier %s", (limit, reset, known, expected) => {
    expect(judgeLimit(limit, reset, known)).toMatchObject(expected);
  });
});

describe("the headers", () => {
  it("are read under the plain names", () => {
    const headers = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59", "x-ratelimit-reset": "12" };
    expect(readRateHeaders(headers, now)).toMatchObject([
      { span: null, limit: 60, remaining: 59, reset: { ms: 12_000 } },
    ]);
  });

  it("are read with a suffix for each window", () => {
    const headers = {
      "x-ratelimit-limit-minute": "60",
      "x-ratelimit-remaining-minute": "3",
      "x-ratelimit-limit-hour": "1000",
      "x-ratelimit-remaining-hour": "700",
      "x-ratelimit-reset-hour": "1800",
    };
    expect(readRateHeaders(headers, now)).toMatchObject([
      { span: "minute", limit: 60, remaining: 3, reset: null },
      { span: "hour", limit: 1000, remaining: 700, reset: { ms: 1_800_000 } },
    ]);
  });

  it.each([
    {},
    { "x-ratelimit-limit": "many", "x-ratelimit-remaining": "1" },
    { "x-ratelimit-limit": "60" },
    { "x-ratelimit-limit": "0", "x-ratelimit-remaining": "0" },
  ])("say nothing where they are %j", (headers) => {
    expect(readRateHeaders(headers, now)).toEqual([]);
  });

  it("never leave less than nothing", () => {
    expect(readRateHeaders({ "x-ratelimit-limit": "60", "x-ratelimit-remaining": "-4" }, now)).toMatchObject([
      { remaining: 0 },
    ]);
  });
});
