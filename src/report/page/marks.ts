// What becomes of a part of a card, said in words beside it.
export type PartMark = "new" | "changed" | "gone";

/** The parts of a card, in the order in which it shows them. */
export type PartName =
  | "head"
  | "tickets"
  | "performers"
  | "schedule"
  | "brands"
  | "description"
  | "gallery"
  | "facts"
  | "others";

/** Of a part as a whole (no key), or of one item in it; null: it stays as it is. */
export type MarkOf = (part: PartName, key?: string) => PartMark | null;

export const unmarked: MarkOf = () => null;

const markWords: Readonly<Record<PartMark, string>> = { new: "new", changed: "changed", gone: "removed" };

export function markHtml(mark: PartMark | null): string {
  return mark === null ? "" : `<span class="badge ${mark}">${markWords[mark]}</span> `;
}
