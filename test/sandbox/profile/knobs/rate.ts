import type { Json, Open } from "../../open.ts";
import type { Probes } from "./probe.ts";

async function limitHit(opened: Open): Promise<Json> {
  opened.service.control.spend(60);
  return opened.get("/me");
}

export const rateProbes: Pick<
  Probes,
  "tier" | "window" | "resetUnit" | "headerWindow" | "rateHeaders" | "retryAfter" | "limitBody" | "refusedCount"
> = {
  tier: {
    probe: async ({ get }) => (await get("/me")).headers["X-RateLimit-Limit"],
    shows: { off: "1000000", free: "60", pro: "300", enterprise: "1000" },
  },
  window: {
    beside: "tier=free",
    async probe(opened) {
      opened.service.control.spend(20);
      opened.pass(20_000);
      opened.service.control.spend(40);
      const statuses = [];
      for (const ms of [0, 9_500, 30_500]) {
        opened.pass(ms);
        statuses.push((await opened.get("/me")).headers["X-RateLimit-Remaining"]);
      }
      return statuses;
    },
    // Second 0 is half past a minute: the clock turns at 29.5, the window at 60; what slides has lost 20 by then.
    shows: { fixed: ["0", "0", "59"], aligned: ["0", "59", "58"], sliding: ["0", "0", "19"] },
  },
  resetUnit: {
    beside: "tier=free",
    probe: async ({ get }) => (await get("/me")).headers["X-RateLimit-Reset"],
    shows: {
      seconds: "60",
      "epoch-seconds": "1798761691",
      "epoch-ms": "1798761690500",
      iso: "2027-01-01T00:01:30.500Z",
      "http-date": "Fri, 01 Jan 2027 00:01:31 GMT",
    },
  },
  headerWindow: {
    beside: "tier=free",
    probe: async ({ get }) => (await get("/me")).headers["X-RateLimit-Limit"],
    shows: { tighter: "60", minute: "60", hour: "1000" },
  },
  rateHeaders: {
    beside: "tier=free",
    async probe(opened) {
      const before = (await opened.get("/me")).headers;
      const { headers } = await limitHit(opened);
      return [before, headers].map((each) => each["X-RateLimit-Limit"] ?? each["X-RateLimit-Limit-Hour"]);
    },
    shows: { always: ["60", "60"], "not-on-429": ["60", undefined], suffixed: ["1000", "1000"] },
  },
  retryAfter: {
    beside: "tier=free",
    probe: async (opened) => (await limitHit(opened)).headers["Retry-After"],
    shows: { seconds: "60", date: "Fri, 01 Jan 2027 00:01:30 GMT", none: undefined },
  },
  limitBody: {
    beside: "tier=free",
    async probe(opened) {
      const { body } = await limitHit(opened);
      return body.error?.code ?? body.slice(0, 6);
    },
    shows: { json: "RATE_LIMITED", html: "<html>" },
  },
  refusedCount: {
    beside: "tier=free,window=sliding",
    async probe(opened) {
      opened.service.control.spend(60);
      opened.pass(59_000);
      for (let n = 0; n < 5; n++) await opened.get("/me");
      opened.pass(1_000);
      return (await opened.get("/me")).headers["X-RateLimit-Remaining"];
    },
    shows: { no: "59", yes: "54" },
  },
};
