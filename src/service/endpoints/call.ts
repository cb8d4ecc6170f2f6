// One call from beginning to end: a place in line, the pace, the answer, and once more where that is harmless.

import type { Clock } from "../clock.ts";
import { faultOf, problemOfFault } from "../http/explain-fault.ts";
import type { Listener } from "../http/listener.ts";
import { maskSecrets, redact } from "../http/redact.ts";
import { backoffMs, mayRepeat, type RetryLimits } from "../http/retry.ts";
import type { Method, Transport, TransportAnswer, TransportCall, TransportOutcome } from "../http/transport.ts";
import { interrupted, type Pace } from "../pace/pace.ts";
import { asSentence, failure, type Problem, type Result } from "../problem.ts";
import { readAnswer } from "./answer.ts";

/** A problem that stayed however often the call was sent: which call it was, how often, and that it may pass. */
function afterTries(problem: Problem, method: Method, path: string, tries: number, spentMs: number): Problem {
  if (tries < 2) return problem;
  const { status, hint } = problem;
  const [call] = path.split("?");
  const answered = status === null ? "" : `; the last answer was ${status}`;
  const spent = problem.code === "timeout" && spentMs >= 1000 ? ` in ${Math.round(spentMs / 1000)} s` : "";
  return {
    ...problem,
    message: `${asSentence(problem.message)} ${method} ${call} was tried ${tries} times${spent}${answered}.`,
    hint: status !== null && status >= 500 ? withLater(hint) : hint,
  };
}

const later = "Try again in a minute: the command looks first and does only what is still missing.";

/** The service's own hint comes first; ours fills in where it does not say so already. */
function withLater(hint: string | null): string {
  if (hint === null) return later;
  return hint.includes(later) ? hint : `${asSentence(hint)} ${later}`;
}

export interface CallSetup {
  readonly origin: string;
  readonly basePath: string;
  readonly apiKey: string;
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
  readonly signal: AbortSignal | undefined;
  readonly counts: { reads: number; writes: number; rateLimited: number };
  /** How many calls were answered, and how long that took one by one. */
  readonly pastCalls: { count: number; ms: number };
  readonly stopwatch: () => number;
  /** Called after every answer, with its Date. */
  readonly onAnswer: (date: string | null) => void;
}

export async function makeCall(
  setup: CallSetup,
  method: Method,
  path: string,
  body: unknown,
): Promise<Result<unknown>> {
  const place = setup.gate.enter();
  if (place !== null) await place;
  try {
    return await repeatWhileHarmless(setup, method, path, body === undefined ? null : JSON.stringify(body));
  } finally {
    setup.gate.leave();
  }
}

async function repeatWhileHarmless(
  setup: CallSetup,
  method: Method,
  path: string,
  body: string | null,
): Promise<Result<unknown>> {
  let faults = 0;
  let throttles = 0;
  let unclear: Problem | null = null;
  /** How long the tries have taken, without the waits between them. */
  let spentMs = 0;
  for (let attempt = 1; ; attempt++) {
    if (setup.signal?.aborted === true) return failure(unclear ?? interrupted());
    const hindrance = setup.pace.enter();
    if (hindrance !== null) {
      const problem = await hindrance;
      if (problem !== null) return failure(unclear !== null && problem.code === "interrupted" ? unclear : problem);
    }
    const began = setup.stopwatch();
    const result = await sendOnce(setup, method, path, body, attempt, setup.retries.totalMs - spentMs);
    spentMs += setup.stopwatch() - began;
    if (result.ok || result.problem.code === "interrupted") return result;
    const last = withKeyOrigin(withoutSecrets(result.problem, setup.apiKey), setup.keyOrigin);
    const throttled = last.class === "throttled";
    // A 429 did nothing: whoever is stopped after it was stopped, and no more.
    if (!throttled) unclear = last;
    const again =
      mayRepeat(method, last) &&
      spentMs < setup.retries.totalMs &&
      (throttled ? throttles < setup.retries.throttles : faults < setup.retries.faults);
    if (!again) return failure(afterTries(last, method, path, attempt, spentMs));
    // After a 429 the pace itself holds every call back until the service wants calls again.
    const delayMs = throttled ? 0 : backoffMs(faults, setup.random);
    if (throttled) throttles++;
    // A wait that ended without an answer has cost enough to count twice.
    else faults += last.code === "timeout" ? 2 : 1;
    setup.listener.onRetry?.({ method, path, attempt, delayMs, problem: last });
    if (delayMs > 0) await setup.clock.sleep(delayMs, setup.signal);
  }
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
    ...(method === "GET" && setup.signal !== undefined ? { signal: setup.signal } : {}),
  };
  const token = setup.pace.token();
  const outcome = await send(setup.transport, call);
  const ms = setup.clock.now() - began;
  // What was never answered does not tell how long an answer takes.
  if (outcome.kind === "answer") {
    setup.pastCalls.count++;
    setup.pastCalls.ms += setup.stopwatch() - started;
  }
  if (outcome.kind === "answer" || outcome.fault.sent) setup.counts[method === "GET" ? "reads" : "writes"]++;
  let result: Result<unknown>;
  if (outcome.kind === "fault") {
    setup.pace.faulted(outcome.fault.sent);
    result = failure(problemOfFault(outcome.fault, method, setup.origin, null));
  } else {
    const { answer } = outcome;
    if (answer.status === 429) setup.counts.rateLimited++;
    setup.pace.answered(answer.status, answer.headers, token);
    const { date } = answer.headers;
    setup.onAnswer(typeof date === "string" ? date : null);
    result = readAnswer(withoutKey(answer, setup.apiKey), method, setup.origin);
  }
  if (listener.onAnswer !== undefined) {
    const code = result.ok ? null : result.problem.code;
    const status = result.ok ? result.status : result.problem.status;
    listener.onAnswer({ method, path, attempt, status, code, ms });
  }
  return result;
}

/** A transport of somebody else's may reject all the same: nobody can tell then whether the call was written. */
async function send(transport: Transport, call: TransportCall): Promise<TransportOutcome> {
  try {
    return await transport.send(call);
  } catch (error) {
    return { kind: "fault", fault: faultOf(error, true) };
  }
}

/**
 * What shows the key back is masked before anybody can cut it in pieces, in columns or in a file. A key that is short enough
 * to be a word of the service's own is left to those who write.
 */
function withoutKey(answer: TransportAnswer, apiKey: string): TransportAnswer {
  if (apiKey.length < 16) return answer;
  const body = maskSecrets(answer.body, [apiKey]);
  return body === answer.body ? answer : { ...answer, body };
}

/** Which of several keys was refused is the first thing to know, and the service cannot tell. */
function withKeyOrigin(problem: Problem, origin: string | null): Problem {
  if (problem.status !== 401 || origin === null) return problem;
  return { ...problem, message: `${asSentence(problem.message)} The key is from ${origin}.` };
}

function withoutSecrets(problem: Problem, apiKey: string): Problem {
  const clean = (text: string) => redact(text, [apiKey]);
  return {
    ...problem,
    code: clean(problem.code),
    message: clean(problem.message),
    hint: problem.hint === null ? null : clean(problem.hint),
    details: problem.details.map(({ field, message }) => ({ field: clean(field), message: clean(message) })),
    requestId: problem.requestId === null ? null : clean(problem.requestId),
  };
}

// At most so many calls at once; the others stand in line.

export interface Gate {
  /** Null where the way is free; otherwise a promise of the place. */
  enter(): Promise<void> | null;
  leave(): void;
}

export function makeGate(places: number): Gate {
  let taken = 0;
  let line: (() => void)[] = [];
  /** Who is next in line. A line is long when a plan is: nobody is moved up one by one. */
  let first = 0;
  return {
    enter() {
      if (taken < places) {
        taken++;
        return null;
      }
      return new Promise((resolve) => {
        line.push(resolve);
      });
    },
    leave() {
      const next = line[first];
      if (next === undefined) {
        taken--;
        return;
      }
      first++;
      if (first === line.length) {
        line = [];
        first = 0;
      }
      next();
    },
  };
}
