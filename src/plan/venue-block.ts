import type { Block } from "../model/change.ts";
import type { Wish } from "../model/wish.ts";
import type { EventCase } from "./case.ts";
import { withBlocks } from "./compare.ts";

/** An event whose venue cannot be told: whatever else differs waits until it can. */
export function blockVenue(event: EventCase, wish: Wish, block: Block): EventCase {
  const { self } = event;
  const change = self.change ?? {
    address: self.address,
    kind: self.kind.name,
    action: "update" as const,
    id: self.live?.id ?? null,
    reason: "the venue cannot be told",
    edits: [{ path: "/venue", before: self.live?.fields.venueId ?? null, after: wish.own.venue?.name ?? null }],
    transition: null,
    blockedBy: [],
    source: wish.places.venue ?? wish.source,
  };
  if (change.action === "delete") return event;
  return { ...event, self: { ...self, change: withBlocks(change, [block]) } };
}
