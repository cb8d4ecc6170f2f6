// Objects that were asked for within their parent's create call, and whose ids nobody has learned yet.
import type { IntentEntry, JournalEntry } from "./journal-entry.ts";

export interface Unlearned {
  readonly intent: IntentEntry;
  /** The id of the parent that was made. */
  readonly parentId: string;
}

export function unlearnedParts(entries: readonly JournalEntry[]): readonly Unlearned[] {
  const intents = new Map<number, IntentEntry>();
  const made = new Map<number, Unlearned>();
  const learned = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "intent" && entry.verb === "create") intents.set(entry.seq, entry);
    else if (entry.type === "learn") learned.add(entry.address);
    else if (entry.type === "clear") made.delete(entry.seq);
    else if (entry.type === "close" && entry.id !== undefined) {
      const intent = intents.get(entry.seq);
      if (intent === undefined) continue;
      learned.add(intent.address);
      if (intent.inline !== undefined) made.set(entry.seq, { intent, parentId: entry.id });
    }
  }
  return [...made.values()].filter(({ intent }) => intent.inline?.some((part) => !learned.has(part.address)));
}
