// The control face over HTTP, under /_sandbox/, for loopback alone.

import { orderStatuses } from "../data/records.ts";
import { isLoopback } from "../endpoints/fields/field.ts";
import type { Fault } from "../wire/fault.ts";
import { headerOf, type SandboxAnswer, type SandboxRequest } from "../wire/wire.ts";
import {
  body,
  type Check,
  checkSeed,
  either,
  fields,
  flag,
  number,
  oneOf,
  orNull,
  text,
  whole,
  word,
} from "./check-seed.ts";
import type { Control } from "./control.ts";
import type { Sale } from "./sales.ts";
import type { Seed } from "./seed.ts";

// What can be asked of the control face over HTTP: what the body must be, and what is done then.

export type Ask = Readonly<Record<string, unknown>>;

export interface ControlAsk {
  readonly check: Check;
  run(control: Control, ask: Ask): unknown;
}

const anything = fields({});
const order = fields({ order: word }, ["order"]);

const sale = fields(
  {
    event: word,
    ticket: word,
    count: whole(1),
    status: oneOf(orderStatuses),
    buyerName: text,
    buyerEmail: text,
    force: flag,
  },
  ["event", "ticket", "count"],
);

const fault = fields(
  {
    // Which ones there are, the control itself says.
    kind: word,
    at: whole(1),
    times: whole(0),
    writes: flag,
    method: oneOf(["GET", "POST", "PATCH", "DELETE"]),
    path: text,
    moment: oneOf(["before", "after"]),
    delayMs: whole(0),
    retryAfter: orNull(either([number, text], "a number of seconds or a text")),
    status: either([whole(100, 599), oneOf(["lost"])], 'an HTTP status from 100 to 599, or "lost"'),
    hang: flag,
    location: text,
  },
  ["kind"],
);

export const controlAsks: Readonly<Record<string, ControlAsk>> = {
  "POST /reset": { check: anything, run: (control) => control.reset() },
  "POST /seed": { check: checkSeed, run: (control, ask) => control.seed(ask as Seed) },
  "POST /sell": { check: sale, run: (control, ask) => control.sell(ask as unknown as Sale) },
  "POST /refund": { check: order, run: (control, ask) => control.refund(String(ask.order)) },
  "POST /cancel": { check: order, run: (control, ask) => control.cancel(String(ask.order)) },
  "GET /profile": { check: anything, run: (control) => control.profile() },
  "POST /profile": {
    check: fields({ profile: word }, ["profile"]),
    run: (control, ask) => control.setProfile(String(ask.profile)),
  },
  "GET /faults": { check: anything, run: (control) => control.faults() },
  "POST /faults": { check: fault, run: (control, ask) => control.addFault(ask as unknown as Fault) },
  "DELETE /faults": { check: anything, run: (control) => control.clearFaults() },
  "POST /refuse-writes": { check: fields({ on: flag }), run: (control, ask) => control.refuseWrites(ask.on !== false) },
  "POST /spend": {
    check: fields({ calls: whole(0, 1_000_000) }, ["calls"]),
    run: (control, ask) => control.spend(Number(ask.calls)),
  },
  "GET /dump": { check: anything, run: (control) => control.dump() },
  "GET /calls": { check: anything, run: (control) => control.calls() },
  "DELETE /calls": { check: anything, run: (control) => control.clearCalls() },
  "POST /settle": { check: anything, run: (control) => control.settle() },
};

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
