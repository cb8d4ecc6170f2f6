// One call from beginning to end: a place in the queue, the pace, the response, and a retry if that is harmless.

import { serviceCode } from "../../model/diagnostic.ts";
import { asSentence } from "../../model/value.ts";
import type { Listener, RetryLimits } from "../calls.ts";
import type { Clock } from "../clock.ts";
import { faultOf, tryLater } from "../http/explain-problem.ts";
import { maskSecrets, redact } from "../http/redact.ts";
import type { Method, Transport, TransportCall, TransportOutcome, TransportResponse } from "../http/transport.ts";
import { interrupted, type Pace } from "../pace/pace.ts";
import { attributed, failure, type Problem, problemOf, type Result } from "../problem.ts";
import { mayRetry, problemOfFault, readResponse } from "./response.ts";

export interface CallSetup {
  readonly origin: string;
  readonly basePath: string;
  readonly apiKey: string;
  /** Others that no response may show, those that the run came to know since included. */
  readonly secrets: Iterable<string>;
  readonly keyOrigin: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersWithBody: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly gate: Gate;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retries: RetryLimits;
  readonly maxBytes: number;
  readonly listener: Listener;
  readonly signal: AbortSignal;
  readonly guard: CallGuard;
  readonly counts: { reads: number; writes: number; rateLimited: number };
  /** How many calls got a response, and how long that took one by one. */
  readonly pastCalls: { count: number; ms: number };
  readonly stopwatch: () => number;
  /** Called after every response, with its Date. */
  readonly onResponse: (date: string | null) => void;
}

/** Asked right before a write leaves, every time it is sent: whether it may. */
export interface CallGuard {
  isOpen(): boolean;
  /** Resolves when it is open, or with the reason why it does not open: also once the signal is aborted. */
  wait(signal?: AbortSignal): Promise<{ readonly message: string; readonly hint?: string } | null>;
}

export async function makeCall(
  setup: CallSetup,
  method: Method,
  path: string,
  content: unknown,
): Promise<Result<unknown>> {
  const body = content === undefined ? null : JSON.stringify(content);
  const place = setup.gate.enter();
  if (place !== null) await place;
  try {
    return await sendUntilSettled(setup, method, path, body);
  } finally {
    setup.gate.leave();
  }
}

async function sendUntilSettled(
  setup: CallSetup,
  method: Method,
  path: string,
  body: string | null,
): Promise<Result<unknown>> {
  const { totalMs } = setup.retries;
  const delayOf = makeRetryDelays(setup.retries, setup.random);
  let unclear: Problem | null = null;
  /** How long the attempts took, without the waits between them. */
  let spentMs = 0;
  for (let attempt = 1; ; attempt++) {
    const unsent = await waitToSend(setup, method, unclear);
    if (unsent !== null) return failure(unsent);
    const began = setup.stopwatch();
    const result = await sendOnce(setup, method, path, body, attempt, totalMs - spentMs);
    spentMs += setup.stopwatch() - began;
    if (result.ok || result.problem.code === "interrupted") return result;
    const last = withKeyOrigin(maskedProblem(result.problem, setup), setup.keyOrigin);
    // A 429 had no effect: a run stopped after it counts as simply stopped.
    if (last.class !== "throttled") unclear = last;
    const delayMs = mayRetry(method, last) && spentMs < totalMs ? delayOf(last) : null;
    if (delayMs === null) return failure(afterRetries(last, method, path, attempt, spentMs));
    setup.listener.onRetry?.({ method, path, attempt, delayMs, problem: last });
    if (delayMs > 0) await setup.clock.sleep(delayMs, setup.signal);
  }
}

/** Null once the call may leave; otherwise why it does not. `unclear`: how its last attempt ended, if that may have had an effect. */
async function waitToSend(
  { signal, pace, guard }: CallSetup,
  method: Method,
  unclear: Problem | null,
): Promise<Problem | null> {
  if (signal.aborted) return unclear ?? interrupted();
  const problem = await pace.enter();
  if (problem !== null) return unclear !== null && problem.code === "interrupted" ? unclear : problem;
  const closed = method === "GET" || guard.isOpen() ? null : await guard.wait(signal);
  if (closed === null && !signal.aborted) return null;
  pace.faulted(false);
  if (closed === null || signal.aborted) return unclear ?? interrupted();
  const refused = problemOf("not-sent", "lock-lost", closed.message, closed.hint ?? null);
  return unclear?.class === "ambiguous" ? unclear : refused;
}

/** For each problem of one call: how long to wait before it is sent again; null: it was sent often enough. */
function makeRetryDelays(most: RetryLimits, random: () => number): (problem: Problem) => number | null {
  let faults = 0;
  let throttles = 0;
  return (problem) => {
    // After a 429 the pace itself holds every call back until the service wants calls again.
    if (problem.class === "throttled") return throttles++ < most.throttles ? 0 : null;
    if (faults >= most.faults) return null;
    const delayMs = backoffMs(faults, random);
    // A timeout counts twice, because it has already cost so much time.
    faults += problem.code === "timeout" ? 2 : 1;
    return delayMs;
  };
}

/** Doubles from 250 ms to 8 s; the jitter keeps many runners from coming back in step. */
function backoffMs(faults: number, random: () => number): number {
  return Math.min(250 * 2 ** faults, 8000) * (0.5 + random() / 2);
}

/** The problem after the last retry: adds which call it was, how often it was sent, and that it may pass. */
function afterRetries(problem: Problem, method: Method, path: string, attempts: number, spentMs: number): Problem {
  if (attempts < 2) return problem;
  const { status, hint } = problem;
  const [call] = path.split("?");
  const lastResponse = status === null ? "" : `; the last response was ${status}`;
  const spent = problem.code === "timeout" && spentMs >= 1000 ? ` in ${Math.round(spentMs / 1000)} s` : "";
  // The service's own hint comes first; ours is added unless it says the same.
  const says = hint !== null && /\btry again\b/i.test(hint);
  const later = hint === null ? tryLater : says ? hint : `${asSentence(hint)} ${tryLater}`;
  return {
    ...problem,
    message: `${attributed(problem)} ${method} ${call} was tried ${attempts} times${spent}${lastResponse}.`,
    hint: status !== null && status >= 500 ? later : hint,
  };
}

async function sendOnce(
  setup: CallSetup,
  method: Method,
  path: string,
  body: string | null,
  attempt: number,
  mostMs: number,
): Promise<Result<unknown>> {
  const { listener } = setup;
  const began = setup.clock.now();
  const started = setup.stopwatch();
  listener.onCall?.({ method, path, attempt });
  const call: TransportCall = {
    method,
    origin: setup.origin,
    path: setup.basePath + path,
    headers: body === null ? setup.headers : setup.headersWithBody,
    body,
    maxBytes: setup.maxBytes,
    mostMs,
    signal: method === "GET" ? setup.signal : undefined,
    mayLeave: method === "GET" ? undefined : setup.guard.isOpen,
  };
  const token = setup.pace.token();
  const outcome = await sendSafely(setup.transport, call);
  const ms = setup.clock.now() - began;
  // A call without a response does not show how long a response takes.
  if (outcome.kind === "response") {
    setup.pastCalls.count++;
    setup.pastCalls.ms += setup.stopwatch() - started;
  }
  if (outcome.kind === "response" || outcome.fault.sent) setup.counts[method === "GET" ? "reads" : "writes"]++;
  let result: Result<unknown>;
  if (outcome.kind === "fault") {
    setup.pace.faulted(outcome.fault.sent);
    result = failure(problemOfFault(outcome.fault, method, setup.origin, null));
  } else {
    const { response } = outcome;
    if (response.status === 429) setup.counts.rateLimited++;
    setup.pace.responded(response.status, response.headers, token);
    const { date } = response.headers;
    setup.onResponse(typeof date === "string" ? date : null);
    result = readResponse(maskedResponse(response, setup, body), method, setup.origin, path);
  }
  if (listener.onResponse !== undefined) {
    const code = result.ok ? null : result.problem.code;
    const status = result.ok ? result.status : result.problem.status;
    listener.onResponse({ method, path, attempt, status, code, ms });
  }
  return result;
}

/** A transport handed in from outside may still reject: then it is unknown whether the call was written. */
async function sendSafely(transport: Transport, call: TransportCall): Promise<TransportOutcome> {
  try {
    return await transport.send(call);
  } catch (error) {
    return { kind: "fault", fault: faultOf(error, true) };
  }
}

/**
 * A response that repeats a secret is masked before anything can cut it in pieces, in columns or in a file. A secret
 * that is short enough to be a word of the service's own is masked only in output.
 */
function maskedResponse(
  response: TransportResponse,
  { apiKey, secrets }: CallSetup,
  sent: string | null,
): TransportResponse {
  // What a create shows is stored, even if it is known.
  const hidden = [apiKey, ...(sent === null ? secrets : [])].filter((secret) => secret.length >= 16);
  const body = maskSecrets(response.body, hidden);
  return body === response.body ? response : { ...response, body };
}

/** Which of several keys was refused is the first thing to know, and the service does not know it. */
function withKeyOrigin(problem: Problem, origin: string | null): Problem {
  if (problem.status !== 401 || origin === null) return problem;
  return { ...problem, message: `${asSentence(problem.message)} The API key comes from ${origin}.` };
}

function maskedProblem(problem: Problem, { apiKey, secrets }: CallSetup): Problem {
  const clean = (text: string) => redact(text, [apiKey, ...secrets]);
  return {
    ...problem,
    code: serviceCode(clean(problem.code)),
    message: clean(problem.message),
    hint: problem.hint === null ? null : clean(problem.hint),
    details: problem.details.map(({ field, message }) => ({ field: clean(field), message: clean(message) })),
    requestId: problem.requestId === null ? null : clean(problem.requestId),
  };
}

export type Gate = ReturnType<typeof makeGate>;

/** At most this many calls at once; the others queue. */
export function makeGate(places: number) {
  const line: (() => void)[] = [];
  let busy = 0;
  return {
    /** Null if there is a place; otherwise a promise of one. */
    enter(): Promise<void> | null {
      if (busy < places) {
        busy++;
        return null;
      }
      return new Promise((resolve) => {
        line.push(resolve);
      });
    },
    leave(): void {
      const next = line.shift();
      if (next === undefined) busy--;
      else next();
    },
  };
}
