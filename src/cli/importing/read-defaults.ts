import type { Defaults } from "../../import/describe-event.ts";
import { kindOf, kinds } from "../../kinds/index.ts";
import { isReference, type Value } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { loadText, type TextReading } from "./load-text.ts";

export interface GivenByProject {
  readonly defaults: Defaults;
  readonly zone: string;
}

/** What a document would have without saying anything, asked of the very code that reads documents. */
export async function readDefaults(reading: TextReading): Promise<GivenByProject> {
  const lists = kinds.filter((kind) => kind.parent === "event");
  const silent = ["name: silent", ...lists.map((kind) => `${kind.plural}: [{}]`)].join("\n");
  const project = await loadText("silent.yaml", silent, "events", reading);
  const [event] = project.events;
  const defaults = Object.fromEntries(lists.map((kind) => [kind.name, valuesOf(event?.children[kind.name]?.[0])]));
  const { [kindOf("event").identity.label]: _, ...given } = valuesOf(event);
  return { defaults: { ...defaults, event: given }, zone: event?.own.timezone ?? "Asia/Manila" };
}

function valuesOf(wish: Wish | undefined): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [field, value] of Object.entries(wish?.fields ?? {})) if (!isReference(value)) values[field] = value;
  return values;
}
