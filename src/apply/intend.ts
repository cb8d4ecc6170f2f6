import type { Task } from "./fill.ts";
import type { IntentEntry } from "./journal-entry.ts";
import type { Run } from "./run.ts";

type About = Pick<IntentEntry, "address" | "kind" | "verb" | "method" | "path" | "parentId" | "id" | "fields">;

/** Writes down what is about to be sent; ends once that is durable. */
export function intend(run: Run, about: About, more: Partial<IntentEntry> = {}): Promise<IntentEntry> {
  return run.journal.intend({
    operation: null,
    ...about,
    ...more,
    at: Math.round(run.clock.now()),
    date: run.service.serverDate?.toISOString() ?? null,
  });
}

export function intendTask(run: Run, task: Task, fields: IntentEntry["fields"] = task.fields): Promise<IntentEntry> {
  const { operation, kind, path, parentId, id, inline } = task;
  return intend(
    run,
    {
      address: operation.address,
      kind: kind.name,
      verb: operation.verb,
      method: operation.method,
      path,
      parentId,
      id,
      fields,
    },
    {
      operation: operation.id,
      ...(task.rotation === undefined ? {} : { rotation: task.rotation }),
      ...(operation.verb === "create" && run.isProtected(operation.address) ? { protected: true as const } : {}),
      ...(inline.length > 0 ? { inline: inline.map(({ address, fields: own }) => ({ address, fields: own })) } : {}),
    },
  );
}
