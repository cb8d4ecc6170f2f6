// The answer to a call over the limit.
import type { Desk } from "./call.ts";
import { envelope } from "./envelope.ts";
import type { RateVerdict } from "./rate.ts";
import { Refusal } from "./refusal.ts";
import type { SandboxAnswer } from "./wire.ts";

export function limited(desk: Desk, verdict: RateVerdict, requestId: string): SandboxAnswer {
  const { retryAfter, limitBody } = desk.profile();
  const headers: Record<string, string> = { "X-Request-Id": requestId, ...verdict.headers };
  if (retryAfter === "seconds") headers["Retry-After"] = String(verdict.waitSeconds);
  if (retryAfter === "date") headers["Retry-After"] = new Date(desk.now() + verdict.waitSeconds * 1000).toUTCString();
  if (limitBody === "html") {
    const body = "<html><head><title>429 Too Many Requests</title></head><body>Too Many Requests</body></html>";
    return { status: 429, headers: { ...headers, "Content-Type": "text/html" }, body };
  }
  const refusal = new Refusal(429, "RATE_LIMITED", "Too many requests.", "Wait until the limit resets, then go on.");
  const { status, body } = envelope(refusal, requestId);
  return { status, headers: { ...headers, "Content-Type": "application/json; charset=utf-8" }, body };
}
