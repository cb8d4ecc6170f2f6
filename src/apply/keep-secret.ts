// The secret of a webhook is shown once: it is safe, or the webhook goes again.
import type { Task } from "./fill.ts";
import type { IntentEntry } from "./journal-entry.ts";
import { unsure } from "./problem-outcome.ts";
import { removeOurs } from "./remove.ts";
import { ended, type Performed, type Run } from "./run.ts";

/** null: it is safe. */
export async function keepSecret(
  run: Run,
  task: Task,
  intent: IntentEntry,
  id: string,
  record: unknown,
): Promise<Performed | null> {
  const { address } = task.operation;
  const secret = secretOf(record);
  // A sink that cannot be asked afterwards: whether it may have the secret must be known before it has it.
  if (secret !== null && (await run.sink?.holds(id)) === null) await run.journal.hand(intent.seq);
  const why = await store(run, task, id, secret);
  if (why === null) return null;
  const remaining = await removeOurs(run, task.kind, address, task.parentId, id);
  if (remaining !== null) {
    return unsure(remaining, `${why} The webhook (${id}) could not be removed again, and nobody has its secret.`);
  }
  run.journal.close(intent.seq, "undone");
  return ended(
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
