// The create protocol: an object is asked for, and after anything but a clear answer it is looked for before it is asked
// for again. What is there is taken; what we made too often is taken back.
import { readRecord } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Problem, Result } from "../../service/problem.ts";
import type { IntentEntry } from "../journal/journal-entry.ts";
import { findAttempted, type Observations, observe, waitUntilSettled } from "../run/observe.ts";
import { madeNow, notDone, recheckHint, reportRecovery, unsure } from "../run/outcomes.ts";
import { deleteOurs, whyNotOurs } from "../run/remove.ts";
import { done, endedWith, type OperationResult, type Run } from "../run/run.ts";
import { type Task, writeTaskIntent } from "../run/task.ts";
import { certainMs } from "../run/unconfirmed-creates.ts";
import {
  appliedDefaults,
  confirmFields,
  failWrongValue,
  hasAny,
  reportNormalized,
  rereadIfWrong,
} from "../update/confirm.ts";
import { confirmInline } from "./inline-tickets.ts";
import { judgeCandidates } from "./recheck.ts";

// An object is there and has its id: what of it was not confirmed is read, and all of it is remembered.

export async function finishCreate(
  run: Run,
  task: Task,
  intent: IntentEntry,
  live: Live,
  how: "done" | "adopted",
): Promise<OperationResult> {
  const { kind, fields } = task;
  const { address } = task.operation;
  run.ids.give(address, live.id);
  run.journal.close(intent.seq, how, { id: live.id, madeAt: madeNow(run) });
  // What was adopted was found in a list.
  if (how === "done")
    run.made.add({ address, kind, id: live.id, parentId: task.parentId, fields, at: run.clock.now() });
  const read = how === "done" ? await readBack(run, task, live) : live;
  const shown = await rereadIfWrong(run, { address, kind, fields }, read);
  const { returned, wrong } = confirmFields(kind, fields, shown);
  const unsent = appliedDefaults(run, address, shown);
  if (!hasAny(returned) && !hasAny(wrong) && !hasAny(unsent)) return done;
  run.journal.learn({
    address,
    kind: kind.name,
    id: live.id,
    fields: { ...unsent, ...fields },
    ...(hasAny(returned) ? { returned } : {}),
    ...(hasAny(wrong) ? { wrong: Object.keys(wrong) } : {}),
  });
  reportNormalized(run, kind, address, fields, returned);
  // What takes another's place has to come to its end: its difference is for the next plan.
  return hasAny(wrong) && task.rotation === undefined ? failWrongValue(address, fields, wrong) : done;
}

/** What tells most about the new object. One that lists do not show yet is not waited for. */
async function readBack(run: Run, task: Task, answer: Live): Promise<Live> {
  const { kind, fields, parentId } = task;
  if (!run.responses.wantsRead(kind, fields, answer)) return answer;
  const sight = await observe(run, kind, parentId, answer.id);
  if (sight.sight !== "found") return answer;
  run.responses.learn(kind, fields, answer, sight.live);
  return sight.live;
}

// The secret of a webhook is shown once: it is safe, or the webhook goes again.

/** null: it is safe. */
export async function storeSecret(
  run: Run,
  task: Task,
  intent: IntentEntry,
  id: string,
  record: unknown,
): Promise<OperationResult | null> {
  const { address } = task.operation;
  const secret = secretOf(record);
  // A sink that cannot be asked afterwards: whether it may have the secret must be known before it has it.
  if (secret !== null && (await run.sink?.holds(id)) === null) await run.journal.hand(intent.seq);
  const why = await store(run, task, id, secret);
  if (why === null) return null;
  const remaining = await deleteOurs(run, task.kind, address, task.parentId, id);
  if (remaining !== null) {
    return unsure(remaining, `${why} The webhook (${id}) could not be removed again, and nobody has its secret.`);
  }
  run.journal.close(intent.seq, "undone");
  return endedWith(
    "failed",
    "secret-not-kept",
    `${why} The webhook was removed again.`,
    "Repair the sink under `secrets:` in ticketing.yaml, then run `ticketing apply` again.",
  );
}

async function store(run: Run, task: Task, id: string, secret: string | null): Promise<string | null> {
  if (secret === null) return "The service did not show the secret of the new webhook.";
  if (run.sink === null) return "There is no place for the secret of the new webhook.";
  const url = String(task.fields.url ?? "");
  return run.sink.put({ id, url, secret, name: run.secretName(task.operation.address) });
}

function secretOf(record: unknown): string | null {
  const secret = typeof record === "object" && record !== null && "secret" in record ? record.secret : null;
  return typeof secret === "string" && secret !== "" ? secret : null;
}

const mostAttempts = 3;
const lookEveryMs = 250;

interface Attempt {
  readonly intent: IntentEntry;
  /** The first one that may have made it. */
  readonly first: IntentEntry;
  /** Attempts so far that may have had an effect, this one included. */
  readonly count: number;
}

type Step = { readonly again: Problem } | { readonly ended: OperationResult };

export async function executeCreate(run: Run, task: Task): Promise<OperationResult> {
  let problem: Problem | null = null;
  let first: IntentEntry | null = null;
  for (let count = 1; count <= mostAttempts; count++) {
    const intent = await writeTaskIntent(run, task);
    first ??= intent;
    const answer = await run.service.request("POST", task.path, { body: task.body });
    const step = await take(run, task, { intent, first, count }, answer);
    if ("ended" in step) return step.ended;
    problem = step.again;
  }
  const words = `It was sent ${mostAttempts} times and never found.`;
  return problem === null ? endedWith("unsure", "not-confirmed", words, recheckHint) : unsure(problem, words);
}

async function take(run: Run, task: Task, attempt: Attempt, answer: Result<unknown>): Promise<Step> {
  const { intent, count } = attempt;
  if (answer.ok) {
    const live = readRecord(task.kind, answer.data, task.parentId);
    if (live !== null) return { ended: await accept(run, task, intent, live, answer.data) };
    return lookFor(run, task, attempt, namelessAnswer(answer.status), true);
  }
  const { problem } = answer;
  if (problem.class === "ambiguous") return lookFor(run, task, attempt, problem, false);
  run.journal.close(intent.seq, problem.class === "refused" ? "refused" : "unsent");
  // "It exists already" may be about what an earlier attempt made after all.
  const mayExist = problem.class === "refused" && (count > 1 || problem.status === 409);
  const found = mayExist && !task.kind.secret ? await search(run, task) : null;
  const [only, ...others] = found?.ok === true ? found.lives : [];
  if (only === undefined || others.length > 0) return { ended: notDone(problem) };
  return { ended: await adopt(run, task, attempt, only, []) };
}

async function accept(
  run: Run,
  task: Task,
  intent: IntentEntry,
  live: Live,
  record: unknown,
): Promise<OperationResult> {
  if (task.kind.secret) {
    const lost = await storeSecret(run, task, intent, live.id, record);
    if (lost !== null) return lost;
  }
  const finished = await finishCreate(run, task, intent, live, "done");
  const filled = await confirmInline(run, task, live.id, record, true, executeCreate);
  return filled.result === "done" ? finished : filled;
}

/** Nobody can tell from the answer whether it was made: so look. `made`: the service said yes and did not say what. */
async function lookFor(run: Run, task: Task, attempt: Attempt, problem: Problem, made: boolean): Promise<Step> {
  const { intent, count } = attempt;
  const { address } = task.operation;
  const found = made ? await searchUntilShown(run, task) : await searchOnceSettled(run, task, problem);
  if (found === null) return { ended: unsure(problem, "It was stopped before it could be looked for.") };
  if (!found.ok) return { ended: unsure(found.problem, "It was sent, and looking for it did not work.") };
  const judged = judgeCandidates(found.lives, count);
  switch (judged.verdict) {
    case "absent":
      // The service says that it is there: asking for another would make two.
      if (made) return { ended: unsure(problem, "It does not show in any list yet.") };
      run.journal.close(intent.seq, "absent");
      run.unconfirmed.add({ address, intents: [intent], known: new Set(), since: run.clock.now() });
      return { again: problem };
    case "too-many":
      return { ended: tooMany(task, judged.found) };
    case "adopt":
      if (task.kind.secret) return undo(run, task, attempt, found.lives, problem, made);
      if (!made) reportRecovery(run, address, "was made although the answer was lost: found it, adopted it");
      return { ended: await adopt(run, task, attempt, judged.keep, judged.surplus, made) };
  }
}

/** null: the run was stopped meanwhile. */
async function searchOnceSettled(run: Run, task: Task, problem: Problem): Promise<Observations | null> {
  const waited = await waitUntilSettled(run, run.clock.now(), task.operation.address, problem.message);
  return waited ? search(run, task) : null;
}

/** It was made, so sooner or later it shows. */
async function searchUntilShown(run: Run, task: Task): Promise<Observations | null> {
  const since = run.clock.now();
  for (;;) {
    const found = await search(run, task);
    const waited = run.clock.now() - since;
    if (found.ok && found.lives.length > 0 && waited >= lookEveryMs) run.settle.sawLag(waited);
    if (!found.ok || found.lives.length > 0 || waited >= run.settle.ms() + certainMs) return found;
    await run.clock.sleep(lookEveryMs, run.signal);
    if (run.signal?.aborted === true) return null;
  }
}

function search(run: Run, task: Task): Promise<Observations> {
  return findAttempted(run, task.kind, task.parentId, task.fields, run.ids.isTaken);
}

async function adopt(
  run: Run,
  task: Task,
  { intent, first }: Attempt,
  keep: Live,
  surplus: readonly Live[],
  certain = false,
): Promise<OperationResult> {
  const { address } = task.operation;
  for (const each of surplus) {
    if ((await whyNotOurs(run, { first, last: intent }, task.kind, each.id)) !== null)
      return tooMany(task, [keep, ...surplus]);
    const problem = await deleteOurs(run, task.kind, address, task.parentId, each.id);
    if (problem !== null)
      return unsure(problem, `A second one (${each.id}) was made by mistake and could not be removed.`);
    reportRecovery(run, address, `was made twice after a lost answer: the second one (${each.id}) was removed`);
  }
  const finished = await finishCreate(run, task, intent, keep, "adopted");
  const filled = await confirmInline(run, task, keep.id, null, certain, executeCreate);
  return filled.result === "done" ? finished : filled;
}

/** Its secret was in the answer that was lost: nobody can use it, so it goes, and another is made. */
async function undo(
  run: Run,
  task: Task,
  { intent, first }: Attempt,
  found: readonly Live[],
  problem: Problem,
  shown: boolean,
): Promise<Step> {
  const { address } = task.operation;
  for (const each of found) {
    if ((await whyNotOurs(run, { first, last: intent }, task.kind, each.id)) !== null)
      return { ended: tooMany(task, found) };
    const remaining = await deleteOurs(run, task.kind, address, task.parentId, each.id);
    if (remaining !== null) {
      return {
        ended: unsure(remaining, `It was made as ${each.id}, its secret was lost, and it could not be removed.`),
      };
    }
  }
  run.journal.close(intent.seq, "undone");
  if (shown) return { ended: secretNotShown };
  reportRecovery(run, address, "was made, and its secret was lost with the answer: removed it, made another");
  return { again: problem };
}

/** A service that answers like this will answer like this again. */
const secretNotShown = endedWith(
  "failed",
  "secret-not-kept",
  "The service made the webhook and did not show its secret, so it was removed again.",
  "Make it in the dashboard, where the secret is shown, and ask the service's support why its API does not show it.",
);

function tooMany(task: Task, found: readonly Live[]): OperationResult {
  return endedWith(
    "unsure",
    "too-many-alike",
    `After a lost response ${found.length === 1 ? "1 object looks" : `${found.length} objects look`} like the one that was asked for: ${found.map((each) => each.id).join(", ")}.`,
    `Delete those that are not wanted in the dashboard${task.kind.fields.id === undefined ? "" : ", or write `id:` of the right one into the file"}, then run \`ticketing apply\` again.`,
  );
}

function namelessAnswer(status: number): Problem {
  return {
    class: "ambiguous",
    status,
    code: "no-id",
    message: "The service said yes and did not show what it made.",
    hint: recheckHint,
    details: [],
    requestId: null,
  };
}
