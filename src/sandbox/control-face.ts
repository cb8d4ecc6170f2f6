// The control face over HTTP, under /_sandbox/, for loopback alone.

import { body } from "./check.ts";
import type { Control } from "./control.ts";
import { type Ask, controlAsks } from "./control-asks.ts";
import { isLoopback } from "./field.ts";
import { headerOf, type SandboxAnswer, type SandboxRequest } from "./wire.ts";

export const controlPath = "/_sandbox";

export async function handleControl(control: Control, request: SandboxRequest): Promise<SandboxAnswer> {
  if (!isFromHere(request)) return answer(403, { error: "The control face answers on this machine only." });
  const [path = ""] = request.path.slice(controlPath.length).split("?");
  const call = `${request.method} ${path}`;
  const known = Object.hasOwn(controlAsks, call) ? controlAsks[call] : undefined;
  if (known === undefined)
    return answer(404, { error: `There is no ${request.method} ${path}.`, known: Object.keys(controlAsks) });
  const ask = request.body ? parse(request.body) : {};
  const problem = ask === undefined ? "The body is not JSON." : known.check(ask, body);
  if (problem !== null) return answer(400, { error: problem });
  try {
    const data = await known.run(control, ask as Ask);
    return answer(200, { data: data ?? null });
  } catch (problem) {
    // Whatever it is, whoever asked stands right here and can read it.
    return answer(400, { error: problem instanceof Error ? problem.message : String(problem) });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
