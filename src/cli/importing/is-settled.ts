import { idKey } from "../../model/id.ts";
import type { Live } from "../../model/live.ts";
import type { Wish } from "../../model/wish.ts";
import type { Desk } from "./desk.ts";

export interface Looked {
  /** The documents that describe what was imported. */
  readonly documents: readonly Wish[];
  /** Of the events that were imported, in one case. */
  readonly ids: ReadonlySet<string>;
  /** null: they were not asked for. */
  readonly webhooks: readonly Live[] | null;
}

/** Whether the project holds nothing beside what was imported, so that there is nothing else that a plan could change. */
export function isSettled({ project, state }: Desk, { documents, ids, webhooks }: Looked): boolean {
  const remembered = Object.values(state?.objects ?? {}).filter(({ kind }) => kind === "event");
  const files = new Set(project.webhooks.map(({ source }) => source.file));
  return (
    project.events.every((wish) => documents.includes(wish)) &&
    remembered.every(({ id }) => ids.has(idKey(id))) &&
    // Only one file of webhooks is brought up to date.
    files.size <= 1 &&
    project.webhooks.every(({ fields }) => webhooks?.some((live) => live.fields.url === fields.url) === true)
  );
}
