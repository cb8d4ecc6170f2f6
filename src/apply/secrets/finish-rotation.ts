// The second half of a rotation: the new webhook is tried, and only once it works do the former ones go. Whatever cuts it
// short, both halves stay in the journal until this has come to its end.
import { kindOf } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { OutcomeError } from "../../model/plan.ts";
import type { TicketingClient } from "../../service/client.ts";
import { type Problem, problemOf } from "../../service/problem.ts";
import type { OpenRotation } from "../journal/open-work.ts";
import { listObjects, listPath, type Observations, waitUntilSettled } from "../run/observe.ts";
import { errorOf } from "../run/outcomes.ts";
import { deleteOurs } from "../run/remove.ts";
import type { Run } from "../run/run.ts";
import type { Task } from "../run/task.ts";
import { executeUpdate } from "../update/update-object.ts";

// Has the service send a test event, and tells whether it arrived.

export type WebhookTest =
  | { readonly outcome: "arrived"; readonly result: Readonly<Record<string, unknown>> }
  /** The service says that it did not arrive, whether in its answer or by refusing the call. */
  | { readonly outcome: "failed"; readonly why: string; readonly result: Readonly<Record<string, unknown>> | null }
  /** There is no such webhook. */
  | { readonly outcome: "gone" }
  /** The call itself did not work. */
  | { readonly outcome: "unknown"; readonly problem: Problem };

export async function testWebhook(client: Pick<TicketingClient, "request">, id: string): Promise<WebhookTest> {
  const answer = await client.request("POST", `/webhooks/${id}/test`);
  if (answer.ok) {
    const result =
      typeof answer.data === "object" && answer.data !== null ? (answer.data as Record<string, unknown>) : {};
    if (result.success === true) return { outcome: "arrived", result };
    return { outcome: "failed", why: whyFailed(result), result };
  }
  const { problem } = answer;
  if (problem.status === 404 || problem.status === 410) return { outcome: "gone" };
  const denied = problem.status === 401 || problem.status === 403;
  if (problem.class !== "refused" || denied) return { outcome: "unknown", problem };
  return { outcome: "failed", why: problem.message, result: null };
}

function whyFailed(result: Readonly<Record<string, unknown>>): string {
  if (result.success !== false) return "the service does not say that it arrived";
  const said = [result.error, result.message].find((text) => typeof text === "string" && text !== "");
  const status = [result.responseStatus, result.statusCode].find((each) => typeof each === "number");
  if (typeof said === "string") return said;
  return status === undefined ? "the service does not say why" : `the receiver answered ${status}`;
}

export type RotationEnd =
  /** The new webhook is the only one left. */
  | { readonly end: "finished"; readonly removed: readonly string[]; readonly tested: boolean }
  /** The new webhook is not there any more: there is nothing to finish. */
  | { readonly end: "void" }
  /** Both are live. */
  | { readonly end: "untested" | "open"; readonly error: OutcomeError };

const kind = kindOf("webhook");
const mostTrials = 3;
const stopped = problemOf("not-sent", "interrupted", "It was stopped before the new webhook was tried.", null);

export interface FinishOptions {
  /** The former ones go even where the test event does not arrive. */
  readonly untested: boolean;
}

export async function finishRotation(run: Run, open: OpenRotation, options: FinishOptions): Promise<RotationEnd> {
  const { intent, created } = open;
  const listed = await listUntilShown(run, open);
  if (!listed.ok) return { end: "open", error: errorOf(listed.problem) };
  const fresh = listed.lives.find((live) => sameId(live.id, created));
  if (fresh === undefined) {
    const lost = await isLost(run, created);
    if (typeof lost === "object") return { end: "open", error: errorOf(lost) };
    if (lost) return endInVain(run, open);
  }
  const off = await switchOff(run, open, fresh);
  if (off !== null) return { end: "open", error: off };
  const former = listed.lives.filter((live) => isFormer(live, open));
  let tested = false;
  if (former.length > 0) {
    const trial = await tryUntilAnswered(run, created);
    if (trial.outcome === "gone") return endInVain(run, open);
    tested = trial.outcome === "arrived";
    const error = whyNot(trial);
    // A service that cannot be spoken to is no reason to go on without a test.
    if (error !== null && (!options.untested || trial.outcome === "unknown")) return { end: "untested", error };
  }
  for (const each of former) {
    const problem = await deleteOurs(run, kind, intent.address, null, each.id);
    if (problem !== null) return { end: "open", error: errorOf(problem) };
  }
  run.journal.clear(intent.seq);
  return { end: "finished", removed: former.map(({ id }) => id), tested };
}

/** The webhooks of a rotation that are still to go; null where that cannot be told now. */
export async function liveFormer(run: Run, open: OpenRotation): Promise<readonly Live[] | null> {
  const listed = await listObjects(run, kind, null);
  return listed.ok ? listed.lives.filter((live) => isFormer(live, open)) : null;
}

/** The new webhook has the address of those that it replaces: what has another one is not part of it. */
function isFormer({ id, fields }: Live, { intent }: OpenRotation): boolean {
  const isNamed = intent.rotation.replaces.some((each) => sameId(each, id));
  return isNamed && (fields.url === undefined || isSameUrl(fields.url, intent.fields.url));
}

function isSameUrl(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

function endInVain(run: Run, { intent }: OpenRotation): RotationEnd {
  run.journal.clear(intent.seq);
  return { end: "void" };
}

/** A list that does not show it may be slower than anybody waits; its history of deliveries is asked for by its id. */
async function isLost(run: Run, id: string): Promise<boolean | Problem> {
  const answer = await run.service.request("GET", `${listPath(kind, null)}/${id}/deliveries`);
  if (answer.ok) return false;
  const { status } = answer.problem;
  return status === 404 || status === 410 ? true : answer.problem;
}

/** A list may be slow to show what was just made. */
async function listUntilShown(run: Run, { intent, created }: OpenRotation): Promise<Observations> {
  const listed = await listObjects(run, kind, null);
  if (!listed.ok || listed.lives.some(({ id }) => sameId(id, created))) return listed;
  const since = run.clock.now();
  const waited = await waitUntilSettled(run, since, intent.address, "The new webhook is not listed yet");
  return waited ? listObjects(run, kind, null) : { ok: false, problem: stopped };
}

/** A new webhook is active; one in the place of those that are switched off must not begin to speak. */
async function switchOff(
  run: Run,
  { intent, created }: OpenRotation,
  fresh: Live | undefined,
): Promise<OutcomeError | null> {
  if (intent.rotation.inactive !== true || fresh?.fields.isActive === false) return null;
  const { address } = intent;
  const path = `${listPath(kind, null)}/${created}`;
  const fields = { isActive: false };
  const task: Task = {
    operation: { id: "", address, verb: "update", method: "PATCH", path, needs: [], because: address },
    kind,
    path,
    body: fields,
    fields,
    inline: [],
    parentId: null,
    id: created,
    rotation: intent.rotation,
  };
  const performed = await executeUpdate(run, task, created);
  return performed.result === "done" ? null : performed.error;
}

/** A test event may be sent twice, so a lost answer is no reason to give up. */
async function tryUntilAnswered(run: Run, id: string): Promise<WebhookTest> {
  let trial = await testWebhook(run.service, id);
  for (let count = 1; count < mostTrials && isUnanswered(trial) && run.signal?.aborted !== true; count++) {
    trial = await testWebhook(run.service, id);
  }
  return trial;
}

function isUnanswered(trial: WebhookTest): boolean {
  return trial.outcome === "unknown" && trial.problem.class === "ambiguous";
}

function whyNot(trial: WebhookTest): OutcomeError | null {
  switch (trial.outcome) {
    case "arrived":
      return null;
    case "unknown":
      return errorOf(trial.problem);
    case "failed":
      return plainError("test-failed", `The test event to the new webhook did not arrive: ${trial.why}.`);
    case "gone":
      return plainError("webhook-gone", "The new webhook is not there any more.");
  }
}

function plainError(code: string, message: string): OutcomeError {
  return { code, message: message.replace(/\.\.$/, "."), hint: null, requestId: null, status: null };
}
