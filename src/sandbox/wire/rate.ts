// Rate limits by tier: two windows per key, and the headers that speak of them.
import type { Profile } from "../profile/knobs.ts";

// One window of a rate limit, in milliseconds of the elapsed clock.

export interface Window {
  readonly limit: number;
  add(at: number): void;
  remaining(at: number): number;
  /** Until the window is new, or, where it slides, until its oldest call falls out. */
  reset(at: number): number;
  /** Until one more call fits; 0: now. */
  wait(at: number): number;
}

export function createWindow(kind: Profile["window"], length: number, limit: number): Window {
  return kind === "sliding" ? slidingWindow(length, limit) : fixedWindow(length, limit, kind === "aligned");
}

function fixedWindow(length: number, limit: number, aligned: boolean): Window {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  function turn(at: number): void {
    if (at < start + length && at >= start) return;
    start = aligned ? Math.floor(at / length) * length : at;
    used = 0;
  }
  return {
    limit,
    add(at) {
      turn(at);
      used++;
    },
    remaining(at) {
      turn(at);
      return Math.max(0, limit - used);
    },
    reset(at) {
      turn(at);
      return start + length - at;
    },
    wait(at) {
      turn(at);
      return used < limit ? 0 : start + length - at;
    },
  };
}

function slidingWindow(length: number, limit: number): Window {
  let calls: number[] = [];
  let head = 0;
  function turn(at: number): void {
    while (head < calls.length && (calls[head] as number) <= at - length) head++;
    if (head > 1024 && head * 2 > calls.length) {
      calls = calls.slice(head);
      head = 0;
    }
  }
  return {
    limit,
    add(at) {
      turn(at);
      calls.push(at);
    },
    remaining(at) {
      turn(at);
      return Math.max(0, limit - (calls.length - head));
    },
    reset(at) {
      turn(at);
      return head < calls.length ? (calls[head] as number) + length - at : length;
    },
    wait(at) {
      turn(at);
      const used = calls.length - head;
      return used < limit ? 0 : (calls[head + used - limit] as number) + length - at;
    },
  };
}

const minute = 60_000;
const hour = 3_600_000;

const tiers = {
  // No limit at all, told as numbers that no client will ever reach.
  off: { perMinute: 1_000_000, perHour: 60_000_000 },
  free: { perMinute: 60, perHour: 1_000 },
  pro: { perMinute: 300, perHour: 5_000 },
  enterprise: { perMinute: 1_000, perHour: 20_000 },
} as const;

interface Ledger {
  readonly minute: Window;
  readonly hour: Window;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds until a call would be allowed again. */
  readonly waitSeconds: number;
}

export interface Rate {
  count(keyId: string, now: number, elapsed: number): RateVerdict;
  /** Spends calls of a key, as another client of it would. */
  spend(keyId: string, calls: number, elapsed: number): void;
  clear(): void;
}

export function createRate(profile: () => Profile): Rate {
  const ledgers = new Map<string, Ledger>();
  let rule: Pick<Profile, "tier" | "window"> = profile();

  function ledgerOf(keyId: string): Ledger {
    const { tier, window } = profile();
    if (tier !== rule.tier || window !== rule.window) {
      // Under another rule everybody begins anew.
      rule = { tier, window };
      ledgers.clear();
    }
    let ledger = ledgers.get(keyId);
    if (ledger === undefined) {
      // Without a limit nobody needs the exact slide, which costs memory for every call.
      const kind = tier === "off" ? "fixed" : window;
      const { perMinute, perHour } = tiers[tier];
      ledger = { minute: createWindow(kind, minute, perMinute), hour: createWindow(kind, hour, perHour) };
      ledgers.set(keyId, ledger);
    }
    return ledger;
  }

  return {
    count(keyId, now, elapsed) {
      const ledger = ledgerOf(keyId);
      const wait = Math.max(ledger.minute.wait(elapsed), ledger.hour.wait(elapsed));
      const allowed = wait === 0;
      if (allowed || profile().refusedCount === "yes") {
        ledger.minute.add(elapsed);
        ledger.hour.add(elapsed);
      }
      return {
        allowed,
        headers: rateHeaders(ledger, profile(), allowed, now, elapsed),
        waitSeconds: Math.ceil(wait / 1000),
      };
    },
    spend(keyId, calls, elapsed) {
      const ledger = ledgerOf(keyId);
      for (let call = 0; call < calls; call++) {
        ledger.minute.add(elapsed);
        ledger.hour.add(elapsed);
      }
    },
    clear: () => ledgers.clear(),
  };
}

function rateHeaders(
  ledger: Ledger,
  profile: Profile,
  allowed: boolean,
  now: number,
  elapsed: number,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (profile.rateHeaders === "not-on-429" && !allowed) return headers;
  if (profile.rateHeaders === "suffixed") {
    write(headers, ledger.minute, "-Minute");
    write(headers, ledger.hour, "-Hour");
  } else {
    write(headers, spokenOf(ledger, profile, elapsed), "");
  }
  return headers;

  function write(into: Record<string, string>, window: Window, suffix: string): void {
    into[`X-RateLimit-Limit${suffix}`] = String(window.limit);
    into[`X-RateLimit-Remaining${suffix}`] = String(window.remaining(elapsed));
    into[`X-RateLimit-Reset${suffix}`] = showReset(window.reset(elapsed), profile, now);
  }
}

function spokenOf(ledger: Ledger, profile: Profile, elapsed: number): Window {
  switch (profile.headerWindow) {
    case "minute":
      return ledger.minute;
    case "hour":
      return ledger.hour;
    case "tighter":
      return ledger.hour.remaining(elapsed) < ledger.minute.remaining(elapsed) ? ledger.hour : ledger.minute;
  }
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
