// Acting a fault out on one call: whether the effect happens, when, and what the caller gets to see of it.
import { randomUUID } from "node:crypto";
import { Refusal } from "../endpoints/refusal.ts";
import type { Fault } from "./fault.ts";
import { envelope, type SandboxAnswer } from "./wire.ts";

export interface Stage {
  /** Does what the request asks for. `cutShort`: nobody will see the whole answer. */
  effect(cutShort: boolean): SandboxAnswer | Promise<SandboxAnswer>;
  /** Does it after a while. */
  later(effect: () => void, ms: number): void;
}

const lost: SandboxAnswer = { status: 0, headers: {}, body: "", cut: "closed" };
const hugeSize = 10 * 1024 * 1024;

export async function actOut(fault: Fault, stage: Stage): Promise<SandboxAnswer> {
  switch (fault.kind) {
    case "request-lost":
      return vanish(fault);
    case "response-lost":
      await stage.effect(true);
      return vanish(fault);
    case "error-before":
      return failure(fault);
    case "error-after":
      await stage.effect(true);
      return failure(fault);
    case "html-502":
      if (fault.moment === "after") await stage.effect(true);
      return html(502, "Bad Gateway");
    case "rate-limited":
      return throttled(fault);
    case "slow":
      return { ...(await stage.effect(false)), delayMs: fault.delayMs ?? 60_000 };
    case "truncated":
      return { ...(await stage.effect(true)), cut: "truncated" };
    case "reset":
      if (fault.moment !== "before") await stage.effect(true);
      return { ...lost, cut: "reset" };
    case "late":
      stage.later(() => void stage.effect(true), fault.delayMs ?? 1000);
      return fault.status === "lost" ? vanish(fault) : failure(fault);
    case "redirect":
      if (fault.moment === "after") await stage.effect(true);
      return { status: 307, headers: { Location: fault.location ?? "https://elsewhere.invalid/" }, body: "" };
    case "huge":
      if (fault.moment !== "before") await stage.effect(true);
      return { status: 200, headers: json, body: `{"data":"${"x".repeat(hugeSize)}"}` };
    case "kill":
      if (fault.moment === "after") await stage.effect(true);
      fault.onKill?.();
      return lost;
  }
}

const json = { "Content-Type": "application/json; charset=utf-8" };

function vanish(fault: Fault): SandboxAnswer {
  return fault.hang === true ? { ...lost, cut: "hanging" } : lost;
}

function failure(fault: Fault): SandboxAnswer {
  const status = typeof fault.status === "number" ? fault.status : 500;
  const refusal = new Refusal(status, "INTERNAL_ERROR", "Something went wrong.", "Try again later.");
  return { status, headers: json, body: envelope(refusal, randomUUID()).body };
}

function throttled({ retryAfter = 1 }: Fault): SandboxAnswer {
  const refusal = new Refusal(429, "RATE_LIMITED", "Too many requests.", "Wait, then go on.");
  const headers: Record<string, string> = { ...json };
  if (retryAfter !== null) headers["Retry-After"] = String(retryAfter);
  return { status: 429, headers, body: envelope(refusal, randomUUID()).body };
}

function html(status: number, text: string): SandboxAnswer {
  const body = `<html><head><title>${status} ${text}</title></head><body><h1>${status} ${text}</h1></body></html>`;
  return { status, headers: { "Content-Type": "text/html" }, body };
}
