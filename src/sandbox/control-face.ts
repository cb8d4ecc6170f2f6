// The control face over HTTP, under /_sandbox/, for loopback alone.

import type { Control } from "./control.ts";
import type { Fault } from "./fault.ts";
import { isLoopback } from "./field.ts";
import type { Sale } from "./sales.ts";
import type { Seed } from "./seed.ts";
import { headerOf, type SandboxAnswer, type SandboxRequest } from "./wire.ts";

export const controlPath = "/_sandbox";

type Ask = Readonly<Record<string, unknown>>;

const asks: Readonly<Record<string, (control: Control, ask: Ask) => unknown>> = {
  "POST /reset": (control) => control.reset(),
  "POST /seed": (control, ask) => control.seed(ask as Seed),
  "POST /sell": (control, ask) => control.sell(ask as unknown as Sale),
  "POST /refund": (control, ask) => control.refund(String(ask.order)),
  "POST /cancel": (control, ask) => control.cancel(String(ask.order)),
  "GET /profile": (control) => control.profile(),
  "POST /profile": (control, ask) => control.setProfile(String(ask.profile)),
  "GET /faults": (control) => control.faults(),
  "POST /faults": (control, ask) => control.addFault(ask as unknown as Fault),
  "DELETE /faults": (control) => control.clearFaults(),
  "POST /refuse-writes": (control, ask) => control.refuseWrites(ask.on !== false),
  "POST /spend": (control, ask) => control.spend(Number(ask.calls)),
  "GET /dump": (control) => control.dump(),
  "GET /calls": (control) => control.calls(),
  "DELETE /calls": (control) => control.clearCalls(),
  "POST /settle": (control) => control.settle(),
};

export async function handleControl(control: Control, request: SandboxRequest): Promise<SandboxAnswer> {
  if (!isFromHere(request)) return answer(403, { error: "The control face answers on this machine only." });
  const [path = ""] = request.path.slice(controlPath.length).split("?");
  const ask = asks[`${request.method} ${path}`];
  if (ask === undefined)
    return answer(404, { error: `There is no ${request.method} ${path}.`, known: Object.keys(asks) });
  try {
    const data = await ask(control, request.body ? (JSON.parse(request.body) as Ask) : {});
    return answer(200, { data: data ?? null });
  } catch (problem) {
    // Whatever it is, whoever asked stands right here and can read it.
    return answer(400, { error: problem instanceof Error ? problem.message : String(problem) });
  }
}

/** Neither another machine nor a web page in a browser on this one, whatever name it found for the address. */
function isFromHere(request: SandboxRequest): boolean {
  const host = headerOf(request, "host");
  const named = host === undefined || isLoopback(host.replace(/:\d+$/, ""));
  return named && isLoopback(request.remoteAddress ?? "127.0.0.1") && request.headers.origin === undefined;
}

function answer(status: number, value: unknown): SandboxAnswer {
  return { status, headers: { "Content-Type": "application/json; charset=utf-8" }, body: JSON.stringify(value) };
}
