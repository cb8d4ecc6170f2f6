// Rotations that a journal leaves to be finished: the new webhook is there with its secret kept, and nobody has written
// down that the former ones are gone.
import type { IntentEntry, JournalEntry, Rotation } from "./journal-entry.ts";

export interface OpenRotation {
  /** The create of the new webhook. */
  readonly intent: IntentEntry & { readonly rotation: Rotation };
  /** The new webhook's id. */
  readonly created: string;
}

export function openRotations(entries: readonly JournalEntry[]): readonly OpenRotation[] {
  const intents = new Map<number, OpenRotation["intent"]>();
  const open = new Map<number, OpenRotation>();
  for (const entry of entries) {
    if (entry.type === "intent" && entry.verb === "create" && isRotation(entry)) intents.set(entry.seq, entry);
    else if (entry.type === "close" && entry.id !== undefined && (entry.how === "done" || entry.how === "adopted")) {
      const intent = intents.get(entry.seq);
      if (intent !== undefined) open.set(entry.seq, { intent, created: entry.id });
    } else if (entry.type === "clear") open.delete(entry.seq);
  }
  return [...open.values()];
}

function isRotation(intent: IntentEntry): intent is OpenRotation["intent"] {
  return intent.rotation !== undefined;
}
