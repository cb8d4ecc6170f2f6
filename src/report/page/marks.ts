// What becomes of a part of a card, in words next to it.
import type { CardFact, EventCard } from "../../model/live.ts";
import { escapeHtml, isMixed, parseUrl } from "../../model/value.ts";
import { textHtml } from "./frame.ts";

type PartMark = "new" | "changed" | "gone";

/** The same event on the other side of the plan, and on which side the card itself is. */
export interface Beside {
  readonly side: "before" | "after";
  readonly other: EventCard;
  /** Keys of what will not change after all, because something forbids it. */
  readonly blocked: ReadonlySet<string>;
  /** Whether something forbids what would change about the event itself. */
  readonly isBlocked: boolean;
}

const words: Readonly<Record<PartMark, string>> = { new: "new", changed: "changed", gone: "removed" };

/** In one word, where there is room for no more. */
export function shortMarkHtml(beside: Beside | undefined, mark: PartMark | null, { key }: Keyed): string {
  if (mark === null || beside?.blocked.has(key) !== true) return markHtml(mark);
  return `<span class="badge ${mark}">blocked</span> `;
}

export function markHtml(mark: PartMark | null, isBlocked = false): string {
  if (mark === null) return "";
  return `<span class="badge ${mark}">${isBlocked ? `${words[mark]} (blocked)` : words[mark]}</span> `;
}

/** The mark of an item of a list, with what keeps it from happening. */
export function itemMarkHtml(beside: Beside | undefined, mark: PartMark | null, { key }: Keyed): string {
  return markHtml(mark, beside?.blocked.has(key) === true);
}

export function markClass(mark: PartMark | null): string {
  return mark === null ? "" : ` class="${mark}"`;
}

export function sameData(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

interface Keyed {
  readonly key: string;
}

type ListName = "tickets" | "performers" | "schedule" | "brands";

export function itemMark(beside: Beside | undefined, list: ListName, item: Keyed): PartMark | null {
  if (beside === undefined) return null;
  return partMark(beside, item, counterpartOf(beside, list, item.key));
}

export function factMark(beside: Beside | undefined, fact: CardFact): PartMark | null {
  if (beside === undefined) return null;
  return partMark(
    beside,
    fact,
    beside.other.facts.find(({ field }) => field === fact.field),
  );
}

function partMark({ side }: Beside, own: unknown, counterpart: unknown): PartMark | null {
  if (counterpart === undefined) return side === "before" ? "gone" : "new";
  return sameData(own, counterpart) ? null : "changed";
}

const indexes = new WeakMap<readonly Keyed[], ReadonlyMap<string, Keyed>>();

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

// Pictures, links and colors that files or the service name: used only if they can be nothing else.

/** Parameters that size a picture or select a version of it. Any other query may be a token, which a page must not reveal. */
const sizing = /^(?:w|h|q|s|v|fm|fit|auto|crop|dpr|width|height|quality|size|format|version)$/;

/** The address to load a picture from; null: it is not shown. */
export function pictureAddress(text: string): string | null {
  const url = openUrl(text);
  if (url?.protocol !== "https:") return null;
  const isPlain = [...url.searchParams].every(
    ([name, value]) => sizing.test(name) && /^[\w.,-]{1,12}$/.test(value) && !isMixed(value),
  );
  return isPlain ? url.href : null;
}

/** Decorative if `alt` is empty, because the name is shown next to it. Nothing if there is no picture to load. */
export function pictureHtml(address: string | null, alt: string, className = ""): string {
  const from = address === null ? null : pictureAddress(address);
  if (from === null) return "";
  const classes = className === "" ? "" : ` class="${className}"`;
  return `<img${classes} src="${escapeHtml(from)}" alt="${textHtml(alt)}" loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
}

/** A link if it leads to a web page, else the text alone. */
export function linkHtml(address: string): string {
  const url = openUrl(address);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || url.search !== "" || url.hash !== "") return textHtml(address);
  return `<a href="${escapeHtml(url.href)}" rel="noopener noreferrer nofollow">${textHtml(address)}</a>`;
}

/** Null if it is not a URL, or holds a user name and password. */
function openUrl(text: string): URL | null {
  const url = parseUrl(text);
  return url === null || url.username !== "" || url.password !== "" ? null : url;
}

/**
 * Style of a box in this color, with the text that is easier to read on it; empty if it is no color of the form #RRGGBB. Its border
 * stays that of the page, so that a box in the page's own color is visible, too.
 */
export function colorStyle(color: string | null): string {
  if (color === null || !/^#[0-9a-f]{6}$/i.test(color)) return "";
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where black and white are equally easy to read.
  return `background:${color};color:${luminance > 0.179 ? "#000" : "#fff"}`;
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
