// Search text, as loosely or as oddly as the profile wants it.
import type { Profile } from "./knobs.ts";
import type { EventRow } from "./records.ts";

export function searchEvents(events: readonly EventRow[], text: string, profile: Profile): readonly EventRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return events;
  switch (profile.search) {
    case "substring":
      return events.filter((event) => event.name.toLowerCase().includes(wanted));
    case "words": {
      const words = wordsOf(wanted);
      return events.filter((event) => {
        const own = new Set(wordsOf(event.name.toLowerCase()));
        return words.every((word) => own.has(word));
      });
    }
    case "ignored":
      return events;
    case "broken":
      return [];
  }
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
