// What becomes of a part of a card, said in words beside it.
import type { CardFact, EventCard } from "../../model/live.ts";

export type PartMark = "new" | "changed" | "gone";

/** The same event on the other side of the plan, and on which side the card itself is. */
export interface Beside {
  readonly side: "before" | "after";
  readonly other: EventCard;
  /** Keys of what will not change after all, because something forbids it. */
  readonly blocked: ReadonlySet<string>;
}

const words: Readonly<Record<PartMark, string>> = { new: "new", changed: "changed", gone: "removed" };

export function markHtml(mark: PartMark | null, isBlocked = false): string {
  if (mark === null) return "";
  return `<span class="badge ${mark}">${words[mark]}${isBlocked ? ", but blocked" : ""}</span> `;
}

/** The mark of an item of a list, with what keeps it from happening. */
export function itemMarkHtml(beside: Beside | undefined, mark: PartMark | null, { key }: Keyed): string {
  return markHtml(mark, beside?.blocked.has(key) === true);
}

/** A class that repeats the mark. */
export function markClass(mark: PartMark | null): string {
  return mark === null ? "" : ` class="${mark}"`;
}

/** What sets one value apart from its counterpart. */
export function sameData(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

interface Keyed {
  readonly key: string;
}

type ListName = "tickets" | "performers" | "schedule" | "brands";

export function itemMark(beside: Beside | undefined, list: ListName, item: Keyed): PartMark | null {
  if (beside === undefined) return null;
  return markOf(beside, item, counterpartOf(beside, list, item.key));
}

export function factMark(beside: Beside | undefined, fact: CardFact): PartMark | null {
  if (beside === undefined) return null;
  return markOf(
    beside,
    fact,
    beside.other.facts.find(({ field }) => field === fact.field),
  );
}

function markOf({ side }: Beside, own: unknown, counterpart: unknown): PartMark | null {
  if (counterpart === undefined) return side === "before" ? "gone" : "new";
  return sameData(own, counterpart) ? null : "changed";
}

const indexes = new WeakMap<readonly Keyed[], ReadonlyMap<string, Keyed>>();

/** The item of the same key on the other side. */
export function counterpartOf<Name extends ListName>(
  { other }: Beside,
  name: Name,
  key: string,
): NonNullable<EventCard[Name]>[number] | undefined {
  const list = other[name];
  if (list === null) return undefined;
  const index = indexes.get(list) ?? new Map((list as readonly Keyed[]).map((item) => [item.key, item]));
  indexes.set(list, index);
  return index.get(key) as NonNullable<EventCard[Name]>[number] | undefined;
}

/** A cell or value that differs from the one on the other side. */
export function sideHtml(beside: Beside | undefined, html: string, other: string | undefined): string {
  if (beside === undefined || other === undefined || html === other) return html;
  return beside.side === "before" ? `<del>${html}</del>` : `<ins>${html}</ins>`;
}
