// Replaces a webhook whose secret is to change: the new one is created, its secret stored and a test event sent, and only
// then are the former ones deleted. There is always a webhook that works, and wherever the rotation is cut off, both
// halves stay in the journal until it is finished.
import { kindOf, listPath } from "../../kinds/index.ts";
import { type Address, sameId } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Body, Operation, OutcomeError } from "../../model/plan.ts";
import { asSentence } from "../../model/value.ts";
import type { TicketingClient } from "../../service/client.ts";
import { attributed, isGone, type Problem, problemOf } from "../../service/problem.ts";
import { executeCreate } from "../create/create-object.ts";
import { recheck } from "../create/create-recovery.ts";
import type { Rotation } from "../journal/journal-entry.ts";
import { findOpenWork, type OpenRotation } from "../journal/open-work.ts";
import { listObjects, type Observations } from "../run/observe.ts";
import { outcomeError } from "../run/outcomes.ts";
import { type OperationResult, type Run, waitUntilSettled } from "../run/run-context.ts";
import { fillOperation, type Task } from "../run/task.ts";
import { deleteOurs } from "../run/transition.ts";
import { executeUpdate } from "../update/update-object.ts";

const kind = kindOf("webhook");
const list = listPath(kind, null);

/** The service's own words, and the request to ask its people about. */
type Said = Pick<OutcomeError, "message" | "hint" | "requestId" | "status">;

export type WebhookTest =
  | { readonly outcome: "arrived"; readonly result: Readonly<Record<string, unknown>> }
  /** The service says that it did not arrive, whether in its response or by refusing the call. */
  | { readonly outcome: "failed"; readonly why: Said; readonly result: Readonly<Record<string, unknown>> | null }
  /** There is no such webhook. */
  | { readonly outcome: "gone" }
  /** The call itself did not work. */
  | { readonly outcome: "unknown"; readonly problem: Problem };

/** Has the service send a test event, and says whether it arrived. */
export async function testWebhook(client: Pick<TicketingClient, "request">, id: string): Promise<WebhookTest> {
  const response = await client.request("POST", `${list}/${id}/test`);
  if (response.ok) {
    const { data } = response;
    const result = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
    return result.success === true
      ? { outcome: "arrived", result }
      : { outcome: "failed", why: { ...nothingMore, message: whyFailed(result) }, result };
  }
  const { problem } = response;
  if (isGone(problem)) return { outcome: "gone" };
  const denied = problem.status === 401 || problem.status === 403;
  if (problem.class !== "refused" || denied) return { outcome: "unknown", problem };
  return { outcome: "failed", why: outcomeError(problem), result: null };
}

const nothingMore = { hint: null, requestId: null, status: null };

function whyFailed(result: Readonly<Record<string, unknown>>): string {
  if (result.success !== false) return "the service does not say that it arrived";
  const message = [result.error, result.message].find((text) => typeof text === "string" && text !== "");
  const status = [result.responseStatus, result.statusCode].find((each) => typeof each === "number");
  if (typeof message === "string") return message;
  return status === undefined ? "the service does not say why" : `the receiver responded with ${status}`;
}

export interface RotationWish {
  readonly address: Address;
  readonly url: string;
  readonly events: readonly string[];
  readonly rotation: Rotation;
  /** The former ones are deleted even if the test event does not arrive. */
  readonly untested: boolean;
}

export type Rotated =
  | { readonly made: null; readonly performed: Exclude<OperationResult, { readonly result: "done" }> }
  | { readonly made: string; readonly end: RotationEnd };

/** `run.ids` must know every webhook that is live. */
export async function rotateWebhook(run: Run, wish: RotationWish): Promise<Rotated> {
  const { address, url, events, rotation } = wish;
  const call = { address, verb: "create", method: "POST", path: list, body: { url, events } } as const;
  const performed = await executeCreate(run, taskOf(run, call, rotation));
  if (performed.result !== "done") return { made: null, performed };
  const open = findOpenWork(run.journal.entries).rotations.findLast(({ intent }) => intent.address === address);
  if (open === undefined) throw new Error(`the rotation of ${address} is not in the journal`);
  const end = await finishRotation(run, open, wish);
  for (const attempts of run.unconfirmed.all()) await recheck(run, attempts);
  return { made: open.created, end };
}

function taskOf(
  run: Run,
  call: Pick<Operation, "address" | "verb" | "method" | "path"> & { readonly body: Body },
  rotation: Rotation,
): Task {
  const filled = fillOperation({ id: "1", ...call, needs: [], because: call.address }, run.ids);
  if (!filled.ok) throw new Error(`${call.address} needs the id of ${filled.missing}`);
  return { ...filled.task, rotation };
}

export type RotationEnd =
  /** The new webhook is the only one left. */
  | { readonly end: "finished"; readonly removed: readonly string[]; readonly tested: boolean }
  /** The new webhook is gone: there is nothing to finish. */
  | { readonly end: "void" }
  /** Both are live. */
  | { readonly end: "untested" | "open"; readonly error: OutcomeError };

/** The second half: the new webhook is tested, and only if it works are the former ones deleted. */
export async function finishRotation(
  run: Run,
  open: OpenRotation,
  options: Pick<RotationWish, "untested">,
): Promise<RotationEnd> {
  const { intent, created } = open;
  const listed = await listUntilShown(run, open);
  if (!listed.ok) return { end: "open", error: outcomeError(listed.problem, attributed(listed.problem)) };
  const fresh = listed.lives.find((live) => sameId(live.id, created));
  if (fresh === undefined) {
    // The list may lag longer than the settle time; deliveries are read by id.
    const deliveries = await run.service.request("GET", `${list}/${created}/deliveries`);
    if (!deliveries.ok) {
      if (isGone(deliveries.problem)) return endVoid(run, open);
      return { end: "open", error: outcomeError(deliveries.problem, attributed(deliveries.problem)) };
    }
  }
  const off = await switchOff(run, open, fresh);
  if (off.result !== "done") return { end: "open", error: off.error };
  const former = listed.lives.filter((live) => isFormer(live, open));
  let tested = false;
  if (former.length > 0) {
    const test = await testUntilResponse(run, created);
    if (test.outcome === "gone") return endVoid(run, open);
    tested = test.outcome === "arrived";
    // If the service does not respond, the rotation does not continue without a test.
    if (test.outcome === "unknown")
      return { end: "untested", error: outcomeError(test.problem, attributed(test.problem)) };
    if (test.outcome === "failed" && !options.untested) return { end: "untested", error: testFailed(test) };
  }
  for (const each of former) {
    const problem = await deleteOurs(run, kind, intent.address, null, each.id);
    if (problem !== null) return { end: "open", error: outcomeError(problem, attributed(problem)) };
  }
  run.journal.clear(intent.seq);
  return { end: "finished", removed: former.map(({ id }) => id), tested };
}

/** The webhooks of a rotation that are still to be deleted; null if that cannot be read now. */
export async function liveFormer(run: Run, open: OpenRotation): Promise<readonly Live[] | null> {
  const listed = await listObjects(run, kind, null);
  return listed.ok ? listed.lives.filter((live) => isFormer(live, open)) : null;
}

/** The new webhook has the URL of those that it replaces: one with another URL is not part of the rotation. */
function isFormer({ id, fields }: Live, { intent }: OpenRotation): boolean {
  const isNamed = intent.rotation.replaces.some((each) => sameId(each, id));
  return isNamed && (fields.url === undefined || lower(fields.url) === lower(intent.fields.url));
}

function lower(value: unknown): string {
  return String(value).toLowerCase();
}

function endVoid(run: Run, { intent }: OpenRotation): RotationEnd {
  run.journal.clear(intent.seq);
  return { end: "void" };
}

const stopped = problemOf("not-sent", "interrupted", "The run was stopped before the new webhook was tested.", null);

/** A list may be slow to show what was just created. */
async function listUntilShown(run: Run, { intent, created }: OpenRotation): Promise<Observations> {
  const listed = await listObjects(run, kind, null);
  if (!listed.ok || listed.lives.some(({ id }) => sameId(id, created))) return listed;
  const since = run.clock.now();
  const waited = await waitUntilSettled(run, since, intent.address, "The new webhook is not listed yet");
  return waited ? listObjects(run, kind, null) : { ok: false, problem: stopped };
}

/** A new webhook is active; one that replaces inactive ones must not start to send. */
async function switchOff(
  run: Run,
  { intent: { address, rotation }, created }: OpenRotation,
  fresh: Live | undefined,
): Promise<OperationResult> {
  if (rotation.inactive !== true || fresh?.fields.isActive === false) return { result: "done" };
  const call = { address, verb: "update", method: "PATCH", path: `${list}/${created}` } as const;
  const task = taskOf(run, { ...call, body: { isActive: false } }, rotation);
  return executeUpdate(run, { ...task, id: created });
}

const mostTests = 3;

/** A test event may be sent twice, so a lost response is no reason to give up. */
async function testUntilResponse(run: Run, id: string): Promise<WebhookTest> {
  for (let count = 1; ; count++) {
    const test = await testWebhook(run.service, id);
    const isLost = test.outcome === "unknown" && test.problem.class === "ambiguous";
    if (!isLost || count === mostTests || run.signal?.aborted === true) return test;
  }
}

function testFailed({ why, result }: Extract<WebhookTest, { outcome: "failed" }>): OutcomeError {
  const isUnsent = result?.status === "NOT_SENT";
  const message = `The test event to the new webhook ${isUnsent ? "was not sent" : "did not arrive"}: ${asSentence(why.message)}`;
  return { ...why, code: isUnsent ? "not-sent" : "test-failed", message };
}
