// Rate limits by tier: two windows per key, and the headers that describe them.
import type { Profile } from "../profile/knobs.ts";

type CallWindow = ReturnType<typeof createWindow>;

/** One window of a rate limit, in milliseconds of the elapsed clock. */
function createWindow(kind: Profile["window"], length: number, limit: number) {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  // Only a window that slides needs to know them.
  const calls: number[] = [];
  function turn(at: number): void {
    if (kind === "sliding") {
      const fresh = calls.findIndex((call) => call > at - length);
      if (fresh !== 0) calls.splice(0, fresh < 0 ? calls.length : fresh);
      used = calls.length;
      start = calls[0] ?? at;
    } else if (at < start || at >= start + length) {
      start = kind === "aligned" ? Math.floor(at / length) * length : at;
      used = 0;
    }
  }
  return {
    limit,
    add(at: number): void {
      turn(at);
      used++;
      if (kind === "sliding") calls.push(at);
    },
    /**
     * How full it is. `resetMs`: until the window is new or, if it slides, until its oldest call drops out. `waitMs`: until
     * one more call fits; 0: now.
     */
    stateAt(at: number) {
      turn(at);
      // If it slides, the call that is `limit` calls back must drop out.
      const blocking = calls[used - limit] ?? start;
      const waitMs = used < limit ? 0 : blocking + length - at;
      return { remaining: Math.max(0, limit - used), resetMs: start + length - at, waitMs };
    },
  };
}

const tiers = {
  // No limit at all, shown as numbers that no client ever reaches.
  off: { perMinute: 1_000_000, perHour: 60_000_000 },
  free: { perMinute: 60, perHour: 1_000 },
  pro: { perMinute: 300, perHour: 5_000 },
  enterprise: { perMinute: 1_000, perHour: 20_000 },
} as const;

type KeyWindows = Readonly<Record<"minute" | "hour", CallWindow>>;

export interface RateVerdict {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds until a call would be allowed again. */
  readonly waitSeconds: number;
}

export type Rate = ReturnType<typeof createRate>;

export function createRate() {
  const windows = new Map<string, KeyWindows>();
  let rule = "";

  function windowsOf(keyId: string, { tier, window }: Profile): KeyWindows {
    if (rule !== `${tier} ${window}`) {
      // Under another rule every key starts afresh.
      rule = `${tier} ${window}`;
      windows.clear();
    }
    const known = windows.get(keyId);
    if (known !== undefined) return known;
    const { perMinute, perHour } = tiers[tier];
    // Without a limit the exact slide is not needed, and it would cost memory for every call.
    const kind = tier === "off" ? "fixed" : window;
    const made = { minute: createWindow(kind, 60_000, perMinute), hour: createWindow(kind, 3_600_000, perHour) };
    windows.set(keyId, made);
    return made;
  }

  return {
    count(keyId: string, profile: Profile, now: number, elapsed: number): RateVerdict {
      const { minute, hour } = windowsOf(keyId, profile);
      const waitMs = Math.max(minute.stateAt(elapsed).waitMs, hour.stateAt(elapsed).waitMs);
      const allowed = waitMs === 0;
      if (allowed || profile.refusedCount === "yes") {
        minute.add(elapsed);
        hour.add(elapsed);
      }
      const headers =
        profile.rateHeaders === "not-on-429" && !allowed ? {} : rateHeaders({ minute, hour }, profile, now, elapsed);
      return { allowed, headers, waitSeconds: Math.ceil(waitMs / 1000) };
    },
    /** Spends calls of a key, as another client with it would. */
    spend(keyId: string, profile: Profile, calls: number, elapsed: number): void {
      const { minute, hour } = windowsOf(keyId, profile);
      for (let call = 0; call < calls; call++) {
        minute.add(elapsed);
        hour.add(elapsed);
      }
    },
    clear: (): void => windows.clear(),
  };
}

function rateHeaders(windows: KeyWindows, profile: Profile, now: number, elapsed: number): Record<string, string> {
  const minute = windows.minute.stateAt(elapsed);
  const hour = windows.hour.stateAt(elapsed);
  function describe(name: "minute" | "hour", suffix = ""): Record<string, string> {
    const { remaining, resetMs } = name === "minute" ? minute : hour;
    return {
      [`X-RateLimit-Limit${suffix}`]: String(windows[name].limit),
      [`X-RateLimit-Remaining${suffix}`]: String(remaining),
      [`X-RateLimit-Reset${suffix}`]: showReset(resetMs, profile, now),
    };
  }
  if (profile.rateHeaders === "suffixed") return { ...describe("minute", "-Minute"), ...describe("hour", "-Hour") };
  const tighter = hour.remaining < minute.remaining ? "hour" : "minute";
  return describe(profile.headerWindow === "tighter" ? tighter : profile.headerWindow);
}

function showReset(ms: number, profile: Profile, now: number): string {
  switch (profile.resetUnit) {
    case "seconds":
      return String(Math.ceil(ms / 1000));
    case "epoch-seconds":
      return String(Math.ceil((now + ms) / 1000));
    case "epoch-ms":
      return String(Math.ceil(now + ms));
    case "iso":
      return new Date(now + ms).toISOString();
    case "http-date":
      return new Date(Math.ceil((now + ms) / 1000) * 1000).toUTCString();
  }
}
