// The create protocol: POST once; without a clear response, find out what happened before sending it again.
import { kindOfAddress, listPath, parentAddress, readRecord } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Operation } from "../../model/plan.ts";
import { asObject, formatCount, maskUrls } from "../../model/value.ts";
import { attributed, type Problem, problemOf, type Result } from "../../service/problem.ts";
import type { IntentEntry } from "../journal/journal-entry.ts";
import { type CreateAttempts, lastIntent } from "../journal/open-work.ts";
import { notDone, recheckHint, reportNotice, reportRecovery, unsure } from "../run/outcomes.ts";
import { endedWith, mostAttempts, type OperationResult, type Run } from "../run/run-context.ts";
import { fillOperation, type Task, writeTaskIntent } from "../run/task.ts";
import { deleteOurs } from "../run/transition.ts";
import { confirmInline, type MissingParts } from "./candidates.ts";
import { type CreateResolution, deleteSurplus, finishCreate, resolveCreate } from "./create-recovery.ts";

type Lookalikes = Extract<CreateResolution, { readonly outcome: "lookalikes" }>;
/** `absent`: it was not found, so nothing else reports that it is sent again. */
type CreateStep = { readonly retry: Problem; readonly absent?: true } | { readonly result: OperationResult };

export async function executeCreate(run: Run, task: Task): Promise<OperationResult> {
  let intents: readonly IntentEntry[] = [];
  let lost: Problem | null = null;
  for (;;) {
    // Durable before the call: if the run ends here, the next one knows what may have been created.
    const [first, ...rest] = [...intents, await writeTaskIntent(run, task)];
    const response = await run.service.request("POST", task.path, { body: task.body });
    const { address } = task.operation;
    // `run.ids.isKnown` excludes what was live before this run; `known` is for attempts of earlier runs.
    const attempts: CreateAttempts = { address, intents: [first, ...rest], known: new Set(), since: run.clock.now() };
    const step = await handleResponse(run, task, attempts, response);
    if ("result" in step) {
      // A create that was never confirmed has its own message.
      if (lost !== null && step.result.result === "done") reportSentAgain(run, task, lost);
      return step.result;
    }
    lost = step.absent ? step.retry : null;
    intents = attempts.intents;
    if (intents.length === mostAttempts)
      return unsure(step.retry, `The call was sent ${mostAttempts} times, but no list shows the object.`);
  }
}

function reportSentAgain(run: Run, { kind, operation: { address } }: Task, problem: Problem): void {
  const message = `Creating ${run.called(address)} failed at first. ${attributed(problem)} The ${kind.words.one} was not found afterward, so the call was sent again.`;
  reportNotice(run, "recovered", address, message);
}

async function handleResponse(
  run: Run,
  task: Task,
  attempts: CreateAttempts,
  response: Result<unknown>,
): Promise<CreateStep> {
  const intent = lastIntent(attempts);
  if (response.ok) {
    const live = readRecord(task.kind, response.data, task.parentId);
    if (live === null) return resolveLost(run, task, attempts, withoutId(response.status), { made: true });
    const lost = task.kind.secret ? await storeSecret(run, task, intent, live.id, response.data) : null;
    return { result: lost ?? (await createdResult(run, task, intent, live, { record: response.data, certain: true })) };
  }
  const { problem } = response;
  if (problem.class === "ambiguous") return resolveLost(run, task, attempts, problem, { made: false });
  run.journal.close(intent.seq, problem.class === "refused" ? "refused" : "unsent");
  // "It already exists" may mean an object that an earlier attempt created.
  const mayExist = problem.class === "refused" && (attempts.intents.length > 1 || problem.status === 409);
  if (!mayExist || task.kind.secret) return { result: notDone(problem) };
  const resolved = await resolveCreate(run, attempts, { wait: "none", wanted: true, reason: problem });
  const keep = resolved.outcome === "found" && resolved.surplus.length === 0 ? resolved.keep : null;
  if (keep === null) return { result: notDone(problem) };
  reportRecovery(run, attempts.address, "was already there when the call was made, so it was adopted");
  return { result: await createdResult(run, task, intent, keep) };
}

/** The response does not say whether the object was created; with `made`, it does, but shows no id. */
async function resolveLost(
  run: Run,
  task: Task,
  attempts: CreateAttempts,
  problem: Problem,
  { made }: { readonly made: boolean },
): Promise<CreateStep> {
  const { address } = attempts;
  const intent = lastIntent(attempts);
  const wait = made ? "shown" : "settled";
  const resolved = await resolveCreate(run, attempts, { wait, wanted: true, reason: problem });
  switch (resolved.outcome) {
    case "unknown":
    case "parent-gone":
      return { result: unsure(resolved.problem, "The call was sent, but looking for the new object failed.") };
    case "lookalikes":
      return { result: tooManyAlike(task, resolved) };
    case "absent":
      // The service says that it was created: sending the request again would create a second one.
      if (made) return { result: unsure(problem, "The service does not list it yet.") };
      run.journal.close(intent.seq, "absent");
      run.unconfirmed.add({ ...attempts, intents: [intent], since: run.clock.now() });
      return { retry: problem, absent: true };
    case "found": {
      const { keep, surplus } = resolved;
      const remaining = await deleteSurplus(run, attempts, surplus);
      if (remaining !== null) {
        const ids = surplus.map(({ id }) => id).join(", ");
        const what =
          keep === null
            ? `It was created (${ids}), but its secret was lost, and it`
            : `Duplicates were created (${ids}) and`;
        return { result: unsure(remaining, `${what} could not be deleted.`) };
      }
      if (keep !== null) {
        if (!made) reportRecovery(run, address, "was created although the response was lost; it was found and adopted");
        return { result: await createdResult(run, task, intent, keep, { record: null, certain: made }) };
      }
      // Its secret was in the response that was lost.
      run.journal.close(intent.seq, "undone");
      return made ? { result: secretNotShown } : { retry: problem };
    }
  }
}

/** `response`: the response to the create; without one, the object was found by a search. */
async function createdResult(
  run: Run,
  task: Task,
  intent: IntentEntry,
  live: Live,
  response: { readonly record: unknown; readonly certain: boolean } = { record: null, certain: false },
): Promise<OperationResult> {
  const finished = await finishCreate(run, intent, live, response.record === null ? "adopted" : "done");
  const confirmed = await confirmInline(run, task, live.id, response);
  const inline = "missing" in confirmed ? await createMissing(run, task, live.id, confirmed) : confirmed;
  return inline.result === "done" ? finished : inline;
}

async function createMissing(
  run: Run,
  task: Task,
  parentId: string,
  { missing, found }: MissingParts,
): Promise<OperationResult> {
  for (const { address, kind, fields } of missing) {
    const path = listPath(kind, parentId);
    const call = { id: task.operation.id, address, verb: "create", method: "POST", path, body: fields } as const;
    const filled = fillOperation({ ...call, needs: [], because: address }, run.ids);
    if (!filled.ok) continue;
    const created = await executeCreate(run, filled.task);
    if (created.result !== "done") return created;
    reportRecovery(run, address, "was not created with its event, so it was created separately");
  }
  return found;
}

/** The secret of a webhook is shown once: it is stored, or the webhook is deleted again. null: it is stored. */
async function storeSecret(
  run: Run,
  task: Task,
  intent: IntentEntry,
  id: string,
  record: unknown,
): Promise<OperationResult | null> {
  const { address } = task.operation;
  const secret = secretOf(record);
  // This sink cannot be asked later, so it is recorded first that it may have the secret.
  if (secret !== null && (await run.sink?.holds(id)) === null) {
    const name = run.secretName(address);
    const at = Math.round(run.clock.now());
    await run.journal.hand({ seq: intent.seq, id, at, ...(name === null ? {} : { name }) });
  }
  const why = await handOver(run, task, id, secret);
  if (why === null) return null;
  const remaining = await deleteOurs(run, task.kind, address, task.parentId, id);
  if (remaining !== null) {
    return unsure(remaining, `${why} The webhook (${id}) could not be deleted again, and its secret is lost.`);
  }
  run.journal.close(intent.seq, "undone");
  if (secret === null) return secretNotShown;
  return endedWith(
    "failed",
    "secret-not-kept",
    `${why} The webhook was deleted again.`,
    "Repair the sink under `secrets:` in ticketing.yaml, then run `ticketing apply` again.",
  );
}

async function handOver(run: Run, task: Task, id: string, secret: string | null): Promise<string | null> {
  if (secret === null) return "The service did not show the secret of the new webhook.";
  if (run.sink === null) return "There is no place for the secret of the new webhook.";
  const url = String(task.fields.url ?? "");
  return run.sink.put({ id, url, secret, name: run.secretName(task.operation.address) });
}

function secretOf(record: unknown): string | null {
  const { secret } = asObject(record);
  return typeof secret === "string" && secret !== "" ? secret : null;
}

/** A service that responds like this will do so again. */
const secretNotShown = endedWith(
  "failed",
  "secret-not-kept",
  "The service created the webhook and did not show its secret, so it was deleted again.",
  "Create it in the dashboard, where the secret is shown, and ask the service's support why its API does not show it.",
);

function tooManyAlike({ kind }: Task, { keep, lives, why, differInName }: Lookalikes): OperationResult {
  const found = keep === null ? lives : [keep, ...lives];
  const named = (live: Live) => `${live.id} (${JSON.stringify(maskUrls(String(live.fields[kind.identity.label])))})`;
  const count = found.length === 1 ? "1 object looks" : `${formatCount(found.length)} objects look`;
  const pin = kind.fields.id === undefined ? "" : ", or write the `id` of the right one in the file";
  const none = differInName && kind.fields.new !== undefined ? " (`new: true` if yours is not among them)" : "";
  return endedWith(
    "unsure",
    "too-many-alike",
    `After a lost response, ${count} like the one to create${differInName ? `, ${why}` : ""}: ${found.map(differInName ? named : ({ id }) => id).join(", ")}.`,
    `In the dashboard, delete those that you do not want${pin}${none}, then run \`ticketing apply\` again.`,
  );
}

function withoutId(status: number): Problem {
  return problemOf(
    "ambiguous",
    "no-id",
    "The service accepted the call, but did not show what it created.",
    recheckHint,
    status,
  );
}

/** Creates that could be mistaken for each other run one after another, so that a lost response is never resolved with the wrong object. */
export function makeLanes() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> => {
    if (operation.verb !== "create") return work();
    const lane = laneOf(operation);
    const before = last.get(lane);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(lane, mine);
    return mine.finally(() => {
      if (last.get(lane) === mine) last.delete(lane);
    });
  };
}

function laneOf({ address, body }: Operation): string {
  const kind = kindOfAddress(address);
  // One secret at a time: it is stored before the next is created, so that a crash can lose no more than one.
  if (kind.secret) return kind.plural;
  return `${parentAddress(address) ?? ""}/${kind.plural}/${String(body?.[kind.identity.label])}`;
}
