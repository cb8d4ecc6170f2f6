import type { EventSight } from "../../import/describe-event.ts";
import type { Wish } from "../../model/wish.ts";
import { matchEvents } from "../../plan/match-events.ts";
import type { Desk } from "./desk.ts";

/** The document that describes each of the events already, by the rules that `plan` goes by. */
export function matchDocuments(desk: Desk, sights: readonly EventSight[]): ReadonlyMap<string, Wish> {
  const matches = matchEvents({
    wishes: desk.project.events,
    lives: sights.map(({ live }) => live),
    remember: desk.remember,
    baseOf: () => undefined,
    now: desk.now,
  });
  const documents = new Map<string, Wish>();
  for (const wish of desk.project.events) {
    const id = matches.get(wish.address)?.live?.id;
    if (id !== undefined && !documents.has(id)) documents.set(id, wish);
  }
  return documents;
}
